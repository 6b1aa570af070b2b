#include "exporter/http/http_get.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>

namespace ascend {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

// Connects, asks, reads; the first failure or the reply ends it.
class Exchange {
 public:
  Exchange(const std::string& host, const std::string& port, const std::string& path)
      : request_(http::verb::get, path, 11), resolver_(loop_), stream_(loop_) {
    request_.set(http::field::host, host);
    request_.set(http::field::connection, "close");
    resolver_.async_resolve(host, port, [this](auto error, auto endpoints) {
      if (Failed(error)) return;
      stream_.async_connect(endpoints, [this](auto failure, const auto&) {
        if (!Failed(failure)) Ask();
      });
    });
  }

  absl::Status Run(std::chrono::milliseconds patience) {
    loop_.run_for(patience);
    if (!outcome_) return absl::DeadlineExceededError("no answer in time");
    return *outcome_;
  }

 private:
  bool Failed(const boost::system::error_code& error) {
    if (error) outcome_ = absl::UnavailableError(error.message());
    return error.failed();
  }

  void Ask() {
    http::async_write(stream_, request_, [this](auto error, std::size_t) {
      if (Failed(error)) return;
      http::async_read(stream_, buffer_, reply_, [this](auto failure, std::size_t) {
        if (Failed(failure)) return;
        outcome_ = reply_.result_int() == 200
                       ? absl::OkStatus()
                       : absl::UnavailableError(fmt::format("status {}", reply_.result_int()));
      });
    });
  }

  asio::io_context loop_;
  http::request<http::empty_body> request_;
  tcp::resolver resolver_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{std::size_t{64} * 1024};
  http::response<http::string_body> reply_;
  std::optional<absl::Status> outcome_;
};

}  // namespace

absl::Status HttpGetOk(const std::string& url, std::chrono::milliseconds patience) {
  constexpr std::string_view kScheme = "http://";
  const std::size_t slash = url.find('/', kScheme.size());
  const std::string authority =
      url.starts_with(kScheme) ? url.substr(kScheme.size(), slash - kScheme.size()) : "";
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    return absl::InvalidArgumentError(
        fmt::format("{}: not a URL such as http://127.0.0.1:10910/-/healthy", url));
  }
  std::string host = authority.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string path = slash == std::string::npos ? "/" : url.substr(slash);
  try {
    return Exchange(host, authority.substr(colon + 1), path).Run(patience);
  } catch (const std::exception& error) {
    return absl::InternalError(fmt::format("{}: {}", url, error.what()));
  }
}

}  // namespace ascend
