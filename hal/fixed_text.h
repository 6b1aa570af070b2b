// A string of bounded length without pointers, so that a record that holds it can be copied as
// bytes into another process.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ascend {

// Holds at most N bytes of any content; longer text is cut. Not terminated by NUL.
template <std::size_t N>
class FixedText {
  static_assert(N > 0 && N < 256);

 public:
  constexpr FixedText() = default;
  FixedText(std::string_view text)  // NOLINT(google-explicit-constructor): a string by another name
      : size_(static_cast<std::uint8_t>(std::min(text.size(), N))) {
    std::memcpy(bytes_.data(), text.data(), size_);
  }
  FixedText(const char* text) : FixedText(std::string_view(text)) {}         // NOLINT
  FixedText(const std::string& text) : FixedText(std::string_view(text)) {}  // NOLINT

  [[nodiscard]] std::string_view view() const {
    // The size is bounded again: the bytes may have come from a process that is not trusted.
    return {bytes_.data(), std::min<std::size_t>(size_, N)};
  }
  [[nodiscard]] std::string str() const { return std::string(view()); }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  friend bool operator==(const FixedText& a, const FixedText& b) { return a.view() == b.view(); }

 private:
  std::uint8_t size_ = 0;
  std::array<char, N> bytes_{};
};

}  // namespace ascend
