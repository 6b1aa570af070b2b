#include "hal/npu_smi/npu_smi_driver.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "hal/chip_family.h"
#include "hal/npu_smi/board.h"
#include "hal/npu_smi/driver.h"
#include "hal/npu_smi/locate.h"
#include "hal/open.h"
#include "hal/pid_namespace.h"

namespace ascend::npu_smi {
namespace {

// A run takes about a second of a CPU on a full machine.
constexpr std::chrono::seconds kMinPeriod{5};
// Runs at once, beside that of the table.
constexpr std::size_t kPlaces = 3;

// Of a family where it is known, else of the columns that the tool prints for the chip.
ChipTraits TraitsOfChip(ChipFamily family, const Chip& chip, const InfoTable& table) {
  if (family != ChipFamily::kUnknown) return TraitsOf(family);
  ChipTraits traits = table.hbm_column ? kHasHbm : kNoHbm;
  if (chip.ddr || chip.ddr_refused) traits |= kHasDdr;
  if (chip.power_watts || chip.power_refused) traits |= kChipPower;
  if (table.npu_util_column) traits |= kOverallLoad;
  return traits;
}

// "0x30"; nothing for text that is no number in hex.
std::optional<std::uint32_t> BoardId(std::string_view text) {
  constexpr int kHex = 16;
  std::uint32_t id = 0;
  if (!text.starts_with("0x")) return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data() + 2, end, id, kHex);
  return result.ec == std::errc() && result.ptr == end ? std::optional(id) : std::nullopt;
}

template <std::size_t N>
void SetText(const std::string& text, FixedText<N>& field) {
  if (!text.empty()) field = text;
}

void SetBoard(const BoardValues& board, DeviceIdentity& identity) {
  SetText(board.product, identity.product);
  SetText(board.model, identity.model);
  SetText(board.serial, identity.serial);
  SetText(board.firmware_version, identity.firmware_version);
  SetText(board.die_id, identity.die_id);
  if (identity.board_id.empty()) SetText(board.board_id, identity.board_id);
  if (identity.pci_address.empty()) SetText(board.bus_id, identity.pci_address);
}

std::string NotUnderstood(const InfoTable& table) {
  return fmt::format("npu-smi info printed {} lines that were not understood, the first: \"{}\"",
                     table.not_understood, table.not_understood_lines.front());
}

}  // namespace

NpuSmiDriver::NpuSmiDriver(DriverSetup setup, Clock& clock)
    : sees_host_pids_(setup.sees_host_pids),
      sysfs_root_(std::move(setup.sysfs_root)),
      gate_(std::make_shared<RunGate>(kPlaces, setup.run)),
      table_runs_(setup.tool, setup.run_deadline, clock, setup.run),
      query_runs_(setup.tool, setup.query_deadline, gate_, clock),
      queries_(query_runs_),
      tables_(table_runs_, queries_),
      hccn_(std::move(setup.hccn), clock, gate_) {}

DriverLimits NpuSmiDriver::limits() const { return {kMinPeriod, kMinDeadline}; }

void NpuSmiDriver::Interrupt() {
  table_runs_.Interrupt();
  query_runs_.Interrupt();
  hccn_.Interrupt();
}

std::vector<std::pair<std::string, std::uint64_t>> NpuSmiDriver::UnknownLines() const {
  return {{"npu-smi", table_runs_.unknown_lines() + query_runs_.unknown_lines()},
          {"hccn_tool", hccn_.unknown_lines()}};
}

absl::StatusOr<NpuSmiDriver::Learnt> NpuSmiDriver::Learn() {
  const SteadyTime give_up = QueriesGiveUp() + kTableDeadline;
  auto all = tables_.Whole(give_up);
  if (!all.ok()) return all.status();
  auto mapping = queries_.AllChips(give_up);
  MutexLock lock(mutex_);
  if (mapping.ok() && !mapping->chips.empty()) mapping_ = *std::move(mapping);
  Learnt learnt{all->table, DeviceIds(*all->table, mapping_), std::move(all->problem)};
  known_.clear();
  for (std::size_t index = 0; index < learnt.table->chips.size(); ++index) {
    const Chip& chip = learnt.table->chips[index];
    const ChipInTable in_table{learnt.table, &chip};
    const DeviceAddress address{chip.npu, chip.chip};
    known_[address] = {{address, in_table.is_950()},
                       in_table.family(),
                       learnt.ids.DeviceOf(chip, index),
                       learnt.ids.HccnIdOf(chip, index)};
  }
  return learnt;
}

