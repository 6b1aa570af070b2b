#include "exporter/http/http_get.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace ascend {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr std::size_t kMostOfNoInterest = std::size_t{1} << 20U;

struct Address {
  std::string host;  // without brackets
  std::string port;
  std::string authority;  // both as they were written
  std::string path;
};

// Nothing if it is none with scheme http and a host.
std::optional<Address> ReadUrl(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) return std::nullopt;
  const std::size_t slash = std::min(url.find('/', kScheme.size()), url.size());
  Address address;
  address.authority = url.substr(kScheme.size(), slash - kScheme.size());
  address.path = slash == url.size() ? "/" : url.substr(slash);
  // A colon inside of brackets belongs to an IPv6 address.
  const std::size_t bracket = address.authority.rfind(']');
  const std::size_t colon = address.authority.find(':', bracket == std::string::npos ? 0 : bracket);
  const bool has_port = colon != std::string::npos;
  address.host = address.authority.substr(0, colon);
  address.port = has_port ? address.authority.substr(colon + 1) : "80";
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  if (address.host.empty() || address.port.empty()) return std::nullopt;
  return address;
}

// Connects, asks, reads; the first failure or the reply ends it.
class Exchange {
 public:
  Exchange(const Address& address, std::size_t most_bytes)
      : request_(http::verb::get, address.path, 11), resolver_(loop_), stream_(loop_) {
    reply_.body_limit(most_bytes);
    request_.set(http::field::host, address.authority);
    request_.set(http::field::connection, "close");
    resolver_.async_resolve(address.host, address.port, [this](auto error, auto endpoints) {
      if (Failed(error)) return;
      stream_.async_connect(endpoints, [this](auto failure, const auto&) {
        if (!Failed(failure)) Ask();
      });
    });
  }

  absl::StatusOr<std::string> Run(std::chrono::milliseconds patience) {
    loop_.run_for(patience);
    if (!outcome_) return absl::DeadlineExceededError("no answer in time");
    if (!outcome_->ok()) return *outcome_;
    return std::move(reply_.get().body());
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
        const unsigned status = reply_.get().result_int();
        outcome_ = status == 200 ? absl::OkStatus()
                                 : absl::UnavailableError(fmt::format("status {}", status));
      });
    });
  }

  asio::io_context loop_;
  http::request<http::empty_body> request_;
  tcp::resolver resolver_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{std::size_t{64} * 1024};
  http::response_parser<http::string_body> reply_;
  std::optional<absl::Status> outcome_;
};

}  // namespace

absl::Status HttpGetOk(const std::string& url, std::chrono::milliseconds patience) {
  return HttpGet(url, patience, kMostOfNoInterest).status();
}

absl::StatusOr<std::string> HttpGet(const std::string& url, std::chrono::milliseconds patience,
                                    std::size_t most_bytes) {
  const std::optional<Address> address = ReadUrl(url);
  if (!address) {
    return absl::InvalidArgumentError("not a URL such as http://127.0.0.1:10910/-/healthy");
  }
  try {
    return Exchange(*address, most_bytes).Run(patience);
  } catch (const std::exception& error) {
    return absl::InternalError(error.what());
  }
}

}  // namespace ascend
