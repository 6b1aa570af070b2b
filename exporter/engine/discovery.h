// Finds the devices, again and again, and keeps one worker for each.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collectors/catalog.h"
#include "exporter/border/topology_record.h"
#include "exporter/engine/call_log.h"
#include "exporter/engine/device_sampler.h"
#include "exporter/engine/driver_choice.h"
#include "exporter/engine/leavable_thread.h"
#include "exporter/engine/most_devices.h"
#include "exporter/engine/sampling_plan.h"

namespace ascend {

struct DiscoveryOptions {
  SamplingOptions sampling;
  nanoseconds period = std::chrono::seconds(60);
  nanoseconds lost_retention = std::chrono::hours(24);  // how long a lost device stays on the page
  std::string device_folder = "/dev";  // where davinciN are counted; empty: nowhere
  std::string state_folder{};          // where the most devices ever seen are kept; empty: nowhere
};

// Run lives on the discovery thread and may hang in a driver; Stop may be called from any thread.
class DiscoveryLoop {
 public:
  struct Parts {
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<Berth> berth;  // fresh
    std::shared_ptr<Board> board;
    std::function<void()> wake_publisher;
    // Called by each worker's thread, and by the one of the search (with -1), before it calls a
    // driver: with the index of its channel. What it returns lives as long as the thread.
    std::function<std::shared_ptr<void>(int channel)> enter_thread = [](int) { return nullptr; };
    Clock* clock = nullptr;
  };
  DiscoveryLoop(Parts parts, DiscoveryOptions options, std::vector<DriverCandidate> candidates);

  void Run(LeavableThread::Signal& signal);
  // Any thread: devices changed, look again soon.
  void Request() { requested_.store(true); }
  // Any thread: tells everything anew, to a publisher that knows nothing.
  void Refresh();

  // Tells all workers to stop and calls in progress to return; waits until `deadline`. False: a
  // thread is stuck inside a driver and was left behind.
  bool StopWorkers(std::chrono::steady_clock::time_point deadline);

 private:
  struct Worker {
    FoundDevice found;
    std::shared_ptr<DeviceChannel> channel;  // null: lost, or not yet to be called again
    std::shared_ptr<DeviceSampler> sampler;
    std::uint32_t number = 0;              // of the sampler, among all
    std::optional<LeavableThread> thread;  // absent: lost
    // A thread that was told to stop and may still be inside a call. Until it has ended, the device
    // is not called again: one call at a time, and one thread at most is left behind for each
    // device.
    std::optional<LeavableThread> leaving;
    const DeviceChannel* left_channel = nullptr;  // its
    Mono lost_since{};
    bool missed = false;  // by the last look, which had problems: it may be there all the same
  };

  void StartLook(std::size_t candidate);
  bool MayOpen(std::size_t candidate) const;
  std::shared_ptr<DeviceChannel> FreeChannel() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Knock(bool urgent) const;
  void Tell();
  nanoseconds LookOnce();
  void Accept(const Discovery& discovery, const std::shared_ptr<NpuDriver>& driver, bool changed);
  // Whether the device is to be taken for lost, if this look did not find it.
  static bool Gone(Worker& worker, bool here, bool sure);
  void Forget(Mono now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Start(Worker& worker, const std::shared_ptr<NpuDriver>& driver)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Lose(Worker& worker, Mono now);
  void Report(const Attempt& attempt);
  std::vector<FoundDevice> WithoutDuplicates(const std::vector<FoundDevice>& found,
                                             std::set<std::string>& problems);
  void CountUnknownLines(const std::shared_ptr<NpuDriver>& driver, Topology& topology);
  void SayProblems(std::set<std::string> problems);
  [[nodiscard]] std::optional<int> CountDeviceNodes(const std::string& backend) const;

  const Parts parts_;
  const DiscoveryOptions options_;
  const std::shared_ptr<CallLog> call_log_ = std::make_shared<CallLog>();
  DriverChoice choice_;
  SamplingPlan plan_;
  DriverInfo info_;
  std::optional<Health> driver_health_;
  nanoseconds retry_{};  // current back-off after failure
  Mono next_upgrade_{};  // when to look for a better driver again
  nanoseconds upgrade_wait_{};
  bool waiting_ = false;  // for a call to return, before its device is called again
  nanoseconds waiting_retry_{};
  std::weak_ptr<NpuDriver> counted_driver_;             // whose unknown lines are counted here
  std::map<std::string, std::uint64_t> counted_lines_;  // by tool, as that driver tells
  std::map<std::string, std::uint64_t> unknown_lines_;  // by tool, since the start
  std::set<std::string> problems_;                      // of the last look
  std::set<std::int32_t> here_;                         // devices that the last look found
  std::uint64_t duplicate_devices_ = 0;
  MostDevices most_devices_;
  Topology told_;  // last
  bool tell_again_ = false;
  std::atomic<bool> requested_{false}, refresh_{false};

  Mutex mutex_;
  std::map<std::int32_t, Worker> workers_ ABSL_GUARDED_BY(mutex_);  // by device id
  std::uint32_t workers_started_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace ascend
