#include "hal/trusted_path.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <deque>
#include <filesystem>
#include <system_error>

namespace ascend {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxSteps = 20;  // folders deep, and links in all

absl::Status Rejected(const std::string& why) { return absl::PermissionDeniedError(why); }

absl::Status CheckOwner(const fs::path& step, const struct stat& status) {
  const bool writable = !S_ISLNK(status.st_mode) && (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (status.st_uid == 0 && !writable) return absl::OkStatus();
  return Rejected(fmt::format("{} is owned by uid {} and has mode {:04o}", step.string(),
                              status.st_uid, status.st_mode & 07777));
}

// Walks from the root to the file and looks at every folder and link on the way, those behind links
// included.
class Walk {
 public:
  explicit Walk(std::string wanted) : wanted_(std::move(wanted)) {}

  absl::StatusOr<std::string> Run() {
    std::error_code error;
    Append(fs::absolute(wanted_, error));
    if (error) return Rejected(error.message());
    if (absl::Status root = Look("/"); !root.ok()) return root;
    while (!ahead_.empty()) {
      const fs::path name = ahead_.front();
      ahead_.pop_front();
      if (absl::Status step = Step(name); !step.ok()) return step;
    }
    return behind_.string();
  }

 private:
  // Puts the parts of a path before what is still ahead.
  void Append(const fs::path& path) { ahead_.insert(ahead_.begin(), path.begin(), path.end()); }

  absl::Status Look(const fs::path& at) {
    if (lstat(at.c_str(), &status_) != 0) {
      return Rejected(fmt::format("{} cannot be examined: {}", at.string(),
                                  std::generic_category().message(errno)));
    }
    return CheckOwner(at, status_);
  }

  absl::Status Step(const fs::path& name) {
    if (name.empty() || name == "." || name == "/") {
      if (name == "/") behind_ = "/";
      return absl::OkStatus();
    }
    if (name == "..") {
      behind_ = behind_.parent_path();
      return absl::OkStatus();
    }
    const fs::path at = behind_ / name;
    if (absl::Status look = Look(at); !look.ok()) return look;
    if (!S_ISLNK(status_.st_mode)) {
      behind_ = at;
      if (std::distance(at.begin(), at.end()) <= kMaxSteps) return absl::OkStatus();
      return Rejected(fmt::format("more than {} folders deep", kMaxSteps));
    }
    std::error_code error;
    const fs::path target = fs::read_symlink(at, error);
    if (error || ++links_ > kMaxSteps) return Rejected("too many or unreadable links");
    Append(target);
    return absl::OkStatus();
  }

  const std::string wanted_;
  std::deque<fs::path> ahead_;
  fs::path behind_ = "/";
  struct stat status_ {};
  int links_ = 0;
};

}  // namespace

absl::StatusOr<std::string> ResolveTrusted(const std::string& path) { return Walk(path).Run(); }

}  // namespace ascend
