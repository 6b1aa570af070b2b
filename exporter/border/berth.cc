#include "exporter/border/berth.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <system_error>
#include <utility>

namespace ascend {
namespace {

template <class T>
absl::StatusOr<std::shared_ptr<T>> Map(int fd, const char* what) {
  const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, flags, fd, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError(fmt::format("cannot map the {} ({} bytes): {}", what,
                                                    sizeof(T),
                                                    std::generic_category().message(errno)));
  }
  return std::shared_ptr<T>(static_cast<T*>(memory), [](T* mapped) { munmap(mapped, sizeof(T)); });
}

template <class T>
std::shared_ptr<T> OrAbort(absl::StatusOr<std::shared_ptr<T>> mapped) {
  if (!mapped.ok()) std::abort();  // as for any memory that cannot be had
  return *std::move(mapped);
}

// Between processes, so not the private kind.
void Futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* deadline) {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, deadline, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

class BellAlarm final : public Alarm {
 public:
  explicit BellAlarm(std::shared_ptr<Board> board)
      : board_(std::move(board)), seen_(board_->bell.rung.load()) {}

  void WaitUntil(Mono deadline) override {
    std::atomic<std::uint32_t>& rung = board_->bell.rung;
    const Mono steady = ToSteady(deadline);
    const auto since_start = steady.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since_start);
    const timespec until = {.tv_sec = seconds.count(), .tv_nsec = (since_start - seconds).count()};
    while (rung.load() == seen_ && std::chrono::steady_clock::now() < steady) {
      Futex(rung, FUTEX_WAIT_BITSET, seen_, &until);
    }
    seen_ = rung.load();
  }
  void Ring() override { Wake(board_->bell); }

 private:
  const std::shared_ptr<Board> board_;
  std::uint32_t seen_;
};

}  // namespace

const Holds::Device* Holds::Find(std::int32_t id) const {
  if (id < 0 || id == INT32_MAX) return nullptr;
  for (const Device& device : devices) {
    const std::int32_t known = device.id_plus_1.load(std::memory_order_acquire);
    if (known == 0) return nullptr;
    if (known == id + 1) return &device;
  }
  return nullptr;
}

Holds::Device* Holds::FindOrAdd(std::int32_t id) {
  if (id < 0 || id == INT32_MAX) return nullptr;  // a hostile host may tell of any
  for (Device& device : devices) {
    const std::int32_t known = device.id_plus_1.load(std::memory_order_acquire);
    if (known == 0) device.id_plus_1.store(id + 1, std::memory_order_release);
    if (known == 0 || known == id + 1) return &device;
  }
  return nullptr;
}

void Holds::Clear() {
  for (Device& device : devices) {
    device.whole.store(0);
    for (std::atomic<std::int64_t>& call : device.calls) call.store(0);
  }
  for (std::atomic<std::int64_t>& opening : openings) opening.store(0);
}

absl::StatusOr<std::shared_ptr<Berth>> MapBerth(int fd) { return Map<Berth>(fd, "berth"); }
absl::StatusOr<std::shared_ptr<Board>> MapBoard(int fd) { return Map<Board>(fd, "board"); }
std::shared_ptr<Berth> PrivateBerth() { return OrAbort(MapBerth(-1)); }
std::shared_ptr<Board> PrivateBoard() { return OrAbort(MapBoard(-1)); }

// The record was pushed before `armed` is read, and the consumer arms before it looks for records:
// one of the two sees the other.
bool Knock(Bell& bell, bool urgent) {
  if (bell.armed.load(std::memory_order_seq_cst) == 0) return urgent;
  return bell.armed.exchange(0) != 0 || urgent;
}

std::unique_ptr<Alarm> MakeBellAlarm(std::shared_ptr<Board> board) {
  return std::make_unique<BellAlarm>(std::move(board));
}

void Wake(Bell& bell) {
  bell.rung.fetch_add(1);
  Futex(bell.rung, FUTEX_WAKE, INT_MAX, nullptr);
}

}  // namespace ascend
