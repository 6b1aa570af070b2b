// The health of a chip with its fault codes, and its fault events: `npu-smi info -t health -c` and
// `-t fault-event`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hal/npu_smi/key_values.h"
#include "hal/readings.h"

namespace ascend::npu_smi {

// A word of the tool for a health; nothing for other words.
std::optional<Health> HealthOf(std::string_view word);

// The worse of two; unknown is worse than ok and better than anything that is known to be wrong.
Health Worse(Health a, Health b);

struct HealthValues {
  std::optional<Health> state;  // absent: not printed; kUnknown for a word that is not the tool's
  bool state_refused = false;   // the word was not the tool's
  // Absent: no line of codes was printed, or one of its words is no code. Empty: "NA", no fault.
  std::optional<std::vector<std::uint32_t>> codes;
  std::vector<std::string> informations;  // as many as codes or not to be assigned to them
};
HealthValues HealthOf(const Block& block);

struct FaultEvent {
  std::optional<std::uint32_t> id;
  std::optional<std::uint32_t> severity;
  friend bool operator==(const FaultEvent&, const FaultEvent&) = default;
};
struct FaultEvents {
  std::optional<double> count;
  std::vector<FaultEvent> events;
};
FaultEvents FaultEventsOf(const Block& block);

bool IsHealthKey(std::string_view key);

}  // namespace ascend::npu_smi
