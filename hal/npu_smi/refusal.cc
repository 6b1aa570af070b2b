#include "hal/npu_smi/refusal.h"

#include <array>

#include "fmt/format.h"
#include "hal/npu_smi/cells.h"

namespace ascend::npu_smi {
namespace {

using absl::StatusCode;

struct Saying {
  std::string_view text;  // what the tool prints, in part
  StatusCode code;
};
// The telling ones first: "Error parameter of -i" follows "Invalid card id." and a usage follows
// both.
constexpr std::array<Saying, 22> kSayings = {{
    {"no ip was preset", StatusCode::kFailedPrecondition},
    {"does not support querying", StatusCode::kUnimplemented},
    {"cannot be executed on a VM", StatusCode::kUnimplemented},
    {"Invalid card id", StatusCode::kNotFound},
    {"Invalid chip id", StatusCode::kNotFound},
    {"Error parameter of -i", StatusCode::kNotFound},
    {"The device is not exist", StatusCode::kNotFound},
    {"There is no NPU", StatusCode::kNotFound},
    {"Error parameter of -", StatusCode::kUnimplemented},
    {"Usage: ", StatusCode::kUnimplemented},
    {"ret is -8255", StatusCode::kUnimplemented},
    {"ret is -8002", StatusCode::kPermissionDenied},
    {"ermission denied", StatusCode::kPermissionDenied},
    {"ret is -80", StatusCode::kUnavailable},
    {"dcmi module initialize failed", StatusCode::kUnavailable},
    {"dcmi model initialized failed", StatusCode::kUnavailable},
    {"npu get board type failed", StatusCode::kUnavailable},
    {"Failed to query", StatusCode::kUnavailable},
    {"Failed to get", StatusCode::kUnavailable},
    {"error while loading shared libraries", StatusCode::kUnavailable},
    {"Command execute failed", StatusCode::kUnavailable},
    {"command execute failed", StatusCode::kUnavailable},
}};

std::string LineWith(std::string_view text, std::string_view part) {
  while (!text.empty()) {
    bool ended = false;
    const std::string_view line = TakeLine(text, ended);
    if (Has(line, part)) return Quotable(line);
  }
  return {};
}

std::string FirstLine(std::string_view text) {
  while (!text.empty()) {
    bool ended = false;
    const std::string_view line = TakeLine(text, ended);
    if (!Trim(line).empty()) return Quotable(line);
  }
  return {};
}

}  // namespace

absl::Status RefusalIn(std::string_view text) {
  for (const Saying& saying : kSayings) {
    if (Has(text, saying.text)) return {saying.code, LineWith(text, saying.text)};
  }
  return absl::OkStatus();
}

absl::Status QueryStatus(const ProcessResult& result, const std::string& tool,
                         const std::string& query) {
  const std::string run = fmt::format("{} {}", tool, query);
  switch (result.end) {
    case ProcessEnd::kTimedOut:
      return absl::UnavailableError(fmt::format("{} did not end in time and was killed", run));
    case ProcessEnd::kCanceled:
      return absl::UnavailableError(fmt::format("{} was interrupted", run));
    case ProcessEnd::kTooMuchOutput:
      return absl::InternalError(fmt::format("{} printed too much and was killed", run));
    case ProcessEnd::kSignaled:
      return absl::InternalError(fmt::format("{} was ended by signal {}", run, result.code));
    case ProcessEnd::kExited:
      break;
  }
  for (const std::string* text : {&result.out, &result.err}) {
    // What the tool complains about beside an answer is no refusal.
    if (result.code == 0 && text == &result.err && !Trim(result.out).empty()) continue;
    const absl::Status refusal = RefusalIn(*text);
    if (!refusal.ok()) {
      return {refusal.code(), fmt::format("{} says \"{}\"", run, std::string(refusal.message()))};
    }
  }
  if (result.code != 0) {
    std::string line = FirstLine(result.err);
    if (line.empty()) line = FirstLine(result.out);
    return absl::InternalError(
        fmt::format("{} ended with status {}: \"{}\"", run, result.code, line));
  }
  if (FirstLine(result.out).empty()) {
    return absl::InternalError(fmt::format("{} printed nothing", run));
  }
  return absl::OkStatus();
}

}  // namespace ascend::npu_smi
