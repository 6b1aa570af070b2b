#include "hal/npu_smi/hccs_text.h"

#include <algorithm>
#include <array>
#include <string>

#include "fmt/format.h"
#include "hal/npu_smi/fields.h"

namespace ascend::npu_smi {
namespace {

constexpr std::size_t kMaxLinks = 16;
constexpr std::size_t kLastLink = 7;  // of chips whose board leaves out the first ones
// One build of the tool has another word for the link.
constexpr std::array<std::string_view, 2> kWords = {"hccs", "xlink"};

using LinkMember = std::optional<std::uint64_t> HccsLinkValues::*;
struct ListField {
  std::string_view key;
  LinkMember member;
  bool bits;  // a word of ones and zeros, whose ones count
};
constexpr std::array<ListField, 6> kLists = {{
    {"lane mode", &HccsLinkValues::lane_mode, false},
    {"link lane list", &HccsLinkValues::lanes_in_use, true},
    {"tx packets", &HccsLinkValues::transmit_packets, false},
    {"rx packets", &HccsLinkValues::receive_packets, false},
    {"retry count", &HccsLinkValues::retries, false},
    {"error count", &HccsLinkValues::errors, false},
}};
constexpr std::array<std::string_view, 5> kOtherKeys = {"health status", "link speed", "tx bytes",
                                                        "rx bytes", "first error lane"};

std::optional<std::string_view> Find(const Block& block, std::string_view key) {
  for (const std::string_view word : kWords) {
    if (const auto value = block.Find(fmt::format("{} {}", word, key))) return value;
  }
  return std::nullopt;
}

// The words between the brackets; nothing if there is no pair of brackets around them.
std::optional<std::vector<std::string_view>> ListOf(std::string_view value) {
  if (!value.starts_with('[') || !value.ends_with(']') || value.size() < 2) return std::nullopt;
  value = value.substr(1, value.size() - 2);
  std::vector<std::string_view> words;
  for (value = Trim(value); !value.empty(); value = Trim(value)) {
    const std::string_view word = value.substr(0, value.find_first_of(" \t,"));
    value.remove_prefix(std::min(word.size() + 1, value.size()));
    if (!word.empty()) words.push_back(word);
    if (words.size() > kMaxLinks) return std::nullopt;
  }
  return words;
}

std::optional<std::uint64_t> OnesIn(std::string_view bits) {
  if (bits.find_first_not_of("01") != std::string_view::npos) return std::nullopt;
  return static_cast<std::uint64_t>(std::ranges::count(bits, '1'));
}

}  // namespace

HccsValues HccsOf(const Block& block) {
  HccsValues values;
  const auto health = Find(block, "health status");
  if (health) {
    if (*health == "OK") values.healthy = true;
    if (*health == "NOK") values.healthy = false;
  }
  if (const auto lane = Find(block, "first error lane")) {
    values.first_error_lane = ParseWhole<std::uint64_t>(*lane);
  }
  for (const ListField& field : kLists) {
    const auto value = Find(block, field.key);
    if (!value) continue;
    const auto words = ListOf(*value);
    if (!words || words->empty()) return {values.healthy, values.first_error_lane, {}};
    if (values.links.empty()) values.links.resize(words->size());
    // Which link is missing cannot be said.
    if (values.links.size() != words->size()) return {values.healthy, values.first_error_lane, {}};
    for (std::size_t i = 0; i < words->size(); ++i) {
      values.links[i].*field.member =
          field.bits ? OnesIn((*words)[i]) : ParseWhole<std::uint64_t>((*words)[i]);
    }
  }
  const std::size_t count = values.links.size();
  const std::size_t first = health && count <= kLastLink + 1 ? kLastLink + 1 - count : 0;
  for (std::size_t i = 0; i < count; ++i) {
    values.links[i].link = static_cast<std::uint32_t>(first + i);
  }
  return values;
}

bool IsHccsKey(std::string_view key) {
  for (const std::string_view word : kWords) {
    if (!key.starts_with(word) || !key.substr(word.size()).starts_with(' ')) continue;
    const std::string_view rest = key.substr(word.size() + 1);
    return std::ranges::find(kLists, rest, &ListField::key) != kLists.end() ||
           std::ranges::find(kOtherKeys, rest) != kOtherKeys.end();
  }
  return false;
}

}  // namespace ascend::npu_smi
