// What the tests of npu-smi share: files, fake tools, and tables as prose.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "hal/npu_smi/process.h"
#include "hal/npu_smi/table.h"
#include "hal/npu_smi/unique_fd.h"

namespace ascend::npu_smi {

inline const std::string kFixtures = ASCEND_SOURCE_DIR "/tests/fixtures/npu_smi";

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string Fixture(const std::string& name) { return ReadFile(kFixtures + "/" + name); }

inline void WriteFile(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

inline std::vector<std::string> FixtureNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFixtures)) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// A folder that goes with its owner.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "npu_smi_test.XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] std::string operator/(std::string_view name) const {
    return fmt::format("{}/{}", path_, name);
  }

 private:
  std::string path_;
};

inline void WriteScript(const std::string& path, std::string_view body) {
  WriteFile(path, fmt::format("#!/bin/sh\n{}\n", body));
  ::chmod(path.c_str(), 0755);
}

// The output of one of the test tools in Python.
inline std::string RunPython(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {"/usr/bin/python3", "-B", ASCEND_SOURCE_DIR "/tests/tools/npu_smi_text.py"});
  ProcessRequest request;
  request.argv = std::move(arguments);
  request.environment = {"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"};
  request.deadline = std::chrono::seconds(60);
  const auto result = RunProcess(request);
  EXPECT_TRUE(result.ok()) << result.status().message();
  if (!result.ok()) return {};
  EXPECT_EQ(result->end, ProcessEnd::kExited);
  EXPECT_EQ(result->code, 0) << result->err;
  return result->out;
}

// Tells without polling how long processes live: those that were given the path hold it open for
// writing, and its end comes when the last of them is gone.
class LifeLine {
 public:
  explicit LifeLine(std::string path) : path_(std::move(path)) {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    fd_ = UniqueFd(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  }
  [[nodiscard]] const std::string& path() const { return path_; }

  // Something was written to it within ten seconds.
  [[nodiscard]] bool AwaitWord() const { return Await(POLLIN); }
  // There is no writer left within ten seconds (and there was one).
  [[nodiscard]] bool AwaitEnd() {
    std::array<char, 256> ignored;
    while (::read(fd_.get(), ignored.data(), ignored.size()) > 0) {
    }
    return Await(POLLHUP);
  }

 private:
  [[nodiscard]] bool Await(short event) const {
    constexpr int kTenSeconds = 10'000;
    pollfd poll{fd_.get(), static_cast<short>(event == POLLHUP ? 0 : event), 0};
    return ::poll(&poll, 1, kTenSeconds) == 1 && (poll.revents & event) != 0;
  }

  const std::string path_;
  UniqueFd fd_;
};

inline std::string_view WordOf(std::optional<Health> health) {
  constexpr std::string_view kWords[] = {"OK", "Warning", "Alarm", "Critical", "UNKNOWN"};
  return health ? kWords[static_cast<std::size_t>(*health)] : "?";
}

inline std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

template <typename T>
std::string TextOr(const std::optional<T>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "?";
}

inline std::string ChipProse(const Chip& chip, bool hbm_column) {
  std::string ids = fmt::format("{}", chip.chip);
  for (const auto& second : {chip.phy_id, chip.device_id}) {
    if (second) ids += fmt::format(" {}", *second);
  }
  std::string text =
      fmt::format("[{} {}; {}; {}] {} {}°C {}W ai {}%", chip.npu, chip.name, ids,
                  chip.bus_id.empty() ? "NA" : Upper(chip.bus_id), WordOf(chip.health),
                  TextOr(chip.temperature_celsius, "{:.0f}"), TextOr(chip.power_watts, "{:.1f}"),
                  TextOr(chip.aicore_percent ? chip.aicore_percent : chip.npu_percent, "{:.0f}"));
  if (chip.hbm) text += fmt::format(" hbm {}/{}", chip.hbm->used, chip.hbm->total);
  if (chip.ddr) {
    text += fmt::format(" {} {}/{}", hbm_column ? "ddr" : "mem", chip.ddr->used, chip.ddr->total);
  }
  return text;
}

inline std::string Join(const std::vector<std::string>& parts, const char* separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

// The form that npu_smi_text.py --prose and --expected print.
inline std::string Prose(const InfoTable& table) {
  std::vector<std::string> parts;
  for (const Chip& chip : table.chips) parts.push_back(ChipProse(chip, table.hbm_column));
  if (!table.process_table) parts.emplace_back("no process table");
  std::vector<std::string> idle;
  for (const std::int32_t npu : table.process_npus) idle.push_back(std::to_string(npu));
  for (const Process& process : table.processes) {
    parts.push_back(fmt::format("npu {} chip {} pid {} name '{}' {} MB", process.npu, process.chip,
                                process.pid, process.name, TextOr(process.memory_mb, "{}")));
    std::erase(idle, std::to_string(process.npu));
  }
  if (!idle.empty()) parts.push_back(fmt::format("no processes on NPU {}", Join(idle, ",")));
  return Join(parts, "; ");
}

}  // namespace ascend::npu_smi
