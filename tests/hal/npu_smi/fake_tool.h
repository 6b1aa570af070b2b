// A driver on scripts that stand for npu-smi and hccn_tool.
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
    std::filesystem::create_directory(folder_ / "answers");
    std::filesystem::create_directory(folder_ / "texts");
    Print(table);
    WriteScript(tool(), fmt::format("echo \"$*\" >> {0}/runs\n"
                                    "if [ \"$*\" = info ]; then\ncat {0}/table\n{1}\nexit\nfi\n"
                                    "[ -f \"{0}/answers/$*\" ] && . \"{0}/answers/$*\"\n"
                                    "[ -f \"{0}/texts/$*\" ] && exec cat \"{0}/texts/$*\"\n"
                                    "echo 'Error parameter of -t'\nexit 1",
                                    folder_ / ".", end));
  }

  void Print(std::string_view table) { WriteFile(folder_ / "table", table); }
  // What it prints when it is run with the arguments, and does then.
  void Answer(std::string_view arguments, std::string_view text, std::string_view end = "exit 0") {
    WriteFile(folder_ / fmt::format("answers/{}", arguments),
              fmt::format("cat <<'THE END OF THE TEXT'\n{}\nTHE END OF THE TEXT\n{}\n", text, end));
  }
  // Answers as both tools would on the machine of the description.
  void AnswerAs(const std::string& machine) {
    (void)RunPython({"--answers", folder_ / "texts", machine});
    if (!std::filesystem::exists(hccn_tool())) BeHccnTool();
  }
  // Stands for hccn_tool, too.
  void BeHccnTool() { std::filesystem::copy_file(tool(), hccn_tool()); }

  [[nodiscard]] std::string tool() const { return folder_ / "npu-smi"; }
  [[nodiscard]] std::string hccn_tool() const { return folder_ / "hccn_tool"; }
  [[nodiscard]] std::string operator/(std::string_view name) const { return folder_ / name; }

  // The arguments of every run so far.
  [[nodiscard]] std::vector<std::string> Runs() const {
    return std::filesystem::exists(folder_ / "runs") ? Lines(ReadFile(folder_ / "runs"))
                                                     : std::vector<std::string>();
  }
  // How many of them had these.
  [[nodiscard]] std::size_t RunsOf(std::string_view arguments) const {
    const std::vector<std::string> runs = Runs();
    return static_cast<std::size_t>(std::count(runs.begin(), runs.end(), arguments));
  }

  [[nodiscard]] DriverSetup Setup() const {
    DriverSetup setup;
    setup.tool = tool();
    setup.run_deadline = std::chrono::seconds(60);
    setup.query_deadline = std::chrono::seconds(60);
    setup.sees_host_pids = true;
    setup.hccn.path = hccn_tool();
    setup.hccn.named_by_operator = true;
    setup.hccn.run_deadline = std::chrono::seconds(60);
    setup.hccn.read_deadline = std::chrono::seconds(60);
    setup.sysfs_root = folder_ / "sys";
    return setup;
  }
  std::shared_ptr<NpuDriver> Open(const DriverSetup& setup) { return MakeDriver(setup, clock); }
  std::shared_ptr<NpuDriver> Open(nanoseconds run_deadline = std::chrono::seconds(60),
                                  bool sees_host_pids = true) {
    DriverSetup setup = Setup();
    setup.run_deadline = run_deadline;
    setup.sees_host_pids = sees_host_pids;
    return Open(setup);
  }

  VirtualClock clock;

 private:
  TempFolder folder_;
};

}  // namespace ascend::npu_smi
