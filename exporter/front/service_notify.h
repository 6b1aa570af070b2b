// Tells the service manager how the service does: systemd's notify protocol, sd_notify(3).
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "exporter/http/listen_socket.h"

namespace ascend {

// Thread-compatible; never blocks. Without a service manager it does nothing. The manager takes
// messages of this process only if the unit says NotifyAccess=all, since it started the parent.
class ServiceNotify {
 public:
  // Connects to NOTIFY_SOCKET, a path or, behind "@", an abstract name. Before rights are dropped
  // and before other threads exist.
  static ServiceNotify FromEnvironment();

  // Each is false if the message is lost, as when the manager is slow: say it again later. True
  // without a service manager.
  bool Ready();      // also when a reload has ended
  bool Reloading();  // with the time at which it began, now
  bool Stopping();
  bool Status(std::string_view text);  // one line for systemctl status
  bool Alive();                        // within each WatchdogPeriod

  [[nodiscard]] bool enabled() const { return socket_.valid(); }

 private:
  explicit ServiceNotify(Descriptor socket) : socket_(std::move(socket)) {}
  bool Send(std::string_view message);

  Descriptor socket_;
};

// After how long without Alive the manager ends the service (WatchdogSec=): say it twice as often.
// Nothing if it does not watch, or watches a process that is neither this one nor its parent.
std::optional<std::chrono::microseconds> WatchdogPeriod();

}  // namespace ascend
