#include "hal/dcmi/return_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ascend::dcmi {
namespace {

struct Meaning {
  int code;
  std::string_view name;
  absl::StatusCode status;
};

using absl::StatusCode;

constexpr std::array<Meaning, 22> kMeanings = {{
    {kInvalidParameter, "invalid parameter", StatusCode::kInternal},
    {kNotPermitted, "operation not permitted", StatusCode::kPermissionDenied},
    {-8003, "memory operation failed", StatusCode::kInternal},
    {-8004, "secure function failed", StatusCode::kInternal},
    {kInnerError, "inner error", StatusCode::kInternal},
    {-8006, "time out", StatusCode::kUnavailable},
    {-8007, "invalid device id", StatusCode::kNotFound},
    {-8008, "device does not exist", StatusCode::kNotFound},
    {-8009, "ioctl failed", StatusCode::kInternal},
    {-8010, "sending a message failed", StatusCode::kInternal},
    {-8011, "receiving a message failed", StatusCode::kInternal},
    {kNotReady, "device not ready", StatusCode::kNotFound},
    {-8013, "not supported in a container, or device busy", StatusCode::kUnavailable},
    {-8014, "file operation failed", StatusCode::kInternal},
    {-8015, "reset failed", StatusCode::kUnavailable},
    {-8016, "operation aborted", StatusCode::kInternal},
    {-8017, "upgrade in progress", StatusCode::kUnavailable},
    {kResourceOccupied, "resource occupied", StatusCode::kUnavailable},
    {-8022, "partition not right", StatusCode::kInternal},
    {kNoConfiguration, "configuration does not exist", StatusCode::kInternal},
    {kNotSupported, "not supported", StatusCode::kUnimplemented},
    {kNoSuchSymbol, "", StatusCode::kUnimplemented},
}};

const Meaning* MeaningOf(int code) {
  const auto* found = std::ranges::find(kMeanings, code, &Meaning::code);
  return found == kMeanings.end() ? nullptr : found;
}

}  // namespace

std::string Describe(std::string_view function, int code) {
  if (code == kNoSuchSymbol) {
    return fmt::format("{}: not in this version of the library", function);
  }
  const Meaning* meaning = MeaningOf(code);
  return fmt::format("{}: {} ({})", function, code,
                     meaning == nullptr ? "unknown code" : meaning->name);
}

absl::Status StatusOf(std::string_view function, int code) {
  if (code == kOk) return absl::OkStatus();
  const Meaning* meaning = MeaningOf(code);
  return absl::Status(meaning == nullptr ? StatusCode::kInternal : meaning->status,
                      Describe(function, code));
}

}  // namespace ascend::dcmi
