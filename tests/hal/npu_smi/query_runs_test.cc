// How runs are shared, bounded and held back.
#include "hal/npu_smi/query_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/hal/npu_smi/fake_tool.h"

namespace ascend::npu_smi {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::SizeIs;

SteadyTime In(nanoseconds time) { return std::chrono::steady_clock::now() + time; }

class QueryRunsTest : public ::testing::Test {
 protected:
  QueryRunsTest() : script("") {}

  std::unique_ptr<QueryRuns> Open(std::size_t places, nanoseconds deadline = seconds(60)) {
    gate = std::make_shared<RunGate>(places);
    return std::make_unique<QueryRuns>(script.tool(), deadline, gate, script.clock);
  }

  FakeTool script;
  std::shared_ptr<RunGate> gate;
};

TEST_F(QueryRunsTest, TheGateLetsInAsManyAsItHasPlaces) {
  RunGate two(2);
  EXPECT_TRUE(two.Enter(In(seconds(60))));
  EXPECT_TRUE(two.Enter(In(seconds(60))));
  EXPECT_FALSE(two.Enter(In(milliseconds(1))));
  two.Leave();
  EXPECT_TRUE(two.Enter(In(seconds(60))));
}

TEST_F(QueryRunsTest, TheGateWakesWhoWaits) {
  RunGate one(1);
  EXPECT_TRUE(one.Enter(In(seconds(60))));
  std::atomic<bool> entered = false;
  std::jthread waiter([&] { entered = one.Enter(In(seconds(60))); });
  one.Leave();
  waiter.join();
  EXPECT_TRUE(entered);
  std::jthread second([&] { entered = one.Enter(In(seconds(60))); });
  one.Interrupt();
  second.join();
  EXPECT_FALSE(entered);
}

TEST_F(QueryRunsTest, ThreadsWithOneQuestionShareOneRun) {
  script.Answer("a", "answer");
  const auto runs = Open(3);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&] {
      const auto printed = runs->Ask({{"a"}, 0}, In(seconds(60)));
      EXPECT_TRUE(printed.ok() && (*printed)->text == "answer\n");
    });
  }
  threads.clear();
  EXPECT_THAT(script.Runs(), SizeIs(1));
}

// Every run writes a line at its start and at its end.
TEST_F(QueryRunsTest, NoMoreRunsAtOnceThanThereArePlaces) {
  for (int question = 0; question < 12; ++question) {
    script.Answer(fmt::format("q{}", question), "x",
                  fmt::format("echo end >> {}; exit 0", script / "runs"));
  }
  const auto runs = Open(2);
  std::vector<std::jthread> threads;
  for (int question = 0; question < 12; ++question) {
    threads.emplace_back([&, question] {
      EXPECT_TRUE(runs->Ask({{fmt::format("q{}", question)}, question}, In(seconds(60))).ok());
    });
  }
  threads.clear();
  int running = 0;
  for (const std::string& line : script.Runs()) {
    running += line == "end" ? -1 : 1;
    EXPECT_LE(running, 2);
  }
  EXPECT_THAT(script.Runs(), SizeIs(24));
}

TEST_F(QueryRunsTest, WhoFindsNoPlaceIsToldSoAtItsDeadline) {
  script.Answer("a", "answer");
  const auto runs = Open(1);
  ASSERT_TRUE(gate->Enter(In(seconds(60))));
  const auto refused = runs->Ask({{"a"}, 0}, In(milliseconds(1)));
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("too many runs"));
  gate->Leave();
  script.clock.Advance(seconds(5));
  EXPECT_TRUE(runs->Ask({{"a"}, 0}, In(seconds(60))).ok());
}

TEST_F(QueryRunsTest, ACardThatHangsIsHeldBackAndTheOthersAreAnswered) {
  script.Answer("bad", "", "exec sleep 1000");
  script.Answer("bad too", "never asked");
  script.Answer("good", "answer");
  const auto runs = Open(1, milliseconds(100));
  EXPECT_EQ(runs->Ask({{"bad"}, 7}, In(seconds(60))).status().code(),
            absl::StatusCode::kUnavailable);
  const auto held = runs->Ask({{"bad", "too"}, 7}, In(seconds(60)));
  EXPECT_EQ(held.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(held.status().message()), HasSubstr("did not answer about 7"));
  EXPECT_TRUE(runs->Ask({{"good"}, 8}, In(seconds(60))).ok());
  EXPECT_EQ(script.RunsOf("bad too"), 0U);
  script.clock.Advance(seconds(61));
  script.Answer("bad", "well again");
  EXPECT_TRUE(runs->Ask({{"bad"}, 7}, In(seconds(60))).ok());
}

TEST_F(QueryRunsTest, ARunThatWasGivenLittleTimeHoldsNobodyBack) {
  script.Answer("slow", "", "exec sleep 1000");
  const auto runs = Open(1, seconds(60));
  EXPECT_EQ(runs->Ask({{"slow"}, 7}, In(milliseconds(50))).status().code(),
            absl::StatusCode::kUnavailable);
  script.Answer("other", "answer");
  EXPECT_TRUE(runs->Ask({{"other"}, 7}, In(seconds(60))).ok());
}

TEST_F(QueryRunsTest, TheEndEndsRunsAndAllWhoWait) {
  LifeLine life(script / "life");
  script.Answer("a", "", fmt::format("exec 3>{}; echo begun >&3; sleep 1000", life.path()));
  const auto runs = Open(1);
  std::atomic<int> unavailable = 0;
  std::vector<std::jthread> threads;
  const auto ask = [&](const char* question) {
    const auto answer = runs->Ask({{question}, 0}, In(seconds(60)));
    unavailable += answer.status().code() == absl::StatusCode::kUnavailable ? 1 : 0;
  };
  threads.emplace_back(ask, "a");
  ASSERT_TRUE(life.AwaitWord());
  threads.emplace_back(ask, "a");
  threads.emplace_back(ask, "b");
  runs->Interrupt();
  threads.clear();
  EXPECT_EQ(unavailable, 3);
  EXPECT_TRUE(life.AwaitEnd());
}

}  // namespace
}  // namespace ascend::npu_smi
