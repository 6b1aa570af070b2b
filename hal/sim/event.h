// One event of a scenario file.
#pragma once

#include <optional>

#include "hal/sim/scenario.h"
#include "hal/sim/yaml_fields.h"

namespace ascend::sim {

struct PlacedEvent {
  std::size_t chip = 0;  // place in machine.chips
  Event event;
};

// Nothing where the event is wrong; then the problems say why.
std::optional<PlacedEvent> ParseEvent(const YamlValue& value, const Machine& machine,
                                      YamlProblems& problems);

}  // namespace ascend::sim
