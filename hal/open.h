// How to get a driver. Opening may block (loading the vendor's library, starting a tool): discovery
// thread only. A failure carries a DriverState and one line that says what, where and what to do.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "hal/clock.h"
#include "hal/npu_driver.h"

namespace ascend {

struct DcmiOptions {
  std::string library;           // path of libdcmi.so; empty: search
  bool allow_untrusted = false;  // skip the check of owner and mode
};
absl::StatusOr<std::shared_ptr<NpuDriver>> OpenDcmi(const DcmiOptions& options);

struct NpuSmiOptions {
  // Of the tool. Empty: /usr/local/sbin, /usr/local/bin, /usr/sbin, /usr/bin, then the absolute
  // folders of PATH; root takes only one there that nobody else can have written.
  std::string path;
};
absl::StatusOr<std::shared_ptr<NpuDriver>> OpenNpuSmi(const NpuSmiOptions& options, Clock& clock);

struct SimOptions {
  std::string scenario = "8x910b";  // the name of a built-in, or the path of a scenario file
};
absl::StatusOr<std::shared_ptr<NpuDriver>> OpenSim(const SimOptions& options, Clock& clock);

}  // namespace ascend
