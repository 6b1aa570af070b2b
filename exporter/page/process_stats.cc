#include "exporter/page/process_stats.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace ascend {
namespace {

// Fields of /proc/self/stat behind the command's closing parenthesis; proc(5) counts them from 3.
constexpr std::size_t kFirstField = 3;

std::vector<double> StatFields() {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return {};
  std::istringstream rest(text.substr(end + 1));
  std::string state;
  rest >> state;
  std::vector<double> fields = {0};
  for (double field = 0; rest >> field;) fields.push_back(field);
  return fields;
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
  const std::vector<double> fields = StatFields();
  const auto field = [&](std::size_t number) { return fields[number - kFirstField]; };
  if (fields.size() + kFirstField <= 24) return stats;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  stats.cpu_seconds = (field(14) + field(15)) / ticks;
  stats.threads = field(20);
  if (const auto boot = BootTime()) stats.start_time = *boot + field(22) / ticks;
  stats.virtual_bytes = field(23);
  stats.resident_bytes = field(24) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return stats;
}

}  // namespace ascend
