// What can happen to a small world of hosts next.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/front/host_world.h"

namespace ascend {

inline constexpr int kDevices = 2;

struct Step {
  std::string name;
  std::function<void(HostWorld&)> happen;
  bool manual = false;  // an operator's doing
};

inline HostDeath Crash() {
  HostDeath death{.kind = HostDeath::Kind::kSignalled, .code = SIGSEGV};
  death.culprit = HostCall{};
  return death;
}

inline HostDeath UnexplainedExit() { return {.in_progress = {{.device = 0}, {.device = 1}}}; }
inline HostDeath ExitInOpening() { return {.in_progress = {}, .opening = 0}; }

inline void HangAt(HostWorld& world, int berth, int device, nanoseconds deadline) {
  HostState state = world.process(berth).state;
  state.devices[device].deadline = world.now() + deadline;
  world.SetState(berth, state);
}

inline void HangInSearch(HostWorld& world, int berth) {
  world.SetState(berth, {.look_deadline = world.now(), .opening = 0});
}

inline void AddHostSteps(int berth, const HostWorld& world, std::vector<Step>& steps) {
  const auto add = [&](const std::string& name, std::function<void(HostWorld&)> happen) {
    steps.push_back({fmt::format("{} {}", name, berth), std::move(happen)});
  };
  const HostWorld::Process& process = world.process(berth);
  if (process.life == HostWorld::Life::kAsked) {
    add("start", [berth](HostWorld& w) { w.Answer(berth); });
    add("fail", [berth](HostWorld& w) { w.FailToStart(berth); });
    return;
  }
  if (process.life == HostWorld::Life::kNone) return;
  add("kill", [berth](HostWorld& w) { w.Exit(berth, kKilled); });
  if (process.dismissed) return;
  add("crash", [berth](HostWorld& w) { w.Exit(berth, Crash()); });
  add("exit", [berth](HostWorld& w) { w.Exit(berth, UnexplainedExit()); });
  if (!process.state.look_deadline) {
    add("sample", [berth](HostWorld& w) { w.Sample(berth, kDevices); });
  }
  if (!process.state.found) {
    add("exit in opening", [berth](HostWorld& w) { w.Exit(berth, ExitInOpening()); });
    add("hang in search", [berth](HostWorld& w) { HangInSearch(w, berth); });
    add("find", [berth](HostWorld& w) { w.Find(berth, kDevices); });
    return;
  }
  for (const DeviceCalls& device : process.state.devices) {
    const int id = device.device;
    if (device.deadline) {
      add(fmt::format("device {} returns in", id), [=](HostWorld& w) { w.Return(berth, id); });
    } else {
      // One is stuck at once, the other one may still return.
      add(fmt::format("device {} hangs in", id),
          [=](HostWorld& w) { HangAt(w, berth, id, std::chrono::seconds(2 * id)); });
    }
  }
}

inline std::vector<Step> StepsOf(const HostWorld& world) {
  std::vector<Step> steps;
  for (int berth = 0; berth < HostWorld::kBerths; ++berth) AddHostSteps(berth, world, steps);
  const Mono check = world.keeper().NextCheck();
  if (check != Mono::max()) {
    steps.push_back({"wait", [check](HostWorld& w) { w.Pass(check - w.now()); }});
  }
  steps.push_back({"a second", [](HostWorld& w) { w.Pass(std::chrono::seconds(1)); }});
  steps.push_back({"a minute", [](HostWorld& w) { w.Pass(std::chrono::minutes(1)); }});
  steps.push_back({"replace", [](HostWorld& w) { w.Replace(); }, true});
  steps.push_back({"release", [](HostWorld& w) { w.Release(std::nullopt); }, true});
  steps.push_back({"release for a minute",
                   [](HostWorld& w) { w.Release(w.now() + std::chrono::minutes(1)); }, true});
  steps.push_back({"forgive", [](HostWorld& w) { w.Forgive(); }, true});
  if (world.keeper().released()) {
    steps.push_back({"acquire", [](HostWorld& w) { w.Acquire(); }, true});
  }
  return steps;
}

inline void AddRareSteps(const HostWorld& world, std::vector<Step>& steps) {
  steps.push_back({"an hour", [](HostWorld& w) { w.Pass(std::chrono::hours(1)); }});
  for (int berth = 0; berth < HostWorld::kBerths; ++berth) {
    // As after a restart of the front, when the last one had asked for it.
    if (world.process(berth).life != HostWorld::Life::kNone) continue;
    steps.push_back(
        {fmt::format("unasked start {}", berth), [=](HostWorld& w) { w.Answer(berth); }, true});
    break;
  }
}

}  // namespace ascend
