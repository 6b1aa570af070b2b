#include "hal/npu_smi/key_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace ascend::npu_smi {
namespace {

// The bounds keep the time for absurd input small.
constexpr std::size_t kMaxBlocks = 1024;
constexpr std::size_t kMaxPairs = 512;

constexpr std::array<std::string_view, 4> kNoValues = {"", "NA", "N/A", "-"};
// Keys that come more than once in a block; of any other the second means that a line was lost.
constexpr std::array<std::string_view, 3> kRepeated = {"", "Process id", "Fault Event Information"};

bool NamesOtherUnit(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {"mcu", "MCU", "Mcu", "3559"};
  return std::ranges::find(kNames, name) != kNames.end();
}

struct Identifier {
  std::optional<std::int32_t> chip;
  bool other_unit = false;
};

std::optional<Identifier> IdentifierOf(const KeyValue& pair) {
  if (pair.key == "Chip ID") return Identifier{ParseWhole<std::int32_t>(pair.value), false};
  if (pair.key == "Chip Name" && NamesOtherUnit(pair.value)) return Identifier{{}, true};
  return std::nullopt;
}

bool HasTwice(const std::vector<KeyValue>& pairs) {
  for (auto pair = pairs.begin(); pair != pairs.end(); ++pair) {
    if (std::ranges::find(kRepeated, pair->key) != kRepeated.end()) continue;
    const auto same = [&](const KeyValue& other) { return other.key == pair->key; };
    if (std::any_of(pairs.begin(), pair, same)) return true;
  }
  return false;
}

// The lines between two "NPU ID" lines: identifiers, and the pairs before, between and after them.
struct Section {
  bool headed = false;  // begins with its "NPU ID" line
  std::optional<std::int32_t> npu;
  std::optional<std::uint32_t> chip_count;
  std::vector<Identifier> ids;
  std::vector<std::vector<KeyValue>> groups = {{}};  // one more than ids
};

// Assigns the groups of sections to identifiers.
class Assigner {
 public:
  Assigner(BlockId id, KeyValues& result) : id_(id), result_(result) {}

  void Take(Section section) {
    const auto& groups = section.groups;
    if (section.ids.empty()) {
      if (groups[0].empty() && !section.headed) return;
      return AddBlock(section, {}, section.groups[0]);
    }
    if (!IsClear(section)) {
      for (const auto& group : groups) Drop(group);
      return;
    }
    const std::size_t shift = id_ == BlockId::kFirst ? 1 : 0;
    for (std::size_t i = 0; i < section.ids.size(); ++i) {
      AddBlock(section, section.ids[i], section.groups[i + shift]);
    }
    Drop(id_ == BlockId::kFirst ? groups.front() : groups.back());
  }

 private:
  // False if the text is in the other order than its query prints, or lacks the lines of its first
  // block, which looks the same.
  [[nodiscard]] bool IsClear(const Section& section) const {
    if (!section.headed) return true;
    return section.groups.front().empty() == (id_ == BlockId::kFirst);
  }

  void AddBlock(const Section& section, Identifier id, std::vector<KeyValue>& pairs) {
    const auto same = [&](const Block& other) {
      return other.npu == section.npu && other.chip == id.chip && other.other_unit == id.other_unit;
    };
    const bool unreadable_id = !section.ids.empty() && !id.chip && !id.other_unit;
    if (unreadable_id || HasTwice(pairs) || result_.blocks.size() >= kMaxBlocks ||
        std::ranges::any_of(result_.blocks, same)) {
      return Drop(pairs);
    }
    result_.blocks.push_back(
        {section.npu, id.chip, id.other_unit, section.chip_count, std::move(pairs)});
  }

  void Drop(const std::vector<KeyValue>& pairs) {
    for (const KeyValue& pair : pairs) result_.unknown.Add(pair.key + " : " + pair.value);
  }

  const BlockId id_;
  KeyValues& result_;
};

class Reader {
 public:
  explicit Reader(BlockId id) : assigner_(id, result_) {}

  void ReadLine(std::string_view line) {
    if (Trim(line).empty()) return;
    std::optional<KeyValue> pair = SplitPair(line);
    if (!pair) return result_.unknown.Add(line);
    if (pair->key == "NPU ID") {
      assigner_.Take(std::exchange(section_, {}));
      section_.headed = true;
      section_.npu = ParseWhole<std::int32_t>(pair->value);
    } else if (pair->key == "Chip Count") {
      section_.chip_count = ParseWhole<std::uint32_t>(pair->value);
    } else if (pair->key == "Total Count" || pair->key == "Card Count") {
      result_.total = ParseWhole<std::uint32_t>(pair->value);
    } else if (const auto id = IdentifierOf(*pair)) {
      section_.ids.push_back(*id);
      section_.groups.emplace_back();
    } else if (section_.groups.back().size() < kMaxPairs) {
      section_.groups.back().push_back(*std::move(pair));
    } else {
      result_.unknown.Add(line);
    }
  }

  KeyValues Finish(const UnknownLines& cut) {
    assigner_.Take(std::move(section_));
    for (const std::string& line : cut.first) result_.unknown.Add(line);
    return std::move(result_);
  }

 private:
  KeyValues result_;
  Assigner assigner_;
  Section section_;
};

}  // namespace

std::optional<std::string_view> Block::Find(std::string_view key) const {
  for (const KeyValue& pair : pairs) {
    if (pair.key != key) continue;
    if (IsNoValue(pair.value)) return std::nullopt;
    return pair.value;
  }
  return std::nullopt;
}

bool Block::Has(std::string_view key) const {
  return std::ranges::any_of(pairs, [&](const KeyValue& pair) { return pair.key == key; });
}

const Block* KeyValues::OfChip(std::int32_t chip) const {
  for (const Block& block : blocks) {
    if (block.chip == chip) return &block;
  }
  const Block* const card = OfCard();
  return card != nullptr && card->chip_count.value_or(1) <= 1 && blocks.size() == 1 ? card
                                                                                    : nullptr;
}

const Block* KeyValues::OfMcu() const {
  const auto block = std::ranges::find_if(blocks, &Block::other_unit);
  return block == blocks.end() ? nullptr : &*block;
}

const Block* KeyValues::OfCard() const {
  const auto names_none = [](const Block& block) { return !block.chip && !block.other_unit; };
  const auto block = std::ranges::find_if(blocks, names_none);
  return block == blocks.end() ? nullptr : &*block;
}

KeyValues ReadKeyValues(std::string_view text, BlockId id) {
  Reader reader(id);
  UnknownLines cut;
  ForEachLine(text, cut, [&](std::string_view line) { reader.ReadLine(line); });
  return reader.Finish(cut);
}

std::optional<KeyValue> SplitPair(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return KeyValue{std::string(Trim(line.substr(0, colon))),
                  std::string(Trim(line.substr(colon + 1)))};
}

bool IsNoValue(std::string_view value) {
  return std::ranges::find(kNoValues, value) != kNoValues.end();
}

}  // namespace ascend::npu_smi
