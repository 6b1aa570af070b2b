// An hour of trouble at the highest rate is a short log.
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include "exporter/engine/call_log.h"
#include "tests/engine/simulated_node.h"

namespace ascend {
namespace {

class LogTest : public ::testing::Test {
 protected:
  LogTest() {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)));
  }
  ~LogTest() override { spdlog::set_default_logger(before_); }
  std::size_t Lines() const {
    const std::string text = text_.str();
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }

  const std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
  std::ostringstream text_;
};

TEST_F(LogTest, OneCauseThatFailsEveryCallIsSaidOnce) {
  CallLog log;
  Mono now{1h};
  for (int round = 0; round < 36000; ++round, now += 100ms) {
    for (int device = 0; device < 16; ++device) {
      for (const char* collector : {"power", "hbm", "health"}) {
        log.Failed(device, collector, "the tool failed", now);
      }
    }
  }
  EXPECT_GE(Lines(), 2U);
  EXPECT_LE(Lines(), 10U);
}

TEST_F(LogTest, AnHourOfCallsThatFailAndWorkInTurnIsUnderAHundredLines) {
  CallLog log;
  Mono now{1h};
  for (int round = 0; round < 36000; ++round, now += 100ms) {
    const std::string reason = "reason " + std::to_string(round);
    log.Failed(round % 16, "power", reason, now);
    log.Succeeded(round % 16, "power", now);
  }
  EXPECT_LT(Lines(), 60U);
  EXPECT_NE(text_.str().find("were left out"), std::string::npos);
}

TEST_F(LogTest, EndOfAFailureIsSaid) {
  CallLog log;
  log.Failed(3, "power", "no", Mono{1h});
  log.Failed(3, "power", "no", Mono{1h + 1s});
  log.Succeeded(3, "power", Mono{1h + 2s});
  EXPECT_NE(text_.str().find("device 3: power fails: no"), std::string::npos);
  EXPECT_NE(text_.str().find("device 3: power works again after 2 failures"), std::string::npos);
  EXPECT_EQ(Lines(), 2U);
}

TEST_F(LogTest, AnHourOfADeviceThatFlapsIsUnderAHundredLines) {
  std::string events;
  for (int second = 10; second < 3600; second += 10) {
    events += "  - {at: " + std::to_string(second) +
              "s, for: 5s, device: 0, kind: hang, call: temperature}\n";
  }
  SimulatedNode node(SteadyScenario(events));
  node.clock.Advance(1h);
  EXPECT_GT(*node.OwnValue("ascend_exporter_call_timeouts_total{device=\"0\"}"), 300);
  EXPECT_LT(Lines(), 100U);
  EXPECT_NE(text_.str().find("device 0 (temperature): hung in a driver call"), std::string::npos);
}

TEST_F(LogTest, ChangesOfManyDevicesAreOneLine) {
  SimulatedNode node("machine: fleet:64\nload: steady\n");
  node.clock.Advance(5s);
  EXPECT_LE(Lines(), 4U);
  EXPECT_NE(text_.str().find("62, 63: healthy"), std::string::npos);
}

}  // namespace
}  // namespace ascend
