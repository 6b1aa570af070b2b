#include "hal/sim/yaml_quantities.h"

#include "hal/network_readings.h"
#include "hal/sim/chip.h"

namespace ascend::sim {
namespace {

constexpr Bounds kMebibytes{0, 1e9};

}  // namespace

std::optional<Ratio> ReadPercent(YamlFields& fields, std::string_view key) {
  const auto percent = fields.Number(key, kPercent);
  return percent ? std::optional(Percent(*percent)) : std::nullopt;
}

std::optional<Bytes> ReadMiB(YamlFields& fields, std::string_view key) {
  const auto mebibytes = fields.Number(key, kMebibytes);
  return mebibytes ? std::optional(MiB(*mebibytes)) : std::nullopt;
}

std::optional<Count> ReadCount(YamlFields& fields, std::string_view key, Bounds bounds) {
  const auto count = fields.Integer(key, bounds);
  return count ? std::optional(Count{static_cast<double>(*count)}) : std::nullopt;
}

std::optional<Count> ReadFlag(YamlFields& fields, std::string_view key) {
  const auto flag = fields.Flag(key);
  return flag ? std::optional(Count{*flag ? 1.0 : 0.0}) : std::nullopt;
}

std::uint32_t ReadPortIndex(YamlFields& fields) {
  const auto udie = fields.Integer("udie", kPortId);
  const auto port = fields.Integer("port", kPortId);
  if (!udie && !port) return 0;
  fields.RefuseAbsent("udie");
  fields.RefuseAbsent("port");
  return PortIndex(static_cast<std::uint32_t>(udie.value_or(0)),
                   static_cast<std::uint32_t>(port.value_or(0)));
}

std::optional<double> NumberOf(const YamlValue& item, const std::string& key, Bounds bounds,
                               YamlProblems& problems, const char* wanted) {
  const bool plain = item.kind == YamlValue::Kind::kScalar && !item.quoted;
  const auto number = plain ? ParseNumber(item.text) : std::nullopt;
  if (number && *number >= bounds.low && *number <= bounds.high) return number;
  problems.Add(
      item.line, key,
      fmt::format("\"{}\" is wrong, want {} to {}{}", item.text, bounds.low, bounds.high, wanted));
  return std::nullopt;
}

std::span<const YamlValue> ReadItems(YamlFields& fields, std::string_view key) {
  const YamlValue* list = fields.List(key);
  return list == nullptr ? std::span<const YamlValue>() : std::span(list->items);
}

}  // namespace ascend::sim
