// Whether two identities can be those of one chip.
#pragma once

#include "hal/readings.h"

namespace ascend {

// True if die id or PCI address are known in both and differ: what is unknown is no change.
inline bool IsAnotherChip(const DeviceIdentity& before, const DeviceIdentity& now) {
  const auto differ = [](const auto& a, const auto& b) {
    return !a.empty() && !b.empty() && !(a == b);
  };
  return differ(before.die_id, now.die_id) || differ(before.pci_address, now.pci_address);
}

}  // namespace ascend
