#include "hal/dcmi/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "hal/dcmi/library_search.h"
#include "hal/driver_state.h"
#include "hal/trusted_path.h"

namespace ascend::dcmi {
namespace {

// What libdcmi.so and its like are linked with, each after what it needs itself.
constexpr std::array<const char*, 5> kDependencies = {"libc_sec.so", "libmmpa.so", "libslog.so",
                                                      "libascend_hal.so", "libdrvdsmi_host.so"};

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// Symbols are bound at once: one that is missing is an error here instead of the end of the process
// later. They are global because the driver's libraries look for each other's.
void* Open(const std::string& path, std::string& error) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    const char* text = dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread, in glibc
    error = text == nullptr ? "dlopen failed" : text;
  }
  return handle;
}

absl::StatusOr<std::string> Vetted(const std::string& path, bool allow_untrusted) {
  if (allow_untrusted) return path;
  absl::StatusOr<std::string> file = ResolveTrusted(path);
  if (file.ok()) return file;
  return DriverError(
      DriverState::kLibraryRejected,
      fmt::format("{}: {}; a library must be owned by root and writable by root only, with all "
                  "folders above it; if you trust it, pass --dcmi.allow-untrusted-library",
                  path, std::string(file.status().message())));
}

absl::Status LoadFailure(const std::string& path, const std::string& error,
                         const std::vector<std::string>& dependency_errors) {
  // The file itself was there a moment ago: what the loader misses is a library that it needs.
  const bool missing = error.find("No such file or directory") != std::string::npos;
  std::string message = fmt::format("{} cannot be loaded: {}", path, error);
  if (!dependency_errors.empty()) {
    message += fmt::format("; also {}", fmt::join(dependency_errors, "; "));
  }
  message += missing ? "; install the driver, or add the folder of the missing library to "
                       "LD_LIBRARY_PATH"
                     : "; install the driver for this machine's architecture, or name another file";
  return DriverError(missing ? DriverState::kLibraryNotFound : DriverState::kInitFailed, message);
}

}  // namespace

absl::StatusOr<Library> Library::Load(const DcmiOptions& options) {
  const auto candidates =
      options.library.empty() ? LibraryCandidates() : std::vector<std::string>{options.library};
  std::optional<absl::Status> rejection;
  for (const std::string& candidate : candidates) {
    if (!Exists(candidate)) continue;
    Library library;
    const absl::Status loaded = library.LoadFile(candidate, options.allow_untrusted);
    if (loaded.ok()) return library;
    if (StateOf(loaded) != DriverState::kLibraryRejected) return loaded;
    if (!rejection) rejection = loaded;
  }
  if (rejection) return *rejection;
  if (!options.library.empty()) {
    return DriverError(DriverState::kLibraryNotFound,
                       fmt::format("there is no file {}; correct --dcmi.library or leave it out",
                                   options.library));
  }
  return DriverError(DriverState::kLibraryNotFound,
                     fmt::format("libdcmi.so was not found, tried {}; install the driver, mount it "
                                 "into the container, or name the library with --dcmi.library",
                                 fmt::join(candidates, ", ")));
}

absl::Status Library::LoadFile(const std::string& path, bool allow_untrusted) {
  absl::StatusOr<std::string> file = Vetted(path, allow_untrusted);
  if (!file.ok()) return file.status();
  path_ = *std::move(file);
  const std::vector<std::string> dependency_errors = LoadDependencies(allow_untrusted);
  std::string error;
  void* handle = Open(path_, error);
  if (handle == nullptr) return LoadFailure(path, error, dependency_errors);
  handles_.push_back(handle);
  return absl::OkStatus();
}

std::vector<std::string> Library::LoadDependencies(bool allow_untrusted) {
  std::vector<std::string> errors;
  const std::vector<std::string> folders = DependencyFolders(path_);
  for (const char* name : kDependencies) {
    for (const std::string& folder : folders) {
      const std::string path = fmt::format("{}/{}", folder, name);
      if (!Exists(path)) continue;
      const absl::StatusOr<std::string> file = Vetted(path, allow_untrusted);
      std::string error = file.ok() ? "" : std::string(file.status().message());
      void* handle = file.ok() ? Open(*file, error) : nullptr;
      if (handle != nullptr) {
        handles_.push_back(handle);
        break;
      }
      errors.push_back(std::move(error));
    }
  }
  return errors;
}

Library::Library(Library&& other) noexcept
    : path_(std::move(other.path_)),
      handles_(std::exchange(other.handles_, {})),
      stays_(other.stays_) {}

Library::~Library() {
  if (stays_) return;
  for (auto handle = handles_.rbegin(); handle != handles_.rend(); ++handle) dlclose(*handle);
}

}  // namespace ascend::dcmi
