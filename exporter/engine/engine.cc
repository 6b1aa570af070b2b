#include "exporter/engine/engine.h"

#include <utility>

namespace ascend {
namespace {

// Leads to the side that samples, which is made later and may end earlier.
class SamplingLink {
 public:
  void Connect(const std::shared_ptr<Sampling>& sampling) {
    MutexLock lock(mutex_);
    sampling_ = sampling;
  }
  void Look() {
    std::shared_ptr<Sampling> sampling;
    {
      MutexLock lock(mutex_);
      sampling = sampling_.lock();
    }
    if (sampling != nullptr) sampling->Look();
  }

 private:
  Mutex mutex_;
  std::weak_ptr<Sampling> sampling_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

Engine::Engine(std::shared_ptr<const Catalog> catalog, EngineOptions options,
               std::vector<DriverCandidate> candidates, Clock& clock, OwnMetrics& own,
               SnapshotStore& store) {
  const std::shared_ptr<Berth> berth = PrivateBerth();
  const std::shared_ptr<Board> board = PrivateBoard();
  const auto link = std::make_shared<SamplingLink>();
  publisher_ = std::make_shared<Publisher>(
      Publisher::Parts{.catalog = catalog,
                       .own = &own,
                       .store = &store,
                       .clock = &clock,
                       .board = board,
                       .on_trouble = [link] { link->Look(); }},
      PublishingOptions{options.discovery.sampling, options.expected_devices,
                        options.discovery.lost_retention});
  publisher_->Use(berth);
  publisher_thread_.emplace(clock, [publisher = publisher_](LeavableThread::Signal& signal) {
    while (!signal.stop) signal.alarm->WaitUntil(publisher->Step());
  });
  sampling_ = std::make_shared<Sampling>(
      DiscoveryLoop::Parts{.catalog = std::move(catalog),
                           .berth = berth,
                           .board = board,
                           .wake_publisher = [thread = *publisher_thread_] { thread.Wake(); },
                           .clock = &clock},
      std::move(options.discovery), std::move(candidates));
  link->Connect(sampling_);
}

Engine::~Engine() { Stop(); }

bool Engine::Stop(std::chrono::milliseconds patience) {
  if (!publisher_thread_) return true;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  publisher_thread_->RequestStop();
  const bool sampling_ended = sampling_->Stop(deadline);
  const bool publisher_ended = publisher_thread_->WaitUntilEnded(deadline);
  publisher_thread_.reset();
  return sampling_ended && publisher_ended;
}

}  // namespace ascend
