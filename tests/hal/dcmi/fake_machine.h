// A machine for one test: the stand-in library (tests/fake_dcmi) with a data file of its own.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "hal/npu_driver.h"
#include "hal/open.h"

namespace ascend {

// A folder that is gone with the object.
class TempFolder {
 public:
  TempFolder() {
    std::string name = testing::TempDir() + "/dcmi-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), size);
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

class FakeMachine {
 public:
  // `description` names a file of tests/machines; empty: a machine with nothing.
  explicit FakeMachine(const std::string& description = "8x910b") {
    setenv("FAKE_DCMI_DATA", data().c_str(), 1);
    setenv("FAKE_DCMI_COUNTS", counts_file().c_str(), 1);
    std::ofstream file(data());
    // A library that sends fault events has a thread and stays loaded to the end of the process.
    for (const char* prefix : {"dcmi_", "dcmiv2_"}) {
      file << "rule " << prefix << "subscribe_fault_event * code -8255\n";
    }
    if (!description.empty()) {
      file << OutputOf(kTool + kSource + "/tests/machines/" + description + ".yaml");
    }
  }

  // Adds a line to the data file, seen by the next call.
  void Add(const std::string& line) { std::ofstream(data(), std::ios::app) << line << "\n"; }
  // Takes back every line that begins so.
  void Remove(const std::string& beginning) {
    std::ifstream old(data());
    const std::filesystem::path fresh = folder_.path() / "fresh";
    std::ofstream out(fresh);
    for (std::string line; std::getline(old, line);) {
      if (!line.starts_with(beginning)) out << line << "\n";
    }
    out.close();
    std::filesystem::rename(fresh, data());
  }

  // Has the libraries that are opened from now on send fault events.
  void SendEvents() {
    Remove("rule dcmi_subscribe_fault_event");
    Remove("rule dcmiv2_subscribe_fault_event");
  }

  absl::StatusOr<std::shared_ptr<NpuDriver>> TryOpen(const std::string& variant = "") const {
    return OpenDcmi({.library = Library(variant),
                     .allow_untrusted = true,
                     .sysfs = sysfs(),
                     .hccn_path = folder_.path() / "hccn_tool"},
                    RealClock());
  }
  [[nodiscard]] std::string hccn_tool() const { return folder_.path() / "hccn_tool"; }
  // What stands for hccn_tool in the drivers that are opened from now on: a script of sh.
  void WriteHccnTool(const std::string& script) const {
    const std::filesystem::path tool = hccn_tool();
    std::ofstream(tool) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  }
  std::shared_ptr<NpuDriver> Open(const std::string& variant = "") const {
    auto driver = TryOpen(variant);
    EXPECT_TRUE(driver.ok()) << driver.status();
    return driver.ok() ? *driver : nullptr;
  }

  // How often a function was called; "FUNCTION" or "FUNCTION CARD/DEVICE_ID".
  int Calls(const std::string& name) const {
    std::istringstream lines(OutputOf(kTool + "--counts " + counts_file()));
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
      const auto blank = line.find(' ');
      if (line.substr(blank + 1) == name) count = std::stoi(line.substr(0, blank));
    }
    return count;
  }

  static std::string Library(const std::string& variant = "") {
    return std::string(FAKE_DCMI_DIR) + (variant.empty() ? "" : "/" + variant) + "/libdcmi.so";
  }
  [[nodiscard]] std::filesystem::path sysfs() const { return folder_.path() / "sys"; }
  [[nodiscard]] std::string data() const { return (folder_.path() / "data").string(); }
  [[nodiscard]] std::string counts_file() const { return (folder_.path() / "counts").string(); }

 private:
  inline static const std::string kSource = ASCEND_SOURCE_DIR;
  inline static const std::string kTool =
      "/usr/bin/python3 -B " + kSource + "/tests/tools/fake_data.py ";

  TempFolder folder_;
};

}  // namespace ascend
