#include "hal/sim/event.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "hal/sim/yaml_quantities.h"

namespace ascend::sim {
namespace {

constexpr Bounds kCount{1, 9'007'199'254'740'992.0};
constexpr Bounds kRepeat{1, static_cast<double>(kMaxFaultCodes)};
constexpr Bounds kCode{-2'147'483'648.0, 2'147'483'647};
constexpr Bounds kRatio{0, 1};
constexpr Bounds kLinkNumber{0, kMaxHccsLinks - 1};
constexpr std::array<std::string_view, 3> kLinkKindNames = {"hccs", "network", "ub"};
constexpr std::array<std::string_view, 2> kDirectionNames = {"transmit", "receive"};
constexpr std::array<std::string_view, 4> kMemoryNames = {"hbm", "ddr", "sram", "npu"};
constexpr std::array<EccCounts EccReading::*, 4> kMemories = {&EccReading::hbm, &EccReading::ddr,
                                                              &EccReading::sram, &EccReading::npu};
constexpr std::array<std::string_view, 2> kSeverityNames = {"single_bit", "double_bit"};

using What = decltype(Event::what);

void RefuseWhere(bool lacking, YamlFields& fields, const Chip& chip, const char* thing) {
  if (!lacking) return;
  fields.Refuse("kind", fmt::format("device {} does not report {}, so it cannot change",
                                    chip.found.device, thing));
}

Call ReadCall(YamlFields& fields) {
  return static_cast<Call>(fields.Required("call", fields.Choice("call", kCallNames)));
}

What ParseTemperature(YamlFields& fields, const Chip& chip) {
  RefuseWhere(!chip.temperature, fields, chip, "a temperature");
  return SetTemperature{Celsius{fields.Required("celsius", fields.Number("celsius", kCelsius))}};
}

What ParseEcc(YamlFields& fields, const Chip& chip) {
  const auto memory = fields.Required("memory", fields.Choice("memory", kMemoryNames));
  const auto severity = fields.Required("severity", fields.Choice("severity", kSeverityNames));
  const auto count = fields.Integer("count", kCount).value_or(1);
  const AddEcc add{kMemories[memory], severity == 1, static_cast<double>(count)};
  const EccCounts counts = chip.ecc ? (*chip.ecc).*add.memory : EccCounts();
  if (!(add.double_bit ? counts.double_bit : counts.single_bit)) {
    fields.Refuse("memory",
                  fmt::format("device {} does not count {} errors of {}", chip.found.device,
                              kSeverityNames[severity], kMemoryNames[memory]));
  }
  return add;
}

template <typename Fault>
What ParseFault(YamlFields& fields, const Chip& chip) {
  (void)chip;
  const std::string text = fields.Required("code", fields.Text("code", 64));
  const auto code = ParseFaultCode(text);
  if (!code) {
    fields.Refuse("code",
                  fmt::format("\"{}\" is no fault code, want eight hex digits in quotes", text));
  }
  return Fault{code.value_or(0), fields.Integer("repeat", kRepeat).value_or(1)};
}

What ParseLost(YamlFields& fields, const Chip& chip) {
  (void)fields;
  (void)chip;
  return Lose{};
}

What ParseSlow(YamlFields& fields, const Chip& chip) {
  (void)chip;
  const Call call = ReadCall(fields);
  return Delay{call, fields.Required("delay", fields.Duration("delay"))};
}

What ParseHang(YamlFields& fields, const Chip& chip) {
  (void)chip;
  return Hang{ReadCall(fields)};
}

What ParseError(YamlFields& fields, const Chip& chip) {
  (void)chip;
  const Call call = ReadCall(fields);
  const auto code = fields.Required("code", fields.Integer("code", kCode));
  if (code == 0) fields.Refuse("code", "0 is success, want a code of the vendor, as -8005");
  return Fail{call, code};
}

What ParseMemory(YamlFields& fields, const Chip& chip) {
  const bool reports = chip.hbm ? chip.hbm->total.has_value() && chip.hbm->used.has_value()
                                : chip.ddr && chip.ddr->total && chip.ddr->used;
  RefuseWhere(!reports, fields, chip, "used and total memory");
  return FillMemory{fields.Required("used_ratio", fields.Number("used_ratio", kRatio))};
}

What ParseHealth(YamlFields& fields, const Chip& chip) {
  RefuseWhere(!chip.health, fields, chip, "its health");
  return SetHealth{
      static_cast<Health>(fields.Required("state", fields.Choice("state", kHealthNames)))};
}

What ParseThrottle(YamlFields& fields, const Chip& chip) {
  RefuseWhere(!chip.throttle, fields, chip, "why it is throttled");
  std::array<std::string_view, kThrottleReasons.size()> names;
  std::ranges::transform(kThrottleReasons, names.begin(), &ThrottleReason::name);
  return Throttle{
      kThrottleReasons.at(fields.Required("reason", fields.Choice("reason", names))).active};
}

template <typename Items>
bool Has(const Items& items, std::uint32_t index) {
  return std::ranges::any_of(items, [index](const auto& item) { return item.index == index; });
}

bool HasLink(const Chip& chip, const LinkName& link) {
  switch (link.kind) {
    case LinkKind::kHccs:
      return chip.hccs && Has(chip.hccs->links, link.index);
    case LinkKind::kNetwork:
      return chip.network && Has(chip.network->link.ports, link.index);
    case LinkKind::kUb:
      return chip.ub && Has(chip.ub->ports, link.index);
  }
  return false;
}

What ParseLinkDown(YamlFields& fields, const Chip& chip) {
  LinkName link;
  link.kind = static_cast<LinkKind>(fields.Required("link", fields.Choice("link", kLinkKindNames)));
  if (link.kind == LinkKind::kHccs) {
    link.index = static_cast<std::uint32_t>(
        fields.Required("number", fields.Integer("number", kLinkNumber)));
  } else {
    link.index = ReadPortIndex(fields);
  }
  if (!HasLink(chip, link)) {
    fields.Refuse("link", fmt::format("device {} has no such {} link", chip.found.device,
                                      kLinkKindNames[static_cast<std::size_t>(link.kind)]));
  }
  return CutLink{link};
}

What ParseCounterReset(YamlFields& fields, const Chip& chip) {
  (void)fields;
  (void)chip;
  return ResetCounters{};
}

What ParsePcieDegraded(YamlFields& fields, const Chip& chip) {
  RefuseWhere(!chip.pcie || !chip.pcie->lanes, fields, chip, "its PCIe lanes");
  DegradePcie degraded;
  degraded.lanes = fields.Required("lanes", ReadCount(fields, "lanes", kLanes));
  degraded.speed =
      Read<TransfersPerSecond>(fields, "speed_gts", kGigatransfers, kTransfersPerGigatransfer);
  return degraded;
}

What ParseOpticalLoss(YamlFields& fields, const Chip& chip) {
  LoseLight loss;
  loss.module = ReadPortIndex(fields);
  loss.transmit = fields.Required("direction", fields.Choice("direction", kDirectionNames)) == 0;
  RefuseWhere(!chip.optical || !Has(chip.optical->modules, loss.module), fields, chip,
              "such an optical module");
  return loss;
}

struct Kind {
  std::string_view name;
  What (*parse)(YamlFields&, const Chip&);
  bool lasts = true;  // takes `for`
};
constexpr std::array<Kind, 15> kKinds = {{{"temperature", ParseTemperature},
                                          {"ecc", ParseEcc, false},
                                          {"fault", ParseFault<RaiseFault>},
                                          {"lost", ParseLost},
                                          {"slow", ParseSlow},
                                          {"hang", ParseHang},
                                          {"error", ParseError},
                                          {"memory", ParseMemory},
                                          {"health", ParseHealth},
                                          {"throttle", ParseThrottle},
                                          {"link_down", ParseLinkDown},
                                          {"fault_blip", ParseFault<BlipFault>, false},
                                          {"counter_reset", ParseCounterReset, false},
                                          {"pcie_degraded", ParsePcieDegraded},
                                          {"optical_loss", ParseOpticalLoss}}};

std::optional<std::size_t> ReadKind(YamlFields& fields) {
  std::array<std::string_view, kKinds.size()> names;
  std::ranges::transform(kKinds, names.begin(), &Kind::name);
  const auto kind = fields.Choice("kind", names);
  if (!kind) fields.RefuseAbsent("kind");
  return kind;
}

std::optional<std::size_t> ReadDevice(YamlFields& fields, const Machine& machine) {
  const auto device = fields.Integer("device", kId);
  if (!device) {
    fields.RefuseAbsent("device");
    return std::nullopt;
  }
  const auto found = std::ranges::find_if(
      machine.chips, [&](const Chip& chip) { return chip.found.device == *device; });
  if (found != machine.chips.end()) {
    return static_cast<std::size_t>(found - machine.chips.begin());
  }
  std::vector<std::string> ids;
  for (const Chip& chip : machine.chips) ids.push_back(fmt::format("{}", chip.found.device));
  constexpr std::size_t kListed = 16;
  const bool many = ids.size() > kListed;
  if (many) ids.resize(kListed);
  fields.Refuse("device", fmt::format("the machine has no device {}; it has {}{}", *device,
                                      Listed(ids), many ? ", ..." : ""));
  return std::nullopt;
}

}  // namespace

std::optional<PlacedEvent> ParseEvent(const YamlValue& value, const Machine& machine,
                                      YamlProblems& problems) {
  YamlFields fields(value, "events", problems);
  Event event;
  event.from = fields.Required("at", fields.Duration("at"));
  const auto device = ReadDevice(fields, machine);
  const auto kind = ReadKind(fields);
  if (!device || !kind) return std::nullopt;
  if (kKinds[*kind].lasts) {
    if (const auto lasts = fields.Duration("for")) event.until = event.from + *lasts;
  }
  event.what = kKinds[*kind].parse(fields, machine.chips[*device]);
  fields.RefuseOthers();
  return PlacedEvent{*device, event};
}

}  // namespace ascend::sim
