#include "session.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "admin_rule.h"
#include "vendor_structs.h"

namespace fake_dcmi {
namespace {

using std::chrono::nanoseconds;

// What changes when a file is written or replaced.
struct Stamp {
  explicit Stamp(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return;
    inode = status.st_ino;
    size = status.st_size;
    modified = status.st_mtim.tv_sec * 1'000'000'000L + status.st_mtim.tv_nsec;
    changed = status.st_ctim.tv_sec * 1'000'000'000L + status.st_ctim.tv_nsec;
  }
  Stamp() = default;
  bool operator==(const Stamp&) const = default;
  ino_t inode = 0;
  off_t size = 0;
  long modified = 0;
  long changed = 0;
};

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Costs a fifth of what the exact clock does.
nanoseconds CoarseTime() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

class Session {
 public:
  ~Session() {
    if (device_ >= 0) close(device_);
  }

  void Forget() {
    const std::lock_guard lock(mutex_);
    ReadEnvironment();
    machine_ = nullptr;
    started_ = false;
    administrator_ = true;
    at_start_ = nullptr;
    ++number_;
  }

  Snapshot Take() {
    const std::lock_guard lock(mutex_);
    Reload();
    return {number_, at_start_, machine_};
  }

  int Start() {
    const std::lock_guard lock(mutex_);
    ReloadNow();
    if (!machine_->admin_device.empty()) {
      if (device_ >= 0) close(device_);
      device_ = open(machine_->admin_device.c_str(), O_RDWR | O_CLOEXEC);
      if (device_ < 0) return kInnerError;
      administrator_ = IsAdministrator(machine_->host_mount_namespace);
      machine_ = nullptr;
    }
    ReloadNow();
    at_start_ = machine_;
    started_ = true;
    return kOk;
  }

  View Look() {
    const std::lock_guard lock(mutex_);
    Reload();
    return {machine_, counts_, started_};
  }

  std::shared_ptr<const Machine> Now() {
    const std::lock_guard lock(mutex_);
    ReloadNow();
    return machine_;
  }

  std::shared_ptr<CallCounts> rule_counts() {
    const std::lock_guard lock(mutex_);
    if (counts_ != nullptr) return counts_;
    if (own_counts_ == nullptr) own_counts_ = std::make_shared<CallCounts>("");
    return own_counts_;
  }

 private:
  void ReadEnvironment() {
    path_ = Environment("FAKE_DCMI_DATA");
    const std::string counts = Environment("FAKE_DCMI_COUNTS");
    counts_ = counts.empty() ? nullptr : std::make_shared<CallCounts>(counts);
  }

  void Reload() {
    if (machine_ != nullptr && machine_->recheck.count() > 0 && CoarseTime() < next_check_) return;
    ReloadNow();
  }

  void ReloadNow() {
    if (path_.empty()) ReadEnvironment();
    const Stamp stamp(path_);
    if (machine_ == nullptr || stamp != stamp_) {
      stamp_ = stamp;
      Read();
    }
    next_check_ = CoarseTime() + machine_->recheck;
  }

  void Read() {
    Machine machine = ReadMachine(path_);
    if (!machine.problem.empty()) {
      std::fprintf(stderr, "fake_dcmi: %s\n", machine.problem.c_str());
    }
    if (!administrator_) {
      machine.cards.clear();
      machine.chips.clear();
    }
    machine_ = std::make_shared<const Machine>(std::move(machine));
  }

  std::mutex mutex_;
  std::string path_;
  Stamp stamp_;
  nanoseconds next_check_{0};
  std::shared_ptr<const Machine> machine_;
  std::shared_ptr<CallCounts> counts_;
  std::shared_ptr<CallCounts> own_counts_;
  bool started_ = false;
  bool administrator_ = true;
  int number_ = 0;
  std::shared_ptr<const Machine> at_start_;
  int device_ = -1;
};

Session& TheSession() {
  static Session session;
  return session;
}

}  // namespace

void ForgetSession() { TheSession().Forget(); }

int StartSession() { return TheSession().Start(); }

View Look() { return TheSession().Look(); }

std::shared_ptr<const Machine> MachineNow() { return TheSession().Now(); }

std::shared_ptr<CallCounts> RuleCounts() { return TheSession().rule_counts(); }

std::unique_lock<std::mutex> WaitForTheOneLock() {
  static std::mutex one_lock;
  return std::unique_lock(one_lock);
}

Snapshot TakeSnapshot() { return TheSession().Take(); }

}  // namespace fake_dcmi
