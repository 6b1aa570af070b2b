// The packed settings that children get, as the bytes that they are.
#pragma once

#include <cstddef>

#include "exporter/supervisor/protocol.h"

namespace ascend::supervisor {

class Settings {
 public:
  // Reads all of `fd`, from its start. False, with errno, if it cannot be read, is empty (ENODATA)
  // or has more than kMaxSettingsBytes (EFBIG).
  [[nodiscard]] bool Read(int fd);
  // At most kMaxSettingsBytes. Only after Read has succeeded.
  void Replace(const char* content, std::size_t bytes);

  // For one child; -1 with errno.
  [[nodiscard]] int MakeDescriptor() const;
  [[nodiscard]] const char* content() const { return content_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  char* content_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ascend::supervisor
