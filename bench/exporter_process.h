// The program itself, started as a user starts it.
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
  ~ExporterProcess();  // kills it
  ExporterProcess(ExporterProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        log_(std::exchange(other.log_, -1)),
        started_(other.started_),
        port_(other.port_) {}
  ExporterProcess& operator=(ExporterProcess&&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] double started() const { return started_; }  // WallSeconds() just before it began

  [[nodiscard]] double CpuSeconds() const;  // of all its threads, those that ended too
  // A line of its smaps_rollup, such as "Pss".
  [[nodiscard]] absl::StatusOr<double> MemoryMebibytes(const std::string& name) const;

 private:
  ExporterProcess(pid_t pid, int log, double started) : pid_(pid), log_(log), started_(started) {}
  absl::Status ReadPort();

  pid_t pid_;
  int log_;  // its standard error; open for as long as it writes
  double started_;
  int port_ = 0;
};

}  // namespace ascend
