#include "exporter/page/process_stats.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace ascend {
namespace {

// /proc/self/stat, as proc(5) counts its fields: 14 is the user time. The fields before the state
// are left at 0. Empty if it could not be read.
constexpr std::size_t kFields = 25;
using StatFields = std::array<double, kFields>;

std::optional<StatFields> ReadStat(const std::string& process) {
  std::array<char, 1024> text;
  const int file = open(("/proc/" + process + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  if (size <= 0) return std::nullopt;
  // The command's name, in parentheses, may hold anything.
  std::string_view rest(text.data(), static_cast<std::size_t>(size));
  const std::size_t name_end = rest.rfind(')');
  if (name_end == std::string_view::npos || rest.size() < name_end + 4) return std::nullopt;
  rest.remove_prefix(name_end + 4);  // ") S "
  StatFields fields{};
  for (std::size_t i = 4; i < kFields; ++i) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), fields[i]);
    if (error != std::errc()) return std::nullopt;
    rest = std::string_view(end, static_cast<std::size_t>(rest.data() + rest.size() - end));
    if (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  return fields;
}

double CpuSeconds(const StatFields& fields) {
  return (fields[14] + fields[15]) / static_cast<double>(sysconf(_SC_CLK_TCK));
}
double ResidentBytes(const StatFields& fields) {
  return fields[24] * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::optional<double> BootTime() {
  std::ifstream file("/proc/stat");
  for (std::string key; file >> key;) {
    double value = 0;
    if (key == "btime" && file >> value) return value;
  }
  return std::nullopt;
}

std::optional<double> CountOpenFiles() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  if (error) return std::nullopt;
  return static_cast<double>(std::distance(begin(files), end(files)) -
                             1);  // less the folder itself
}

}  // namespace

ProcessStats ReadProcessStats() {
  ProcessStats stats;
  stats.open_fds = CountOpenFiles();
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) stats.max_fds = static_cast<double>(limit.rlim_cur);
  const std::optional<StatFields> stat = ReadStat("self");
  if (!stat) return stats;
  const StatFields& field = *stat;
  stats.cpu_seconds = CpuSeconds(field);
  stats.threads = field[20];
  stats.virtual_bytes = field[23];
  stats.resident_bytes = ResidentBytes(field);
  return stats;
}

std::optional<ProcessUse> ReadProcessUse(pid_t pid) {
  const std::optional<StatFields> stat = ReadStat(std::to_string(pid));
  if (!stat) return std::nullopt;
  return ProcessUse{CpuSeconds(*stat), ResidentBytes(*stat)};
}

std::optional<double> ReadStartTime() {
  const std::optional<StatFields> stat = ReadStat("self");
  const std::optional<double> boot = BootTime();
  if (!stat || !boot) return std::nullopt;
  return *boot + (*stat)[22] / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace ascend
