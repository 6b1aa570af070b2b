// Every order of a few events, as far as it goes: whatever happens, the keeper asks for nothing
// absurd, and when all behaves well again one healthy host is left.
#include <deque>
#include <memory>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "gtest/gtest.h"
#include "tests/front/host_steps.h"
#include "tests/front/host_world.h"

namespace ascend {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using Life = HostWorld::Life;

HostKeeperOptions Options() {
  HostKeeperOptions options;
  options.look_every = hours(1000);  // each change is observed
  return options;
}

struct Node {
  HostWorld world;
  std::shared_ptr<const Node> before;
  std::string step;
  bool manual = false;  // some step was
};

std::string Path(const Node& node) {
  return (node.before ? Path(*node.before) + ", " : "") + node.step;
}

std::string Path(const Node& node, const std::string& step) { return Path(node) + ", " + step; }

bool Healthy(const HostWorld& world) {
  const auto current = world.keeper().current();
  if (!current || world.keeper().next() || world.alive() != 1) return false;
  const HostState& state = world.process(*current).state;
  if (!state.found || state.look_deadline) return false;
  return std::all_of(state.devices.begin(), state.devices.end(),
                     [&](const DeviceCalls& device) { return !device.deadline && device.sampled; });
}

// From now on starts succeed, hosts that are killed end, and no call hangs; those that do hang
// never return.
void BehaveWell(HostWorld& world) {
  for (int berth = 0; berth < HostWorld::kBerths; ++berth) {
    if (world.process(berth).life == Life::kAsked) world.Answer(berth);
    const HostWorld::Process& process = world.process(berth);
    if (process.life == Life::kAlive && process.dismissed) {
      world.Exit(berth, kKilled);
    } else if (process.life == Life::kAlive && !process.state.look_deadline) {
      world.Sample(berth, kDevices);
    }
  }
  world.Observe();
}

class Search {
 public:
  // All that can follow `seed` in `depth` steps. Returns how many states there are.
  std::size_t Explore(const Node& seed, int depth) {
    std::deque<std::shared_ptr<const Node>> frontier{std::make_shared<Node>(seed)};
    for (int level = 0; level < depth && !failed_; ++level) {
      std::deque<std::shared_ptr<const Node>> found;
      for (const auto& node : frontier) Extend(node, found);
      frontier = std::move(found);
    }
    return seen_.size();
  }

  // One random order of many steps. Returns false when it found a fault.
  bool Walk(Node node, int steps, bool with_operator, std::mt19937& random) {
    for (int count = 0; count < steps && !failed_; ++count) {
      std::vector<Step> choices = StepsOf(node.world);
      AddRareSteps(node.world, choices);
      if (!with_operator) {
        std::erase_if(choices, [](const Step& choice) { return choice.manual; });
      }
      const Step& step = choices[random() % choices.size()];
      step.happen(node.world);
      node.world.Observe();
      node.manual = node.manual || step.manual || AnsweredLate(node.world);
      node.step += ", " + step.name;
      Verify(node.world, node.manual, node, "that");
    }
    return !failed_;
  }

 private:
  void Extend(const std::shared_ptr<const Node>& node,
              std::deque<std::shared_ptr<const Node>>& found) {
    for (const Step& step : StepsOf(node->world)) {
      if (failed_) return;
      HostWorld world = node->world;
      step.happen(world);
      world.Observe();
      const bool manual = node->manual || step.manual || AnsweredLate(world);
      if (!seen_.insert(world.Key() + (manual ? "m" : "")).second) continue;
      Verify(world, manual, *node, step.name);
      found.push_back(std::make_shared<Node>(Node{world, node, step.name, manual}));
    }
  }

  // A start that was given up may still come, and be one more that cannot be killed.
  static bool AnsweredLate(const HostWorld& world) {
    for (int berth = 0; berth < HostWorld::kBerths; ++berth) {
      const bool used = world.keeper().current() == berth || world.keeper().next() == berth;
      if (world.process(berth).life == Life::kAsked && !used) return true;
    }
    return false;
  }

  void Verify(const HostWorld& world, bool manual, const Node& node, const std::string& step) {
    Expect(world.fault().empty(), world, node, step);
    Expect(manual || world.keeper().left_behind() <= 2, world, node, step);
    Expect(Recovers(world), world, node, step);
  }

