#include "exporter/become_supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "exporter/border/berth.h"
#include "exporter/settings/packed.h"
#include "exporter/standard_streams.h"
#include "exporter/supervisor/protocol.h"

namespace ascend {
namespace {

std::string ErrorText() { return std::generic_category().message(errno); }

// The program beside this one.
absl::StatusOr<std::string> Companion(const std::filesystem::path& self, std::string_view name) {
  const std::string path = (self.parent_path() / name).string();
  if (access(path.c_str(), X_OK) == 0) return path;
  return absl::NotFoundError(
      fmt::format("{}: {}; install it beside {}, or start with --isolation=none to run all in "
                  "one process",
                  path, ErrorText(), self.string()));
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// As the descriptor that the supervisor reads them from.
absl::Status OfferSettings(const Settings& settings) {
  const int memory = memfd_create("settings", 0);
  if (memory < 0 || !WriteAll(memory, PackSettings(settings)) ||
      dup2(memory, supervisor::kSettingsFd) < 0) {
    return absl::InternalError(fmt::format("cannot hand over the settings: {}", ErrorText()));
  }
  if (memory != supervisor::kSettingsFd) close(memory);
  return absl::OkStatus();
}

}  // namespace

absl::Status BecomeSupervisor(const Settings& settings, char** argv) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return absl::InternalError(
        fmt::format("cannot tell where this program lies: /proc/self/exe: {}", error.message()));
  }
  const auto program = Companion(self, "ascend-exporter-supervisor");
  if (!program.ok()) return program.status();
  const auto front = Companion(self, "ascend-exporter-front");
  if (!front.ok()) return front.status();
  const auto host = Companion(
      self, settings.driver == "sim" ? "ascend-exporter-sim-host" : "ascend-exporter-host");
  if (!host.ok()) return host.status();
  if (absl::Status offered = OfferSettings(settings); !offered.ok()) return offered;

  std::vector<std::string> words = {
      *program,
      supervisor::kFrontOption + *front,
      supervisor::kHostOption + *host,
      fmt::format("{}{}", supervisor::kBerthBytesOption, sizeof(Berth)),
      fmt::format("{}{}", supervisor::kBoardBytesOption, sizeof(Board)),
      supervisor::kSettingsReaderOption + self.string(),
      "--"};
  for (char** argument = argv + 1; *argument != nullptr; ++argument) words.emplace_back(*argument);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program->c_str(), pointers.data());
  return absl::InternalError(fmt::format("cannot run {}: {}", *program, ErrorText()));
}

bool IsSettingsReader() { return getenv(supervisor::kWriteSettingsVariable) != nullptr; }

int WriteSettings(const Settings& settings) {
  if (WriteAll(supervisor::kWriteSettingsFd, PackSettings(settings))) return EXIT_SUCCESS;
  return Fail(absl::InternalError(fmt::format("cannot hand over the settings: {}", ErrorText())));
}

}  // namespace ascend
