// The machines that the program knows by name.
#include <algorithm>
#include <array>
#include <charconv>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "hal/chip_family.h"
#include "hal/driver_state.h"
#include "hal/sim/machine.h"

namespace ascend::sim {
namespace {

constexpr std::string_view kFleetPrefix = "fleet:";
constexpr int kBusesPerHost = 8;

// PCI buses of the cards of one host, as the boards are wired.
using Buses = std::array<int, kBusesPerHost>;
constexpr Buses kA2Buses = {0xc1, 0x01, 0xc2, 0x02, 0x81, 0x41, 0x82, 0x42};
constexpr Buses kA3Buses = {0x9d, 0x99, 0x95, 0x91, 0x1d, 0x19, 0x15, 0x11};
constexpr Buses kDuoBuses = {0x06, 0x07, 0x08, 0x09, 0x86, 0x87, 0x88, 0x89};
constexpr Buses kA5Buses = {0x91, 0x93, 0x95, 0x97, 0x11, 0x13, 0x15, 0x17};

enum class PowerMeter { kChip, kFirstDie, kCard };

struct Model {
  std::string_view chip_name;
  std::uint32_t board_id;
  std::string_view model, product, driver, firmware, serial_prefix;
  std::uint32_t die_word;  // opens the die ids of the model
  Buses buses;
  int first_npu, npu_step;  // NPU ids are no indexes on every board
  int chips_per_card;
  int bus_step;  // from a die of a card to the next; 0 where a bridge shows one address
  PowerMeter meter;
  double celsius, watts;  // at rest
  double hbm_mib, ddr_mib, used_mib;
};

constexpr Model kA2 = {.chip_name = "910B3",
                       .board_id = 0x30,
                       .model = "Atlas 800T A2",
                       .product = "IT21HMDC",
                       .driver = "24.1.rc3",
                       .firmware = "7.5.0.1.129",
                       .serial_prefix = "2102313LNR10P500",
                       .die_word = 0xC4A41A31,
                       .buses = kA2Buses,
                       .first_npu = 0,
                       .npu_step = 1,
                       .chips_per_card = 1,
                       .bus_step = 0,
                       .meter = PowerMeter::kChip,
                       .celsius = 41,
                       .watts = 95.0,
                       .hbm_mib = 65536,
                       .ddr_mib = 0,
                       .used_mib = 3314};
constexpr Model kA3 = {.chip_name = "Ascend910",
                       .board_id = 0xb1,
                       .model = "Atlas 800I A3",
                       .product = "IT31HMDA",
                       .driver = "24.1.rc3.3",
                       .firmware = "7.5.0.3.220",
                       .serial_prefix = "2102315FAK10P600",
                       .die_word = 0xD7C30000,
                       .buses = kA3Buses,
                       .first_npu = 0,
                       .npu_step = 1,
                       .chips_per_card = 2,
                       .bus_step = 2,
                       .meter = PowerMeter::kFirstDie,
                       .celsius = 34,
                       .watts = 178.0,
                       .hbm_mib = 65536,
                       .ddr_mib = 0,
                       .used_mib = 3238};
constexpr Model kDuo = {.chip_name = "310P3",
                        .board_id = 0x6a,
                        .model = "Atlas 300I Duo",
                        .product = "IT21DMDC",
                        .driver = "24.1.0.1",
                        .firmware = "7.3.0.1.231",
                        .serial_prefix = "2102314CEU10N700",
                        .die_word = 0x1102A000,
                        .buses = kDuoBuses,
                        .first_npu = 1536,
                        .npu_step = 256,
                        .chips_per_card = 2,
                        .bus_step = 0,
                        .meter = PowerMeter::kCard,
                        .celsius = 50,
                        .watts = 72.4,
                        .hbm_mib = 0,
                        .ddr_mib = 44280,
                        .used_mib = 1596};
constexpr Model kA5 = {.chip_name = "Ascend950PR",
                       .board_id = 0x1b,
                       .model = "Atlas 850",
                       .product = "IT51HMDA",
                       .driver = "26.0.rc1",
                       .firmware = "8.0.0.1.105",
                       .serial_prefix = "2102316ASC10R100",
                       .die_word = 0x870408E3,
                       .buses = kA5Buses,
                       .first_npu = 0,
                       .npu_step = 1,
                       .chips_per_card = 1,
                       .bus_step = 0,
                       .meter = PowerMeter::kChip,
                       .celsius = 48,
                       .watts = 204.0,
                       .hbm_mib = 131072,
                       .ddr_mib = 0,
                       .used_mib = 4439};

struct Builtin {
  std::string_view name;
  const Model& model;
  int chips;
};

constexpr std::array<Builtin, 4> kBuiltins = {
    {{"8x910b", kA2, 8}, {"16x910c", kA3, 16}, {"4x310p", kDuo, 4}, {"8x950", kA5, 8}}};

DeviceIdentity MakeIdentity(const Model& model, int device, int card, int die) {
  const int host = card / kBusesPerHost;
  const int bus = model.buses[static_cast<std::size_t>(card % kBusesPerHost)];
  DeviceIdentity identity;
  identity.family = FamilyOf(model.chip_name, model.board_id);
  identity.traits = TraitsOf(identity.family);
  identity.pci_address = fmt::format("{:04x}:{:02x}:00.0", host, bus + die * model.bus_step);
  identity.die_id = fmt::format("{:08X}-{:08X}-3E1B2C03-81D46A10-{:08X}", model.die_word,
                                0x0020A0D4 + card, device + 1);
  identity.serial = fmt::format("{}{:04}", model.serial_prefix, 101 + card);
  identity.model = model.model;
  identity.chip_name = model.chip_name;
  identity.product = model.product;
  identity.board_id = fmt::format("0x{:02x}", model.board_id);
  identity.firmware_version = model.firmware;
  return identity;
}

EccCounts CleanMemory() {
  return {.enabled = Count{1},
          .single_bit = Count{0},
          .double_bit = Count{0},
          .lifetime_single_bit = Count{0},
          .lifetime_double_bit = Count{0},
          .isolated_pages = Count{0}};
}

UtilizationReading IdleUtilization(ChipTraits traits) {
  UtilizationReading reading;
  reading.aicore = reading.vector = reading.aicpu = Ratio{0};
  reading.ctrlcpu = Percent(3);
  if ((traits & kHasHbm) != 0) reading.cube = Ratio{0};
  if ((traits & kOverallLoad) != 0) reading.overall = Ratio{0};
  return reading;
}

void AddMemory(const Model& model, Chip& chip) {
  chip.ecc.emplace();
  if (model.hbm_mib > 0) {
    chip.hbm =
        HbmReading{.used = MiB(model.used_mib),
                   .total = MiB(model.hbm_mib),
                   .temperature = Celsius{model.celsius - 2},
                   .utilization = Percent(static_cast<int>(100 * model.used_mib / model.hbm_mib)),
                   .bandwidth_utilization = Ratio{0},
                   .refused = {}};
    chip.ecc->hbm = CleanMemory();
  }
  if (model.ddr_mib > 0) {
    chip.ddr = DdrReading{.used = MiB(model.used_mib),
                          .total = MiB(model.ddr_mib),
                          .bandwidth_utilization = Percent(1),
                          .hugepages_used = Bytes{0},
                          .hugepages_capacity = Bytes{0},
                          .refused = {}};
    chip.ecc->ddr = CleanMemory();
  }
}

Chip MakeChip(const Model& model, int device) {
  const int card = device / model.chips_per_card;
  const int die = device % model.chips_per_card;
  Chip chip;
  chip.found = {.address = {model.first_npu + card * model.npu_step, die},
                .device = device,
                .logic_id = device};
  chip.identity = MakeIdentity(model, device, card, die);
  chip.health = Health::kOk;
  // Neighbours in a chassis differ by some degrees and watts.
  chip.temperature = Celsius{model.celsius + device * 3 % 5};
  const Watts watts{model.watts + card * 7 % 11};
  if (model.meter == PowerMeter::kCard) {
    chip.card_power = watts;
  } else if (model.meter == PowerMeter::kChip || die == 0) {
    chip.power = watts;
  }
  chip.utilization = IdleUtilization(chip.identity.traits);
  AddMemory(model, chip);
  chip.processes.emplace();
  return chip;
}

Machine MakeMachine(const Model& model, int chips) {
  Machine machine;
  machine.info = {.backend = "sim",
                  .library_version = std::string(model.driver),
                  .driver_version = std::string(model.driver),
                  .device_id_source = "phy_id"};
  for (int device = 0; device < chips; ++device) {
    machine.chips.push_back(MakeChip(model, device));
  }
  return machine;
}

}  // namespace

std::string BuiltinNames() {
  std::string names;
  for (const Builtin& builtin : kBuiltins) names += fmt::format("{}, ", builtin.name);
  return names + "fleet:N (N chips of 910B, 1 to 1024)";
}

absl::StatusOr<std::optional<Machine>> BuiltinMachine(std::string_view name) {
  const auto found = std::ranges::find(kBuiltins, name, &Builtin::name);
  if (found != kBuiltins.end()) return MakeMachine(found->model, found->chips);
  if (!name.starts_with(kFleetPrefix)) return std::optional<Machine>();

  const std::string_view digits = name.substr(kFleetPrefix.size());
  int chips = 0;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, chips);
  if (result.ec != std::errc() || result.ptr != end || chips < 1 || chips > kMaxChips) {
    return DriverError(DriverState::kInitFailed,
                       fmt::format("\"{}\" is no size of a fleet, want fleet:N with N of 1 to {}",
                                   name, kMaxChips));
  }
  return MakeMachine(kA2, chips);
}

}  // namespace ascend::sim
