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

  absl::StatusOr<DeviceIdentity> Run(KnownIdentities& known) {
    Die();
    Pcie();
    const bool can_be_known = complete_ && !identity_.die_id.empty();
    if (can_be_known) {
      const std::optional<DeviceIdentity> before = known.Find(at_);
      if (before && before->die_id == identity_.die_id &&
          before->pci_address == identity_.pci_address) {
        return *before;
      }
    }
    if (absl::Status named = Name(); !named.ok()) return named;
    Board();
    Elabel();
    Firmware();
    Family();
    if (can_be_known && complete_) known.Keep(at_, identity_);
    return identity_;
  }

 private:
  // Whether a call answered; a failure that may pass makes the identity incomplete.
  bool Answers(int code) {
    if (code != kOk && !IsUnsupported(code)) complete_ = false;
    return code == kOk;
  }

  absl::Status Name() {
    Room<ChipInfoV2> v2(Room<ChipInfoV2>::kZeros);
    const int code = f_.chip_info_v2(at_, &v2.value);
    if (Answers(code)) {
      identity_.chip_name = TextOf(std::span<const unsigned char>(v2.value.chip_name));
      return absl::OkStatus();
    }
    Room<ChipInfo> v1(Room<ChipInfo>::kZeros);
    const int old_code = f_.chip_info(at_, &v1.value);
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
    if (!Answers(f_.board_info(at_, &board.value))) return;
    if (board.value.board_id == ~0U) return;
    board_id_ = board.value.board_id;
    identity_.board_id = fmt::format("{:#04x}", board.value.board_id);
  }

  void Die() {
    Room<DieId> die(Room<DieId>::kOnes);
    const int type = f_.die_v2.interface == Interface::kV2 ? kDdie : kVdie;
    if (!Answers(f_.die_v2(at_, type, &die.value))) return;
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
    if (!Answers(f_.card_elabel_v2(at_.card, &label.value))) return;
    identity_.serial = TextOf(std::span<const char>(label.value.serial_number));
    identity_.model = TextOf(std::span<const char>(label.value.model));
    identity_.product = TextOf(std::span<const char>(label.value.product_name));
  }

  void Pcie() {
    Room<PcieInfoAll> pcie(Room<PcieInfoAll>::kOnes);
    if (!Answers(f_.pcie_info_v2(at_, &pcie.value))) return;
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
      const int code = f_.component_version(at_, component, version.value.data(), kVersionLength);
      if (!Answers(code)) continue;
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
    const bool has_hbm = Answers(f_.hbm_info(at_, &hbm.value)) && hbm.value.memory_size > 0 &&
                         border.Mebibytes(hbm.value.memory_size);
    std::int32_t power = 0;
    const bool has_power = Answers(f_.power_info(at_, &power));
    return (has_hbm ? kHasHbm : kNoHbm | kHasDdr) | (has_power ? kChipPower : kAnyChip);
  }

  const Functions& f_;
  const DeviceAddress at_;
  DeviceIdentity identity_;
  std::optional<std::uint32_t> board_id_;
  bool complete_ = true;
};

}  // namespace

std::optional<DeviceIdentity> KnownIdentities::Find(DeviceAddress at) const {
  MutexLock lock(mutex_);
  const auto found = identities_.find(at);
  if (found == identities_.end()) return std::nullopt;
  return found->second;
}

void KnownIdentities::Keep(DeviceAddress at, const DeviceIdentity& identity) {
  MutexLock lock(mutex_);
  identities_.insert_or_assign(at, identity);
}

absl::StatusOr<DeviceIdentity> IdentityOf(const Functions& functions, DeviceAddress at,
                                          KnownIdentities& known) {
  return Reader(functions, at).Run(known);
}

}  // namespace ascend::dcmi
