// Which device each chip is, and how that is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hal/npu_smi/listing.h"
#include "hal/npu_smi/table.h"

namespace ascend::npu_smi {

// In the order of preference. The first that the table or the mapping (-m) prints is taken for all
// chips of the machine.
enum class IdSource : std::uint8_t {
  kPhyId,    // "Phy-ID" of the table, else "Chip Phy-ID" of the mapping
  kDevice,   // "Device" of the table
  kLogicId,  // "Chip Logic ID" of the mapping
  kNpuId,    // where no two chips share one
  kIndex,    // the place in the table
};

class DeviceIds {
 public:
  // Both are copied from as far as needed; the table's chips are those that ids are asked for.
  DeviceIds(const InfoTable& table, const Mapping& mapping);

  [[nodiscard]] IdSource source() const { return source_; }
  // "phy_id", "device", "logic_id", "npu_id" or "index".
  [[nodiscard]] std::string_view source_name() const;

  // `index` is the chip's place in the table. Nothing where it is the only one without the id.
  [[nodiscard]] std::optional<std::int32_t> DeviceOf(const Chip& chip, std::size_t index) const;
  [[nodiscard]] std::optional<std::int32_t> LogicIdOf(const Chip& chip) const;
  // The id that hccn_tool knows the chip by: the physical one, or what is nearest to it.
  [[nodiscard]] std::optional<std::int32_t> HccnIdOf(const Chip& chip, std::size_t index) const;

 private:
  [[nodiscard]] const MappedChip* Mapped(const Chip& chip) const;

  const Mapping mapping_;
  bool one_chip_per_npu_ = false;
  IdSource source_ = IdSource::kIndex;
};

}  // namespace ascend::npu_smi
