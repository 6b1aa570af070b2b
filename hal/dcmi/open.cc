#include "hal/open.h"

#include <memory>
#include <utility>

#include "hal/dcmi/driver.h"
#include "hal/dcmi/functions.h"
#include "hal/dcmi/init_failure.h"
#include "hal/dcmi/library.h"

namespace ascend {

absl::StatusOr<std::shared_ptr<NpuDriver>> OpenDcmi(const DcmiOptions& options) {
  absl::StatusOr<dcmi::Library> library = dcmi::Library::Load(options);
  if (!library.ok()) return library.status();
  dcmi::Functions functions;
  if (absl::Status found = dcmi::Resolve(library->handle(), library->path(), functions);
      !found.ok()) {
    return found;
  }
  if (const int code = functions.init(); code != dcmi::kOk) {
    return dcmi::InitFailure(functions.init.name, code);
  }
  return std::make_shared<dcmi::DcmiDriver>(*std::move(library), functions);
}

}  // namespace ascend
