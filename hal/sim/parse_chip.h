// One chip of a machine description, from YAML.
#pragma once

#include "hal/sim/chip.h"
#include "hal/sim/yaml_fields.h"

namespace ascend::sim {

// What is wrong goes to `problems`; then the chip is of no use.
Chip ParseChip(const YamlValue& value, YamlProblems& problems);

// The parts of a chip, by meaning: memory, work and faults; heat and clocks; links inside the host;
// its network.
void ParseState(YamlFields& fields, Chip& chip);
void ParseHeat(YamlFields& fields, Chip& chip);
void ParseLinks(YamlFields& fields, Chip& chip);
void ParseNetwork(YamlFields& fields, Chip& chip);

}  // namespace ascend::sim
