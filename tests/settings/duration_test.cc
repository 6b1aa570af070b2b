#include "exporter/settings/duration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace ascend {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr DurationBounds kAny{nanoseconds(0), hours(24 * 366)};

TEST(DurationTest, ReadsEveryUnitAndDecimals) {
  EXPECT_EQ(*ParseDuration("250ms", kAny), milliseconds(250));
  EXPECT_EQ(*ParseDuration("1s", kAny), seconds(1));
  EXPECT_EQ(*ParseDuration("1.5s", kAny), milliseconds(1500));
  EXPECT_EQ(*ParseDuration("0.001s", kAny), milliseconds(1));
  EXPECT_EQ(*ParseDuration("5m", kAny), minutes(5));
  EXPECT_EQ(*ParseDuration("24h", kAny), hours(24));
  EXPECT_EQ(*ParseDuration("365d", kAny), hours(24 * 365));
  EXPECT_EQ(*ParseDuration("0s", kAny), nanoseconds(0));
}

TEST(DurationTest, RefusesWhatIsNotOneNumberWithOneUnit) {
  for (const char* text : {"", "s", ".5s", "5.s", "1..5s", "-1s", "+1s", " 1s", "1 s", "1s ", "1S",
                           "1us", "1h30m", "1e3s", "0x1s", "infs", "nan", "1,5s"}) {
    const auto duration = ParseDuration(text, kAny);
    ASSERT_FALSE(duration.ok()) << text;
    EXPECT_THAT(std::string(duration.status().message()),
                HasSubstr("; write a duration such as 250ms, 1s or 5m"));
  }
}

TEST(DurationTest, ABareNumberHasNoUnitEvenIfItIsZero) {
  for (const char* text : {"0", "1", "1.5"}) {
    EXPECT_THAT(std::string(ParseDuration(text, kAny).status().message()),
                HasSubstr("has no unit"));
  }
}

TEST(DurationTest, BoundsAreIncluded) {
  constexpr DurationBounds kBounds{milliseconds(10), minutes(1)};
  EXPECT_TRUE(ParseDuration("10ms", kBounds).ok());
  EXPECT_TRUE(ParseDuration("1m", kBounds).ok());
  EXPECT_EQ(ParseDuration("9.9ms", kBounds).status().message(), "9.9ms is below the least, 10ms");
  EXPECT_EQ(ParseDuration("61s", kBounds).status().message(), "61s is above the most, 1m");
}

TEST(DurationTest, ANumberThatNoClockHoldsIsAboveTheMost) {
  const std::string huge(400, '9');
  EXPECT_FALSE(ParseDuration(huge + "d", kAny).ok());
  EXPECT_THAT(std::string(ParseDuration("99999999999999999999d", kAny).status().message()),
              HasSubstr("is above the most, 366d"));
}

TEST(DurationTest, WritesTheShortestText) {
  EXPECT_EQ(FormatDuration(milliseconds(1)), "1ms");
  EXPECT_EQ(FormatDuration(milliseconds(1500)), "1500ms");
  EXPECT_EQ(FormatDuration(seconds(90)), "90s");
  EXPECT_EQ(FormatDuration(seconds(60)), "1m");
  EXPECT_EQ(FormatDuration(hours(36)), "36h");
  EXPECT_EQ(FormatDuration(hours(48)), "2d");
  EXPECT_EQ(FormatDuration(nanoseconds(0)), "0ms");
}

}  // namespace
}  // namespace ascend
