#include "hal/npu_smi/chip_queries.h"

#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "hal/npu_smi/known_keys.h"

namespace ascend::npu_smi {
namespace {

constexpr std::int32_t kAllCards = -1;

std::vector<std::string> CardArguments(const char* type, ChipAt at) {
  return {"info", "-t", type, "-i", std::to_string(at.address.card)};
}

absl::StatusOr<Block> BlockOf(const absl::StatusOr<KeyValues>& values, const char* type,
                              DeviceAddress address, const Block* block) {
  if (!values.ok()) return values.status();
  if (block != nullptr) return *block;
  return absl::InternalError(fmt::format(
      "npu-smi info -t {} prints nothing of NPU {} chip {}{}", type, address.card, address.chip,
      values->unknown.first.empty() ? "" : ", but: \"" + values->unknown.first[0] + "\""));
}

}  // namespace

absl::StatusOr<KeyValues> ChipQueries::Ask(Question question, BlockId id, SteadyTime give_up) {
  const auto printed = runs_.Ask(question, give_up);
  if (!printed.ok()) return printed.status();
  KeyValues values = ReadKeyValues((*printed)->text, id);
  AddUnknownKeys(values);
  runs_.CountUnknown(**printed, values.unknown.count);
  return values;
}

absl::StatusOr<KeyValues> ChipQueries::OfCard(const char* type, ChipAt at, BlockId id,
                                              SteadyTime give_up) {
  return Ask({CardArguments(type, at), at.address.card}, id, give_up);
}

absl::StatusOr<Block> ChipQueries::InCard(const char* type, ChipAt at, BlockId id,
                                          SteadyTime give_up) {
  const auto values = OfCard(type, at, id, give_up);
  return BlockOf(values, type, at.address, values.ok() ? values->OfChip(at.address.chip) : nullptr);
}

absl::StatusOr<Block> ChipQueries::OfChip(const char* type, ChipAt at, BlockId id,
                                          SteadyTime give_up) {
  std::vector<std::string> arguments = CardArguments(type, at);
  if (!at.is_950) arguments.insert(arguments.end(), {"-c", std::to_string(at.address.chip)});
  const auto values = Ask({std::move(arguments), at.address.card}, id, give_up);
  const Block* block = nullptr;
  if (values.ok()) {
    block = values->OfChip(at.address.chip);
    // The chip that was asked for, which many queries do not name again.
    if (block == nullptr && values->blocks.size() == 1) block = values->OfCard();
  }
  return BlockOf(values, type, at.address, block);
}

absl::StatusOr<Mapping> ChipQueries::AllChips(SteadyTime give_up) {
  const auto printed = runs_.Ask({{"info", "-m"}, kAllCards}, give_up);
  if (!printed.ok()) return printed.status();
  Mapping mapping = ParseMapping((*printed)->text);
  runs_.CountUnknown(**printed, mapping.unknown.count);
  return mapping;
}

absl::StatusOr<TopologyMatrix> ChipQueries::Topology(SteadyTime give_up) {
  const auto printed = runs_.Ask({{"info", "-t", "topo"}, kAllCards}, give_up);
  if (!printed.ok()) return printed.status();
  TopologyMatrix matrix = ParseTopology((*printed)->text);
  runs_.CountUnknown(**printed, matrix.unknown.count);
  if (matrix.rows.empty()) return absl::InternalError("npu-smi info -t topo prints no matrix");
  return matrix;
}

}  // namespace ascend::npu_smi
