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
    on_attempt_(in_use_);
    absl::StatusOr<Discovery> found = Ask(driver_);
    if (found.ok()) {
      Accept(in_use_);
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
    absl::StatusOr<std::shared_ptr<NpuDriver>> opened = Open(i);
    absl::StatusOr<Discovery> found = opened.ok() ? Ask(*opened) : opened.status();
    if (found.ok()) {
      driver_ = *opened;
      Accept(i);
      spdlog::info("using the {} driver: {} devices", candidates_[i].backend,
                   found->devices.size());
      return Attempt{std::move(found), driver_, true};
    }
    if (i == 0) first_failure_ = found.status();
    Refuse(i, found.status());
  }
  return std::nullopt;
}

absl::StatusOr<std::shared_ptr<NpuDriver>> DriverChoice::Open(std::size_t candidate) {
  if (!may_try_(candidate)) {
    return DriverError(
        DriverState::kCrashed,
        "it crashed when it was opened or asked for devices; it is tried again later");
  }
  on_attempt_(candidate);
  return candidates_[candidate].open();
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

// No candidate from this one on counts as refused any more.
void DriverChoice::Accept(std::size_t candidate) {
  in_use_ = candidate;
  failures_ = 0;
  said_.resize(candidates_.size());
  if (!said_[candidate].empty()) spdlog::info("driver {}: works", candidates_[candidate].backend);
  for (std::size_t i = candidate; i < candidates_.size(); ++i) {
    said_[i].clear();
    std::erase_if(refused_,
                  [&](const auto& refused) { return refused.first == candidates_[i].backend; });
  }
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
