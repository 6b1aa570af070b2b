// Quantities of a machine description, from the units of the file to SI.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "hal/fixed_list.h"
#include "hal/sim/yaml_fields.h"
#include "hal/units.h"

namespace ascend::sim {

constexpr Bounds kPercent{0, 100};
constexpr Bounds kWatts{0, 100'000};
// Wider than what a chip may have, so that a scenario can show what becomes of impossible values.
constexpr Bounds kCelsius{-273, 1000};
constexpr Bounds kVolts{0, 1000};
constexpr Bounds kCounter{0, 9'007'199'254'740'992.0};  // exact as a double up to here
constexpr Bounds kId{0, 65535};
constexpr Bounds kPortId{0, 255};
constexpr Bounds kLanes{0, 64};
constexpr Bounds kGigatransfers{0, 1024};
constexpr double kTransfersPerGigatransfer = 1e9;

// A number of the file times `scale`. A scale below one is given as `parts`, how many of the file's
// units make one: of up to nine decimals the result is the double next to the decimal.
template <typename To>
std::optional<To> ReadParts(YamlFields& fields, std::string_view key, Bounds bounds, double parts) {
  const auto number = fields.Number(key, bounds);
  return number ? std::optional(To{std::round(*number * 1e9) / (1e9 * parts)}) : std::nullopt;
}
template <typename To>
std::optional<To> Read(YamlFields& fields, std::string_view key, Bounds bounds, double scale = 1) {
  const auto number = fields.Number(key, bounds);
  return number ? std::optional(To{*number * scale}) : std::nullopt;
}
std::optional<Ratio> ReadPercent(YamlFields& fields, std::string_view key);
std::optional<Bytes> ReadMiB(YamlFields& fields, std::string_view key);
std::optional<Count> ReadCount(YamlFields& fields, std::string_view key, Bounds bounds = kCounter);
std::optional<Count> ReadFlag(YamlFields& fields, std::string_view key);  // true or false

// The name of a port among those of its chip: `udie` and `port` together, or neither.
std::uint32_t ReadPortIndex(YamlFields& fields);

// The number that stands in a list; `wanted` says what else may.
std::optional<double> NumberOf(const YamlValue& item, const std::string& key, Bounds bounds,
                               YamlProblems& problems, const char* wanted = "");

// The items of a list, nothing where the key is absent.
std::span<const YamlValue> ReadItems(YamlFields& fields, std::string_view key);

// Adds an element whose index `key` names; refuses one that is there already or one too many.
template <typename T, std::size_t N>
void AddOnce(FixedList<T, N>& list, const T& element, YamlFields& fields, std::string_view key) {
  if (std::ranges::find(list.items(), element.index, &T::index) != list.items().end()) {
    fields.Refuse(key, "names what stands in the list already");
  } else if (list.Add(element) == nullptr) {
    fields.Refuse(key, fmt::format("is one too many, want at most {}", N));
  }
}

// A key of a map and the field that it fills.
template <typename Reading, typename Field>
struct KeyOf {
  std::string_view key;
  Field Reading::*field;
};

}  // namespace ascend::sim
