// What the vendor's tools say instead of an answer to one query.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "hal/clock.h"
#include "hal/npu_smi/process.h"

namespace ascend::npu_smi {

// The status that the text stands for, OK if it has none of the tools' refusals in it.
// kUnimplemented: the query is not known or not supported; kNotFound: no such card;
// kFailedPrecondition: the port has no address; kUnavailable and kPermissionDenied as in
// hal/npu_driver.h.
absl::Status RefusalIn(std::string_view text);

// Whether a run of a query gave an answer that can be read; `tool` and `query` are for the message.
absl::Status QueryStatus(const ProcessResult& result, const std::string& tool,
                         const std::string& query);

}  // namespace ascend::npu_smi
