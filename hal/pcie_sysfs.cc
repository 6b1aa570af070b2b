#include "hal/pcie_sysfs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "fmt/format.h"

namespace ascend {
namespace {

constexpr std::size_t kMaxFileBytes = 8192;  // the kernel's are far smaller
constexpr std::string_view kSpeedUnit = " GT/s";
constexpr double kPerGiga = 1e9;
constexpr double kFastestGts = 1024;  // far beyond what is specified
// The field of the register has 6 bits, the kernel's "unknown" has 8; all ones is a device that
// does not answer. 0 is a link that never came up.
constexpr std::array<std::uint64_t, 3> kNoWidth = {0, 63, 255};
constexpr std::uint64_t kMostLanes = 32;

// The whole content of a regular file of bounded size.
std::optional<std::string> ReadAttribute(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat facts {};
  bool good = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
  std::array<char, kMaxFileBytes + 1> text{};
  std::size_t size = 0;
  while (good && size < text.size()) {
    const ssize_t got = read(file, text.data() + size, text.size() - size);
    if (got == 0) break;
    if (got > 0) size += static_cast<std::size_t>(got);
    good = got > 0 || errno == EINTR;
  }
  close(file);
  if (!good || size > kMaxFileBytes) return std::nullopt;
  return std::string(text.data(), size);
}

// Of a file with one line, the line.
std::optional<std::string> ReadLine(const std::string& path) {
  auto text = ReadAttribute(path);
  if (!text) return std::nullopt;
  if (text->ends_with('\n')) text->pop_back();
  return text;
}

template <typename Number>
std::optional<Number> Parse(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

// "16.0 GT/s PCIe"; before Linux 5.7 "16 GT/s". "Unknown", "Unknown speed": nothing.
std::optional<TransfersPerSecond> ReadSpeed(const std::string& path) {
  const auto line = ReadLine(path);
  if (!line) return std::nullopt;
  const std::size_t unit = line->find(kSpeedUnit);
  if (unit == std::string::npos) return std::nullopt;
  const std::string_view rest = std::string_view(*line).substr(unit + kSpeedUnit.size());
  if (!rest.empty() && !rest.starts_with(' ')) return std::nullopt;
  const auto gts = Parse<double>(std::string_view(*line).substr(0, unit));
  if (!gts || !(*gts > 0 && *gts <= kFastestGts)) return std::nullopt;
  return TransfersPerSecond{*gts * kPerGiga};
}

std::optional<Count> ReadWidth(const std::string& path, Refused& refused) {
  const auto line = ReadLine(path);
  const auto lanes = line ? Parse<std::uint64_t>(*line) : std::nullopt;
  if (!lanes) return std::nullopt;
  if (std::ranges::find(kNoWidth, *lanes) != kNoWidth.end()) {
    ++refused.sentinel;
    return std::nullopt;
  }
  if (*lanes > kMostLanes) return std::nullopt;
  return Count{static_cast<double>(*lanes)};
}

// Of lines as "Receiver Error 2", the number of the one that is called `name`.
std::optional<Count> ReadTotal(const std::string& path, std::string_view name) {
  const auto text = ReadAttribute(path);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.starts_with(name) || line.size() == name.size() || line[name.size()] != ' ') continue;
    const auto total = Parse<std::uint64_t>(line.substr(name.size() + 1));
    return total ? std::optional(Count{static_cast<double>(*total)}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

bool IsPciAddress(std::string_view text) {
  constexpr std::string_view kTail = "xxxx:xx:xx.x";
  constexpr std::size_t kMoreDomain = 4;  // domains of a virtual bus have more than four digits
  if (text.size() < kTail.size() || text.size() > kTail.size() + kMoreDomain) return false;
  const auto hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  const std::size_t more = text.size() - kTail.size();
  return std::ranges::all_of(text.substr(0, more), hex) &&
         std::ranges::equal(text.substr(more), kTail, [&hex](char c, char wanted) {
           return wanted == 'x' ? hex(c) : c == wanted;
         });
}

PcieReading ReadPcieSysfs(const std::string& sysfs_root, std::string_view pci_address) {
  PcieReading reading;
  if (!IsPciAddress(pci_address)) return reading;
  const std::string folder = fmt::format("{}/bus/pci/devices/{}/", sysfs_root, pci_address);
  reading.speed = ReadSpeed(folder + "current_link_speed");
  reading.max_speed = ReadSpeed(folder + "max_link_speed");
  reading.lanes = ReadWidth(folder + "current_link_width", reading.refused);
  reading.max_lanes = ReadWidth(folder + "max_link_width", reading.refused);
  // The sum of the messages, not of the lines: one message may carry several errors.
  reading.errors.correctable = ReadTotal(folder + "aer_dev_correctable", "TOTAL_ERR_COR");
  reading.errors.nonfatal = ReadTotal(folder + "aer_dev_nonfatal", "TOTAL_ERR_NONFATAL");
  reading.errors.fatal = ReadTotal(folder + "aer_dev_fatal", "TOTAL_ERR_FATAL");
  return reading;
}

}  // namespace ascend
