#include "hal/npu_smi/hccn_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "hal/npu_smi/cells.h"
#include "hal/npu_smi/hccn_lines.h"
#include "hal/npu_smi/key_values.h"

namespace ascend::npu_smi {
namespace {

constexpr std::size_t kMaxValues = 1024;
constexpr std::size_t kMaxLanes = 16;

// Decimal, or hexadecimal after "0x".
std::optional<std::uint64_t> ParseCounter(std::string_view text) {
  constexpr int kDecimal = 10;
  constexpr int kHex = 16;
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, hex ? kHex : kDecimal);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

bool IsHeading(std::string_view line) {
  return line == "packet statistics:" || line == "optical info:" || line.starts_with("-----") ||
         line == "...";
}

// The number of "47 C" if its unit is the one that is expected.
std::optional<double> WithUnit(std::string_view value, std::string_view unit) {
  const std::string_view number = value.substr(0, value.find(' '));
  if (Trim(value.substr(number.size())) != unit) return std::nullopt;
  return ParseWhole<double>(number);
}

// Milliwatts, which may be printed as decibels above one milliwatt.
std::optional<double> LanePower(std::string_view value) {
  if (const auto milliwatts = WithUnit(value, "mW")) return milliwatts;
  const auto decibels = WithUnit(value, "dBm");
  constexpr double kDecibel = 10;
  return decibels ? std::optional(std::pow(kDecibel, *decibels / kDecibel)) : std::nullopt;
}

struct OpticalField {
  std::string_view key, unit;
  std::optional<double> HccnOptical::*member;
};
constexpr std::array<OpticalField, 4> kOpticalFields = {{
    {"temperature", "C", &HccnOptical::celsius},
    {"Vcc", "mV", &HccnOptical::millivolts},
    {"TxPower Low Thres", "mW", &HccnOptical::transmit_low_milliwatts},
    {"RxPower Low Thres", "mW", &HccnOptical::receive_low_milliwatts},
}};
struct LaneField {
  std::string_view prefix, unit;
  std::optional<double> HccnOpticalLane::*member;
};
constexpr std::array<LaneField, 4> kLaneFields = {{
    {"Tx Power", "mW", &HccnOpticalLane::transmit_milliwatts},
    {"Rx Power", "mW", &HccnOpticalLane::receive_milliwatts},
    {"Host SNR Lane", "dB", &HccnOpticalLane::host_snr_db},
    {"Media SNR Lane", "dB", &HccnOpticalLane::media_snr_db},
}};

HccnOpticalLane& LaneOf(std::uint32_t number, HccnOptical& optical) {
  const auto lane = std::ranges::find(optical.lanes, number, &HccnOpticalLane::lane);
  if (lane != optical.lanes.end()) return *lane;
  optical.lanes.emplace_back().lane = number;
  return optical.lanes.back();
}

void ReadLane(const KeyValue& pair, HccnOptical& optical) {
  for (const LaneField& field : kLaneFields) {
    if (!pair.key.starts_with(field.prefix)) continue;
    const auto number =
        ParseWhole<std::uint32_t>(std::string_view(pair.key).substr(field.prefix.size()));
    const auto value =
        field.unit == "mW" ? LanePower(pair.value) : WithUnit(pair.value, field.unit);
    if (number && *number < kMaxLanes && value) LaneOf(*number, optical).*field.member = value;
  }
}

void ReadOptical(const KeyValue& pair, HccnOptical& optical) {
  if (pair.key == "present" && pair.value == "present") optical.present = true;
  if (pair.key == "present" && pair.value == "not present") optical.present = false;
  if (pair.key == "Tx Los Flag") optical.transmit_loss_flags = ParseCounter(pair.value);
  if (pair.key == "Rx Los Flag") optical.receive_loss_flags = ParseCounter(pair.value);
  for (const OpticalField& field : kOpticalFields) {
    if (pair.key == field.key) optical.*field.member = WithUnit(pair.value, field.unit);
  }
  ReadLane(pair, optical);
}

HccnText ParseOneText(std::string_view text, std::string_view key) {
  HccnText result;
  ForEachPair(text, result.unknown, [&](const KeyValue& pair) {
    if (pair.key != key) return false;
    result.value = pair.value;
    return true;
  });
  return result;
}

}  // namespace

std::optional<LinkState> LinkStateOf(std::string_view word) {
  if (word == "UP") return LinkState::kUp;
  if (word == "DOWN") return LinkState::kDown;
  if (word == "PARTIAL UP" || word == "PARTIAL LINK") return LinkState::kPartial;
  return std::nullopt;
}

std::optional<KeyValue> SplitHccnPair(std::string_view line) {
  line = Trim(line);
  // "[devid 0]" or "[device 0]" before the key.
  const std::size_t bracket = line.find(']');
  if (line.starts_with("[dev") && bracket != std::string_view::npos)
    line.remove_prefix(bracket + 1);
  return SplitPair(line);
}

HccnLink ParseHccnLink(std::string_view text) {
  HccnLink link;
  ForEachPair(text, link.unknown, [&](const KeyValue& pair) {
    if (pair.key != "link status") return false;
    link.state = LinkStateOf(pair.value);
    return link.state.has_value();
  });
  return link;
}

HccnText ParseHccnHealth(std::string_view text) { return ParseOneText(text, "net health status"); }

HccnText ParseHccnFec(std::string_view text) { return ParseOneText(text, "fec mode"); }

HccnAddress ParseHccnAddress(std::string_view text) {
  HccnAddress address;
  address.not_set = SaysNoAddress(text);
  ForEachPair(text, address.unknown, [&](const KeyValue& pair) {
    std::string_view key = pair.key;
    if (key.starts_with("vnic ")) key.remove_prefix(key.find(' ') + 1);
    if (key == "ipaddr") address.address = pair.value;
    if (key == "netmask") address.netmask = pair.value;
    if (key == "link status") address.link = LinkStateOf(pair.value);
    return key == "ipaddr" || key == "netmask" || key == "link status";
  });
  if (address.not_set) address.unknown = {};
  return address;
}

std::optional<std::uint64_t> HccnCounters::Find(std::string_view name) const {
  const auto value = std::ranges::find(values, name, &decltype(values)::value_type::first);
  return value == values.end() ? std::nullopt : std::optional(value->second);
}

HccnCounters ParseHccnCounters(std::string_view text) {
  HccnCounters counters;
  ForEachLine(text, counters.unknown, [&](std::string_view line) {
    line = Trim(line);
    if (IsHeading(line)) return;
    auto pair = SplitHccnPair(line);
    const auto value = pair ? ParseCounter(pair->value) : std::nullopt;
    if (!value || pair->key.empty() || counters.Find(pair->key) ||
        counters.values.size() >= kMaxValues) {
      return counters.unknown.Add(line);
    }
    counters.values.emplace_back(std::move(pair->key), *value);
  });
  return counters;
}

HccnOptical ParseHccnOptical(std::string_view text) {
  HccnOptical optical;
  ForEachLine(text, optical.unknown, [&](std::string_view line) {
    line = Trim(line);
    if (IsHeading(line)) return;
    if (const auto pair = SplitHccnPair(line)) {
      ReadOptical(*pair, optical);
    } else {
      optical.unknown.Add(line);
    }
  });
  std::ranges::sort(optical.lanes, {}, &HccnOpticalLane::lane);
  return optical;
}

HccnBandwidth ParseHccnBandwidth(std::string_view text) {
  HccnBandwidth bandwidth;
  ForEachPair(text, bandwidth.unknown, [&](const KeyValue& pair) {
    const auto value = WithUnit(pair.value, "MB/sec");
    if (pair.key == "Bandwidth TX") bandwidth.transmit_mb_per_second = value;
    if (pair.key == "Bandwidth RX") bandwidth.receive_mb_per_second = value;
    return value && (pair.key == "Bandwidth TX" || pair.key == "Bandwidth RX");
  });
  return bandwidth;
}

HccnConnection ParseHccnConnection(std::string_view text) {
  constexpr std::string_view kPort = "port ";
  HccnConnection connection;
  ForEachPair(text, connection.unknown, [&](const KeyValue& pair) {
    const auto state = LinkStateOf(pair.value);
    if (pair.key == "link status") {
      connection.state = state;
      return state.has_value();
    }
    if (!pair.key.starts_with(kPort)) return false;
    const auto port = ParseWhole<std::uint32_t>(std::string_view(pair.key).substr(kPort.size()));
    if (!port || !state || connection.ports.size() >= kMaxValues) return false;
    connection.ports.emplace_back(*port, *state);
    return true;
  });
  return connection;
}

bool SaysNoAddress(std::string_view text) { return Has(text, "no ip was preset"); }

}  // namespace ascend::npu_smi
