// The lists of npu-smi: which cards there are (-l), which chips with which ids (-m), and which
// processes (-t proc-mem).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hal/npu_smi/key_values.h"
#include "hal/npu_smi/table.h"
#include "hal/npu_smi/unknown_lines.h"

namespace ascend::npu_smi {

struct ListedCard {
  std::int32_t npu = 0;
  std::optional<std::uint32_t> chips;
  std::string product, serial;  // not printed on servers
  friend bool operator==(const ListedCard&, const ListedCard&) = default;
};
struct CardList {
  std::optional<std::uint32_t> total;  // as printed: a cut text has fewer cards
  std::vector<ListedCard> cards;
  bool none = false;  // the text says that there is no NPU
  UnknownLines unknown;
};
CardList ParseCardList(std::string_view text);

struct MappedChip {
  std::int32_t npu = 0;
  std::int32_t chip = 0;
  std::optional<std::int32_t> logic_id, phy_id, slot;
  std::string name;  // "Ascend 910A"
  friend bool operator==(const MappedChip&, const MappedChip&) = default;
};
// Columns are known by their titles. Rows of the cards' MCUs are counted, not listed.
struct Mapping {
  bool slot_column = false;  // 950
  std::vector<MappedChip> chips;
  std::size_t other_units = 0;
  bool none = false;  // the text says that there is no NPU
  UnknownLines unknown;
};
Mapping ParseMapping(std::string_view text);

struct ProcessList {
  std::vector<Process> processes;  // `chip` is 0 where the text names none
  bool none = false;               // the text says that there is no process
  UnknownLines unknown;
};
ProcessList ParseProcessList(std::string_view text);

}  // namespace ascend::npu_smi
