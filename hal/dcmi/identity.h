// Who a chip is, by the library.
#pragma once

#include "absl/status/statusor.h"
#include "hal/dcmi/functions.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// Blocks in the vendor's library; any thread. What the chip or the library lacks is left empty; an
// error that may pass, or a lost chip, fails the whole: half an identity would be another one.
absl::StatusOr<DeviceIdentity> IdentityOf(const Functions& functions, DeviceAddress at);

}  // namespace ascend::dcmi
