// Outputs of the vendor's tools that somebody pasted, and how they answer what the driver asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/npu_smi/process.h"
#include "hal/npu_smi/unknown_lines.h"
#include "hal/vendor_text.h"

namespace ascend::npu_smi {

// One output.
struct CapturedText {
  std::vector<std::string> arguments;  // of its command, where a line before it shows one
  std::string text;
  VendorText form = VendorText::kUnknown;
};

// Cuts what was pasted into outputs: at lines that show a command (`# npu-smi info -t ecc -i 0`).
// A last line that was cut off, perhaps within a number, is left out and added to `unknown`.
std::vector<CapturedText> CaptureTexts(std::string_view pasted, UnknownLines& unknown);

// The lines of the text that its reader does not understand.
UnknownLines NotUnderstoodIn(const CapturedText& text);

// Answers from outputs. Immutable; any thread.
class CapturedTool {
 public:
  explicit CapturedTool(std::vector<CapturedText> texts);

  // As the tool itself would; what was not captured is "not supported".
  absl::StatusOr<ProcessResult> Run(const ProcessRequest& request) const;

 private:
  [[nodiscard]] const CapturedText* Find(const std::vector<std::string>& arguments) const;

  const std::vector<CapturedText> texts_;
  std::optional<std::int32_t> only_device_;  // where the table shows one chip
};

}  // namespace ascend::npu_smi
