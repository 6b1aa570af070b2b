// Labels that name the member of an open set, printed from its key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ascend {

// The name of a label as a template argument.
template <std::size_t N>
struct LabelName {
  char text[N]{};
  consteval LabelName(const char (&name)[N]) {  // NOLINT(google-explicit-constructor): a literal
    std::copy_n(name, N, text);
  }
};

std::string NumberLabel(std::string_view name, std::uint32_t number);

// `link="3"`.
template <LabelName kName>
std::string KeyLabel(std::uint32_t key) {
  return NumberLabel(kName.text, key);
}

// `udie="0",port="4"` on a chip with several ports (see PortIndex), nothing on others.
std::string PortLabels(std::uint32_t key);
// The same, and the lane of the port's optical module.
std::string OpticalLaneLabels(std::uint32_t key);

}  // namespace ascend
