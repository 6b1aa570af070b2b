// The PCIe link of a chip as the kernel sees it.
#pragma once

#include <string>
#include <string_view>

#include "hal/link_readings.h"

namespace ascend {

// "0000:c1:00.0": domain, bus, device, function, all hex. Nothing else may become part of a path.
bool IsPciAddress(std::string_view text);

// Reads ROOT/bus/pci/devices/ADDRESS (the root is "/sys"): speed and width of the link, and the
// totals of Advanced Error Reporting. Every file that is missing, too large or not understood is
// an absent field; so is everything for an address that is none. May block: reading the speed
// wakes a device that sleeps. Any thread.
PcieReading ReadPcieSysfs(const std::string& sysfs_root, std::string_view pci_address);

}  // namespace ascend
