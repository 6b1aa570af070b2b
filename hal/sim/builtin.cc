// The machines that the program knows by name.
#include <algorithm>
#include <array>
#include <charconv>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "hal/driver_state.h"
#include "hal/sim/builtin_chip.h"
#include "hal/sim/machine.h"

namespace ascend::sim {
namespace {

constexpr std::string_view kFleetPrefix = "fleet:";
struct Builtin {
  std::string_view name;
  const Model& model;
  int chips;
};

constexpr std::array<Builtin, 4> kBuiltins = {
    {{"8x910b", kA2, 8}, {"16x910c", kA3, 16}, {"4x310p", kDuo, 4}, {"8x950", kA5, 8}}};

Machine MakeMachine(const Model& model, int chips) {
  Machine machine;
  machine.info = {.backend = "sim",
                  .library_version = std::string(model.driver),
                  .driver_version = std::string(model.driver),
                  .device_id_source = "phy_id"};
  machine.driver_health = Health::kOk;
  const Chip prototype = MakePrototype(model);
  for (int device = 0; device < chips; ++device) {
    machine.chips.push_back(PlaceChip(model, prototype, device, chips));
  }
  return machine;
}

}  // namespace

std::string BuiltinNames() {
  std::string names;
  for (const Builtin& builtin : kBuiltins) names += fmt::format("{}, ", builtin.name);
  return names + "fleet:N (N chips of 910B, 1 to 1024)";
}

absl::StatusOr<std::optional<Machine>> BuiltinMachine(std::string_view name) {
  const auto found = std::ranges::find(kBuiltins, name, &Builtin::name);
  if (found != kBuiltins.end()) return MakeMachine(found->model, found->chips);
  if (!name.starts_with(kFleetPrefix)) return std::optional<Machine>();

  const std::string_view digits = name.substr(kFleetPrefix.size());
  int chips = 0;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, chips);
  if (result.ec != std::errc() || result.ptr != end || chips < 1 || chips > kMaxChips) {
    return DriverError(DriverState::kInitFailed,
                       fmt::format("\"{}\" is no size of a fleet, want fleet:N with N of 1 to {}",
                                   name, kMaxChips));
  }
  return MakeMachine(kA2, chips);
}

}  // namespace ascend::sim
