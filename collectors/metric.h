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
  kIntegral,  // a counter that the device worker integrates over its samples of a gauge
  kState,     // one series per state, 1 for the current one and 0 for all others
  kInfo,      // always 1; its labels say who the device or the driver is
};

enum class Scope : std::uint8_t {
  kDevice,  // label `device`
  kCard,    // label `card`: once for all chips of a card
  kNode,    // no identity label
};

struct Label {
  std::string_view name, value;
};

// What a row of a collector's table says about its series.
struct MetricSpec {
  std::string_view name;
  std::string_view help;  // a sentence, with its full stop
  std::array<Label, 2> labels{};
  ChipTraits needs = kAnyChip;
  std::string_view source{};  // the vendor's call and field
};

// One series of each device (or card, or of the node), or an open set of series.
struct Row {
  MetricSpec spec;
  Kind kind = Kind::kGauge;
  Scope scope = Scope::kDevice;
  Unit unit = Unit::kNone;
  // Takes the value out of the reading that the table belongs to; null where the engine fills the
  // row.
  std::optional<double> (*get)(const void* reading) = nullptr;
  // kState: the value of label `state_label` for each number that `get` may answer.
  std::string_view state_label{};
  std::span<const std::string_view> states{};
  // Not null: a series for each key of an open set; prints the key's labels, `code="80E01801"`.
  std::string (*open_labels)(std::uint32_t key) = nullptr;

  [[nodiscard]] constexpr std::size_t slots() const {
    return open_labels != nullptr ? 0 : kind == Kind::kState ? states.size() : 1;
  }
  [[nodiscard]] constexpr bool is_counter() const {
    return kind == Kind::kCounter || kind == Kind::kIntegral;
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
  for (const Label& label : row.spec.labels) {
    for (std::string_view taken : {"namespace", "pod", "container", "job", "instance", "node",
                                   "service", "device", "card"}) {
      if (label.name == taken) throw "the label would collide with one of the scrape's target";
    }
  }
  if (row.spec.source.empty()) throw "the row does not say where its value comes from";
}

consteval Unit IntegralOf(Unit unit) {
  if (unit == Unit::kWatts) return Unit::kJoules;
  if (unit == Unit::kRatio) return Unit::kSeconds;
  throw "only powers and ratios are integrated";
}

template <class T>
struct Member;
template <class C, class T>
struct Member<T C::*> {
  using Owner = C;
  using Type = T;
};

template <class T>
struct UnitOf {
  static constexpr Unit value = Unit::kNone;
};
template <Unit U>
struct UnitOf<Quantity<U>> {
  static constexpr Unit value = U;
};

template <class T>
constexpr double NumberOf(const T& value) {
  return static_cast<double>(value);
}
template <Unit U>
constexpr double NumberOf(const Quantity<U>& quantity) {
  return quantity.value;
}

// Follows the member pointers from the reading to its optional field.
template <auto First, auto... Rest>
struct Path {
  using Reading = typename Member<decltype(First)>::Owner;
  static constexpr const auto& Follow(const Reading& reading) {
    if constexpr (sizeof...(Rest) == 0) {
      return reading.*First;
    } else {
      return Path<Rest...>::Follow(reading.*First);
    }
  }
  using Value = std::remove_cvref_t<decltype(*Follow(std::declval<const Reading&>()))>;
  static std::optional<double> Get(const void* reading) {
    const auto& field = Follow(*static_cast<const Reading*>(reading));
    if (!field) return std::nullopt;
    return NumberOf(*field);
  }
};

}  // namespace metric_check

// A row of a table whose reading is `Reading`.
template <class Reading>
struct RowOf {
  Row row;
};

// The row that takes its value from a field; `Fields` leads from the reading to an optional one.
template <auto... Fields>
consteval auto FieldRow(Row row) {
  using P = metric_check::Path<Fields...>;
  row.unit = metric_check::UnitOf<typename P::Value>::value;
  if (row.kind == Kind::kIntegral) row.unit = metric_check::IntegralOf(row.unit);
  row.get = &P::Get;
  metric_check::Check(row);
  return RowOf<typename P::Reading>{row};
}

// The value of a field, as it is.
template <auto... Fields>
consteval auto Metric(MetricSpec spec, Scope scope = Scope::kDevice) {
  return FieldRow<Fields...>({.spec = spec, .kind = Kind::kGauge, .scope = scope});
}

// The same for a number that the driver counts up.
template <auto... Fields>
consteval auto Counter(MetricSpec spec, Scope scope = Scope::kDevice) {
  return FieldRow<Fields...>({.spec = spec, .kind = Kind::kCounter, .scope = scope});
}

// The integral over time of a power or a ratio: joules, busy seconds.
template <auto... Fields>
consteval auto Integral(MetricSpec spec, Scope scope = Scope::kDevice) {
  return FieldRow<Fields...>({.spec = spec, .kind = Kind::kIntegral, .scope = scope});
}

// One series per enumerator; `states` names them in the order of the enumeration.
template <auto... Fields>
consteval auto State(MetricSpec spec, std::string_view label,
                     std::span<const std::string_view> states) {
  return FieldRow<Fields...>(
      {.spec = spec, .kind = Kind::kState, .state_label = label, .states = states});
}

// A row that the engine fills: what no single reading tells.
consteval Row EngineRow(Row row) {
  metric_check::Check(row);
  return row;
}

// The table of one reading.
template <class Reading, class... More>
consteval auto RowsFor(RowOf<Reading> first, More... more) {
  static_assert((std::is_same_v<More, RowOf<Reading>> && ...), "rows of different readings");
  return std::array<Row, 1 + sizeof...(More)>{first.row, more.row...};
}

}  // namespace ascend
