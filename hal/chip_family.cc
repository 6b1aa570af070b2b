#include "hal/chip_family.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ascend {
namespace {

struct Family {
  ChipFamily family;
  std::string_view name;
  ChipTraits traits;
};

constexpr std::array<Family, 8> kFamilies = {{
    {ChipFamily::kUnknown, "unknown", kAnyChip},
    {ChipFamily::k310, "310", kNoHbm | kHasDdr | kChipPower},
    {ChipFamily::k310B, "310B", kNoHbm | kHasDdr | kChipPower},
    {ChipFamily::k310P, "310P", kNoHbm | kHasDdr | kCardPower},
    {ChipFamily::k910, "910", kHasHbm | kHasDdr | kChipPower},
    {ChipFamily::k910B, "910B", kHasHbm | kChipPower | kOverallLoad},
    {ChipFamily::k910_93, "910_93", kHasHbm | kChipPower | kOverallLoad},
    {ChipFamily::k950, "950", kHasHbm | kChipPower | kOverallLoad},
}};

// Board ids of A3 machines, whatever their chips are called.
constexpr std::array<std::uint32_t, 9> kA3Boards = {0xb0, 0xb1, 0xb2, 0xb3, 0xb4,
                                                    0x81, 0x83, 0xd1, 0xd3};

bool StartsWithThenDigit(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) && text.size() > prefix.size() &&
         std::isdigit(static_cast<unsigned char>(text[prefix.size()])) != 0;
}

}  // namespace

ChipFamily FamilyOf(std::string_view chip_name, std::optional<std::uint32_t> board_id) {
  std::string_view name = chip_name;
  const bool prefixed = name.starts_with("Ascend");
  if (prefixed) name.remove_prefix(6);
  while (name.starts_with(' ')) name.remove_prefix(1);

  if (name.starts_with("950")) return ChipFamily::k950;
  if (name.starts_with("310P") || StartsWithThenDigit(name, "I2")) return ChipFamily::k310P;
  if (name.starts_with("310B")) return ChipFamily::k310B;
  if (name.starts_with("310")) return ChipFamily::k310;
  if (board_id && std::ranges::find(kA3Boards, *board_id) != kA3Boards.end()) {
    return ChipFamily::k910_93;
  }
  if (name.starts_with("910_93") || name.starts_with("910C")) return ChipFamily::k910_93;
  if (StartsWithThenDigit(name, "910B") || StartsWithThenDigit(name, "A2G")) {
    return ChipFamily::k910B;
  }
  // The tool prints A3 as "Ascend910" without a suffix; first-generation names carry one.
  if (prefixed && name == "910") return ChipFamily::k910_93;
  if (name.starts_with("910")) return ChipFamily::k910;
  return ChipFamily::kUnknown;
}

ChipTraits TraitsOf(ChipFamily family) {
  return kFamilies[static_cast<std::size_t>(family)].traits;
}

bool CanBeSplit(ChipFamily family) {
  switch (family) {
    case ChipFamily::k310P:
    case ChipFamily::k910:
    case ChipFamily::k910B:
    case ChipFamily::kUnknown:
      return true;
    case ChipFamily::k310:
    case ChipFamily::k310B:
    case ChipFamily::k910_93:
    case ChipFamily::k950:
      return false;
  }
  return true;
}

std::string_view NameOf(ChipFamily family) {
  return kFamilies[static_cast<std::size_t>(family)].name;
}

}  // namespace ascend
