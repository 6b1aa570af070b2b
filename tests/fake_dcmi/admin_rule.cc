#include "admin_rule.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <string>

namespace fake_dcmi {
namespace {

// Inodes of the namespaces that exist from boot (include/linux/proc_ns.h and nsfs.h).
constexpr std::uint64_t kInitialUserNamespace = 0xEFFFFFFD;
constexpr std::uint64_t kInitialMountNamespace = 0xEFFFFFF8;

std::uint64_t NamespaceAt(const char* path) {
  struct stat status {};
  return stat(path, &status) == 0 ? status.st_ino : 0;
}

bool InHostMountNamespace(std::uint64_t host) {
  if (host == 0) host = NamespaceAt("/proc/1/ns/mnt");
  if (host == 0) host = kInitialMountNamespace;
  return NamespaceAt("/proc/thread-self/ns/mnt") == host;
}

bool HasEveryCapability() {
  int last = 0;
  std::ifstream("/proc/sys/kernel/cap_last_cap") >> last;
  const std::uint64_t all = (std::uint64_t{2} << last) - 1;
  std::ifstream status("/proc/thread-self/status");
  for (std::string word; status >> word;) {
    if (word != "CapEff:") continue;
    std::uint64_t effective = 0;
    status >> std::hex >> effective;
    return (effective & all) == all;
  }
  return false;
}

bool SeesWritableMemoryCgroup() {
  std::ifstream mounts("/proc/thread-self/mounts");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string source, folder, type, options;
    words >> source >> folder >> type >> options;
    options = "," + options + ",";
    const bool memory =
        type == "cgroup2" || (type == "cgroup" && options.find(",memory,") != std::string::npos);
    if (memory && options.find(",rw,") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

bool IsAdministrator(std::uint64_t host_mount_namespace) {
  if (InHostMountNamespace(host_mount_namespace)) return true;
  return NamespaceAt("/proc/thread-self/ns/user") == kInitialUserNamespace &&
         HasEveryCapability() && SeesWritableMemoryCgroup();
}

}  // namespace fake_dcmi
