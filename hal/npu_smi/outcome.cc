#include "hal/npu_smi/outcome.h"

#include <unistd.h>

#include <array>
#include <optional>
#include <string_view>

#include "absl/strings/cord.h"
#include "fmt/format.h"
#include "hal/driver_state.h"
#include "hal/npu_smi/cells.h"

namespace ascend::npu_smi {
namespace {

constexpr char kNeverEnding[] = "ascend-exporter/never-ending";
constexpr int kLoaderExit = 127;
constexpr std::string_view kLoaderText = "error while loading shared libraries: ";

struct KnownText {
  std::string_view text;  // what the tool prints, in part
  DriverState state;
  std::string_view meaning;
};

// Messages of the tool instead of a table, the telling ones first.
constexpr std::array<KnownText, 12> kKnownTexts = {{
    {"ret is -8020", DriverState::kDeviceInUse,
     "the devices are held by another container; give them to one container only, or free them"},
    {"because the device is used", DriverState::kDeviceInUse,
     "the devices are held by another container; give them to one container only, or free them"},
    {"ret is -8005", DriverState::kInitFailed,
     "the driver is not loaded, the device nodes are not visible here or access is denied"},
    {"dcmi module initialize failed", DriverState::kInitFailed,
     "the driver could not be reached; check that it is loaded and its device nodes are visible"},
    {"dcmi model initialized failed", DriverState::kInitFailed,
     "the driver could not be reached; check that it is loaded and its device nodes are visible"},
    {"npu get board type failed", DriverState::kInitFailed,
     "the board was not recognised; check that tool and driver are of one release"},
    {"There is no NPU card on this server", DriverState::kNoDevices, "the machine has no NPU"},
    {"There is no NPU chip on this card", DriverState::kNoDevices, "the card has no chip"},
    {"Failed to get card number", DriverState::kToolFailed, "the driver did not list its cards"},
    {"Failed to query card total info", DriverState::kToolFailed,
     "the driver did not list its cards"},
    {"Failed to get device type", DriverState::kToolFailed, "the driver did not name its chips"},
    {"This command cannot be executed on a VM", DriverState::kToolFailed,
     "the tool does not work on this virtual machine or in this container"},
}};

// The first line that is not blank, fit for a message.
std::string FirstLine(std::string_view text) {
  while (!text.empty()) {
    bool ended = false;
    const std::string_view line = Trim(TakeLine(text, ended));
    if (!line.empty()) return Quotable(line);
  }
  return {};
}

std::string LineWith(std::string_view text, std::string_view part) {
  while (!text.empty()) {
    bool ended = false;
    const std::string_view line = TakeLine(text, ended);
    if (Has(line, part)) return Quotable(line);
  }
  return {};
}

// Empty for root, which alone may use the driver of most installations.
std::string UserNote() {
  const uid_t user = ::geteuid();
  return user == 0 ? std::string() : fmt::format(" (run as user id {}, not as root)", user);
}

std::optional<absl::Status> KnownError(const ProcessResult& result, const std::string& tool) {
  for (const std::string* text : {&result.out, &result.err}) {
    for (const KnownText& known : kKnownTexts) {
      if (!Has(*text, known.text)) continue;
      return DriverError(known.state,
                         fmt::format("{} says \"{}\": {}{}", tool, LineWith(*text, known.text),
                                     known.meaning, UserNote()));
    }
  }
  return std::nullopt;
}

absl::Status LoaderError(const ProcessResult& result, const std::string& tool) {
  const std::string_view text(Has(result.err, kLoaderText) ? result.err : result.out);
  const std::size_t at = text.find(kLoaderText);
  if (at == std::string_view::npos) {
    return DriverError(DriverState::kToolFailed,
                       fmt::format("{} ended with status {}: a program or library that it needs is "
                                   "missing: {}",
                                   tool, kLoaderExit, FirstLine(result.err)));
  }
  const std::string_view rest = text.substr(at + kLoaderText.size());
  return DriverError(
      DriverState::kToolFailed,
      fmt::format("{} cannot load the library {}; add the folder of the driver's libraries to "
                  "LD_LIBRARY_PATH or to the loader's configuration",
                  tool, Quotable(rest.substr(0, rest.find_first_of(": \n")))));
}

// What the tool said, for a message: the error output is the more telling of the two.
std::string Saying(const ProcessResult& result) {
  std::string line = FirstLine(result.err);
  if (line.empty()) line = FirstLine(result.out);
  return line.empty() ? "and printed nothing" : fmt::format("and printed \"{}\"", line);
}

absl::Status Failed(const std::string& tool, std::string_view what) {
  return DriverError(DriverState::kToolFailed, fmt::format("{} {}", tool, what));
}

// The failures that make any output worthless.
std::optional<absl::Status> EndError(const ProcessResult& result, const std::string& tool,
                                     nanoseconds deadline) {
  switch (result.end) {
    case ProcessEnd::kTimedOut:
      return NeverEnding(
          Failed(tool, fmt::format("did not end within {:g} s and was killed; the kernel driver "
                                   "or a chip may hang",
                                   std::chrono::duration<double>(deadline).count())));
    case ProcessEnd::kTooMuchOutput:
      return Failed(tool, "printed more than a table can have and was killed; is it npu-smi?");
    case ProcessEnd::kSignaled:
      return Failed(tool, fmt::format("was ended by signal {} {}", result.code, Saying(result)));
    case ProcessEnd::kCanceled:
      return absl::UnavailableError(fmt::format("{} was interrupted", tool));
    case ProcessEnd::kExited:
      break;
  }
  if (result.code == 0) return std::nullopt;
  if (result.code == kLoaderExit || Has(result.err, kLoaderText)) return LoaderError(result, tool);
  if (auto known = KnownError(result, tool)) return known;
  return Failed(tool, fmt::format("ended with status {} {}", result.code, Saying(result)));
}

}  // namespace

bool DidNotEnd(const absl::Status& error) { return error.GetPayload(kNeverEnding).has_value(); }

absl::Status NeverEnding(absl::Status error) {
  error.SetPayload(kNeverEnding, absl::Cord());
  return error;
}

absl::StatusOr<InfoTable> TableOf(const ProcessResult& result, const std::string& tool,
                                  nanoseconds deadline) {
  if (auto error = EndError(result, tool, deadline)) return *error;
  InfoTable table = ParseInfoTable(result.out);
  if (!table.tool_version.empty() && !table.chips.empty()) return table;
  if (auto known = KnownError(result, tool)) return *known;
  if (!table.tool_version.empty()) {
    return Failed(tool, fmt::format("printed a table without a whole chip{}",
                                    table.incomplete.empty() ? "" : ": " + table.incomplete[0]));
  }
  return Failed(tool, fmt::format("printed no table: status 0 {}", Saying(result)));
}

}  // namespace ascend::npu_smi
