// How to get a driver. Opening may block (loading the vendor's library, starting a tool): discovery
// thread only. A failure carries a DriverState and one line that says what, where and what to do.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/clock.h"
#include "hal/npu_driver.h"

namespace ascend {

struct DcmiOptions {
  std::string library;           // path of libdcmi.so; empty: search
  bool allow_untrusted = false;  // skip the check of owner and mode
  std::string sysfs = "/sys";    // where the kernel tells of PCI devices
  // Of hccn_tool, which tells what the library does not. Empty: where the driver's installation has
  // it (hal/hccn_tool.h).
  std::string hccn_path{};
  // How long a search for devices waits for cards of which no call returns, while others answer.
  nanoseconds card_patience = std::chrono::seconds(2);
};
absl::StatusOr<std::shared_ptr<NpuDriver>> OpenDcmi(const DcmiOptions& options, Clock& clock);

struct NpuSmiOptions {
  // Of the tool. Empty: /usr/local/sbin, /usr/local/bin, /usr/sbin, /usr/bin, then the absolute
  // folders of PATH; root takes only one there that nobody else can have written.
  std::string path;
  std::string sysfs = "/sys";
  std::string hccn_path{};  // as above
};
absl::StatusOr<std::shared_ptr<NpuDriver>> OpenNpuSmi(const NpuSmiOptions& options, Clock& clock);

// An output of one of the vendor's tools that somebody pasted.
struct CapturedOutput {
  std::string form;                // "npu-smi info -t ecc", "hccn_tool -stat", "unknown"
  std::size_t not_understood = 0;  // lines
  std::vector<std::string> lines;  // the first of them, fit for a message
};
struct Captured {
  std::shared_ptr<NpuDriver> driver;  // npu-smi's, as if the tools printed what was pasted
  std::vector<CapturedOutput> outputs;
};
// Each text may hold the outputs of several commands. Runs nothing.
Captured OpenCaptured(const std::vector<std::string>& texts, Clock& clock);

struct SimOptions {
  std::string scenario = "8x910b";  // the name of a built-in, or the path of a scenario file
};
absl::StatusOr<std::shared_ptr<NpuDriver>> OpenSim(const SimOptions& options, Clock& clock);

}  // namespace ascend
