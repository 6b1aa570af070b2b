// What a call that concerns the whole driver failed of, in words that an operator can act on.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace ascend::dcmi {

// The kernel driver's device node, which the library opens.
inline constexpr const char* kManagerNode = "/dev/davinci_manager";

// The error, with its DriverState, of dcmi_init or of a call that lists the cards. Looks at the
// device node and at the user that this process runs as to tell reasons apart that the vendor's
// code does not.
absl::Status InitFailure(std::string_view function, int code,
                         const std::string& node = kManagerNode);

}  // namespace ascend::dcmi
