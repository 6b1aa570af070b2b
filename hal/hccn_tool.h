// The vendor's tool for the network of its chips, hccn_tool: link, address, optical modules and
// counters, some of which the library does not tell.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "hal/clock.h"
#include "hal/network_readings.h"
#include "hal/npu_driver.h"

namespace ascend {

namespace npu_smi {
class QueryRuns;
class RunGate;
}  // namespace npu_smi

struct HccnOptions {
  // Root runs a tool only if nobody else can have written it, unless `path` was named by the
  // operator.
  std::string path = "/usr/local/Ascend/driver/tools/hccn_tool";
  bool named_by_operator = false;
  bool captured = false;  // nothing is run: the outputs were captured before
  nanoseconds run_deadline = std::chrono::seconds(5);    // of one run
  nanoseconds read_deadline = std::chrono::seconds(10);  // of one reading, which may take many runs
};

// `path` as an operator names it, empty where nobody does.
HccnOptions HccnOptionsFor(const std::string& path);

struct HccnChip {
  std::int32_t phy_id = 0;
  bool is_950 = false;  // which has ports, and other forms of the commands
};

// Every method may block for the read deadline and two seconds more. Any thread; at most three
// processes of the tool run at once. Errors as in hal/npu_driver.h: kUnimplemented where there is
// no tool or it does not know the query, which is asked once for each chip.
class HccnTool {
 public:
  HccnTool(HccnOptions options, Clock& clock);
  // Shares the places of a gate with another tool.
  HccnTool(HccnOptions options, Clock& clock, std::shared_ptr<npu_smi::RunGate> gate);
  ~HccnTool();

  // kUnimplemented where there is no tool that may be run.
  [[nodiscard]] const absl::Status& usable() const { return usable_; }

  absl::StatusOr<NetworkHealthReading> ReadHealth(HccnChip chip);
  // State, speed, address and changes. On 950 state and speed of the ports that carry Ethernet.
  absl::StatusOr<NetworkLinkReading> ReadLink(HccnChip chip);
  absl::StatusOr<NetworkCountersReading> ReadCounters(HccnChip chip);  // not 950
  // The tool measures for a time of its own choice. Not 950.
  absl::StatusOr<NetworkBandwidthReading> ReadBandwidth(HccnChip chip);
  absl::StatusOr<OpticalReading> ReadOptical(HccnChip chip);  // not 950
  absl::StatusOr<UbReading> ReadUb(HccnChip chip);            // 950

  // Kills the runs in progress. Every call, in progress or yet to come, returns kUnavailable.
  void Interrupt();

  // Lines that were not understood, since the start.
  [[nodiscard]] std::uint64_t unknown_lines() const;

 private:
  class Reading;

  const HccnOptions options_;
  const absl::Status usable_;
  const std::unique_ptr<npu_smi::QueryRuns> runs_;
};

}  // namespace ascend
