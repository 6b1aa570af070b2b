// What is served over HTTP, from what is there: no driver is within its reach.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "collectors/catalog.h"
#include "exporter/compat/compat_page.h"
#include "exporter/front/compat_server.h"
#include "exporter/http/http_server.h"
#include "exporter/page/own_metrics.h"
#include "exporter/page/page_cache.h"
#include "exporter/page/snapshot.h"
#include "exporter/settings/settings.h"

namespace ascend {

// What POST requests ask for; each returns at once. Empty: this process cannot do it.
struct Lifecycle {
  std::function<void()> reload, release, acquire;
};

// Thread-compatible, but for Stop and Post.
class Web {
 public:
  struct Parts {
    std::shared_ptr<const Catalog> catalog;
    const SnapshotStore* store = nullptr;
    OwnMetrics* own = nullptr;
    // Makes a newer snapshot if the time of the newest has passed.
    std::function<void()> refresh;
    Lifecycle lifecycle{};
  };
  // Binds all addresses or none; nothing is served before Run. The error names the address.
  static absl::StatusOr<std::unique_ptr<Web>> Listen(const Settings& settings, Parts parts);

  // Says where it listens, and serves on the calling thread until Stop.
  void Run();
  void Stop() { server_->Stop(); }
  // Runs `task` on the event loop.
  void Post(std::function<void()> task) { server_->Post(std::move(task)); }

 private:
  Web(const Settings& settings, Parts parts);
  HttpReply Answer(const HttpRequest& request);
  HttpReply Page(const HttpRequest& request);
  HttpReply Ready() const;
  HttpReply Landing() const;
  void Count(const HttpRequest& request, unsigned status);
  [[nodiscard]] bool IsCompat(std::string_view path) const;
  [[nodiscard]] bool IsKnown(std::string_view path) const;

  const Settings settings_;
  const Parts parts_;
  PageCache cache_;
  CompatPage compat_;
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<CompatServer> compat_server_;  // null: it has no address
};

// The metrics that never change, set once.
void SetBuildInfo(OwnMetrics& own);

}  // namespace ascend
