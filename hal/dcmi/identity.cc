#include "hal/dcmi/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "hal/chip_family.h"
#include "hal/dcmi/abi.h"
#include "hal/dcmi/return_code.h"
#include "hal/dcmi/vendor_values.h"

namespace ascend::dcmi {
namespace {

constexpr std::uint32_t kMaxBus = 0xFF;
constexpr std::uint32_t kMaxSlot = 0x1F;
constexpr std::uint32_t kMaxFunction = 7;

// dcmi_component_type: all components of a firmware package carry its version, and chips differ in
// which they have. HBOOT1_A, UEFI, NVE.
constexpr std::array<int, 3> kFirmwareComponents = {11, 3, 0};
constexpr unsigned int kVersionLength = 64;

// Reads one identity, part by part.
class Reader {
 public:
  Reader(const Functions& functions, DeviceAddress at) : f_(functions), at_(at) {}

  absl::StatusOr<DeviceIdentity> Run() {
    if (absl::Status named = Name(); !named.ok()) return named;
    Board();
    Die();
    Elabel();
    Pcie();
    Firmware();
    Family();
    return identity_;
  }

 private:
  absl::Status Name() {
    Room<ChipInfoV2> v2(Room<ChipInfoV2>::kZeros);
    const int code = f_.chip_info_v2(at_.card, at_.chip, &v2.value);
    if (code == kOk) {
      identity_.chip_name = TextOf(std::span<const unsigned char>(v2.value.chip_name));
      return absl::OkStatus();
    }
    Room<ChipInfo> v1(Room<ChipInfo>::kZeros);
    const int old_code = f_.chip_info(at_.card, at_.chip, &v1.value);
    if (old_code == kOk) {
      identity_.chip_name = TextOf(std::span<const unsigned char>(v1.value.chip_name));
      return absl::OkStatus();
    }
    // Without its name nothing is known of the chip, so any failure but "not supported" is an
    // error.
    if (!IsUnsupported(code)) return StatusOf(f_.chip_info_v2.name, code);
    return IsUnsupported(old_code) ? absl::OkStatus() : StatusOf(f_.chip_info.name, old_code);
  }

  void Board() {
    Room<BoardInfo> board(Room<BoardInfo>::kOnes);
    if (f_.board_info(at_.card, at_.chip, &board.value) != kOk) return;
    if (board.value.board_id == ~0U) return;
    board_id_ = board.value.board_id;
    identity_.board_id = fmt::format("{:#04x}", board.value.board_id);
  }

  void Die() {
    Room<DieId> die(Room<DieId>::kOnes);
    if (f_.die_v2(at_.card, at_.chip, kVdie, &die.value) != kOk) return;
    const auto& words = die.value.soc_die;
    const auto no_value = [&](std::uint32_t word) { return word == words[0]; };
    if ((words[0] == 0 || words[0] == ~0U) && std::ranges::all_of(words, no_value)) {
      return;
    }
    identity_.die_id = fmt::format("{:08X}-{:08X}-{:08X}-{:08X}-{:08X}", words[0], words[1],
                                   words[2], words[3], words[4]);
  }

  void Elabel() {
    Room<ElabelInfo> label(Room<ElabelInfo>::kZeros);
    if (f_.card_elabel_v2(at_.card, &label.value) != kOk) return;
    identity_.serial = TextOf(std::span<const char>(label.value.serial_number));
    identity_.model = TextOf(std::span<const char>(label.value.model));
    identity_.product = TextOf(std::span<const char>(label.value.product_name));
  }

  void Pcie() {
    Room<PcieInfoAll> pcie(Room<PcieInfoAll>::kOnes);
    if (f_.pcie_info_v2(at_.card, at_.chip, &pcie.value) != kOk) return;
    const PcieInfoAll& p = pcie.value;
    if (p.domain < 0 || p.bdf_busid > kMaxBus || p.bdf_deviceid > kMaxSlot ||
        p.bdf_funcid > kMaxFunction) {
      return;
    }
    identity_.pci_address = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", p.domain, p.bdf_busid,
                                        p.bdf_deviceid, p.bdf_funcid);
  }

  void Firmware() {
    for (const int component : kFirmwareComponents) {
      Room<std::array<unsigned char, kVersionLength>> version(Room<char>::kZeros);
      const int code =
          f_.component_version(at_.card, at_.chip, component, version.value.data(), kVersionLength);
      if (code != kOk) continue;
      identity_.firmware_version = TextOf(std::span<const unsigned char>(version.value));
      if (!identity_.firmware_version.empty()) return;
    }
  }

  void Family() {
    identity_.family = FamilyOf(identity_.chip_name.view(), board_id_);
    identity_.traits = TraitsOf(identity_.family);
    if (identity_.family == ChipFamily::kUnknown) identity_.traits = ProbedTraits();
  }

  // What a chip that is not known by name has is what it answers.
  ChipTraits ProbedTraits() {
    Refused ignored;
    Border border(ignored);
    Room<HbmInfo> hbm(Room<HbmInfo>::kOnes);
    const bool has_hbm = f_.hbm_info(at_.card, at_.chip, &hbm.value) == kOk &&
                         hbm.value.memory_size > 0 && border.Mebibytes(hbm.value.memory_size);
    std::int32_t power = 0;
    const bool has_power = f_.power_info(at_.card, at_.chip, &power) == kOk;
    return (has_hbm ? kHasHbm : kNoHbm | kHasDdr) | (has_power ? kChipPower : kAnyChip);
  }

  const Functions& f_;
  const DeviceAddress at_;
  DeviceIdentity identity_;
  std::optional<std::uint32_t> board_id_;
};

}  // namespace

absl::StatusOr<DeviceIdentity> IdentityOf(const Functions& functions, DeviceAddress at) {
  return Reader(functions, at).Run();
}

}  // namespace ascend::dcmi
