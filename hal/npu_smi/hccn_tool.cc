#include "hal/hccn_tool.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "hal/npu_smi/decimal.h"
#include "hal/npu_smi/hccn_names.h"
#include "hal/npu_smi/hccn_text.h"
#include "hal/npu_smi/query_runs.h"
#include "hal/npu_smi/run_gate.h"
#include "hal/trusted_path.h"

namespace ascend {

using npu_smi::HccnPort;
using npu_smi::LinkState;
using npu_smi::ShiftPoint;
using npu_smi::SteadyTime;

namespace {

constexpr std::size_t kPlaces = 3;
constexpr double kBitsPerByte = 8;
constexpr double kMega = 1e6;
constexpr double kGiga = 1e9;
// Powers of ten.
constexpr int kMilli = -3;
constexpr int kMegaPower = 6;

// Unimplemented where there is no tool that may be run.
absl::Status WhyNotUsable(const HccnOptions& options) {
  if (options.captured) return absl::OkStatus();
  if (::access(options.path.c_str(), X_OK) != 0) {
    return absl::UnimplementedError(fmt::format("there is no hccn_tool at {}", options.path));
  }
  if (options.named_by_operator || ::geteuid() != 0) return absl::OkStatus();
  const auto trusted = ResolveTrusted(options.path);
  if (trusted.ok()) return absl::OkStatus();
  return absl::UnimplementedError(fmt::format("{} is not run by root: {}", options.path,
                                              std::string(trusted.status().message())));
}

std::optional<Count> FlagOf(std::optional<LinkState> state) {
  if (!state) return std::nullopt;
  return Count{*state == LinkState::kUp ? 1.0 : 0.0};
}

std::optional<Watts> FromMilliwatts(std::optional<double> milliwatts) {
  if (!milliwatts) return std::nullopt;
  return Watts{ShiftPoint(*milliwatts, kMilli)};
}

std::optional<Count> AnyBit(std::optional<std::uint64_t> flags) {
  if (!flags) return std::nullopt;
  return Count{*flags == 0 ? 0.0 : 1.0};
}

std::optional<Count> ToCount(std::optional<double> value) {
  if (!value) return std::nullopt;
  return Count{*value};
}

// All ones are no value.
std::optional<Count> CountOf(std::uint64_t value, Refused& refused) {
  if (value != UINT64_MAX) return Count{static_cast<double>(value)};
  ++refused.sentinel;
  return std::nullopt;
}

// Nothing for a port without an address to check against.
std::optional<NetworkHealth> HealthOf(std::string_view words) {
  if (words == "Success") return NetworkHealth::kOk;
  if (npu_smi::SaysNoAddress(words) || npu_smi::Has(words, "not preset")) return std::nullopt;
  for (const std::string_view part : {"init", "Init", "INIT", "detect ip"}) {
    if (npu_smi::Has(words, part)) return NetworkHealth::kUnknown;
  }
  return NetworkHealth::kFaulty;
}

}  // namespace

HccnOptions HccnOptionsFor(const std::string& path) {
  HccnOptions options;
  if (path.empty()) return options;
  options.path = path;
  options.named_by_operator = true;
  return options;
}

// The runs of one reading, which have one deadline together.
class HccnTool::Reading {
 public:
  Reading(HccnTool& tool, HccnChip chip)
      : tool_(tool),
        chip_(chip),
        give_up_(std::chrono::steady_clock::now() + tool.options_.read_deadline) {}

  // What `parse` reads from the answer to `query` ("-link"), about a port where one is given.
  template <typename Parse>
  auto Ask(const char* query, const Parse& parse, const HccnPort* port = nullptr)
      -> absl::StatusOr<decltype(parse(std::string_view()))> {
    if (!tool_.usable_.ok()) return tool_.usable_;
    auto printed = tool_.runs_->Ask({Arguments(query, port), chip_.phy_id}, give_up_);
    if (!printed.ok()) return printed.status();
    auto values = parse(std::string_view((*printed)->text));
    tool_.runs_->CountUnknown(**printed, values.unknown.count);
    return values;
  }

