// Which driver to use: the first of a list that opens and finds devices.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/driver_state.h"
#include "hal/mutex.h"
#include "hal/npu_driver.h"

namespace ascend {

struct DriverCandidate {
  std::string backend;
  std::function<absl::StatusOr<std::shared_ptr<NpuDriver>>()> open;
};

// What one attempt to find devices gave.
struct Attempt {
  absl::StatusOr<Discovery> discovery;
  std::shared_ptr<NpuDriver> driver;  // the one to go on with; null: none
  bool changed = false;               // not the one before
};

// Discovery thread only, but for Interrupt: every other call may block in a driver.
class DriverChoice {
 public:
  using OnAttempt = std::function<void(std::size_t candidate)>;
  using MayTry = std::function<bool(std::size_t candidate)>;
  // `on_attempt` is called before each attempt, which may block for as long as a driver likes. What
  // `may_try` denies is refused as crashed.
  explicit DriverChoice(
      std::vector<DriverCandidate> candidates, OnAttempt on_attempt = [](std::size_t) {},
      MayTry may_try = [](std::size_t) { return true; })
      : candidates_(std::move(candidates)),
        on_attempt_(std::move(on_attempt)),
        may_try_(std::move(may_try)) {}

  // Asks the driver in use for its devices. Without one, after repeated failure, or when `upgrade`
  // asks to look for a better one first, tries the candidates in order.
  Attempt Discover(bool upgrade);

  // Any thread: asks calls in progress, and those to come, to return early.
  void Interrupt();

  // True if a candidate before the one in use exists.
  [[nodiscard]] bool second_choice() const { return driver_ != nullptr && in_use_ > 0; }
  // Why candidates before the one in use (all, if none is) could not be used.
  [[nodiscard]] const std::vector<std::pair<std::string, DriverState>>& refused() const {
    return refused_;
  }

 private:
  std::optional<Attempt> TryCandidates(std::size_t count);
  absl::StatusOr<std::shared_ptr<NpuDriver>> Open(std::size_t candidate);
  absl::StatusOr<Discovery> Ask(std::shared_ptr<NpuDriver> driver);
  void Refuse(std::size_t candidate, const absl::Status& why);

  void Accept(std::size_t candidate);

  const std::vector<DriverCandidate> candidates_;
  const OnAttempt on_attempt_;
  const MayTry may_try_;
  std::shared_ptr<NpuDriver> driver_;
  std::size_t in_use_ = 0;
  int failures_ = 0;  // in a row, of the driver in use
  absl::Status first_failure_;
  std::vector<std::pair<std::string, DriverState>> refused_;
  Mutex mutex_;
  std::shared_ptr<NpuDriver> asked_ ABSL_GUARDED_BY(mutex_);  // last
  bool interrupted_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::string> said_;  // by candidate: the last failure that was logged
};

}  // namespace ascend
