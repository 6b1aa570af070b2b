// The "key : value" texts of npu-smi, in blocks: a block has the values of one chip, and its
// identifier ("Chip ID : 0") opens it in some queries and closes it in others. Blocks are never
// merged: what cannot be said to belong to one chip belongs to none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hal/npu_smi/unknown_lines.h"

namespace ascend::npu_smi {

// Where the blocks of a query have their identifier.
enum class BlockId : std::uint8_t { kFirst, kLast };

struct KeyValue {
  std::string key;  // trimmed; empty on a line that goes on with the value before it
  std::string value;
  friend bool operator==(const KeyValue&, const KeyValue&) = default;
};

struct Block {
  std::optional<std::int32_t> npu;
  std::optional<std::int32_t> chip;         // absent: the text names no chip
  bool other_unit = false;                  // of the card's MCU or another part that is no chip
  std::optional<std::uint32_t> chip_count;  // "Chip Count" of its card
  std::vector<KeyValue> pairs;

  // The value of the key in exactly this spelling; nothing if it is not printed or printed as "NA",
  // "N/A" or "-".
  [[nodiscard]] std::optional<std::string_view> Find(std::string_view key) const;
  [[nodiscard]] bool Has(std::string_view key) const;
  friend bool operator==(const Block&, const Block&) = default;
};

struct KeyValues {
  std::optional<std::uint32_t> total;  // "Total Count", "Card Count": a cut text has fewer blocks
  std::vector<Block> blocks;
  UnknownLines unknown;

  // The block of the chip, of the only chip that the text has but does not name, or null.
  [[nodiscard]] const Block* OfChip(std::int32_t chip) const;
  // The block of the card's MCU, or null.
  [[nodiscard]] const Block* OfMcu() const;
  // The block that names no chip, or null: in it are values of the card as a whole.
  [[nodiscard]] const Block* OfCard() const;
};

// Never fails. A last line without its end was cut off and is not read.
KeyValues ReadKeyValues(std::string_view text, BlockId id);

// The trimmed sides of the line's first colon; nothing if there is none.
std::optional<KeyValue> SplitPair(std::string_view line);

// "NA", "N/A", "-" and the empty text.
bool IsNoValue(std::string_view value);

}  // namespace ascend::npu_smi
