// Runs one program to its end, whatever it does.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/clock.h"

namespace ascend::npu_smi {

struct ProcessRequest {
  std::vector<std::string> argv;  // argv[0] is the absolute path of the program; no shell sees it
  std::vector<std::string> environment;             // all of it, "NAME=value"
  nanoseconds deadline = std::chrono::seconds(10);  // of the machine's steady clock
  std::size_t max_output = std::size_t{1} << 20;    // bytes, of each of the two outputs
  int cancel_fd = -1;  // ends the run as soon as it is readable; -1: none
};

enum class ProcessEnd {
  kExited,
  kSignaled,
  kTimedOut,
  kCanceled,
  kTooMuchOutput,
};

struct ProcessResult {
  ProcessEnd end = ProcessEnd::kExited;
  int code = 0;  // exit status or signal, for the first two ends
  std::string out;
  std::string err;
  std::optional<pid_t> left_behind;  // hangs in the kernel and did not die when killed
};

// Blocks until the program and every process of its group has ended or been killed, at most until
// the deadline plus two seconds: then a program that the kernel does not let go is left behind.
// Standard input is empty; no other file of this process is open in the program. Fails if the
// program cannot be started. Any thread; calls do not disturb each other.
absl::StatusOr<ProcessResult> RunProcess(const ProcessRequest& request);

// Stands for RunProcess, or for outputs that were captured before.
using RunTool = std::function<absl::StatusOr<ProcessResult>(const ProcessRequest&)>;

// Whether a process that RunProcess left behind has ended at last; it is reaped if so, and not to
// be asked for again.
bool HasLeft(pid_t left_behind);

// What a vendor's tool needs and no more: LC_ALL=C, a PATH of system folders, and LD_LIBRARY_PATH
// where this process has one. Not while another thread changes the environment.
std::vector<std::string> ToolEnvironment();

}  // namespace ascend::npu_smi
