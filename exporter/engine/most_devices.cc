#include "exporter/engine/most_devices.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

namespace ascend {
namespace {

constexpr int kMost = 1024;  // more than any host holds: such a file was not written here
constexpr mode_t kMode = 0644;

}  // namespace

MostDevices::MostDevices(const std::string& folder)
    : path_(folder.empty() ? "" : folder + "/devices") {
  if (!path_.empty()) Read();
}

std::optional<int> MostDevices::Update(int known) {
  most_ = std::max(most_, known);
  if (most_ != written_ && !path_.empty()) Write();
  return most_ == 0 ? std::nullopt : std::optional(most_);
}

void MostDevices::Read() {
  const int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    if (errno != ENOENT) Complain("read", errno);
    return;
  }
  std::array<char, 32> text;
  const ssize_t size = read(file, text.data(), text.size());
  const int error = size < 0 ? errno : EINVAL;
  close(file);
  int most = 0;
  const char* const end = text.data() + std::max<ssize_t>(size, 0);
  const auto [stop, broken] = std::from_chars(text.data(), end, most);
  const bool whole = broken == std::errc() && std::string_view(stop, end) == "\n";
  if (whole && most > 0 && most <= kMost) {
    most_ = written_ = most;
  } else {
    Complain("use", error);
  }
}

// A new file takes the place of the old one, so that neither a full disk nor a crash leaves half.
void MostDevices::Write() {
  written_ = most_;  // once for each number: what failed once is not tried at each search
  const std::string next = path_ + ".new";
  const int file = open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, kMode);
  if (file < 0) return Complain("write", errno);
  const std::string text = fmt::format("{}\n", most_);
  const ssize_t size = write(file, text.data(), text.size());
  int error = size == static_cast<ssize_t>(text.size()) ? 0 : size < 0 ? errno : ENOSPC;
  if (error == 0 && fsync(file) != 0) error = errno;
  close(file);
  if (error == 0 && rename(next.c_str(), path_.c_str()) != 0) error = errno;
  if (error == 0) return;
  unlink(next.c_str());
  Complain("write", error);
}

void MostDevices::Complain(const std::string& what, int error) {
  if (std::exchange(complained_, true)) return;
  spdlog::warn(
      "cannot {} {}: {}; ascend_npu_devices_expected is the most devices since the start, "
      "unless --devices.expected says otherwise",
      what, path_, std::generic_category().message(error));
}

}  // namespace ascend
