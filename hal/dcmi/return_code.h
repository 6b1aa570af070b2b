// The return codes of libdcmi.so and what they mean to the rest of the program.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace ascend::dcmi {

inline constexpr int kOk = 0;
inline constexpr int kInvalidParameter = -8001;
inline constexpr int kNotPermitted = -8002;
inline constexpr int kInnerError = -8005;
inline constexpr int kNotReady = -8012;
inline constexpr int kResourceOccupied = -8020;
inline constexpr int kNoConfiguration = -8023;
inline constexpr int kNotSupported = -8255;
// Not the vendor's: the library has no such function.
inline constexpr int kNoSuchSymbol = -99998;

// "dcmi_get_device_health: -8005 (inner error)".
std::string Describe(std::string_view function, int code);

// The chip or the library lacks what was asked for; asking again is useless.
constexpr bool IsUnsupported(int code) { return code == kNotSupported || code == kNoSuchSymbol; }

// The error of a failed call, by the contract of NpuDriver; OK for kOk.
absl::Status StatusOf(std::string_view function, int code);

}  // namespace ascend::dcmi
