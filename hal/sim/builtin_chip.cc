#include "hal/sim/builtin_chip.h"

#include "fmt/format.h"
#include "hal/chip_family.h"

namespace ascend::sim {
namespace {

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
          .isolated_pages = Count{0},
          .pending_isolated_pages = Count{0}};
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

// What the vendor says of the codes that the examples use.
Section<FaultDetails> KnownFaults() {
  FaultDetails details;
  details[0x80E01801] = {FaultSeverity::kMajor, "HBM multi bit ECC error"};
  details[0x40F84E00] = {FaultSeverity::kCritical, "card dropped off the bus"};
  details[0x81078603] = {FaultSeverity::kMinor, "network port down"};
  return std::make_shared<FaultDetails>(details);
}

}  // namespace

Chip MakePrototype(const Model& model) {
  Chip chip;
  chip.identity.family = FamilyOf(model.chip_name, model.board_id);
  chip.identity.traits = TraitsOf(chip.identity.family);
  chip.health = Health::kOk;
  chip.fault_details = KnownFaults();
  chip.compatible = Count{1};
  chip.utilization = IdleUtilization(chip.identity.traits);
  AddMemory(model, chip);
  chip.processes.emplace();
  AddHeat(model, chip);
  AddLinks(model, chip);
  AddNetwork(chip);
  // Only this family is cut into vNPUs; none is made yet.
  if (chip.identity.family == ChipFamily::k310P) chip.vnpus = std::make_shared<VnpuReading>();
  return chip;
}

Chip PlaceChip(const Model& model, const Chip& prototype, int device, int chips) {
  const int card = device / model.chips_per_card;
  const int die = device % model.chips_per_card;
  Chip chip = prototype;
  chip.found = {.address = {model.first_npu + card * model.npu_step, die},
                .device = device,
                .logic_id = device};
  chip.identity = MakeIdentity(model, device, card, die);
  // Neighbours in a chassis differ by some degrees and watts.
  chip.temperature = Celsius{model.celsius + device * 3 % 5};
  const Watts watts{model.watts + card * 7 % 11};
  if (model.meter == PowerMeter::kCard) {
    chip.card_power = watts;
  } else if (model.meter == PowerMeter::kChip || die == 0) {
    chip.power = watts;
  }
  PlaceLinks(model, chips, chip);
  return chip;
}

}  // namespace ascend::sim
