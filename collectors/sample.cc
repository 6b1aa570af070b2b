#include "collectors/sample.h"

#include <algorithm>

namespace ascend {

void Sink::PutText(std::size_t row, std::uint32_t key,
                   std::initializer_list<std::string_view> texts) {
  std::size_t end = text_size_;
  for (std::string_view text : texts) end += text.size() + 1;
  if (end > room_.text.size() || size_ == room_.samples.size()) return;
  const auto first = static_cast<std::uint16_t>(room_.text_begin + text_size_ + 1);
  for (std::string_view text : texts) {
    std::ranges::copy(text, room_.text.begin() + static_cast<std::ptrdiff_t>(text_size_));
    text_size_ += text.size();
    room_.text[text_size_++] = '\0';
  }
  room_.samples[size_++] = {static_cast<std::uint16_t>(first_row_ + row), first, key, 1};
}

}  // namespace ascend
