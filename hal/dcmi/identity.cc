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
    using Part = absl::Status (Reader::*)();
    for (const Part part : {&Reader::Name, &Reader::Board, &Reader::Die, &Reader::Elabel,
                            &Reader::Pcie, &Reader::Firmware, &Reader::Family}) {
      if (absl::Status status = (this->*part)(); !status.ok()) return status;
    }
    return identity_;
  }

 private:
  // Whether the part has to be left empty, or the error that ends the whole.
  static absl::Status Excuse(const Symbol& symbol, int code) {
    absl::Status status = StatusOf(symbol.name, code);
    const bool may_pass = absl::IsUnavailable(status) || absl::IsNotFound(status);
    return may_pass ? status : absl::OkStatus();
  }

  absl::Status Name() {
    Room<ChipInfoV2> v2(Room<ChipInfoV2>::kZeros);
    int code = f_.chip_info_v2(at_.card, at_.chip, &v2.value);
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
    if (IsUnsupported(code)) code = old_code;
    // Without its name nothing is known of the chip, so any failure but "not supported" is an
    // error.
    return IsUnsupported(code) ? absl::OkStatus() : StatusOf(f_.chip_info_v2.name, code);
  }

  absl::Status Board() {
    Room<BoardInfo> board(Room<BoardInfo>::kOnes);
    const int code = f_.board_info(at_.card, at_.chip, &board.value);
    if (code != kOk) return Excuse(f_.board_info, code);
    if (board.value.board_id == ~0U) return absl::OkStatus();
    board_id_ = board.value.board_id;
    identity_.board_id = fmt::format("{:#04x}", board.value.board_id);
    return absl::OkStatus();
  }

  absl::Status Die() {
    Room<DieId> die(Room<DieId>::kOnes);
    const int code = f_.die_v2(at_.card, at_.chip, kVdie, &die.value);
    if (code != kOk) return Excuse(f_.die_v2, code);
    const auto& words = die.value.soc_die;
    const auto no_value = [&](std::uint32_t word) { return word == words[0]; };
    if ((words[0] == 0 || words[0] == ~0U) && std::ranges::all_of(words, no_value)) {
      return absl::OkStatus();
    }
    identity_.die_id = fmt::format("{:08X}-{:08X}-{:08X}-{:08X}-{:08X}", words[0], words[1],
                                   words[2], words[3], words[4]);
    return absl::OkStatus();
  }

  absl::Status Elabel() {
    Room<ElabelInfo> label(Room<ElabelInfo>::kZeros);
    const int code = f_.card_elabel_v2(at_.card, &label.value);
    if (code != kOk) return Excuse(f_.card_elabel_v2, code);
    identity_.serial = TextOf(std::span<const char>(label.value.serial_number));
    identity_.model = TextOf(std::span<const char>(label.value.model));
    identity_.product = TextOf(std::span<const char>(label.value.product_name));
    return absl::OkStatus();
  }

  absl::Status Pcie() {
    Room<PcieInfoAll> pcie(Room<PcieInfoAll>::kOnes);
    const int code = f_.pcie_info_v2(at_.card, at_.chip, &pcie.value);
    if (code != kOk) return Excuse(f_.pcie_info_v2, code);
    const PcieInfoAll& p = pcie.value;
    if (p.domain < 0 || p.bdf_busid > kMaxBus || p.bdf_deviceid > kMaxSlot ||
        p.bdf_funcid > kMaxFunction) {
      return absl::OkStatus();
    }
    identity_.pci_address = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", p.domain, p.bdf_busid,
                                        p.bdf_deviceid, p.bdf_funcid);
    return absl::OkStatus();
  }

  absl::Status Firmware() {
    for (const int component : kFirmwareComponents) {
      Room<std::array<unsigned char, kVersionLength>> version(Room<char>::kZeros);
      const int code =
          f_.component_version(at_.card, at_.chip, component, version.value.data(), kVersionLength);
      if (code == kOk) {
        identity_.firmware_version = TextOf(std::span<const unsigned char>(version.value));
        if (!identity_.firmware_version.empty()) return absl::OkStatus();
      } else if (absl::Status status = Excuse(f_.component_version, code); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  absl::Status Family() {
    identity_.family = FamilyOf(identity_.chip_name.view(), board_id_);
    identity_.traits = TraitsOf(identity_.family);
    if (identity_.family == ChipFamily::kUnknown) identity_.traits = ProbedTraits();
    return absl::OkStatus();
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
