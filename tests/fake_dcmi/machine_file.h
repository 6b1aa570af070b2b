// The data file of a machine of tests/machines, for the library, and the counts of its calls.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "call_counts.h"

namespace fake_dcmi {

class MachineFile {
 public:
  explicit MachineFile(const std::string& machine) {
    std::string folder = testing::TempDir() + "/fake-dcmi-XXXXXX";
    if (mkdtemp(folder.data()) != nullptr) folder_ = folder;
    const std::string root = ASCEND_SOURCE_DIR "/tests/";
    const std::string command = "/usr/bin/python3 -B " + root + "tools/fake_data.py " + root +
                                "machines/" + machine + ".yaml > " + path();
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    setenv("FAKE_DCMI_DATA", path().c_str(), 1);
    setenv("FAKE_DCMI_COUNTS", counts_path().c_str(), 1);
  }
  ~MachineFile() { std::filesystem::remove_all(folder_); }
  MachineFile(const MachineFile&) = delete;
  MachineFile& operator=(const MachineFile&) = delete;

  [[nodiscard]] std::string folder() const { return folder_.string(); }

  void Add(const std::string& line) const { std::ofstream(path(), std::ios::app) << line << "\n"; }

  // Takes back every line that begins so.
  void Remove(const std::string& beginning) const {
    const std::string fresh = path() + ".new";
    std::ifstream old(path());
    std::ofstream out(fresh);
    for (std::string line; std::getline(old, line);) {
      if (!line.starts_with(beginning)) out << line << "\n";
    }
    out.close();
    std::filesystem::rename(fresh, path());
  }

  // How often something was counted, under its name in call_counts.h.
  [[nodiscard]] std::uint64_t Count(const std::string& name) const {
    std::ifstream file(counts_path(), std::ios::binary);
    CountRecord record{};
    while (file.read(reinterpret_cast<char*>(&record), sizeof(record))) {
      if (name == record.name) return record.count;
    }
    return 0;
  }

 private:
  [[nodiscard]] std::string path() const { return (folder_ / "data").string(); }
  [[nodiscard]] std::string counts_path() const { return (folder_ / "counts").string(); }

  std::filesystem::path folder_;
};

}  // namespace fake_dcmi
