// What the devices were found to lack, so that it is asked once and not at every reading.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "hal/dcmi/return_code.h"
#include "hal/mutex.h"
#include "hal/readings.h"

namespace ascend::dcmi {

// Parts of readings that a device may have no answer to, while it answers the rest.
enum class Question : std::uint8_t {
  kMultiRates,
  kAicoreRate,
  kVectorRate,
  kAicpuRate,
  kCtrlcpuRate,
  kHbmRate,
  kDdrBandwidthRate,
  kDdrEcc,
  kSramEcc,
  kHbmEcc,
  kNpuEcc,
  kDdrClock,
  kCtrlcpuClock,
  kHbmClock,
  kAicoreClock,
  kVectorcoreClock,
  kAicoreMaxClock,
  kAicoreInfo,
  kClusterSensor,
  kPeripheralSensor,
  kAicoreSensor,
  kNtcSensor,
  kSocSensor,
  kFpSensor,
  kNDieSensor,
  kHbmSensor,
  kAicores,
  kVectorCores,
  kFanSpeed,
  kFaultEvents,
  kHccsStatus,
  kHccsLanes,
  kHccsCounts64,
  kHccsCounts32,
  kPcieErrors,
  kVdev,
  kVdevLoad,
  kPortList,
  kNetworkCounters,
  kUbStatus,
  kUbCounters,
  kDriverHealth,
  kEnd,
};
static_assert(static_cast<int>(Question::kEnd) <= 64);

class DeviceLacks {
 public:
  // Asks unless the answer is known to be "not supported"; remembers that answer, but not of a
  // question that was answered before: drivers say so in bad moments, too. Any thread.
  template <class Call>
  int Ask(Question question, const Call& call) {
    if (Has(lacks_, question)) return kNotSupported;
    const int code = call();
    if (code == kOk) answered_.fetch_or(Bit(question), std::memory_order_relaxed);
    if (IsUnsupported(code) && !Has(answered_, question)) {
      lacks_.fetch_or(Bit(question), std::memory_order_relaxed);
    }
    return code;
  }
  [[nodiscard]] bool Answered(Question question) const { return Has(answered_, question); }
  // Another chip is at the address.
  void Forget() {
    lacks_.store(0, std::memory_order_relaxed);
    answered_.store(0, std::memory_order_relaxed);
  }

 private:
  using Bits = std::atomic<std::uint64_t>;
  static std::uint64_t Bit(Question question) {
    return std::uint64_t{1} << static_cast<unsigned>(question);
  }
  static bool Has(const Bits& bits, Question question) {
    return (bits.load(std::memory_order_relaxed) & Bit(question)) != 0;
  }

  Bits lacks_{0};
  Bits answered_{0};
};

class KnownLacks {
 public:
  // Any thread. The reference is valid as long as this object.
  DeviceLacks& Of(DeviceAddress address) {
    MutexLock lock(mutex_);
    return devices_[address];
  }

 private:
  Mutex mutex_;
  std::map<DeviceAddress, DeviceLacks> devices_ ABSL_GUARDED_BY(mutex_);
};

// Pairs of devices between which the library knows no path. Any thread.
class UnrelatedPairs {
 public:
  bool Contains(DeviceAddress a, DeviceAddress b) {
    MutexLock lock(mutex_);
    return pairs_.contains({a, b});
  }
  void Forget() {
    MutexLock lock(mutex_);
    pairs_.clear();
  }
  void Add(DeviceAddress a, DeviceAddress b) {
    MutexLock lock(mutex_);
    pairs_.insert({a, b});
  }

 private:
  Mutex mutex_;
  std::set<std::pair<DeviceAddress, DeviceAddress>> pairs_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace ascend::dcmi
