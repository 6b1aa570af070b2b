// Chips of the built-in machines.
#pragma once

#include "hal/sim/builtin_models.h"
#include "hal/sim/chip.h"

namespace ascend::sim {

// A chip of the model with all that does not depend on its place.
Chip MakePrototype(const Model& model);

// The prototype as the chip of this physical id in a machine of so many.
Chip PlaceChip(const Model& model, const Chip& prototype, int device, int chips);

// Parts of a prototype: heat, clocks and the load of its parts; links inside the host; network.
void AddHeat(const Model& model, Chip& chip);
void AddLinks(const Model& model, Chip& chip);
void AddNetwork(Chip& chip);

// Parts that depend on the place.
void PlaceLinks(const Model& model, int chips, Chip& chip);

}  // namespace ascend::sim
