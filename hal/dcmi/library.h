// The vendor's library in this process.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/open.h"

namespace ascend::dcmi {

// Owns what dlopen gave. To be destroyed only when no thread is inside the library any more.
class Library {
 public:
  // Finds, checks and loads libdcmi.so, and before it those libraries of the driver that it needs
  // and that the loader would not find by itself. Runs the libraries' start code: may block. An
  // error carries a DriverState and names every path tried.
  static absl::StatusOr<Library> Load(const DcmiOptions& options);

  // Unloads it, unless it is to stay.
  ~Library();
  Library(Library&& other) noexcept;
  Library& operator=(Library&&) = delete;

  // From now on the library stays loaded to the end of the process: it has a thread of its own that
  // cannot be ended.
  void StayLoaded() { stays_ = true; }

  [[nodiscard]] void* handle() const { return handles_.back(); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Library() = default;
  absl::Status LoadFile(const std::string& path, bool allow_untrusted);
  // Returns why one that is there could not be loaded, a line each.
  std::vector<std::string> LoadDependencies(bool allow_untrusted);

  std::string path_;
  std::vector<void*> handles_;  // the library itself is the last
  bool stays_ = false;
};

}  // namespace ascend::dcmi
