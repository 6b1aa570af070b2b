#include "exporter/front/compat_server.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace ascend {
namespace {

constexpr std::string_view kPath = "/metrics";
constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";

HttpReply Answer(const HttpRequest& request, CompatPage& page) {
  if (request.path == kPath) return {.content_type = kTextType, .body = page.Text()};
  return {.status = 404,
          .body = std::make_shared<const std::string>(
              "not found; the metrics with the names of Huawei's npu-exporter are at /metrics\n")};
}

}  // namespace

absl::StatusOr<std::unique_ptr<CompatServer>> CompatServer::Listen(
    const std::vector<std::string>& addresses, CompatPage& page, OwnMetrics& own,
    std::function<void()> refresh) {
  if (addresses.empty()) return nullptr;
  HttpOptions http;
  http.listen_addresses = addresses;
  http.listen_flag = "--compat.listen-address";
  http.handler = [&page, refresh = std::move(refresh)](const HttpRequest& request) {
    refresh();
    return Answer(request, page);
  };
  http.on_reply = [&own](const HttpRequest& /*request*/, unsigned status) {
    own.http_requests.Add({{"code", std::to_string(status)}, {"path", "compat"}}).Increment();
  };
  absl::StatusOr<std::unique_ptr<HttpServer>> server = HttpServer::Listen(std::move(http));
  if (!server.ok()) return server.status();
  return std::unique_ptr<CompatServer>(new CompatServer(*std::move(server)));
}

CompatServer::~CompatServer() { server_->Stop(); }

void CompatServer::Start() {
  for (const std::string& address : server_->addresses()) {
    spdlog::info("serving the npu-exporter's names on {}{}", address, kPath);
  }
  thread_ = std::jthread([this] { server_->Run(); });
}

}  // namespace ascend
