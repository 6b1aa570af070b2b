// Two driver hosts that write what a fuzzer says, and the front that reads it.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "exporter/engine/publisher.h"
#include "exporter/front/host_memory.h"
#include "exporter/page/encoder.h"
#include "tests/fuzz/page_check.h"

namespace ascend {

// Takes values off the front of the fuzzer's bytes; zeros once they have ended.
class Script {
 public:
  explicit Script(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool ended() const { return bytes_.empty(); }
  template <class T>
  T Take() {
    T value{};
    const auto taken = Bytes(sizeof value);
    std::memcpy(static_cast<void*>(&value), taken.data(), taken.size());
    return value;
  }
  std::span<const std::uint8_t> Bytes(std::size_t count) {
    const auto taken = bytes_.first(std::min(count, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

class StillClock final : public Clock {
 public:
  Mono Now() override { return now; }
  absl::Time Wall() override { return absl::FromUnixSeconds(wall_seconds); }
  std::unique_ptr<Alarm> MakeAlarm() override { return nullptr; }
  std::unique_ptr<Participant> Join() override { return nullptr; }

  Mono now{std::chrono::hours(1)};
  std::int64_t wall_seconds = 1'700'000'000;
};

// The front; each Step checks the page.
class Front {
 public:
  Front(const Catalog& catalog, const PageCheck& check)
      : catalog_(catalog),
        check_(check),
        publisher({.catalog = std::shared_ptr<const Catalog>(&catalog, [](const Catalog*) {}),
                   .own = &own_,
                   .store = &store_,
                   .clock = &clock,
                   .board = board_,
                   .on_trouble = [] {}},
                  {}) {}

  void Step() {
    publisher.Step();
    std::string page;
    if (const auto snapshot = store_.Load()) EncodeText(*snapshot, page);
    check_.Check(page);
  }

  // What the front says of itself.
  void CheckOwn() const {
    std::string page;
    own_.EncodeText(page);
    check_.Check(page, true);
  }

  // What the front makes of a host whose process has ended.
  void Bury(const Berth& berth, int wait_status) {
    const HostDeath death = ReadHostDeath(berth, catalog_, wait_status);
    Require(death.in_progress.size() <= kMaxChannels, "more calls than channels");
    if (death.culprit) {
      Require(death.culprit->collector < catalog_.collectors().size(), "no such collector");
      Holds::Device* const held = board_->holds.FindOrAdd(death.culprit->device);
      if (held != nullptr) held->calls[death.culprit->collector].store(1);
    }
    if (death.opening) {
      Require(static_cast<std::size_t>(*death.opening) < kMaxOpenings, "no such opening");
    }
    for (const char c : DescribeDeath(berth, death, catalog_)) {
      Require(c >= ' ' && c <= '~', "a line of the log that is none");
    }
  }

  // What the front makes of a host that runs.
  void Look(const Berth& berth, bool beside) {
    const Topology* const topology = beside ? publisher.beside_topology() : publisher.topology();
    HostState state;
    ReadHostState(berth, topology, state);
    Require(state.devices.size() <= kMaxDevices, "more devices than there can be");
    const auto check = [](const std::optional<Mono>& time) {
      if (time) Require(*time + std::chrono::hours(1) > Mono{}, "a time that cannot be added to");
    };
    check(state.look_deadline);
    for (const DeviceCalls& calls : state.devices) {
      check(calls.deadline);
      check(calls.last_return);
      (void)publisher.Sampled(calls.device, beside);
    }
  }

 private:
  const Catalog& catalog_;
  const PageCheck& check_;
  OwnMetrics own_;
  SnapshotStore store_;
  const std::shared_ptr<Board> board_ = PrivateBoard();

 public:
  StillClock clock;
  Publisher publisher;
};

}  // namespace ascend
