#include "exporter/engine/discovery.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "exporter/border/crash_note.h"

namespace ascend {
namespace {

constexpr nanoseconds kFirstRetry = std::chrono::seconds(1);
constexpr nanoseconds kMostRetry = std::chrono::seconds(60);
constexpr nanoseconds kFirstUpgrade = std::chrono::minutes(1);
constexpr nanoseconds kMostUpgrade = std::chrono::minutes(30);
// A device in trouble asks for a new look; not more often than this.
constexpr nanoseconds kLeastBetween = std::chrono::seconds(2);
// A tool has a deadline of its own, after which it is killed: what takes longer hangs.
constexpr nanoseconds kToolPatience = std::chrono::seconds(5);

bool IsDeviceNode(const std::string& name) {
  constexpr std::string_view kPrefix = "davinci";
  return name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
         std::all_of(name.begin() + kPrefix.size(), name.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

DiscoveryLoop::DiscoveryLoop(Parts parts, DiscoveryOptions options,
                             std::vector<DriverCandidate> candidates)
    : parts_(std::move(parts)),
      options_(std::move(options)),
      choice_(
          std::move(candidates), [this](std::size_t candidate) { StartLook(candidate); },
          [this](std::size_t candidate) { return MayOpen(candidate); }),
      plan_(MakePlan(options_.sampling, {})),
      most_devices_(options_.state_folder) {}

void DiscoveryLoop::Run(LeavableThread::Signal& signal) {
  const std::shared_ptr<void> entered = parts_.enter_thread(kNoChannel);
  while (!signal.stop) {
    requested_ = false;
    const Mono started = parts_.clock->Now();
    const nanoseconds wait = LookOnce();
    const Mono next = started + wait;
    while (!signal.stop && parts_.clock->Now() < next) {
      if (refresh_.exchange(false) || tell_again_) Tell();
      const Mono earliest = started + kLeastBetween;
      if (requested_ && parts_.clock->Now() >= earliest) break;
      const Mono until = requested_ ? std::min(earliest, next) : next;
      signal.alarm->WaitUntil(tell_again_ ? std::min(until, earliest) : until);
    }
  }
}

// Each attempt has its own deadline, after which the publisher says that it hangs.
void DiscoveryLoop::StartLook(std::size_t candidate) {
  const nanoseconds deadline =
      options_.sampling.deadlines[static_cast<std::size_t>(Group::kIdentity)] + kToolPatience;
  parts_.berth->look_opening.store(static_cast<std::uint32_t>(candidate) + 1);
  parts_.berth->look_deadline_ns.store((parts_.clock->Now() + deadline).time_since_epoch().count());
  Knock(true);
}

// A driver in which an earlier host crashed is left alone for a time.
bool DiscoveryLoop::MayOpen(std::size_t candidate) const {
  const std::int64_t now = parts_.clock->Now().time_since_epoch().count();
  return candidate >= kMaxOpenings || parts_.board->holds.openings[candidate].load() <= now;
}

void DiscoveryLoop::Knock(bool urgent) const {
  if (ascend::Knock(parts_.board->bell, urgent)) parts_.wake_publisher();
}

// One look for devices. Returns how long to wait until the next one.
nanoseconds DiscoveryLoop::LookOnce() {
  const Mono now = parts_.clock->Now();
  const bool upgrade = choice_.second_choice() && now >= next_upgrade_;
  const Attempt attempt = choice_.Discover(upgrade);
  parts_.berth->look_deadline_ns.store(0);
  parts_.berth->look_opening.store(0);
  if (attempt.changed) upgrade_wait_ = nanoseconds{0};
  if (choice_.second_choice() && (upgrade || attempt.changed)) {
    upgrade_wait_ = std::clamp(2 * upgrade_wait_, kFirstUpgrade, kMostUpgrade);
    next_upgrade_ = now + upgrade_wait_;
  }
  if (attempt.discovery.ok()) {
    Accept(*attempt.discovery, attempt.driver, attempt.changed);
  } else if (attempt.driver != nullptr &&
             StateOf(attempt.discovery.status()) == DriverState::kNoDevices) {
    Discovery none;
    none.info = info_;
    Accept(none, attempt.driver, false);  // the last device is as lost as any other
  } else {
    MutexLock lock(mutex_);
    Forget(now);
  }
  Report(attempt);
  if (!attempt.discovery.ok()) {
    retry_ = std::clamp(2 * retry_, kFirstRetry, kMostRetry);
    return retry_;
  }
  retry_ = nanoseconds{0};
  if (waiting_) {
    waiting_retry_ = std::clamp<nanoseconds>(2 * waiting_retry_, kLeastBetween, options_.period);
    return waiting_retry_;
  }
  waiting_retry_ = nanoseconds{0};
  if (!choice_.second_choice()) return options_.period;
  return std::min<nanoseconds>(options_.period,
                               std::max<nanoseconds>(next_upgrade_ - now, kFirstRetry));
}

std::vector<FoundDevice> DiscoveryLoop::WithoutDuplicates(const std::vector<FoundDevice>& found,
                                                          std::set<std::string>& problems) {
  std::vector<FoundDevice> unique;
  for (const FoundDevice& device : found) {
    if (std::ranges::find(unique, device.device, &FoundDevice::device) == unique.end()) {
      unique.push_back(device);
      continue;
    }
    const std::string problem =
        fmt::format("two devices claim the id {}; the one at card {} chip {} is left out",
                    device.device, device.address.card, device.address.chip);
    if (!problems_.contains(problem)) ++duplicate_devices_;
    problems.insert(problem);
  }
  return unique;
}

// What each tool has printed since this loop began, whichever driver ran it.
void DiscoveryLoop::CountUnknownLines(const std::shared_ptr<NpuDriver>& driver,
                                      Topology& topology) {
  if (driver != counted_driver_.lock()) counted_lines_.clear();
  counted_driver_ = driver;
  if (driver != nullptr) {
    for (const auto& [tool, count] : driver->UnknownLines()) {
      unknown_lines_[tool] += count - std::exchange(counted_lines_[tool], count);
    }
  }
  topology.unknown_lines.assign(unknown_lines_.begin(), unknown_lines_.end());
}

// What is new since the last look.
void DiscoveryLoop::SayProblems(std::set<std::string> problems) {
  for (const std::string& problem : problems) {
    if (!problems_.contains(problem)) spdlog::warn("{}", problem);
  }
  problems_ = std::move(problems);
}

void DiscoveryLoop::Accept(const Discovery& discovery, const std::shared_ptr<NpuDriver>& driver,
                           bool changed) {
  std::set<std::string> problems(discovery.problems.begin(), discovery.problems.end());
  const bool sure = problems.empty();
  const std::vector<FoundDevice> found = WithoutDuplicates(discovery.devices, problems);
  SayProblems(std::move(problems));
  info_ = discovery.info;
  driver_health_ = discovery.driver_health;
  plan_ = MakePlan(options_.sampling, driver->limits());
  const Mono now = parts_.clock->Now();

  MutexLock lock(mutex_);
  if (stopping_) return;
  waiting_ = !sure;  // what failed to answer may do so soon
  for (auto& [id, worker] : workers_) {
    const bool here = std::ranges::find(found, worker.found) != found.end();
    // What bears the id at another address proves that the worker asks another chip.
    const bool elsewhere =
        !here && std::ranges::find(found, id, &FoundDevice::device) != found.end();
    const bool gone = worker.thread && Gone(worker, here, sure || elsewhere);
    if (worker.thread && (gone || changed)) Lose(worker, now);
    waiting_ = waiting_ || worker.missed;
  }
  Forget(now);
  const std::set<std::int32_t> before = std::exchange(here_, {});
  for (const FoundDevice& device : found) here_.insert(device.device);
  for (const FoundDevice& device : found) {
    Worker& worker = workers_[device.device];
    worker.found = device;
    if (!worker.thread) {
      Start(worker, driver);
    } else if (before != here_ && worker.sampler != nullptr) {
      worker.sampler->ForgetFacts();  // some are about the other devices
    }
  }
}

// A look that had problems proves nothing of a device that it did not find: look once more.
bool DiscoveryLoop::Gone(Worker& worker, bool here, bool sure) {
  const bool missed_before = std::exchange(worker.missed, false);
  if (here) return false;
  if (sure || missed_before) return true;
  worker.missed = true;
  return false;
}

// Lost devices leave the page after a time.
void DiscoveryLoop::Forget(Mono now) {
  std::erase_if(workers_, [&](const auto& entry) {
    const Worker& worker = entry.second;
    const bool gone = !worker.thread && now - worker.lost_since >= options_.lost_retention;
    return gone && (!worker.leaving || worker.leaving->ended());
  });
}

void DiscoveryLoop::Start(Worker& worker, const std::shared_ptr<NpuDriver>& driver) {
  if (worker.leaving && !worker.leaving->ended()) {
    waiting_ = true;
    return;
  }
  worker.leaving.reset();
  worker.channel = FreeChannel();
  if (worker.channel == nullptr) {
    waiting_ = true;
    return;
  }
  worker.channel->device.store(worker.found.device);
  worker.number = ++workers_started_;
  DeviceSampler::Parts parts = {
      .catalog = parts_.catalog,
      .driver = driver,
      .channel = worker.channel,
      .worker = worker.number,
      .board = parts_.board,
      .log = call_log_,
      .on_block =
          [board = parts_.board, wake = parts_.wake_publisher](bool urgent) {
            if (ascend::Knock(board->bell, urgent)) wake();
          },
      .clock = parts_.clock};
  worker.sampler = std::make_shared<DeviceSampler>(std::move(parts), plan_, worker.found);
  const auto index = static_cast<int>(worker.channel.get() - parts_.berth->channels.data());
  try {
    worker.thread.emplace(*parts_.clock, [sampler = worker.sampler, enter = parts_.enter_thread,
                                          index](LeavableThread::Signal& signal) {
      const std::shared_ptr<void> entered = enter(index);
      while (!signal.stop) signal.alarm->WaitUntil(sampler->RunDue());
    });
  } catch (const std::system_error& error) {  // the host or the container allows no more threads
    worker.channel = nullptr;
    worker.sampler = nullptr;
    waiting_ = true;
    spdlog::error("device {}: cannot start its thread: {}", worker.found.device, error.what());
  }
}

// One that no worker uses, not even one that was left behind.
std::shared_ptr<DeviceChannel> DiscoveryLoop::FreeChannel() {
  for (DeviceChannel& channel : parts_.berth->channels) {
    const auto used = [&](const auto& entry) {
      const Worker& worker = entry.second;
      return worker.channel.get() == &channel ||
             (worker.left_channel == &channel && worker.leaving && !worker.leaving->ended());
    };
    if (std::ranges::none_of(workers_, used)) return {parts_.berth, &channel};
  }
  return nullptr;
}

// The thread ends when its call returns, if ever.
void DiscoveryLoop::Lose(Worker& worker, Mono now) {
  call_log_->Forget(worker.found.device);
  worker.thread->RequestStop();
  worker.leaving = std::exchange(worker.thread, std::nullopt);
  worker.left_channel = std::exchange(worker.channel, nullptr).get();
  worker.sampler = nullptr;
  worker.lost_since = now;
}

void DiscoveryLoop::Report(const Attempt& attempt) {
  Topology topology;
  topology.driver = info_;
  topology.state = StateOf(attempt.discovery.status());
  if (attempt.driver != nullptr) topology.limits = attempt.driver->limits();
  if (attempt.discovery.ok()) topology.driver_health = driver_health_;
  topology.device_nodes = CountDeviceNodes(info_.backend);
  topology.refused = choice_.refused();
  topology.duplicate_devices = duplicate_devices_;
  CountUnknownLines(attempt.driver, topology);
  {
    MutexLock lock(mutex_);
    for (const auto& [id, worker] : workers_) {
      const bool here = here_.contains(id);
      topology.devices.push_back({.found = worker.found,
                                  .channel = worker.channel,
                                  .worker = worker.number,
                                  .waiting = here && worker.channel == nullptr});
    }
  }
  if (info_.backend != "sim") {
    topology.most_devices = most_devices_.Update(static_cast<int>(here_.size()));
  }
  told_ = std::move(topology);
  Tell();
}

void DiscoveryLoop::Tell() {
  tell_again_ = !PushTopology(told_, *parts_.berth);
  Knock(true);
}

void DiscoveryLoop::Refresh() {
  refresh_.store(true);
  MutexLock lock(mutex_);
  for (const auto& [id, worker] : workers_) {
    if (worker.sampler == nullptr || !worker.thread) continue;
    worker.sampler->Refresh();
    worker.thread->Wake();
  }
}

// A simulated machine has no device files; those of this host say nothing about it.
std::optional<int> DiscoveryLoop::CountDeviceNodes(const std::string& backend) const {
  if (options_.device_folder.empty() || backend == "sim") return std::nullopt;
  std::error_code error;
  const std::filesystem::directory_iterator files(options_.device_folder, error);
  if (error) return std::nullopt;
  return static_cast<int>(std::count_if(begin(files), end(files), [](const auto& file) {
    return IsDeviceNode(file.path().filename());
  }));
}

bool DiscoveryLoop::StopWorkers(std::chrono::steady_clock::time_point deadline) {
  std::vector<LeavableThread> threads;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    for (auto& [id, worker] : workers_) {
      if (worker.thread) threads.push_back(*worker.thread);
      if (worker.leaving) threads.push_back(*worker.leaving);
    }
    workers_.clear();
  }
  for (const LeavableThread& thread : threads) thread.RequestStop();
  choice_.Interrupt();
  return std::ranges::all_of(
      threads, [&](const LeavableThread& thread) { return thread.WaitUntilEnded(deadline); });
}

}  // namespace ascend
