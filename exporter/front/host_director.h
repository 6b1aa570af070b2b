// Between the supervisor, which starts and ends driver hosts, the keeper, which decides when, and
// the publisher, which takes what they find.
#pragma once

#include <sys/types.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/catalog.h"
#include "exporter/border/berth.h"
#include "exporter/engine/publisher.h"
#include "exporter/front/host_keeper.h"
#include "exporter/front/host_memory.h"
#include "exporter/front/supervisor_link.h"
#include "exporter/page/own_metrics.h"
#include "exporter/settings/settings.h"
#include "hal/clock.h"

namespace ascend {

// Publisher thread only, but for the requests.
class HostDirector {
 public:
  using Berths = std::array<std::shared_ptr<Berth>, supervisor::kBerths>;
  struct Parts {
    std::shared_ptr<const Catalog> catalog;
    Publisher* publisher = nullptr;
    Berths berths;
    std::shared_ptr<Board> board;
    OwnMetrics* own = nullptr;
    Clock* clock = nullptr;
    std::function<void(const supervisor::Command&)> send;
    // A reload is under way, or has ended.
    std::function<void(bool reloading)> on_reload = [](bool) {};
  };
  HostDirector(Parts parts, Settings settings);

  // Hosts that run already, by generation: berth and process.
  void Adopt(std::span<const std::pair<int, pid_t>> hosts);
  // What the supervisor says. Before the publisher's Step.
  void Take(const std::vector<SupervisorEvent>& events);
  // Looks at the hosts and says what is to be done. After the publisher's Step. Returns when to
  // call again though nothing happened.
  Mono Watch();
  // A device hung or got lost: the host is to look for devices again.
  void LookAgain();

  // Any thread; obeyed by the next Watch.
  void RequestRelease() { Wish(kRelease, kAcquire); }
  void RequestAcquire() { Wish(kAcquire, kRelease); }
  void RequestReload() { wishes_.fetch_or(kReload); }

 private:
  enum Wishes : unsigned { kRelease = 1, kAcquire = 2, kReload = 4 };

  // The later of two wishes that exclude each other counts.
  void Wish(unsigned wanted, unsigned unwanted) {
    unsigned before = wishes_.load();
    while (!wishes_.compare_exchange_weak(before, (before & ~unwanted) | wanted)) continue;
  }
  void TakeOne(const SupervisorEvent& event);
  void Started(int berth, pid_t pid);
  void Exited(int berth, int wait_status);
  void Reconfigure(const std::string& packed);
  void Grant();
  void Acquire(Mono now);
  void Forgive();
  void Do(const HostActions& actions);
  void Hold(const HostAction& action);
  void Connect();
  void ReadStates(Mono now);
  void NoticeSilence(DeviceCalls& calls, Mono now) const;
  void ShowMetrics(Mono now);
  void ShowHeld(Mono now);
  [[nodiscard]] std::shared_ptr<Berth> Running(std::optional<int> berth) const;

  const Parts parts_;
  Settings settings_;
  HostKeeper keeper_;
  std::array<HostState, supervisor::kBerths> states_;
  // By berth: the process, 0 if there is none. The memory of a berth means something from its start
  // to its next.
  std::array<pid_t, supervisor::kBerths> processes_{};
  std::shared_ptr<Berth> main_, beside_;  // as the publisher has them
  bool crashed_ = false;  // the last host did, and no other one has found devices since
  std::array<std::uint64_t, kRestartReasonNames.size()> counted_restarts_{};
  std::map<std::pair<std::string, std::string>, prometheus::Gauge*> held_;
  std::atomic<unsigned> wishes_{0};
};

}  // namespace ascend
