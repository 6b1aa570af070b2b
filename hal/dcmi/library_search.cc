#include "hal/dcmi/library_search.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace ascend::dcmi {
namespace {

constexpr std::string_view kLibrary = "libdcmi.so";
constexpr std::string_view kHostPrefix =
    "/host";  // where the host's /usr/local is mounted in a pod
constexpr std::array<std::string_view, 4> kUsualFolders = {
    "/usr/local/dcmi",
    "/usr/local/Ascend/driver/lib64/driver",
    "/usr/local/Ascend/driver/lib64/common",
    "/usr/local/Ascend/driver/lib64",
};
constexpr std::string_view kSystemFolder = "/usr/lib64";
constexpr std::array<std::string_view, 2> kDependencyFolders = {
    "/usr/local/Ascend/driver/lib64/driver",
    "/usr/local/Ascend/driver/lib64/common",
};

bool HostIsMounted() {
  std::error_code error;
  return std::filesystem::is_directory("/host/usr/local", error);
}

void AddOnce(std::vector<std::string>& list, std::string item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(std::move(item));
}

// The absolute folders of LD_LIBRARY_PATH: one that depends on the working directory is not
// searched.
std::vector<std::string> FoldersOfEnvironment() {
  std::vector<std::string> folders;
  // Nothing in the program sets variables. NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* variable = std::getenv("LD_LIBRARY_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of(":;"), rest.size());
    if (rest.starts_with('/')) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

}  // namespace

std::vector<std::string> LibraryCandidates() {
  std::vector<std::string> folders = FoldersOfEnvironment();
  for (const auto folder : kUsualFolders) AddOnce(folders, std::string(folder));
  AddOnce(folders, std::string(kSystemFolder));
  if (HostIsMounted()) {
    for (const auto folder : kUsualFolders) {
      AddOnce(folders, std::string(kHostPrefix) + std::string(folder));
    }
  }
  std::vector<std::string> candidates;
  for (const auto& folder : folders) AddOnce(candidates, folder + "/" + std::string(kLibrary));
  return candidates;
}

std::vector<std::string> DependencyFolders(std::string_view library) {
  const bool on_host = library.starts_with(std::string(kHostPrefix) + "/");
  std::vector<std::string> folders;
  folders.push_back(std::filesystem::path(library).parent_path().string());
  for (const bool below_host : {on_host, !on_host}) {
    if (below_host && !HostIsMounted()) continue;
    for (const auto folder : kDependencyFolders) {
      AddOnce(folders, (below_host ? std::string(kHostPrefix) : "") + std::string(folder));
    }
  }
  return folders;
}

}  // namespace ascend::dcmi
