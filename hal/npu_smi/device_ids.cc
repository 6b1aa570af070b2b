#include "hal/npu_smi/device_ids.h"

#include <algorithm>
#include <array>
#include <set>

namespace ascend::npu_smi {

DeviceIds::DeviceIds(const InfoTable& table, const Mapping& mapping) : mapping_(mapping) {
  std::set<std::int32_t> npus;
  bool mapped_phy = false;
  bool mapped_logic = false;
  for (const Chip& chip : table.chips) {
    npus.insert(chip.npu);
    const MappedChip* const mapped = Mapped(chip);
    mapped_phy = mapped_phy || (mapped != nullptr && mapped->phy_id);
    mapped_logic = mapped_logic || (mapped != nullptr && mapped->logic_id);
  }
  one_chip_per_npu_ = npus.size() == table.chips.size();
  source_ = table.phy_id_column || mapped_phy ? IdSource::kPhyId
            : table.device_column             ? IdSource::kDevice
            : mapped_logic                    ? IdSource::kLogicId
            : one_chip_per_npu_               ? IdSource::kNpuId
                                              : IdSource::kIndex;
}

std::string_view DeviceIds::source_name() const {
  constexpr std::array<std::string_view, 5> kNames = {"phy_id", "device", "logic_id", "npu_id",
                                                      "index"};
  return kNames[static_cast<std::size_t>(source_)];
}

std::optional<std::int32_t> DeviceIds::DeviceOf(const Chip& chip, std::size_t index) const {
  const MappedChip* const mapped = Mapped(chip);
  switch (source_) {
    case IdSource::kPhyId:
      if (chip.phy_id) return chip.phy_id;
      return mapped == nullptr ? std::nullopt : mapped->phy_id;
    case IdSource::kDevice:
      return chip.device_id;
    case IdSource::kLogicId:
      return mapped == nullptr ? std::nullopt : mapped->logic_id;
    case IdSource::kNpuId:
      return chip.npu;
    case IdSource::kIndex:
      return static_cast<std::int32_t>(index);
  }
  return std::nullopt;
}

std::optional<std::int32_t> DeviceIds::LogicIdOf(const Chip& chip) const {
  if (chip.device_id) return chip.device_id;
  const MappedChip* const mapped = Mapped(chip);
  return mapped == nullptr ? std::nullopt : mapped->logic_id;
}

std::optional<std::int32_t> DeviceIds::HccnIdOf(const Chip& chip, std::size_t index) const {
  // Logic ids are counted anew in a container, ids of NPUs keep their numbers.
  if (source_ == IdSource::kPhyId || !one_chip_per_npu_) return DeviceOf(chip, index);
  return chip.npu;
}

const MappedChip* DeviceIds::Mapped(const Chip& chip) const {
  const auto same = [&](const MappedChip& mapped) {
    return mapped.npu == chip.npu && mapped.chip == chip.chip;
  };
  const auto mapped = std::ranges::find_if(mapping_.chips, same);
  return mapped == mapping_.chips.end() ? nullptr : &*mapped;
}

}  // namespace ascend::npu_smi
