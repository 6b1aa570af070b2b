#include "hal/open.h"

#include <memory>
#include <utility>

#include "hal/dcmi/driver.h"
#include "hal/dcmi/fault_events.h"
#include "hal/dcmi/functions.h"
#include "hal/dcmi/init_failure.h"
#include "hal/dcmi/library.h"

namespace ascend {
namespace dcmi {
namespace {

// Initialises one interface. `code` is what the library answered, kOk where it could not be asked.
absl::Status Start(const Library& library, Interface interface, Functions& functions, int& code) {
  code = kOk;
  absl::Status found = Resolve(library.handle(), library.path(), interface, functions);
  if (!found.ok()) return found;
  code = functions.init();
  return code == kOk ? absl::OkStatus() : InitFailure(functions.init.name, code);
}

// The interface of the chips: each refuses the chips of the other.
absl::StatusOr<Functions> Start(const Library& library) {
  const bool has_v1 = Has(library.handle(), Interface::kV1);
  const bool has_v2 = Has(library.handle(), Interface::kV2);
  Functions functions;
  int code = kNotSupported;
  absl::Status started;
  if (has_v1 || !has_v2) started = Start(library, Interface::kV1, functions, code);
  if (code == kNotSupported && has_v2) started = Start(library, Interface::kV2, functions, code);
  if (!started.ok()) return started;
  return functions;
}

}  // namespace
}  // namespace dcmi

absl::StatusOr<std::shared_ptr<NpuDriver>> OpenDcmi(const DcmiOptions& options, Clock& clock) {
  absl::StatusOr<dcmi::Library> library = dcmi::Library::Load(options);
  if (!library.ok()) return library.status();
  const absl::StatusOr<dcmi::Functions> functions = dcmi::Start(*library);
  if (!functions.ok()) return functions.status();
  dcmi::FaultInbox* events = dcmi::SubscribeToFaults(library->handle(), *functions);
  if (events != nullptr) library->StayLoaded();
  return std::make_shared<dcmi::DcmiDriver>(*std::move(library), *functions, events, options,
                                            clock);
}

}  // namespace ascend
