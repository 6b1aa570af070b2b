// What a run of `npu-smi info` came to: a table, or the reason why there is none.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "hal/clock.h"
#include "hal/npu_smi/process.h"
#include "hal/npu_smi/table.h"

namespace ascend::npu_smi {

// A table that can be trusted: exit status 0, a version line and at least one whole chip. Every
// error carries a DriverState and names `tool`. `deadline` is the one that the run had, for the
// message.
absl::StatusOr<InfoTable> TableOf(const ProcessResult& result, const std::string& tool,
                                  nanoseconds deadline);

// Whether the error says that the run did not end: a card may hang.
bool DidNotEnd(const absl::Status& error);
// The error, so that DidNotEnd is true of it.
absl::Status NeverEnding(absl::Status error);

}  // namespace ascend::npu_smi