 private:
  [[nodiscard]] std::vector<std::string> Arguments(const char* query, const HccnPort* port) const {
    const std::string id = std::to_string(chip_.phy_id);
    if (!chip_.is_950) return {"-i", id, query, "-g"};
    std::vector<std::string> arguments = {"-g", query, "-i", id};
    if (port != nullptr) {
      arguments.insert(arguments.end(),
                       {"-u", std::to_string(port->udie), "-p", std::to_string(port->port)});
    }
    return arguments;
  }

  HccnTool& tool_;
  const HccnChip chip_;
  const SteadyTime give_up_;
};

HccnTool::HccnTool(HccnOptions options, Clock& clock)
    : HccnTool(std::move(options), clock, std::make_shared<npu_smi::RunGate>(kPlaces)) {}

HccnTool::HccnTool(HccnOptions options, Clock& clock, std::shared_ptr<npu_smi::RunGate> gate)
    : options_(std::move(options)),
      usable_(WhyNotUsable(options_)),
      runs_(std::make_unique<npu_smi::QueryRuns>(options_.path, options_.run_deadline,
                                                 std::move(gate), clock)) {}

HccnTool::~HccnTool() = default;

void HccnTool::Interrupt() { runs_->Interrupt(); }

std::uint64_t HccnTool::unknown_lines() const { return runs_->unknown_lines(); }

absl::StatusOr<NetworkHealthReading> HccnTool::ReadHealth(HccnChip chip) {
  if (chip.is_950) return absl::UnimplementedError("network health of a 950");
  const auto health = Reading(*this, chip).Ask("-net_health", npu_smi::ParseHccnHealth);
  NetworkHealthReading reading;
  if (absl::IsFailedPrecondition(health.status())) return reading;  // no address was configured
  if (!health.ok()) return health.status();
  if (!health->value.empty()) reading.state = HealthOf(health->value);
  return reading;
}

namespace {

void SetChanges(const npu_smi::HccnLinkHistory& history, NetworkPort& port) {
  port.up_changes = ToCount(history.up_count);
  port.down_changes = ToCount(history.down_count);
}

// Of a 950; the changes are asked port by port.
template <typename Runs>
NetworkLinkReading FromPorts(const npu_smi::HccnPorts& ports, Runs& runs) {
  NetworkLinkReading reading;
  for (const HccnPort& port : ports.ports) {
    if (port.type != "ETH") continue;
    NetworkPort added;
    added.index = PortIndex(port.udie, port.port);
    added.up = FlagOf(port.link);
    if (port.gigabits_per_second) {
      added.speed = BytesPerSecond{*port.gigabits_per_second * kGiga / kBitsPerByte};
    }
    const auto history = runs.Ask("-link_stat", npu_smi::ParseHccnLinkHistory, &port);
    if (history.ok()) SetChanges(*history, added);
    if (reading.ports.Add(added) == nullptr) break;
  }
  return reading;
}

}  // namespace

absl::StatusOr<NetworkLinkReading> HccnTool::ReadLink(HccnChip chip) {
  Reading runs(*this, chip);
  if (chip.is_950) {
    const auto ports = runs.Ask("-dev_info", npu_smi::ParseHccnPorts);
    if (!ports.ok()) return ports.status();
    return FromPorts(*ports, runs);
  }
  const auto link = runs.Ask("-link", npu_smi::ParseHccnLink);
  if (!link.ok()) return link.status();
  NetworkLinkReading reading;
  NetworkPort port;
  port.up = FlagOf(link->state);
  if (const auto speed = runs.Ask("-speed", npu_smi::ParseHccnSpeed);
      speed.ok() && speed->megabits_per_second) {
    port.speed = BytesPerSecond{*speed->megabits_per_second * kMega / kBitsPerByte};
  }
  const auto address = runs.Ask("-ip", npu_smi::ParseHccnAddress);
  if (absl::IsFailedPrecondition(address.status())) port.address_configured = Count{0};
  if (address.ok() && !address->address.empty()) port.address_configured = Count{1};
  if (const auto history = runs.Ask("-link_stat", npu_smi::ParseHccnLinkHistory); history.ok()) {
    SetChanges(*history, port);
  }
  reading.ports.Add(port);
  return reading;
}

absl::StatusOr<NetworkCountersReading> HccnTool::ReadCounters(HccnChip chip) {
  if (chip.is_950) return absl::UnimplementedError("network counters of a 950");
  const auto counters = Reading(*this, chip).Ask("-stat", npu_smi::ParseHccnCounters);
  if (!counters.ok()) return counters.status();
  NetworkCountersReading reading;
  PortCounters port;
  for (const auto& [name, value] : counters->values) {
    const auto counter = npu_smi::NetworkCounterOf(name);
    if (!counter) continue;
    port[*counter] = CountOf(value, reading.refused);
  }
  reading.ports.Add(port);
  return reading;
}

absl::StatusOr<NetworkBandwidthReading> HccnTool::ReadBandwidth(HccnChip chip) {
  if (chip.is_950) return absl::UnimplementedError("network bandwidth of a 950");
  const auto bandwidth = Reading(*this, chip).Ask("-bandwidth", npu_smi::ParseHccnBandwidth);
  if (!bandwidth.ok()) return bandwidth.status();
  NetworkBandwidthReading reading;
  PortBandwidth port;
  const auto transmit = bandwidth->transmit_mb_per_second;
  const auto receive = bandwidth->receive_mb_per_second;
  for (const auto& value : {transmit, receive}) {
    if (value && *value < 0) ++reading.refused.sentinel;
  }
  if (transmit && *transmit >= 0) port.transmit = BytesPerSecond{ShiftPoint(*transmit, kMegaPower)};
  if (receive && *receive >= 0) port.receive = BytesPerSecond{ShiftPoint(*receive, kMegaPower)};
  reading.ports.Add(port);
  return reading;
}

absl::StatusOr<OpticalReading> HccnTool::ReadOptical(HccnChip chip) {
  if (chip.is_950) return absl::UnimplementedError("optical modules of a 950");
  const auto optical = Reading(*this, chip).Ask("-optical", npu_smi::ParseHccnOptical);
  if (!optical.ok()) return optical.status();
  OpticalReading reading;
  OpticalModule module;
  if (optical->present) module.present = Count{*optical->present ? 1.0 : 0.0};
  if (optical->celsius) module.temperature = Celsius{*optical->celsius};
  if (optical->millivolts) module.voltage = Volts{ShiftPoint(*optical->millivolts, kMilli)};
  module.transmit_loss_of_signal = AnyBit(optical->transmit_loss_flags);
  module.receive_loss_of_signal = AnyBit(optical->receive_loss_flags);
  module.transmit_power_low_threshold = FromMilliwatts(optical->transmit_low_milliwatts);
  module.receive_power_low_threshold = FromMilliwatts(optical->receive_low_milliwatts);
  reading.modules.Add(module);
  for (const npu_smi::HccnOpticalLane& lane : optical->lanes) {
    if (!lane.transmit_milliwatts && !lane.receive_milliwatts) continue;
    reading.lanes.Add({lane.lane, FromMilliwatts(lane.transmit_milliwatts),
                       FromMilliwatts(lane.receive_milliwatts)});
  }
  return reading;
}

absl::StatusOr<UbReading> HccnTool::ReadUb(HccnChip chip) {
  if (!chip.is_950) return absl::UnimplementedError("UB ports");
  Reading runs(*this, chip);
  const auto ports = runs.Ask("-dev_info", npu_smi::ParseHccnPorts);
  if (!ports.ok()) return ports.status();
  UbReading reading;
  for (const HccnPort& port : ports->ports) {
    UbPort added;
    added.index = PortIndex(port.udie, port.port);
    added.up = FlagOf(port.link);
    const auto counters = runs.Ask("-stat", npu_smi::ParseHccnCounters, &port);
    // A list of some of the ports would look as if the others were gone.
    if (!counters.ok()) return counters.status();
    for (const auto& [name, value] : counters->values) {
      const auto counter = npu_smi::UbCounterOf(name);
      if (!counter) continue;
      added.values[static_cast<std::size_t>(*counter)] = CountOf(value, reading.refused);
    }
    if (reading.ports.Add(added) == nullptr) break;
  }
  return reading;
}

}  // namespace ascend
