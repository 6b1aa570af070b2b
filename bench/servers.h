// The servers that are compared, each on a port of 127.0.0.1 that the system picked.
#pragma once

#include <prometheus/registry.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "exporter/http/http_server.h"

namespace ascend {

class BenchServer {
 public:
  virtual ~BenchServer() = default;
  [[nodiscard]] virtual int port() const = 0;
};

// The server of this program; `handler` runs on its thread.
absl::StatusOr<std::unique_ptr<BenchServer>> StartOurs(
    std::function<HttpReply(const HttpRequest&)> handler);

// prometheus-cpp's Exposer, which renders the registry for each request. It keeps connections and
// sends without delay; by default it does neither.
absl::StatusOr<std::unique_ptr<BenchServer>> StartExposer(
    const std::shared_ptr<prometheus::Registry>& registry);

// civetweb alone, which serves the same bytes each time.
absl::StatusOr<std::unique_ptr<BenchServer>> StartCivetweb(std::shared_ptr<const std::string> page);

}  // namespace ascend
