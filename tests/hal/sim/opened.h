// Opens scenarios from text, as a user would from a file.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hal/open.h"
#include "hal/virtual_clock.h"

namespace ascend {

// A file with this content that goes away with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    static std::atomic<int> count = 0;
    path_ = testing::TempDir() + "scenario_" + std::to_string(getpid()) + "_" +
            std::to_string(++count) + ".yaml";
    std::ofstream(path_, std::ios::binary) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// nullptr, and a failed test, where the scenario cannot be opened.
inline std::shared_ptr<NpuDriver> Opened(const std::string& scenario, Clock& clock) {
  auto driver = OpenSim({.scenario = scenario}, clock);
  EXPECT_TRUE(driver.ok()) << driver.status();
  return driver.ok() ? *driver : nullptr;
}

inline std::shared_ptr<NpuDriver> OpenedText(const std::string& text, Clock& clock) {
  const TemporaryFile file(text);
  return Opened(file.path(), clock);
}

// The error of opening a file of this content, from its line number on; "opened" where there is
// none.
inline std::string ErrorOf(const std::string& text) {
  VirtualClock clock;
  const TemporaryFile file(text);
  const auto driver = OpenSim({.scenario = file.path()}, clock);
  if (driver.ok()) return "opened";
  const std::string message(driver.status().message());
  const std::string prefix = file.path() + ":";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

// The elements of a list as a container that tests can match.
template <typename List>
auto VectorOf(const List& list) {
  return std::vector(list.begin(), list.end());
}

inline std::string SourcePath(const std::string& relative) {
  return std::string(ASCEND_SOURCE_DIR) + "/" + relative;
}

}  // namespace ascend