  void Expect(bool holds, const HostWorld& world, const Node& node, const std::string& step) {
    if (holds || failed_) return;
    failed_ = true;
    ADD_FAILURE() << (world.fault().empty() ? "no recovery, or too many left behind"
                                            : world.fault())
                  << "\nafter " << Path(node, step) << "\nin " << world.Key();
  }

  // Whether it is healthy within two hours if all behaves well.
  bool Recovers(HostWorld world) {
    if (world.keeper().released()) world.Acquire();
    const Mono begin = world.now();
    std::unordered_map<std::string, Mono> path;
    while (world.fault().empty()) {
      BehaveWell(world);
      const std::string key = world.Key();
      const auto known = recovery_.find(key);
      const bool end = Healthy(world) || known != recovery_.end();
      const Mono healthy = world.now() + (known != recovery_.end() ? known->second : nanoseconds{});
      if (end) {
        for (const auto& [state, time] : path) recovery_[state] = healthy - time;
        return healthy - begin <= hours(2);
      }
      if (!path.emplace(key, world.now()).second) return false;  // the same again, without end
      const Mono next = NextEvent(world);
      if (next == Mono::max()) return false;
      world.Pass(std::max<nanoseconds>(next - world.now(), nanoseconds(1)));
    }
    return false;
  }

  static Mono NextEvent(const HostWorld& world) {
    Mono next = world.keeper().NextCheck();
    for (const HoldDevice& hold : world.keeper().HeldDevices(world.now())) {
      next = std::min(next, hold.until);
    }
    return next;
  }

  bool failed_ = false;
  std::unordered_set<std::string> seen_;
  std::unordered_map<std::string, nanoseconds> recovery_;  // how long it takes from a state
};

Node Fresh() { return {HostWorld(Options()), nullptr, "fresh", false}; }

Node WithHealthyHost() {
  Node node = Fresh();
  node.world.Observe();
  node.world.Answer(0);
  node.world.Sample(0, kDevices);
  node.world.Observe();
  node.step = "healthy";
  return node;
}

Node DuringReplacement() {
  Node node = WithHealthyHost();
  HangAt(node.world, 0, 0, seconds(0));
  node.world.Live(seconds(10));
  node.step = "replacing";
  return node;
}

// Device 0 is held in vain: device 1 hangs in the next host too.
Node DuringTrial() {
  Node node = WithHealthyHost();
  node.world.Pass(seconds(1));
  HangAt(node.world, 0, 0, seconds(0));
  HangAt(node.world, 0, 1, seconds(0));
  node.world.Live(seconds(1));
  const int next = node.world.keeper().next().value();
  node.world.Answer(next);
  node.world.Find(next, kDevices);
  HangAt(node.world, next, 1, seconds(0));
  node.world.Observe();
  node.step = "trial";
  return node;
}

Node WithTwoLeftBehind() {
  Node node = DuringReplacement();
  for (int times = 0; times < 2; ++times) {
    const int next = node.world.keeper().next().value();
    node.world.Answer(next);
    node.world.Find(next, kDevices);
    HangAt(node.world, next, 0, seconds(0));
    node.world.Sample(next, kDevices);
    node.world.Live(minutes(1 + times));
  }
  node.step = "two left behind";
  return node;
}

void ExpectSound(const Node& seed, int depth) {
  Search search;
  const std::size_t states = search.Explore(seed, depth);
  testing::Test::RecordProperty("states", static_cast<int>(states));
  EXPECT_GT(states, 1000);
}

TEST(HostKeeperSearchTest, FromTheStart) { ExpectSound(Fresh(), 7); }

TEST(HostKeeperSearchTest, FromAHealthyHost) { ExpectSound(WithHealthyHost(), 5); }

TEST(HostKeeperSearchTest, FromAReplacement) { ExpectSound(DuringReplacement(), 5); }

TEST(HostKeeperSearchTest, FromALockWhoseHolderIsNotFoundYet) {
  const Node seed = DuringTrial();
  ASSERT_TRUE(seed.world.IsHeld(0));
  ExpectSound(seed, 5);
}

TEST(HostKeeperSearchTest, FromTwoHostsLeftBehind) {
  const Node seed = WithTwoLeftBehind();
  ASSERT_EQ(seed.world.keeper().left_behind(), 2);
  ExpectSound(seed, 5);
}

TEST(HostKeeperSearchTest, LongRandomOrders) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same orders each time
  Search search;
  for (int walk = 0; walk < 500; ++walk) {
    if (!search.Walk(WithHealthyHost(), 60, walk % 2 == 0, random)) break;
  }
}

}  // namespace
}  // namespace ascend
