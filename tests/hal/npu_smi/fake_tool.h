// A driver on a script that stands for npu-smi.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "hal/npu_driver.h"
#include "hal/npu_smi/npu_smi_driver.h"
#include "hal/virtual_clock.h"
#include "tests/hal/npu_smi/support.h"

namespace ascend::npu_smi {

class FakeTool {
 public:
  // `end` is what the script does when it has printed the table.
  explicit FakeTool(std::string_view table, std::string_view end = "exit 0") {
    Print(table);
    WriteScript(tool(), fmt::format("echo \"$*\" >> {}\ncat {}\n{}", folder_ / "runs",
                                    folder_ / "table", end));
  }

  void Print(std::string_view table) { WriteFile(folder_ / "table", table); }
  [[nodiscard]] std::string tool() const { return folder_ / "npu-smi"; }
  [[nodiscard]] std::string operator/(std::string_view name) const { return folder_ / name; }

  // The arguments of every run so far.
  [[nodiscard]] std::vector<std::string> Runs() const {
    return std::filesystem::exists(folder_ / "runs") ? Lines(ReadFile(folder_ / "runs"))
                                                     : std::vector<std::string>();
  }

  std::shared_ptr<NpuDriver> Open(nanoseconds run_deadline = std::chrono::seconds(60),
                                  bool sees_host_pids = true) {
    return MakeDriver({tool(), run_deadline, sees_host_pids}, clock);
  }

  VirtualClock clock;

 private:
  TempFolder folder_;
};

}  // namespace ascend::npu_smi
