#include "hal/npu_smi/locate.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "hal/driver_state.h"
#include "hal/trusted_path.h"

namespace ascend::npu_smi {
namespace {

constexpr std::string_view kFixedFolders[] = {"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                              "/usr/bin"};

enum class Found { kNothing, kNotExecutable, kTool };

Found Look(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return Found::kNothing;
  if (!S_ISREG(info.st_mode) || ::access(path.c_str(), X_OK) != 0) return Found::kNotExecutable;
  return Found::kTool;
}

absl::StatusOr<std::string> CheckExplicit(const std::string& path) {
  if (!path.starts_with('/')) {
    return DriverError(DriverState::kToolNotFound,
                       fmt::format("the path of npu-smi is not absolute: \"{}\"; correct "
                                   "--npu-smi.path or leave it out",
                                   path));
  }
  const Found found = Look(path);
  if (found == Found::kTool) return path;
  return DriverError(
      DriverState::kToolNotFound,
      found == Found::kNothing
          ? fmt::format("there is no npu-smi at {}; correct --npu-smi.path or leave it out", path)
          : fmt::format(
                "{} is not an executable file (user id {}); correct --npu-smi.path or leave it out",
                path, ::geteuid()));
}

// The path with the reason why it is not the tool, for a message; empty if it is.
std::string WhyNot(const std::string& candidate, bool roots_only) {
  const Found found = Look(candidate);
  if (found == Found::kNothing) return candidate;
  if (found == Found::kNotExecutable) return fmt::format("{} (not executable)", candidate);
  if (!roots_only) return {};
  const auto trusted = ResolveTrusted(candidate);
  if (trusted.ok()) return {};
  return fmt::format("{} ({}, so root does not run it unless --npu-smi.path names it)", candidate,
                     std::string(trusted.status().message()));
}

}  // namespace

std::vector<std::string> ToolCandidates(std::string_view search_path) {
  std::vector<std::string> candidates;
  const auto add = [&](std::string_view folder) {
    // A relative folder would depend on where the process was started.
    if (!folder.starts_with('/')) return;
    std::string path = fmt::format("{}/npu-smi", folder == "/" ? "" : folder);
    if (std::ranges::find(candidates, path) == candidates.end()) {
      candidates.push_back(std::move(path));
    }
  };
  for (const std::string_view folder : kFixedFolders) add(folder);
  while (!search_path.empty()) {
    const std::size_t colon = search_path.find(':');
    add(search_path.substr(0, colon));
    search_path.remove_prefix(std::min(colon, search_path.size() - 1) + 1);
  }
  return candidates;
}

absl::StatusOr<std::string> LocateTool(const std::string& path,
                                       std::span<const std::string> candidates, bool roots_only) {
  if (!path.empty()) return CheckExplicit(path);
  std::vector<std::string> tried;
  for (const std::string& candidate : candidates) {
    std::string why_not = WhyNot(candidate, roots_only);
    if (why_not.empty()) return candidate;
    tried.push_back(std::move(why_not));
  }
  return DriverError(DriverState::kToolNotFound,
                     fmt::format("npu-smi not found, tried {}; install the driver's tools or mount "
                                 "npu-smi into the container",
                                 fmt::join(tried, ", ")));
}

}  // namespace ascend::npu_smi
