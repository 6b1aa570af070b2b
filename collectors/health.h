// The words for the states of health, in the order of Health.
#pragma once

#include <array>
#include <string_view>

namespace ascend {

inline constexpr std::array<std::string_view, 5> kHealthNames = {"ok", "warning", "alarm",
                                                                 "critical", "unknown"};

}  // namespace ascend
