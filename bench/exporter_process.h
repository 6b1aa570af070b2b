// The program itself, started as a user starts it, with all processes that it consists of.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace ascend {

class ExporterProcess {
 public:
  // Starts `program` with `flags`, on a port that the system picks; `environment` holds NAME=VALUE
  // to add. Returns when the program says where it listens.
  static absl::StatusOr<ExporterProcess> Start(const std::string& program,
                                               std::vector<std::string> flags,
                                               std::vector<std::string> environment = {});
  ~ExporterProcess();  // kills it, with all that it started
  ExporterProcess(ExporterProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        log_(std::exchange(other.log_, -1)),
        started_(other.started_),
        port_(other.port_) {}
  ExporterProcess& operator=(ExporterProcess&&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] double started() const { return started_; }  // WallSeconds() just before it began

  // The process that was started and its descendants.
  [[nodiscard]] std::vector<pid_t> Processes() const;
  // Of all threads of these processes, those that ended too; to be asked twice while no process
  // comes or goes.
  [[nodiscard]] double CpuSeconds() const;
  // A line of smaps_rollup, such as "Pss", of all these processes.
  [[nodiscard]] absl::StatusOr<double> MemoryMebibytes(const std::string& name) const;
  // What Pss would be at least if no other program on the machine used the same libraries: each
  // process's own pages, and of each file once what the process with the most of it has.
  [[nodiscard]] double AloneMebibytes() const;

 private:
  ExporterProcess(pid_t pid, int log, double started) : pid_(pid), log_(log), started_(started) {}
  absl::Status ReadPort();

  pid_t pid_;
  int log_;  // its standard error; open for as long as it writes
  double started_;
  int port_ = 0;
};

}  // namespace ascend
