// The values in a text of the vendor's tools as one line of words, for comparison: what is absent
// is not told.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "hal/npu_smi/board.h"
#include "hal/npu_smi/chip_values.h"
#include "hal/npu_smi/hccn_text.h"
#include "hal/npu_smi/hccs_text.h"
#include "hal/npu_smi/health_text.h"
#include "hal/npu_smi/known_keys.h"
#include "hal/npu_smi/listing.h"
#include "hal/npu_smi/refusal.h"
#include "hal/npu_smi/topology_text.h"
#include "hal/npu_smi/watch_text.h"
#include "hal/vendor_text.h"
#include "tests/hal/npu_smi/describe_values.h"

namespace ascend::npu_smi {

inline std::string Of(const std::string& text) { return text; }

template <typename Values>
std::string OfBlocks(std::string_view text, BlockId id, Values (*read)(const Block&)) {
  KeyValues values = ReadKeyValues(text, id);
  AddUnknownKeys(values);
  Line line;
  for (const Block& block : values.blocks) {
    Line block_line;
    block_line.Add("npu", block.npu).Add("chip", block.chip).Say(block.other_unit ? "mcu" : "");
    line.Say(fmt::format("[{}] {};", block_line.text(), Of(read(block))));
  }
  return line.Unknown(values.unknown).text();
}

inline std::string OfCardList(std::string_view text) {
  const CardList list = ParseCardList(text);
  Line line;
  line.Add("total", list.total).Say(list.none ? "none" : "");
  for (const ListedCard& card : list.cards) {
    line.Say(fmt::format("[{}]", card.npu))
        .Add("chips", card.chips)
        .Add("product", card.product)
        .Add("serial", card.serial);
  }
  return line.Unknown(list.unknown).text();
}

inline std::string OfMapping(std::string_view text) {
  const Mapping mapping = ParseMapping(text);
  Line line;
  line.Say(mapping.none ? "none" : "");
  for (const MappedChip& chip : mapping.chips) {
    line.Say(fmt::format("[{} {} {}]", chip.npu, chip.chip, chip.name))
        .Add("logic", chip.logic_id)
        .Add("phy", chip.phy_id)
        .Add("slot", chip.slot);
  }
  if (mapping.other_units > 0) line.Say(fmt::format("others {}", mapping.other_units));
  return line.Unknown(mapping.unknown).text();
}

inline std::string OfProcesses(std::string_view text) {
  const ProcessList list = ParseProcessList(text);
  Line line;
  line.Say(list.none ? "none" : "");
  for (const Process& process : list.processes) {
    line.Say(fmt::format("[{} {}]", process.npu, process.pid))
        .Say(process.name)
        .Add("mb", process.memory_mb);
  }
  return line.Unknown(list.unknown).text();
}

inline std::string OfTopology(std::string_view text) {
  const TopologyMatrix matrix = ParseTopology(text);
  Line line;
  line.Say(matrix.physical ? "physical" : "npu");
  for (const TopologyRow& row : matrix.rows) {
    line.Say(fmt::format("; {}", row.label)).Add("cpus", row.cpu_affinity);
    for (const TopologyCell& cell : matrix.cells) {
      if (cell.from != row.label) continue;
      line.Say(fmt::format("{}:{}", cell.to,
                           cell.path ? kLinkPathNames[static_cast<std::size_t>(*cell.path)] : "?"));
    }
  }
  return line.Unknown(matrix.unknown).text();
}

inline std::string OfWatch(std::string_view text) {
  const WatchText watch = ParseWatch(text);
  Line line;
  for (const WatchRow& row : watch.rows) {
    line.Say(fmt::format("; {}", row.npu))
        .Add("chip", row.chip)
        .Add("watts", row.watts)
        .Add("celsius", row.celsius)
        .Add("aicore", row.aicore_percent)
        .Add("aicpu", row.aicpu_percent)
        .Add("ctrlcpu", row.ctrlcpu_percent)
        .Add("memory", row.memory_percent)
        .Add("bandwidth", row.memory_bandwidth_percent)
        .Add("npu", row.npu_percent)
        .Add("cube", row.cube_percent);
  }
  return line.Unknown(watch.unknown).text();
}

inline std::string_view WordFor(std::optional<LinkState> state) {
  constexpr std::string_view kWords[] = {"up", "down", "partial"};
  return state ? kWords[static_cast<std::size_t>(*state)] : "";
}

inline std::string OfHccnOptical(std::string_view text) {
  const HccnOptical optical = ParseHccnOptical(text);
  Line line;
  if (optical.present) line.Say(*optical.present ? "present" : "not present");
  line.Add("celsius", optical.celsius)
      .Add("mv", optical.millivolts)
      .Add("tx_low", optical.transmit_low_milliwatts)
      .Add("rx_low", optical.receive_low_milliwatts)
      .Add("tx_los", optical.transmit_loss_flags)
      .Add("rx_los", optical.receive_loss_flags);
  for (const HccnOpticalLane& lane : optical.lanes) {
    line.Say(fmt::format("; {}", lane.lane))
        .Add("tx", lane.transmit_milliwatts)
        .Add("rx", lane.receive_milliwatts)
        .Add("host", lane.host_snr_db)
        .Add("media", lane.media_snr_db);
  }
  return line.Unknown(optical.unknown).text();
}

inline std::string OfHccnCounters(std::string_view text) {
  const HccnCounters counters = ParseHccnCounters(text);
  Line line;
  for (const auto& [name, value] : counters.values) line.Say(fmt::format("{}={}", name, value));
  return line.Unknown(counters.unknown).text();
}

inline std::string OfHccnHistory(std::string_view text) {
  const HccnLinkHistory history = ParseHccnLinkHistory(text);
  Line line;
  line.Add("up", history.up_count).Add("down", history.down_count);
  for (const LinkRecord& record : history.records) {
    line.Say(fmt::format("{} {};", record.time, record.up ? "up" : "down"));
  }
  return line.Unknown(history.unknown).text();
}

inline std::string OfHccnTables(VendorText form, std::string_view text) {
  Line line;
  if (form == VendorText::kHccnSpeed) {
    const HccnSpeed speed = ParseHccnSpeed(text);
    return line.Add("udie", speed.udie)
        .Add("port", speed.port)
        .Add("mbit", speed.megabits_per_second)
        .Add("cap", speed.capability)
        .Add("width", speed.width)
        .Add("status", speed.status)
        .Unknown(speed.unknown)
        .text();
  }
  const HccnPorts ports = ParseHccnPorts(text);
  for (const HccnPort& port : ports.ports) {
    line.Say(fmt::format("[{} {}]", port.udie, port.port))
        .Add("gbit", port.gigabits_per_second)
        .Say(port.type)
        .Say(WordFor(port.link))
        .Say(port.media);
  }
  return line.Unknown(ports.unknown).text();
}

inline std::string OfHccnShort(VendorText form, std::string_view text) {
  Line line;
  if (form == VendorText::kHccnLink) {
    const HccnLink link = ParseHccnLink(text);
    return line.Say(WordFor(link.state)).Unknown(link.unknown).text();
  }
  if (form == VendorText::kHccnHealth || form == VendorText::kHccnFec) {
    const HccnText value =
        form == VendorText::kHccnFec ? ParseHccnFec(text) : ParseHccnHealth(text);
    return line.Say(value.value).Unknown(value.unknown).text();
  }
  if (form == VendorText::kHccnBandwidth) {
    const HccnBandwidth bandwidth = ParseHccnBandwidth(text);
    return line.Add("tx", bandwidth.transmit_mb_per_second)
        .Add("rx", bandwidth.receive_mb_per_second)
        .Unknown(bandwidth.unknown)
        .text();
  }
  if (form == VendorText::kHccnConnection) {
    const HccnConnection connection = ParseHccnConnection(text);
    line.Say(WordFor(connection.state));
    for (const auto& [port, state] : connection.ports) {
      line.Say(fmt::format("{} {}", port, WordFor(state)));
    }
    return line.Unknown(connection.unknown).text();
  }
  const HccnAddress address = ParseHccnAddress(text);
  return line.Say(WordFor(address.link))
      .Add("address", address.address)
      .Add("netmask", address.netmask)
      .Unknown(address.unknown)
      .text();
}

inline std::string OfChipQuery(VendorText form, std::string_view text) {
  switch (form) {
    case VendorText::kCommon:
      return OfBlocks(text, BlockId::kFirst, CommonOf);
    case VendorText::kUsages:
      return OfBlocks(text, BlockId::kLast, UsagesOf);
    case VendorText::kMemory:
      return OfBlocks(text, BlockId::kLast, MemoryOf);
    case VendorText::kTemperature:
      return OfBlocks(text, BlockId::kLast, TemperaturesOf);
    case VendorText::kPower:
      return OfBlocks(text, BlockId::kLast, PowerOf);
    case VendorText::kHealth:
      return OfBlocks<HealthValues>(text, BlockId::kLast, HealthOf);
    case VendorText::kEcc:
      return OfBlocks<EccValues>(text, BlockId::kLast, EccOf);
    case VendorText::kBoard:
      return OfBlocks(text, BlockId::kFirst, BoardOf);
    case VendorText::kSensors:
      return OfBlocks(text, BlockId::kLast, SensorsOf);
    case VendorText::kSio:
      return OfBlocks(text, BlockId::kLast, SioOf);
    case VendorText::kSuperPod:
      return OfBlocks(text, BlockId::kLast, SuperPodOf);
    case VendorText::kPcieErrors:
      return OfBlocks(text, BlockId::kLast, PcieErrorsOf);
    case VendorText::kFaultEvents:
      return OfBlocks(text, BlockId::kLast, FaultEventsOf);
    case VendorText::kHccs:
      return OfBlocks(text, BlockId::kLast, HccsOf);
    default:
      return {};
  }
}

inline std::string OfForm(VendorText form, std::string_view text) {
  switch (form) {
    case VendorText::kUnknown:
    case VendorText::kInfo:
      return {};
    case VendorText::kRefusal:
      return std::string(absl::StatusCodeToString(RefusalIn(text).code()));
    case VendorText::kCardList:
      return OfCardList(text);
    case VendorText::kMapping:
      return OfMapping(text);
    case VendorText::kProduct:
      return OfBlocks(text, BlockId::kLast, ProductOf);
    case VendorText::kProcesses:
      return OfProcesses(text);
    case VendorText::kTopology:
      return OfTopology(text);
    case VendorText::kWatch:
      return OfWatch(text);
    case VendorText::kHccnOptical:
      return OfHccnOptical(text);
    case VendorText::kHccnCounters:
    case VendorText::kHccnBitErrors:
      return OfHccnCounters(text);
    case VendorText::kHccnLinkHistory:
      return OfHccnHistory(text);
    case VendorText::kHccnSpeed:
    case VendorText::kHccnPorts:
      return OfHccnTables(form, text);
    case VendorText::kHccnLink:
    case VendorText::kHccnHealth:
    case VendorText::kHccnAddress:
    case VendorText::kHccnFec:
    case VendorText::kHccnBandwidth:
    case VendorText::kHccnConnection:
      return OfHccnShort(form, text);
    default:
      return OfChipQuery(form, text);
  }
}

// "FORM: values"; for the table of npu-smi info only its form.
inline std::string Describe(std::string_view text) {
  const VendorText form = Identify(text);
  const std::string values = OfForm(form, text);
  return values.empty() ? std::string(NameOf(form)) : fmt::format("{}: {}", NameOf(form), values);
}

}  // namespace ascend::npu_smi
