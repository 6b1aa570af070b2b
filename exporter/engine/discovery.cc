#include "exporter/engine/discovery.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "exporter/engine/device_sampler.h"

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
      choice_(std::move(candidates), [this] { StartLook(); }),
      plan_(MakePlan(options_.sampling, {})) {}

void DiscoveryLoop::Run(LeavableThread::Signal& signal) {
  while (!signal.stop) {
    requested_ = false;
    const Mono started = parts_.clock->Now();
    const nanoseconds wait = LookOnce();
    const Mono next = started + wait;
    while (!signal.stop && parts_.clock->Now() < next) {
      const Mono earliest = started + kLeastBetween;
      if (requested_ && parts_.clock->Now() >= earliest) break;
      signal.alarm->WaitUntil(requested_ ? std::min(earliest, next) : next);
    }
  }
}

// Each attempt has its own deadline, after which the publisher says that it hangs.
void DiscoveryLoop::StartLook() {
  const nanoseconds deadline =
      options_.sampling.deadlines[static_cast<std::size_t>(Group::kIdentity)] + kToolPatience;
  parts_.look_deadline_ns->store((parts_.clock->Now() + deadline).time_since_epoch().count());
  parts_.ring_publisher();
}

// One look for devices. Returns how long to wait until the next one.
nanoseconds DiscoveryLoop::LookOnce() {
  const Mono now = parts_.clock->Now();
  const bool upgrade = choice_.second_choice() && now >= next_upgrade_;
  const Attempt attempt = choice_.Discover(upgrade);
  parts_.look_deadline_ns->store(0);
  CountUnknownLines(attempt.driver);
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
    if (!problems_.contains(problem)) parts_.own->duplicate_devices.Increment();
    problems.insert(problem);
  }
  return unique;
}

void DiscoveryLoop::CountUnknownLines(const std::shared_ptr<NpuDriver>& driver) {
  if (driver != counted_driver_.lock()) unknown_lines_.clear();
  counted_driver_ = driver;
  if (driver == nullptr) return;
  for (const auto& [tool, count] : driver->UnknownLines()) {
    std::uint64_t& counted = unknown_lines_[tool];
    parts_.own->unknown_lines.Add({{"tool", tool}}).Increment(static_cast<double>(count - counted));
    counted = count;
  }
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
  waiting_ = false;
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
  here_.clear();
  for (const FoundDevice& device : found) {
    here_.insert(device.device);
    Worker& worker = workers_[device.device];
    worker.found = device;
    if (!worker.thread) Start(worker, driver);
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
  worker.channel = std::make_shared<DeviceChannel>();
  DeviceSampler::Parts parts = {.catalog = parts_.catalog,
                                .driver = driver,
                                .channel = worker.channel,
                                .log = call_log_,
                                .on_block = parts_.ring_publisher,
                                .clock = parts_.clock};
  auto sampler = std::make_shared<DeviceSampler>(std::move(parts), plan_, worker.found);
  try {
    worker.thread.emplace(*parts_.clock, [sampler](LeavableThread::Signal& signal) {
      while (!signal.stop) signal.alarm->WaitUntil(sampler->RunDue());
    });
  } catch (const std::system_error& error) {  // the host or the container allows no more threads
    worker.channel = nullptr;
    waiting_ = true;
    spdlog::error("device {}: cannot start its thread: {}", worker.found.device, error.what());
  }
}

// The thread ends when its call returns, if ever.
void DiscoveryLoop::Lose(Worker& worker, Mono now) {
  call_log_->Forget(worker.found.device);
  worker.thread->RequestStop();
  worker.leaving = std::exchange(worker.thread, std::nullopt);
  worker.channel = nullptr;
  worker.lost_since = now;
}

void DiscoveryLoop::Report(const Attempt& attempt) {
  Topology topology;
  topology.driver = info_;
  topology.state = StateOf(attempt.discovery.status());
  topology.plan = plan_;
  topology.expected_devices = options_.expected_devices;
  if (attempt.discovery.ok()) topology.driver_health = driver_health_;
  topology.device_nodes = CountDeviceNodes(info_.backend);
  topology.refused = choice_.refused();
  {
    MutexLock lock(mutex_);
    for (const auto& [id, worker] : workers_) {
      const bool here = here_.contains(id);
      topology.devices.push_back({worker.found, worker.channel, here && worker.channel == nullptr});
    }
  }
  parts_.publisher->SetTopology(std::move(topology));
  parts_.ring_publisher();
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
