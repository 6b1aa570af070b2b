#include "exporter/engine/driver_choice.h"

#include <gtest/gtest.h>

#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {
namespace {

// A candidate that fails as the test says, else opens a simulated machine.
struct Candidate {
  DriverState state = DriverState::kOk;
  int opened = 0;

  DriverCandidate Make(const std::string& backend, Clock& clock) {
    return {backend, [this, &clock]() -> absl::StatusOr<std::shared_ptr<NpuDriver>> {
              ++opened;
              if (state != DriverState::kOk) return DriverError(state, "not today");
              return OpenSim({.scenario = "fleet:2"}, clock);
            }};
  }
};

class DriverChoiceTest : public ::testing::Test {
 protected:
  VirtualClock clock_;
  Candidate first_, second_;
  DriverChoice choice_{{first_.Make("dcmi", clock_), second_.Make("npu_smi", clock_)}};
};

TEST_F(DriverChoiceTest, TakesTheFirstThatWorks) {
  const Attempt attempt = choice_.Discover(false);
  ASSERT_TRUE(attempt.discovery.ok());
  EXPECT_TRUE(attempt.changed);
  EXPECT_EQ(second_.opened, 0);
  EXPECT_FALSE(choice_.second_choice());
  EXPECT_FALSE(choice_.Discover(false).changed);
}

TEST_F(DriverChoiceTest, FallsBackAndSaysWhyThePreferredOneWasRefused) {
  first_.state = DriverState::kLibraryNotFound;
  ASSERT_TRUE(choice_.Discover(false).discovery.ok());
  EXPECT_TRUE(choice_.second_choice());
  ASSERT_EQ(choice_.refused().size(), 1U);
  EXPECT_EQ(choice_.refused()[0], std::pair(std::string("dcmi"), DriverState::kLibraryNotFound));
}

TEST_F(DriverChoiceTest, ChangesOverWhenThePreferredOneAppears) {
  first_.state = DriverState::kLibraryNotFound;
  const Attempt fallback = choice_.Discover(false);
  first_.state = DriverState::kOk;
  EXPECT_FALSE(choice_.Discover(false).changed) << "only when asked to look";
  const Attempt upgraded = choice_.Discover(true);
  EXPECT_TRUE(upgraded.changed);
  EXPECT_NE(upgraded.driver, fallback.driver);
  EXPECT_FALSE(choice_.second_choice());
  EXPECT_TRUE(choice_.refused().empty());
}

TEST_F(DriverChoiceTest, NoDriverBehindTheOneInUseIsCalledRefused) {
  first_.state = DriverState::kLibraryNotFound;
  second_.state = DriverState::kToolNotFound;
  EXPECT_FALSE(choice_.Discover(false).discovery.ok());
  EXPECT_EQ(choice_.refused().size(), 2U);
  first_.state = DriverState::kOk;
  EXPECT_TRUE(choice_.Discover(false).discovery.ok());
  EXPECT_TRUE(choice_.refused().empty());
}

TEST_F(DriverChoiceTest, NamesThePreferredDriversReasonWhenNoneWorks) {
  first_.state = DriverState::kLibraryRejected;
  second_.state = DriverState::kToolNotFound;
  const Attempt attempt = choice_.Discover(false);
  EXPECT_EQ(attempt.driver, nullptr);
  EXPECT_EQ(StateOf(attempt.discovery.status()), DriverState::kLibraryRejected);
  first_.state = DriverState::kOk;
  EXPECT_TRUE(choice_.Discover(false).discovery.ok()) << "and recovers by itself";
}

}  // namespace
}  // namespace ascend
