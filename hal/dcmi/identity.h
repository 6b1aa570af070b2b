// Who a chip is, by the library.
#pragma once

#include <map>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "hal/dcmi/functions.h"
#include "hal/mutex.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// The identities that were read whole, by address. Any thread.
class KnownIdentities {
 public:
  [[nodiscard]] std::optional<DeviceIdentity> Find(DeviceAddress at) const;
  void Keep(DeviceAddress at, const DeviceIdentity& identity);

 private:
  mutable Mutex mutex_;
  std::map<DeviceAddress, DeviceIdentity> identities_ ABSL_GUARDED_BY(mutex_);
};

// Blocks in the vendor's library; any thread. Fails where the chip cannot be asked its name. Each
// other part is left empty where its call fails, whatever it fails of: empty means unknown, not
// changed. A chip with the die id and PCI address of the identity known for its address is that
// chip, and is asked nothing else.
absl::StatusOr<DeviceIdentity> IdentityOf(const Functions& functions, DeviceAddress at,
                                          KnownIdentities& known);

}  // namespace ascend::dcmi
