#include "exporter/engine/engine.h"

#include <utility>

namespace ascend {
namespace {

// Rings a thread that may not have been started yet, or have ended.
class Bell {
 public:
  void Connect(LeavableThread thread) {
    MutexLock lock(mutex_);
    thread_ = std::make_shared<LeavableThread>(std::move(thread));
  }
  void Ring() const {
    std::shared_ptr<LeavableThread> thread;
    {
      MutexLock lock(mutex_);
      thread = thread_;
    }
    if (thread != nullptr) thread->Wake();
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<LeavableThread> thread_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

Engine::Engine(std::shared_ptr<const Catalog> catalog, DiscoveryOptions options,
               std::vector<DriverCandidate> candidates, Clock& clock, OwnMetrics& own,
               SnapshotStore& store)
    : catalog_(std::move(catalog)) {
  const auto publisher_bell = std::make_shared<Bell>();
  const auto discovery_bell = std::make_shared<Bell>();
  const auto wanted = std::make_shared<std::weak_ptr<DiscoveryLoop>>();
  const auto look_deadline = std::make_shared<std::atomic<std::int64_t>>(0);
  publisher_ =
      std::make_shared<Publisher>(Publisher::Parts{.catalog = catalog_,
                                                   .own = &own,
                                                   .store = &store,
                                                   .clock = &clock,
                                                   .look_deadline_ns = look_deadline,
                                                   .on_trouble = [discovery_bell, wanted] {
                                                     if (const auto discovery = wanted->lock())
                                                       discovery->Request();
                                                     discovery_bell->Ring();
                                                   }});
  discovery_ = std::make_shared<DiscoveryLoop>(
      DiscoveryLoop::Parts{.catalog = catalog_,
                           .publisher = publisher_,
                           .ring_publisher = [publisher_bell] { publisher_bell->Ring(); },
                           .own = &own,
                           .clock = &clock,
                           .look_deadline_ns = look_deadline},
      std::move(options), std::move(candidates));
  *wanted = discovery_;
  publisher_thread_.emplace(clock, [publisher = publisher_](LeavableThread::Signal& signal) {
    while (!signal.stop) signal.alarm->WaitUntil(publisher->Step());
  });
  publisher_bell->Connect(*publisher_thread_);
  discovery_thread_.emplace(
      clock, [discovery = discovery_](LeavableThread::Signal& signal) { discovery->Run(signal); });
  discovery_bell->Connect(*discovery_thread_);
}

Engine::~Engine() { Stop(); }

bool Engine::Stop(std::chrono::milliseconds patience) {
  if (!publisher_thread_) return true;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  discovery_thread_->RequestStop();
  publisher_thread_->RequestStop();
  const bool workers_ended = discovery_->StopWorkers(deadline);
  const bool discovery_ended = discovery_thread_->WaitUntilEnded(deadline);
  const bool publisher_ended = publisher_thread_->WaitUntilEnded(deadline);
  publisher_thread_.reset();
  discovery_thread_.reset();
  return workers_ended && discovery_ended && publisher_ended;
}

}  // namespace ascend
