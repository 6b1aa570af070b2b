// The npu-exporter's page on addresses of its own, at /metrics.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "exporter/compat/compat_page.h"
#include "exporter/http/http_server.h"
#include "exporter/page/own_metrics.h"

namespace ascend {

// Thread-compatible. Serves on a thread of its own.
class CompatServer {
 public:
  // Binds the addresses; nothing is served before Start. `page` and `own` must outlive it;
  // `refresh` is called before each page. Null if there is no address.
  static absl::StatusOr<std::unique_ptr<CompatServer>> Listen(
      const std::vector<std::string>& addresses, CompatPage& page, OwnMetrics& own,
      std::function<void()> refresh);
  ~CompatServer();
  CompatServer(const CompatServer&) = delete;
  CompatServer& operator=(const CompatServer&) = delete;

  // Says in the log where it listens.
  void Start();

 private:
  explicit CompatServer(std::unique_ptr<HttpServer> server) : server_(std::move(server)) {}

  std::unique_ptr<HttpServer> server_;
  std::jthread thread_;
};

}  // namespace ascend
