// Fixture: a small machine whose library hangs.
#pragma once

#include <algorithm>
#include <array>

#include "gtest/gtest.h"
#include "tests/front/host_world.h"

namespace ascend {

inline constexpr int kDeviceCount = 3;
inline constexpr int kMostDevices = 16;

// A machine on which hosts start, find and end at once, with a library that hangs.
class HangingMachine : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(world_.fault(), ""); }

  HostKeeper& keeper() { return world_.keeper(); }
  [[nodiscard]] bool Hangs(int berth, int device) const {
    return world_.process(berth).state.devices[device].deadline.has_value();
  }
  // One round of what hosts do: those that are sick hang, the others answer, unless the library
  // has one lock.
  void Round() {
    for (int berth = 0; berth < HostWorld::kBerths; ++berth) {
      const HostWorld::Process& process = world_.process(berth);
      if (process.life == HostWorld::Life::kAsked) world_.Answer(berth);
      if (process.life != HostWorld::Life::kAlive) continue;
      if (process.dismissed && killable_) {
        world_.Exit(berth, kKilled);
        continue;
      }
      Call(berth);
    }
    world_.Observe();
    most_left_behind_ = std::max(most_left_behind_, keeper().left_behind());
  }
  void Call(int berth) {
    if (!world_.process(berth).state.found) world_.Find(berth, devices_);
    bool locked = false;
    for (int device = 0; device < devices_; ++device) {
      locked = locked || Hangs(berth, device) || (unfair_ && WillHang(berth, device));
    }
    for (int device = 0; device < devices_; ++device) {
      const bool calls = !Hangs(berth, device) && !(obeys_ && world_.IsHeld(device));
      if (!calls || !(WillHang(berth, device) || (one_lock_ && locked))) continue;
      world_.Hang(berth, device);
      locked = true;
    }
    world_.Sample(berth, devices_);
  }
  [[nodiscard]] bool WillHang(int berth, int device) const {
    const bool old = world_.now() - world_.process(berth).started >= hangs_at_;
    return sick_[device] && old && !(obeys_ && world_.IsHeld(device));
  }
  void Cure(int device) {
    sick_[device] = false;
    for (int berth = 0; berth < HostWorld::kBerths; ++berth) {
      const HostState& state = world_.process(berth).state;
      if (!state.devices.empty() && Hangs(berth, device)) world_.Return(berth, device);
    }
  }
  void Run(nanoseconds time, nanoseconds step = std::chrono::seconds(1)) {
    for (const Mono end = world_.now() + time; world_.now() < end; world_.Pass(step)) Round();
  }

  HostWorld world_;
  int devices_ = kDeviceCount;
  std::array<bool, kMostDevices> sick_{};
  nanoseconds hangs_at_{};  // the age of a host at which the calls of sick devices hang
  bool one_lock_ = false;
  bool unfair_ = false;  // the first device is the first to wait, whichever holds the lock
  bool killable_ = true;
  bool obeys_ = true;  // hosts make no call that is held
  int most_left_behind_ = 0;
};

}  // namespace ascend
