// The front's ends of the pipes to and from the supervisor.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exporter/supervisor/protocol.h"
#include "hal/mutex.h"

namespace ascend {

struct SupervisorEvent {
  supervisor::Event head;
  std::string payload;
};

// Any thread.
class SupervisorLink {
 public:
  // `on_event` is called, on a thread of this class, when an event waits; `on_end` when the
  // supervisor has died. The pipes are open as protocol.h says.
  SupervisorLink(std::function<void()> on_event, std::function<void()> on_end);

  // What has come since the last call, in order.
  std::vector<SupervisorEvent> Take();

  // Blocks for as long as the supervisor, which waits for nothing, does not read.
  static void Send(const supervisor::Command& command);

 private:
  // Until the pipe ends.
  struct Inbox {
    Mutex mutex;
    std::vector<SupervisorEvent> events ABSL_GUARDED_BY(mutex);
  };
  const std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
};

}  // namespace ascend
