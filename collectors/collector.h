// A collector: one question to the driver and the metrics that its answer feeds. Collectors keep no
// state and compute no rates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "collectors/rows.h"
#include "collectors/sample.h"
#include "hal/npu_driver.h"

namespace ascend {

// Collectors that are sampled together, with one period and one deadline.
enum class Group : std::uint8_t { kFast, kHealth, kMemory, kLinks, kNetwork, kIdentity };
inline constexpr std::size_t kGroups = 6;
inline constexpr std::array<std::string_view, kGroups> kGroupNames = {
    "fast", "health", "memory", "links", "network", "identity"};

// Whether a collector runs without being asked for.
enum class Default : std::uint8_t { kOn, kOff };

// What a collector is about: a section of METRICS.md.
enum class Topic : std::uint8_t {
  kState,
  kHeat,
  kLoad,
  kMemory,
  kLinks,
  kNetwork,
  kPartitions,
  kDriver
};

struct Collector {
  std::string_view name;
  Topic topic = Topic::kState;
  Group group = Group::kFast;
  ChipTraits needs = kAnyChip;  // asked only of chips that have all of these
  std::span<const Row> rows;
  // Asks the driver and puts what it answers into the sink. Blocks as long as the driver does.
  absl::Status (*collect)(NpuDriver& driver, DeviceAddress address, Sink& sink) = nullptr;
  Default by_default = Default::kOn;
  // A fact that does not change while the device stays the same one: asked once for each identity.
  bool once = false;
  // How long its call sleeps by contract; its deadline is later by that.
  nanoseconds sleeps{0};
  Bilingual cost{};       // of one round and device, where it is not one quick call
  Bilingual privilege{};  // what the driver demands beyond opening a device
};

inline constexpr Bilingual kSleepsFor100Ms = {"the driver's call sleeps for 100 ms",
                                              "驱动的调用会睡眠 100 毫秒"};

// All collectors, in the order in which a device is asked (all.cc).
std::span<const Collector* const> AllCollectors();

// Puts each value that the reading has into the sink; drops and counts what cannot be true.
void Emit(const void* reading, const Refused& refused, std::span<const Row> rows, Sink& sink);

// The usual collect function: ask with `Method`, emit the rows.
template <auto Method, const auto& kRows>
absl::Status CollectWith(NpuDriver& driver, DeviceAddress address, Sink& sink) {
  const auto reading = (driver.*Method)(address);
  if (!reading.ok()) return reading.status();
  Emit(&*reading, reading->refused, kRows, sink);
  return absl::OkStatus();
}

}  // namespace ascend
