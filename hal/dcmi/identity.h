// Who a chip is, by the library.
#pragma once

#include "absl/status/statusor.h"
#include "hal/dcmi/functions.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// Blocks in the vendor's library; any thread. Fails where the chip cannot be asked its name. Each
// other part is left empty where its call fails, whatever it fails of: empty means unknown, not
// changed.
absl::StatusOr<DeviceIdentity> IdentityOf(const Functions& functions, DeviceAddress at);

}  // namespace ascend::dcmi
