#include "hal/dcmi/init_failure.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "hal/dcmi/return_code.h"
#include "hal/driver_state.h"

namespace ascend::dcmi {
namespace {

struct Reason {
  DriverState state;
  std::string advice;
};

bool Exists(const std::string& node) {
  return faccessat(AT_FDCWD, node.c_str(), F_OK, AT_EACCESS) == 0;
}

// Answers for the modes of the node and of the folders above it and, on most kernels, for the
// device cgroup, without opening the device.
bool IsDenied(const std::string& node) {
  return faccessat(AT_FDCWD, node.c_str(), R_OK | W_OK, AT_EACCESS) != 0 &&
         (errno == EACCES || errno == EPERM);
}

Reason ReasonOfInnerError(const std::string& node) {
  if (IsDenied(node)) {
    return {DriverState::kDeviceNodeDenied,
            fmt::format("{} may not be opened; run as root, in a container with privileged: true",
                        node)};
  }
  if (geteuid() != 0) return {DriverState::kNotAdmin, "run as root"};
  if (!Exists(node)) {
    return {DriverState::kInitFailed,
            fmt::format("{} does not exist; load the kernel driver, or give the container the "
                        "device",
                        node)};
  }
  return {DriverState::kInitFailed,
          "another container may hold the devices, or the driver may be starting or broken; see "
          "npu-smi info and dmesg on the host"};
}

Reason ReasonOf(int code, const std::string& node) {
  switch (code) {
    case kInnerError:
      return ReasonOfInnerError(node);
    case kResourceOccupied:
      return {DriverState::kDeviceInUse,
              "another process or container holds the devices; end it, or share the devices"};
    case kNotPermitted:
      return {DriverState::kNotAdmin, "run as root, in a container with privileged: true"};
    case kNotSupported:
      return {
          DriverState::kInitFailed,
          "the library does not support these chips: Ascend 950 needs one that has dcmiv2_init, "
          "all others one that has dcmi_init; install the driver that belongs to the chips"};
    default:
      return {DriverState::kInitFailed, "see npu-smi info and dmesg on the host"};
  }
}

}  // namespace

absl::Status InitFailure(std::string_view function, int code, const std::string& node) {
  const Reason reason = ReasonOf(code, node);
  const uid_t uid = geteuid();
  const std::string user = uid == 0 ? "" : fmt::format(" as uid {}, which is not root", uid);
  return DriverError(reason.state,
                     fmt::format("{}{}: {}", Describe(function, code), user, reason.advice));
}

}  // namespace ascend::dcmi
