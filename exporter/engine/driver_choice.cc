#include "exporter/engine/driver_choice.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace ascend {
namespace {
constexpr int kFailuresToReopen = 3;
}

Attempt DriverChoice::Discover(bool upgrade) {
  if (driver_ != nullptr && upgrade && in_use_ > 0) {
    if (std::optional<Attempt> better = TryCandidates(in_use_)) return *std::move(better);
  }
  if (driver_ != nullptr) {
    absl::StatusOr<Discovery> found = Ask(driver_);
    if (found.ok()) {
      failures_ = 0;
      return {std::move(found), driver_, false};
    }
    Refuse(in_use_, found.status());
    if (++failures_ < kFailuresToReopen) return {found.status(), driver_, false};
  }
  if (std::optional<Attempt> attempt = TryCandidates(candidates_.size()))
    return *std::move(attempt);
  return {first_failure_, driver_, false};
}

std::optional<Attempt> DriverChoice::TryCandidates(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    absl::StatusOr<std::shared_ptr<NpuDriver>> opened = candidates_[i].open();
    absl::StatusOr<Discovery> found = opened.ok() ? Ask(*opened) : opened.status();
    if (found.ok()) {
      driver_ = *opened;
      in_use_ = i;
      failures_ = 0;
      std::erase_if(refused_, [&](const auto& refused) {
        return std::any_of(candidates_.begin() + static_cast<std::ptrdiff_t>(i), candidates_.end(),
                           [&](const DriverCandidate& c) { return c.backend == refused.first; });
      });
      said_.resize(candidates_.size());
      said_[i].clear();
      spdlog::info("using the {} driver: {} devices", candidates_[i].backend,
                   found->devices.size());
      return Attempt{std::move(found), driver_, true};
    }
    if (i == 0) first_failure_ = found.status();
    Refuse(i, found.status());
  }
  return std::nullopt;
}

absl::StatusOr<Discovery> DriverChoice::Ask(std::shared_ptr<NpuDriver> driver) {
  {
    MutexLock lock(mutex_);
    asked_ = driver;
    if (interrupted_) driver->Interrupt();
  }
  return driver->Discover();
}

void DriverChoice::Interrupt() {
  std::shared_ptr<NpuDriver> driver;
  {
    MutexLock lock(mutex_);
    interrupted_ = true;
    driver = asked_;
  }
  if (driver != nullptr) driver->Interrupt();
}

void DriverChoice::Refuse(std::size_t candidate, const absl::Status& why) {
  const std::string& backend = candidates_[candidate].backend;
  const auto known =
      std::ranges::find(refused_, backend, &std::pair<std::string, DriverState>::first);
  if (known == refused_.end()) {
    refused_.emplace_back(backend, StateOf(why));
  } else {
    known->second = StateOf(why);
  }
  said_.resize(candidates_.size());
  const std::string text(why.message());
  if (std::exchange(said_[candidate], text) == text) return;  // once, not at each attempt
  spdlog::error("driver {}: {}", backend, text);
}

}  // namespace ascend
