// A collector: one question to the driver and the metrics that its answer feeds. Collectors keep no
// state and compute no rates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "collectors/metric.h"
#include "collectors/sample.h"
#include "hal/npu_driver.h"

namespace ascend {

// Collectors that are sampled together, with one period and one deadline.
enum class Group : std::uint8_t { kFast, kHealth, kMemory, kIdentity };
inline constexpr std::size_t kGroups = 4;
inline constexpr std::array<std::string_view, kGroups> kGroupNames = {"fast", "health", "memory",
                                                                      "identity"};

struct Collector {
  std::string_view name;
  Group group = Group::kFast;
  ChipTraits needs = kAnyChip;  // asked only of chips that have all of these
  std::span<const Row> rows;
  // Asks the driver and puts what it answers into the sink. Blocks as long as the driver does.
  absl::Status (*collect)(NpuDriver& driver, DeviceAddress address, Sink& sink) = nullptr;
};

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
