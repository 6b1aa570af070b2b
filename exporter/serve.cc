#include "exporter/serve.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "collectors/selection.h"
#include "exporter/compat/compat_page.h"
#include "exporter/compat_server.h"
#include "exporter/compose.h"
#include "exporter/engine/engine.h"
#include "exporter/http/http_server.h"
#include "exporter/log.h"
#include "exporter/page/landing_page.h"
#include "exporter/page/page_cache.h"
#include "exporter/settings/version.h"
#include "exporter/standard_streams.h"
#include "hal/open.h"

namespace ascend {
namespace {

constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kHtmlType = "text/html; charset=utf-8";

HttpReply Plain(unsigned status, std::string text) {
  return {.status = status, .body = std::make_shared<const std::string>(std::move(text))};
}

// Answers from what is there: no driver is within its reach. Event loop only.
class Pages {
 public:
  Pages(const Settings& settings, const Catalog& catalog, const SnapshotStore& store,
        CompatPage& compat, OwnMetrics& own)
      : telemetry_path_(settings.telemetry_path),
        compat_path_(settings.compat_path),
        store_(store),
        own_(own),
        catalog_(catalog),
        compat_(compat),
        cache_(store, own) {}

  HttpReply Answer(const HttpRequest& request) {
    if (request.path == telemetry_path_) return {.content_type = kTextType, .body = cache_.Text()};
    if (IsCompat(request.path)) return {.content_type = kTextType, .body = compat_.Text()};
    // The process serves: whatever the driver does, a restart would not help.
    if (request.path == "/-/healthy") return Plain(200, "healthy\n");
    if (request.path == "/-/ready") return Ready();
    if (request.path == "/") return Landing();
    return Plain(404, fmt::format("not found; the metrics are at {}\n", telemetry_path_));
  }

  void set_server(const HttpServer* server) { server_ = server; }

  void Count(const HttpRequest& request, unsigned status) {
    own_.http_connections.Set(static_cast<double>(server_->connections()));
    const bool known = request.path == telemetry_path_ || IsCompat(request.path) ||
                       request.path == "/-/healthy" || request.path == "/-/ready" ||
                       request.path == "/";
    const std::string path(known ? request.path : std::string_view("other"));
    own_.http_requests.Add({{"code", std::to_string(status)}, {"path", path}}).Increment();
  }

 private:
  bool IsCompat(std::string_view path) const {
    return !compat_path_.empty() && path == compat_path_;
  }
  HttpReply Ready() const {
    const std::shared_ptr<const Snapshot> snapshot = store_.Load();
    if (snapshot != nullptr && snapshot->discovered) return Plain(200, "ready\n");
    return Plain(503, "not ready: the first search for devices has not ended\n");
  }
  HttpReply Landing() const {
    const std::shared_ptr<const Snapshot> snapshot = store_.Load();
    return {.content_type = kHtmlType,
            .body = std::make_shared<const std::string>(
                LandingPage(catalog_, snapshot.get(), telemetry_path_, ReleaseVersion()))};
  }

  const std::string telemetry_path_, compat_path_;
  const SnapshotStore& store_;
  OwnMetrics& own_;
  const Catalog& catalog_;
  CompatPage& compat_;
  PageCache cache_;
  const HttpServer* server_ = nullptr;  // set before it serves
};

// Signals that end the program are taken by one thread; every other one has them blocked. Who reads
// the log may go away without ending it.
sigset_t PrepareSignals() {
  signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void SayWhatIsUnusual(const Settings& settings) {
  if (settings.driver == "sim") {
    spdlog::warn("values are simulated: --driver=sim, scenario {}", settings.sim_scenario);
  } else if (geteuid() != 0) {
    spdlog::warn("running as uid {}: the kernel driver lets only root see every chip", geteuid());
  }
}

void SayWhatIsMissing(const Settings& settings) {
  if (settings.hccn_tool_path.empty()) return;
  if (access(settings.hccn_tool_path.c_str(), X_OK) == 0) return;
  spdlog::warn(
      "--hccn-tool.path: {} cannot be run; without it there are no network links and "
      "optical modules",
      settings.hccn_tool_path);
}

// A scenario is configuration: a broken one ends the program, as a broken flag does.
absl::Status CheckScenario(const Settings& settings, Clock& clock) {
  if (settings.driver != "sim") return absl::OkStatus();
  return OpenSim({.scenario = settings.sim_scenario}, clock).status();
}

}  // namespace

int Serve(const Settings& settings) {
  const sigset_t termination = PrepareSignals();
  StartLogging(settings.log_level, settings.log_format);
  Clock& clock = RealClock();
  if (absl::Status status = CheckScenario(settings, clock); !status.ok()) return Fail(status);
  const auto catalog = SelectedCatalog(settings.collectors_enabled, settings.collectors_disabled);
  if (!catalog.ok()) return Fail(catalog.status());

  OwnMetrics own;
  own.build_info
      .Add({{"version", std::string(ReleaseVersion())}, {"revision", std::string(BuildRevision())}})
      .Set(1);
  SnapshotStore store;
  CompatPage compat(store, {.version = VersionThere(ReleaseVersion())});
  const auto compat_server = CompatServer::Listen(settings.compat_listen_addresses, compat, own);
  if (!compat_server.ok()) return Fail(compat_server.status());
  Pages pages(settings, **catalog, store, compat, own);
  HttpOptions http;
  http.listen_addresses = settings.listen_addresses;
  http.handler = [&](const HttpRequest& request) { return pages.Answer(request); };
  http.on_reply = [&](const HttpRequest& request, unsigned status) {
    pages.Count(request, status);
  };
  absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Listen(std::move(http));
  if (!server.ok()) return Fail(server.status());
  pages.set_server(server->get());

  SayWhatIsUnusual(settings);
  SayWhatIsMissing(settings);
  Engine engine(*catalog, MakeDiscoveryOptions(settings), Candidates(settings, clock), clock, own,
                store);
  for (const std::string& address : (*server)->addresses()) {
    spdlog::info("listening on {}{}", address, settings.telemetry_path);
  }
  if (!settings.compat_path.empty()) {
    spdlog::info("serving the npu-exporter's names on {}, too", settings.compat_path);
  }
  if (*compat_server != nullptr) (*compat_server)->Start();
  std::jthread waiter([&] {
    int signal = 0;
    sigwait(&termination, &signal);
    (*server)->Stop();
    spdlog::info("stopping on signal {}", signal);
  });
  (*server)->Run();
  if (!engine.Stop()) {
    // A thread inside the vendor's library may run on: nothing that it could meet is destroyed, the
    // log neither. The log holds nothing back, so nothing of it is lost.
    spdlog::warn("a driver call has not returned; ending without it");
    _exit(EXIT_SUCCESS);
  }
  return EXIT_SUCCESS;
}

}  // namespace ascend
