// How the tables of rows are written: each row names the field that it takes its value from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "collectors/metric.h"

namespace ascend {
namespace metric_check {

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

constexpr std::optional<double> NumberIn(const auto& field) {
  if (!field) return std::nullopt;
  return NumberOf(*field);
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
    return NumberIn(Follow(*static_cast<const Reading*>(reading)));
  }
};

// The field of each element of a list: a member pointer, or the enumerator of one of its `values`.
template <auto kList, auto kField>
struct ListPath {
  using Reading = typename Member<decltype(kList)>::Owner;
  static constexpr const auto& ElementOf(const void* reading, std::size_t element) {
    return (static_cast<const Reading*>(reading)->*kList)[element];
  }
  static constexpr const auto& FieldOf(const auto& element) {
    if constexpr (std::is_member_object_pointer_v<decltype(kField)>) {
      return element.*kField;
    } else {
      return element.values[static_cast<std::size_t>(kField)];
    }
  }
  using Value =
      std::remove_cvref_t<decltype(*FieldOf(ElementOf(static_cast<const void*>(nullptr), 0)))>;
  static constexpr Elements kElements = {
      .count = [](const void* r) { return (static_cast<const Reading*>(r)->*kList).size(); },
      .key = [](const void* r, std::size_t i) { return ElementOf(r, i).index; },
      .get = [](const void* r, std::size_t i) { return NumberIn(FieldOf(ElementOf(r, i))); }};
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

// The extremes of a gauge's samples in the last window.
template <auto... Fields>
consteval auto WindowMin(MetricSpec spec) {
  return FieldRow<Fields...>({.spec = spec, .kind = Kind::kWindowMin});
}
template <auto... Fields>
consteval auto WindowMax(MetricSpec spec) {
  return FieldRow<Fields...>({.spec = spec, .kind = Kind::kWindowMax});
}

// One series per enumerator; `states` names them in the order of the enumeration.
template <auto... Fields>
consteval auto State(MetricSpec spec, std::string_view label,
                     std::span<const std::string_view> states) {
  return FieldRow<Fields...>(
      {.spec = spec, .kind = Kind::kState, .state_label = label, .states = states});
}

// A field of each element of a list, or the enumerator of one of its `values`; `key_labels` prints
// the labels of the element's index.
template <auto kList, auto kField>
consteval auto Each(MetricSpec spec, std::string (*key_labels)(std::uint32_t), Kind kind) {
  using P = metric_check::ListPath<kList, kField>;
  Row row{.spec = spec, .kind = kind, .key_labels = key_labels};
  row.unit = metric_check::UnitOf<typename P::Value>::value;
  row.elements = P::kElements;
  metric_check::Check(row);
  return RowOf<typename P::Reading>{row};
}
template <auto kList, auto kField>
consteval auto EachMetric(MetricSpec spec, std::string (*key_labels)(std::uint32_t)) {
  return Each<kList, kField>(spec, key_labels, Kind::kGauge);
}
template <auto kList, auto kField>
consteval auto EachCounter(MetricSpec spec, std::string (*key_labels)(std::uint32_t)) {
  return Each<kList, kField>(spec, key_labels, Kind::kCounter);
}

// The same counter, narrow in the driver: it begins again at 0 after `kRange` of the reading
// events, each of which counts `kScale` in the row's unit.
template <auto kRange, auto kScale = 1>
consteval auto Wrapping(auto counter) {
  if (!counter.row.is_counter()) throw "only counters wrap";
  using Reading = typename metric_check::Member<decltype(kRange)>::Owner;
  counter.row.range = [](const void* reading) {
    return static_cast<const Reading*>(reading)->*kRange * static_cast<double>(kScale);
  };
  return RowOf<Reading>{counter.row};
}

// The table of one reading.
template <class Reading, class... More>
consteval auto RowsFor(RowOf<Reading> first, More... more) {
  static_assert((std::is_same_v<More, RowOf<Reading>> && ...), "rows of different readings");
  return std::array<Row, 1 + sizeof...(More)>{first.row, more.row...};
}

}  // namespace ascend
