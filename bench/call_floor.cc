#include "bench/call_floor.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/cpu_clock.h"
#include "hal/dcmi/abi.h"
#include "hal/dcmi/abi_chip.h"
#include "hal/dcmi/return_code.h"

namespace ascend {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr unsigned int kMostFaults = 128;

// The functions, by the names of the library. What the chips lack is not asked.
struct Calls {
  int (*init)();
  int (*temperature)(int, int, int*);
  int (*power)(int, int, int*);
  int (*multi_rates)(int, int, dcmi::MultiUtilizationInfo*);
  int (*rate)(int, int, int, unsigned int*);
  int (*hbm)(int, int, dcmi::HbmInfo*);
  int (*info)(int, int, int, unsigned int, void*, unsigned int*);
  int (*health)(int, int, unsigned int*);
  int (*faults)(int, int, int*, unsigned int*, unsigned int);
};

template <class F>
bool Find(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  return function != nullptr;
}

bool FindAll(void* library, Calls& calls) {
  return Find(library, "dcmi_init", calls.init) &&
         Find(library, "dcmi_get_device_temperature", calls.temperature) &&
         Find(library, "dcmi_get_device_power_info", calls.power) &&
         Find(library, "dcmi_get_device_multi_utilization_rate", calls.multi_rates) &&
         Find(library, "dcmi_get_device_utilization_rate", calls.rate) &&
         Find(library, "dcmi_get_device_hbm_info", calls.hbm) &&
         Find(library, "dcmi_get_device_info", calls.info) &&
         Find(library, "dcmi_get_device_health", calls.health) &&
         Find(library, "dcmi_get_device_errorcode_v2", calls.faults);
}

void CallFast(const Calls& calls, int card, int chip) {
  int number = 0;
  unsigned int rate = 0;
  dcmi::MultiUtilizationInfo rates{};
  dcmi::HbmInfo hbm{};
  std::uint64_t reasons = 0;
  unsigned int size = sizeof(reasons);
  calls.temperature(card, chip, &number);
  if (chip == 0) calls.power(card, chip, &number);
  calls.multi_rates(card, chip, &rates);
  calls.rate(card, chip, dcmi::kRateAicpu, &rate);
  calls.rate(card, chip, dcmi::kRateCtrlcpu, &rate);
  calls.hbm(card, chip, &hbm);
  calls.rate(card, chip, dcmi::kRateHbm, &rate);
  calls.info(card, chip, dcmi::kThrottleItem.main_cmd, dcmi::kThrottleItem.sub_cmd, &reasons,
             &size);
}

void CallHealth(const Calls& calls, int card, int chip) {
  unsigned int health = 0;
  unsigned int codes[kMostFaults];
  int count = 0;
  calls.health(card, chip, &health);
  calls.faults(card, chip, &count, codes, kMostFaults);
}

void SleepUntil(std::int64_t when) {
  const timespec until = {.tv_sec = when / kSecond, .tv_nsec = when % kSecond};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

// One chip, from the first moment to the last.
void Sample(const Calls& calls, int number, std::int64_t period, std::int64_t first,
            std::int64_t last) {
  const int card = number / 2;  // two dies on each
  const int chip = number % 2;
  for (std::int64_t now = first; now <= last; now += period) {
    SleepUntil(now);
    CallFast(calls, card, chip);
    if (now % kSecond < period) CallHealth(calls, card, chip);
  }
}

// CPU seconds in a second; nothing below 0 is one.
double Measure(const StandIn& stand_in, std::int64_t period, std::int64_t span) {
  void* const library = dlopen(stand_in.library().c_str(), RTLD_NOW);
  Calls calls{};
  if (library == nullptr || !FindAll(library, calls) || calls.init() != dcmi::kOk) return -1;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t begin =
      ((now.tv_sec * kSecond + now.tv_nsec) / period + 2) * period;  // threads are there by then
  std::vector<std::jthread> threads;
  for (int number = 0; number < kStandInChips; ++number) {
    threads.emplace_back(Sample, calls, number, period, begin, begin + span);
  }
  SleepUntil(begin);
  const double start = CpuSeconds();
  threads.clear();
  return (CpuSeconds() - start) * kSecond / static_cast<double>(span);
}

}  // namespace

absl::StatusOr<double> CallFloor(const StandIn& stand_in, std::chrono::milliseconds period,
                                 std::chrono::seconds span) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return absl::InternalError("no pipe");
  const pid_t pid = fork();
  if (pid < 0) return absl::InternalError("no process");
  if (pid == 0) {
    for (const std::string& variable : stand_in.environment()) {
      const std::size_t equals = variable.find('=');
      setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
    const double measured = Measure(stand_in, std::chrono::nanoseconds(period).count(),
                                    std::chrono::nanoseconds(span).count());
    const bool told = write(pipe_ends[1], &measured, sizeof(measured)) == sizeof(measured);
    _exit(told ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(pipe_ends[1]);
  double measured = -1;
  const bool told = read(pipe_ends[0], &measured, sizeof(measured)) == sizeof(measured);
  close(pipe_ends[0]);
  waitpid(pid, nullptr, 0);
  if (!told || measured < 0) {
    return absl::UnavailableError(fmt::format("{} cannot be called", stand_in.library()));
  }
  return measured;
}

}  // namespace ascend
