#include "bench/exporter_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "bench/cpu_clock.h"

namespace ascend {
namespace {

constexpr std::string_view kListening = "listening on http://127.0.0.1:";
constexpr int kPatienceMs = 10'000;

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
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
    kill(pid_, SIGKILL);
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

double ExporterProcess::CpuSeconds() const {
  clockid_t clock{};
  if (clock_getcpuclockid(pid_, &clock) != 0) return 0;
  return SecondsOf(clock);
}

absl::StatusOr<double> ExporterProcess::MemoryMebibytes(const std::string& name) const {
  constexpr double kKibibytes = 1024;
  const std::string path = fmt::format("/proc/{}/smaps_rollup", pid_);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name + ":")) continue;
    return std::strtod(line.c_str() + name.size() + 1, nullptr) / kKibibytes;
  }
  return absl::UnavailableError(fmt::format("{} has no line {}", path, name));
}

}  // namespace ascend
