#include "exporter/front/web.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "exporter/page/landing_page.h"
#include "exporter/settings/version.h"

namespace ascend {
namespace {

constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kHtmlType = "text/html; charset=utf-8";

HttpReply Plain(unsigned status, std::string text) {
  return {.status = status, .body = std::make_shared<const std::string>(std::move(text))};
}

// One thing that POST asks for.
struct Action {
  std::string_view path;
  std::function<void()> Lifecycle::*start;
  std::string_view answer;
};
constexpr Action kActions[] = {
    {"/-/reload", &Lifecycle::reload,
     "reloading; ascend_exporter_config_last_reload_successful tells how it went\n"},
    {"/-/release", &Lifecycle::release,
     "letting go of the driver; ascend_exporter_driver_state{state=\"released\"} is 1 when it is "
     "done\n"},
    {"/-/acquire", &Lifecycle::acquire, "taking the driver again\n"},
};

std::vector<std::string> PostPaths() {
  std::vector<std::string> paths;
  for (const Action& action : kActions) paths.emplace_back(action.path);
  return paths;
}

HttpReply Start(const Action& action, bool enabled, const Lifecycle& lifecycle) {
  if (!enabled) return Plain(403, "off; --web.enable-lifecycle switches it on\n");
  const std::function<void()>& start = lifecycle.*action.start;
  if (!start) return Plain(501, "not possible with --isolation=none\n");
  start();
  return Plain(202, std::string(action.answer));
}

}  // namespace

Web::Web(const Settings& settings, Parts parts)
    : settings_(settings),
      parts_(std::move(parts)),
      cache_(*parts_.store, *parts_.own),
      compat_(*parts_.store, {.version = VersionThere(ReleaseVersion())}) {}

absl::StatusOr<std::unique_ptr<Web>> Web::Listen(const Settings& settings, Parts parts) {
  std::unique_ptr<Web> web(new Web(settings, std::move(parts)));
  auto compat_server = CompatServer::Listen(settings.compat_listen_addresses, web->compat_,
                                            *web->parts_.own, web->parts_.refresh);
  if (!compat_server.ok()) return compat_server.status();
  web->compat_server_ = *std::move(compat_server);
  HttpOptions http;
  http.listen_addresses = settings.listen_addresses;
  http.post_paths = PostPaths();
  http.handler = [web = web.get()](const HttpRequest& request) { return web->Answer(request); };
  http.on_reply = [web = web.get()](const HttpRequest& request, unsigned status) {
    web->Count(request, status);
  };
  auto server = HttpServer::Listen(std::move(http));
  if (!server.ok()) return server.status();
  web->server_ = *std::move(server);
  return web;
}

void Web::Run() {
  for (const std::string& address : server_->addresses()) {
    spdlog::info("listening on {}{}", address, settings_.telemetry_path);
  }
  if (!settings_.compat_path.empty()) {
    spdlog::info("serving the npu-exporter's names on {}, too", settings_.compat_path);
  }
  if (compat_server_ != nullptr) compat_server_->Start();
  server_->Run();
}

bool Web::IsCompat(std::string_view path) const {
  return !settings_.compat_path.empty() && path == settings_.compat_path;
}

HttpReply Web::Page(const HttpRequest& request) {
  parts_.refresh();
  return {.content_type = kTextType,
          .body = IsCompat(request.path) ? compat_.Text() : cache_.Text()};
}

HttpReply Web::Answer(const HttpRequest& request) {
  if (request.path == settings_.telemetry_path || IsCompat(request.path)) return Page(request);
  // The process serves: whatever the driver does, a restart would not help.
  if (request.path == "/-/healthy") return Plain(200, "healthy\n");
  if (request.path == "/-/ready") return Ready();
  if (request.path == "/") return Landing();
  for (const Action& action : kActions) {
    if (request.path == action.path) {
      return Start(action, settings_.lifecycle_enabled, parts_.lifecycle);
    }
  }
  return Plain(404, fmt::format("not found; the metrics are at {}\n", settings_.telemetry_path));
}

HttpReply Web::Ready() const {
  const std::shared_ptr<const Snapshot> snapshot = parts_.store->Load();
  if (snapshot != nullptr && snapshot->discovered) return Plain(200, "ready\n");
  return Plain(503, "not ready: the first search for devices has not ended\n");
}

HttpReply Web::Landing() const {
  parts_.refresh();
  const std::shared_ptr<const Snapshot> snapshot = parts_.store->Load();
  return {.content_type = kHtmlType,
          .body = std::make_shared<const std::string>(LandingPage(
              *parts_.catalog, snapshot.get(), settings_.telemetry_path, ReleaseVersion()))};
}

bool Web::IsKnown(std::string_view path) const {
  for (const Action& action : kActions) {
    if (path == action.path) return true;
  }
  return path == settings_.telemetry_path || IsCompat(path) || path == "/-/healthy" ||
         path == "/-/ready" || path == "/";
}

void Web::Count(const HttpRequest& request, unsigned status) {
  parts_.own->http_connections.Set(static_cast<double>(server_->connections()));
  const std::string path(IsKnown(request.path) ? request.path : std::string_view("other"));
  parts_.own->http_requests.Add({{"code", std::to_string(status)}, {"path", path}}).Increment();
}

void SetBuildInfo(OwnMetrics& own) {
  own.build_info
      .Add({{"version", std::string(ReleaseVersion())}, {"revision", std::string(BuildRevision())}})
      .Set(1);
}

}  // namespace ascend
