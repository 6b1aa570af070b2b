#include "hal/dcmi/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "hal/dcmi/abi.h"
#include "hal/dcmi/return_code.h"
#include "hal/dcmi/vendor_values.h"

namespace ascend::dcmi {
namespace {

constexpr std::int32_t kMaxPid = 1 << 22;  // PID_MAX_LIMIT of the kernel
constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 50;

std::optional<Bytes> MemoryOf(std::uint64_t raw) {
  if (raw > kMaxMemory || IsNoValue(raw)) return {};
  return Bytes{static_cast<double>(raw)};
}

std::string NameOf(std::int32_t pid) {
  const std::string path = fmt::format("/proc/{}/comm", pid);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::array<char, 64> name{};  // the kernel's limit is 16, and 64 for its own threads
  const ssize_t size = read(file, name.data(), name.size());
  close(file);
  if (size <= 0) return "";
  return TextOf(std::span<const char>(name).first(static_cast<std::size_t>(size)));
}

}  // namespace

absl::StatusOr<std::size_t> ProcessesOf(const Functions& functions, DeviceAddress at,
                                        std::span<ProcessReading> processes) {
  // The library is not told the capacity: it writes up to 32 entries, as documented.
  Room<std::array<ProcMemInfo, kMaxProcesses>> list(Room<int>::kZeros);
  int count = 0;
  const auto& function = functions.resource_info;
  const int code = function(at, list.value.data(), &count);
  if (code != kOk) return StatusOf(function.name, code);
  if (count < 0 || static_cast<std::size_t>(count) > kMaxProcesses) {
    return absl::InternalError(fmt::format("{}: answers {} processes", function.name, count));
  }
  std::size_t filled = 0;
  for (const auto& entry : std::span(list.value).first(static_cast<std::size_t>(count))) {
    if (entry.proc_id <= 0 || entry.proc_id > kMaxPid || filled == processes.size()) continue;
    processes[filled++] = {.pid = entry.proc_id,
                           .memory = MemoryOf(entry.proc_mem_usage),
                           .name = NameOf(entry.proc_id)};
  }
  return filled;
}

}  // namespace ascend::dcmi