absl::StatusOr<Discovery> NpuSmiDriver::Discover() {
  const auto learnt = Learn();
  if (!learnt.ok()) return learnt.status();
  const InfoTable& info = *learnt->table;
  const std::string_view source = learnt->ids.source_name();
  Discovery found;
  found.info = {"npu_smi", info.tool_version, info.driver_version, std::string(source)};
  found.problems = info.incomplete;
  if (!learnt->problem.empty()) found.problems.push_back(learnt->problem);
  if (info.not_understood > 0) {
    if (not_understood_.empty()) not_understood_ = NotUnderstood(info);
    found.problems.push_back(not_understood_);
  }
  std::set<std::int32_t> devices;
  for (std::size_t index = 0; index < info.chips.size(); ++index) {
    const Chip& chip = info.chips[index];
    const auto device = learnt->ids.DeviceOf(chip, index);
    if (!device || *device < 0) {
      found.problems.push_back(
          fmt::format("NPU {} chip {}: its {} was not printed", chip.npu, chip.chip, source));
    } else if (!devices.insert(*device).second) {
      // A container that shares one die by slices sees it twice.
      found.problems.push_back(fmt::format("NPU {} chip {}: its {} {} is that of a chip before it",
                                           chip.npu, chip.chip, source, *device));
    } else {
      found.devices.push_back({{chip.npu, chip.chip}, *device, learnt->ids.LogicIdOf(chip)});
    }
  }
  return found;
}

absl::StatusOr<NpuSmiDriver::KnownChip> NpuSmiDriver::Know(DeviceAddress address) {
  const auto find = [&]() -> std::optional<KnownChip> {
    MutexLock lock(mutex_);
    const auto known = known_.find(address);
    return known == known_.end() ? std::nullopt : std::optional(known->second);
  };
  if (const auto known = find()) return *known;
  const auto learnt = Learn();
  if (!learnt.ok()) return absl::UnavailableError(learnt.status().message());
  if (const auto known = find()) return *known;
  return absl::NotFoundError(
      fmt::format("npu-smi info lists no NPU {} chip {}", address.card, address.chip));
}

absl::StatusOr<NpuSmiDriver::KnownChip> NpuSmiDriver::KnowOf(
    DeviceAddress address, const char* what, std::initializer_list<ChipFamily> families) {
  auto chip = Know(address);
  if (!chip.ok()) return chip.status();
  const bool other = std::ranges::find(families, chip->family) == families.end();
  if (chip->family != ChipFamily::kUnknown && other) return NpuDriver::Lacks(what);
  return chip;
}

absl::StatusOr<DeviceIdentity> NpuSmiDriver::ReadIdentity(DeviceAddress address) {
  const auto chip = tables_.Of(address);
  if (!chip.ok()) return chip.status();
  DeviceIdentity identity;
  identity.pci_address = (*chip)->bus_id;
  identity.chip_name = (*chip)->name;
  const ChipAt at{address, chip->is_950()};
  const SteadyTime give_up = QueriesGiveUp();
  // The form of the card has product and serial number, that of the chip its die. Both may be
  // missing in old versions; what only failed this time must not look like another chip.
  const auto card = queries_.OfCard("board", at, BlockId::kFirst, give_up);
  if (absl::IsUnavailable(card.status())) return card.status();
  if (const Block* block = card.ok() ? card->OfCard() : nullptr) {
    SetBoard(BoardOf(*block), identity);
  }
  if (!at.is_950) {
    const auto block = queries_.OfChip("board", at, BlockId::kFirst, give_up);
    if (absl::IsUnavailable(block.status())) return block.status();
    if (block.ok()) SetBoard(BoardOf(*block), identity);
  }
  identity.family = FamilyOf((*chip)->name, BoardId(identity.board_id.view()));
  identity.traits = TraitsOfChip(identity.family, *chip->chip, *chip->table);
  return identity;
}

std::shared_ptr<NpuDriver> MakeDriver(DriverSetup setup, Clock& clock) {
  return std::make_shared<NpuSmiDriver>(std::move(setup), clock);
}

}  // namespace ascend::npu_smi

namespace ascend {

absl::StatusOr<std::shared_ptr<NpuDriver>> OpenNpuSmi(const NpuSmiOptions& options, Clock& clock) {
  const char* const search_path = std::getenv("PATH");
  auto tool = npu_smi::LocateTool(
      options.path, npu_smi::ToolCandidates(search_path == nullptr ? "" : search_path),
      ::geteuid() == 0);
  if (!tool.ok()) return tool.status();
  npu_smi::DriverSetup setup;
  setup.tool = *std::move(tool);
  setup.sees_host_pids = InInitialPidNamespace();
  setup.hccn = HccnOptionsFor(options.hccn_path);
  setup.sysfs_root = options.sysfs;
  return npu_smi::MakeDriver(std::move(setup), clock);
}

}  // namespace ascend
