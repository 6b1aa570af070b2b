#include "bench/exporter_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

#include "bench/cpu_clock.h"

namespace ascend {
namespace {

constexpr std::string_view kListening = "listening on http://127.0.0.1:";
constexpr int kPatienceMs = 10'000;
constexpr double kKibibytes = 1024;  // in a mebibyte

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Zero where there is no such process any more.
pid_t ParentOf(const std::string& proc_folder) {
  std::ifstream file(proc_folder + "/stat");
  std::string stat;
  std::getline(file, stat);
  // The name in parentheses may hold anything.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || stat.size() < name_end + 4) return 0;
  return static_cast<pid_t>(std::atoi(stat.c_str() + name_end + 4));
}

absl::StatusOr<double> MebibytesOf(pid_t pid, const std::string& name) {
  const std::string path = fmt::format("/proc/{}/smaps_rollup", pid);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name + ":")) continue;
    return std::strtod(line.c_str() + name.size() + 1, nullptr) / kKibibytes;
  }
  return absl::UnavailableError(fmt::format("{} has no line {}", path, name));
}

// In KiB. A mapping's first line is "BEGIN-END RIGHTS OFFSET DEVICE INODE PATH", then come lines
// like "Rss: 4 kB".
void AddMappings(pid_t pid, double& own, std::map<std::string, double>& shared) {
  std::ifstream file(fmt::format("/proc/{}/smaps", pid));
  std::string place;
  double resident = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    double number = 0;
    words >> first;
    if (!first.ends_with(':')) {
      place = line.substr(std::min(first.size(), line.size()));
      continue;
    }
    words >> number;
    if (first == "Rss:") resident = number;
    if (first != "Anonymous:") continue;
    own += number;
    double& most = shared[place];
    most = std::max(most, resident - number);
  }
}

}  // namespace

absl::StatusOr<ExporterProcess> ExporterProcess::Start(const std::string& program,
                                                       std::vector<std::string> flags,
                                                       std::vector<std::string> environment) {
  flags.insert(flags.begin(), program);
  flags.emplace_back("--web.listen-address=127.0.0.1:0");
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.emplace_back(*variable);
  }
  int log[2];
  if (pipe2(log, O_CLOEXEC) != 0) return absl::InternalError("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, log[1], STDERR_FILENO);
  pid_t pid = -1;
  const double started = WallSeconds();
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr, Pointers(flags).data(),
                                Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(log[1]);
  ExporterProcess process(error == 0 ? pid : -1, log[0], started);
  if (error != 0) {
    return absl::NotFoundError(fmt::format("cannot start {}: {}; build the target ascend-exporter",
                                           program, std::strerror(error)));
  }
  if (absl::Status status = process.ReadPort(); !status.ok()) return status;
  return process;
}

ExporterProcess::~ExporterProcess() {
  if (pid_ > 0) {
    // The first one first: it would start others in the place of those that end.
    for (const pid_t pid : Processes()) kill(pid, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (log_ >= 0) close(log_);
}

absl::Status ExporterProcess::ReadPort() {
  std::string said;
  while (true) {
    pollfd readable = {.fd = log_, .events = POLLIN, .revents = 0};
    char chunk[4096];
    const ssize_t got =
        poll(&readable, 1, kPatienceMs) == 1 ? read(log_, chunk, sizeof(chunk)) : -1;
    if (got <= 0) {
      return absl::UnavailableError(
          fmt::format("the program did not say where it listens; it said:\n{}", said));
    }
    said.append(chunk, static_cast<std::size_t>(got));
    const std::size_t at = said.find(kListening);
    if (at == std::string::npos || said.find('\n', at) == std::string::npos) continue;
    port_ = std::atoi(said.c_str() + at + kListening.size());
    return absl::OkStatus();
  }
}

std::vector<pid_t> ExporterProcess::Processes() const {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0) children.emplace(ParentOf(entry.path()), pid);
  }
  std::vector<pid_t> found = {pid_};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    std::for_each(first, last, [&](const auto& child) { found.push_back(child.second); });
  }
  return found;
}

double ExporterProcess::CpuSeconds() const {
  double seconds = 0;
  for (const pid_t pid : Processes()) {
    clockid_t clock{};
    if (clock_getcpuclockid(pid, &clock) == 0) seconds += SecondsOf(clock);
  }
  return seconds;
}

absl::StatusOr<double> ExporterProcess::MemoryMebibytes(const std::string& name) const {
  double sum = 0;
  for (const pid_t pid : Processes()) {
    const absl::StatusOr<double> part = MebibytesOf(pid, name);
    if (!part.ok()) return part.status();
    sum += *part;
  }
  return sum;
}

double ExporterProcess::AloneMebibytes() const {
  double own = 0;
  std::map<std::string, double> shared;  // by place in a file
  for (const pid_t pid : Processes()) {
    AddMappings(pid, own, shared);
  }
  for (const auto& [place, kibibytes] : shared) own += kibibytes;
  return own / kKibibytes;
}

}  // namespace ascend
