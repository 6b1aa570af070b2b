#include "bench/stand_in.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace ascend {

StandIn::StandIn(std::string library, std::string data, std::string text)
    : library_(std::move(library)), data_(std::move(data)), text_(std::move(text)) {}

StandIn::StandIn(StandIn&& other) noexcept
    : library_(std::move(other.library_)),
      data_(std::exchange(other.data_, "")),
      text_(std::move(other.text_)) {}

StandIn::~StandIn() {
  if (!data_.empty()) std::remove(data_.c_str());
}

absl::StatusOr<StandIn> StandIn::Make(const std::string& folder,
                                      const std::vector<std::string>& lines) {
  const std::string machine = folder + "/fake_dcmi/16x910c.data";
  std::ifstream file(machine);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    return absl::NotFoundError(fmt::format("no {}; build the target ascend-bench", machine));
  }
  text << "recheck 20\n";
  for (int chip = 0; chip < kStandInChips; ++chip) text << "set " << chip << " fault_events 0\n";
  for (const std::string& line : lines) text << line << '\n';
  std::string data = folder + "/fake_dcmi/bench.XXXXXX";
  const int made = mkstemp(data.data());
  if (made < 0) return absl::UnavailableError(fmt::format("cannot write {}", data));
  close(made);
  StandIn stand_in(folder + "/fake_dcmi/libdcmi.so", data, text.str());
  if (absl::Status status = stand_in.Write(); !status.ok()) return status;
  return stand_in;
}

absl::Status StandIn::Add(std::string_view line) {
  text_.append(line).push_back('\n');
  return Write();
}

// At once: no reader sees a half of it.
absl::Status StandIn::Write() const {
  const std::string half = data_ + ".new";
  std::ofstream(half) << text_;
  if (std::rename(half.c_str(), data_.c_str()) != 0) {
    return absl::UnavailableError(fmt::format("cannot write {}", data_));
  }
  return absl::OkStatus();
}

std::vector<std::string> StandIn::flags() const {
  return {"--driver=dcmi", "--dcmi.library=" + library_, "--dcmi.allow-untrusted-library"};
}

std::vector<std::string> StandIn::environment() const { return {"FAKE_DCMI_DATA=" + data_}; }

}  // namespace ascend
