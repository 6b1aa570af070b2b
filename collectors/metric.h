// What a metric is: one row of a table, checked when it is compiled. Nothing here can reach a
// driver.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "hal/readings.h"
#include "hal/units.h"

namespace ascend {

enum class Kind : std::uint8_t {
  kGauge,
  kCounter,
  kIntegral,   // a counter that the device worker integrates over its samples of a gauge
  kWindowMin,  // the least of the device worker's samples of a gauge in the last window
  kWindowMax,
  kState,  // one series per state, 1 for the current one and 0 for all others
  kInfo,   // always 1; its labels are what it says
};

enum class Scope : std::uint8_t {
  kDevice,  // label `device`
  kCard,    // label `card`: once for all chips of a card
  kNode,    // no identity label
};

struct Label {
  std::string_view name, value;
};

// A text for readers of English and of Chinese.
struct Bilingual {
  std::string_view en, zh;
};

// Where a value comes from, by driver; empty: that one does not have it. Calls are written as the
// vendor does, and what they are asked for as its numbers.
struct Source {
  static constexpr std::string_view kNone = "none";
  std::string_view dcmi{};    // dcmi_*, for chips before 950
  std::string_view dcmiv2{};  // dcmiv2_*, for 950; empty: the same names with that prefix
  std::string_view tool{};    // npu-smi, hccn_tool
  std::string_view host{};    // what this host knows by itself
};

// What a row of a collector's table says about its series.
struct MetricSpec {
  std::string_view name;
  std::string_view help;  // a sentence, with its full stop
  std::string_view zh;    // the same in Chinese
  std::array<Label, 2> labels{};
  ChipTraits needs = kAnyChip;
  // The families that are known to have it ("310P, 910B"), where `needs` does not tell.
  std::string_view chips{};
  Source source{};
  // Not empty: the series are left out unless the option of this name is switched on.
  std::string_view option{};
};

// The elements of a list in a reading, each of which is a series of its own.
struct Elements {
  std::size_t (*count)(const void* reading) = nullptr;
  std::uint32_t (*key)(const void* reading, std::size_t element) = nullptr;
  std::optional<double> (*get)(const void* reading, std::size_t element) = nullptr;
};

// One series of each device (or card, or of the node), or an open set of series, whose members
// become known as they are seen.
struct Row {
  MetricSpec spec;
  Kind kind = Kind::kGauge;
  Scope scope = Scope::kDevice;
  Unit unit = Unit::kNone;
  // Takes the value out of the reading that the table belongs to; null where the collector or the
  // engine fills the row by hand.
  std::optional<double> (*get)(const void* reading) = nullptr;
  Elements elements{};
  // kState: the value of label `state_label` for each number that `get` may answer.
  std::string_view state_label{};
  std::span<const std::string_view> states{};
  // Open sets: prints the labels of a member's key, `code="80E01801"`; null: it has none.
  std::string (*key_labels)(std::uint32_t key) = nullptr;
  // Open sets: labels whose values come with each sample as text.
  std::span<const std::string_view> text_labels{};
  // Where the driver's counter begins again at 0: after how many events, in the row's unit; null or
  // 0: never.
  double (*range)(const void* reading) = nullptr;

  [[nodiscard]] constexpr bool is_open() const {
    return key_labels != nullptr || !text_labels.empty();
  }
  [[nodiscard]] constexpr std::size_t slots() const {
    return is_open() ? 0 : kind == Kind::kState ? states.size() : 1;
  }
  [[nodiscard]] constexpr bool is_counter() const {
    return kind == Kind::kCounter || kind == Kind::kIntegral;
  }
  [[nodiscard]] constexpr bool is_window() const {
    return kind == Kind::kWindowMin || kind == Kind::kWindowMax;
  }
};

namespace metric_check {

constexpr std::string_view Suffix(Unit unit) {
  switch (unit) {
    case Unit::kNone:
      return "";
    case Unit::kBytes:
      return "_bytes";
    case Unit::kCelsius:
      return "_celsius";
    case Unit::kRatio:
      return "_ratio";
    case Unit::kSeconds:
      return "_seconds";
    case Unit::kTimestamp:
      return "_timestamp_seconds";
    case Unit::kWatts:
      return "_watts";
    case Unit::kJoules:
      return "_joules";
    case Unit::kVolts:
      return "_volts";
    case Unit::kHertz:
      return "_hertz";
    case Unit::kBytesPerSecond:
      return "_bytes_per_second";
    case Unit::kTransfersPerSecond:
      return "_transfers_per_second";
    case Unit::kRpm:
      return "_rpm";
  }
  return "";
}

// A throw in a constant expression is a compile error that shows its line.
consteval void Check(const Row& row) {
  std::string_view name = row.spec.name;
  if (!name.starts_with("ascend_npu_") && !name.starts_with("ascend_exporter_")) {
    throw "the name does not begin with ascend_npu_ or ascend_exporter_";
  }
  for (char c : name) {
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_') {
      throw "the name has a character outside of a-z, 0-9 and _";
    }
  }
  if (name.ends_with("_total") != row.is_counter())
    throw "counters and only counters end in _total";
  if (row.is_counter()) name.remove_suffix(6);
  if (name.ends_with("_info") != (row.kind == Kind::kInfo))
    throw "infos and only infos end in _info";
  if (!name.ends_with(Suffix(row.unit))) throw "the name does not end in the unit of its reading";
  if (!row.spec.help.ends_with('.')) throw "the help lacks its full stop";
  if (row.spec.zh.size() < 6 || !row.spec.zh.ends_with("。")) {
    throw "the help is not told in Chinese, or lacks its full stop there";
  }
  for (const Label& label : row.spec.labels) {
    for (std::string_view taken : {"namespace", "pod", "container", "job", "instance", "node",
                                   "service", "device", "card"}) {
      if (label.name == taken) throw "the label would collide with one of the scrape's target";
    }
  }
  const Source& source = row.spec.source;
  if (source.dcmi.empty() && source.tool.empty() && source.host.empty()) {
    throw "the row does not say where its value comes from";
  }
}

}  // namespace metric_check

// A row that a collector or the engine fills by hand: what no single field of a reading tells.
consteval Row HandRow(Row row) {
  metric_check::Check(row);
  return row;
}

}  // namespace ascend
