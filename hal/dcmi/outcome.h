// The outcome of a reading that asks several questions.
#pragma once

#include "absl/status/status.h"
#include "hal/dcmi/functions.h"
#include "hal/dcmi/return_code.h"

namespace ascend::dcmi {

// Answered if one question was, else the first failure that is not "the chip has none", else that.
class Outcome {
 public:
  void Add(const Symbol& function, int code) {
    if (code == kOk) answered_ = true;
    if (code == kOk || (code_ != kOk && !IsUnsupported(code_))) return;
    if (code_ != kOk && IsUnsupported(code)) return;
    function_ = function.name;
    code_ = code;
  }
  [[nodiscard]] bool answered() const { return answered_; }
  [[nodiscard]] absl::Status status() const {
    return answered_ ? absl::OkStatus() : StatusOf(function_, code_);
  }

 private:
  bool answered_ = false;
  const char* function_ = "";
  int code_ = kOk;
};

}  // namespace ascend::dcmi
