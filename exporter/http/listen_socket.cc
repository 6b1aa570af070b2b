#include "exporter/http/listen_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"

namespace ascend {
namespace {

struct HostAndPort {
  std::string host;  // empty: all addresses
  std::uint16_t port;
};

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

absl::Status BadAddress(const std::string& address, std::string_view flag,
                        std::string_view reason) {
  return absl::InvalidArgumentError(fmt::format(
      "cannot listen on \"{}\": {}; write {} as host:port, [IPv6 address]:port or :port", address,
      reason, flag));
}

absl::Status CannotListen(const std::string& address, std::string_view flag, int error) {
  const auto because = [&](std::string_view text) {
    return absl::FailedPreconditionError(fmt::format("cannot listen on {}: {}", address, text));
  };
  switch (error) {
    case EADDRINUSE:
      return because(fmt::format(
          "address already in use; choose another with {} or stop the program that holds it",
          flag));
    case EACCES:
      return because(
          fmt::format("permission denied; choose a port from 1024 upwards with {}", flag));
    case EADDRNOTAVAIL:
      return because(
          fmt::format("not an address of this machine; choose one that is with {}", flag));
    default:
      return because(fmt::format("{}; choose another address with {}",
                                 std::generic_category().message(error), flag));
  }
}

std::optional<std::uint16_t> ReadPort(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc() || stop != end) return std::nullopt;
  return port;
}

absl::StatusOr<HostAndPort> ReadAddress(const std::string& address, std::string_view flag) {
  const std::size_t colon = address.rfind(':');
  const std::size_t bracket = address.rfind(']');
  const bool bracketed = address.starts_with('[') && bracket != std::string::npos;
  if (colon == std::string::npos || (bracketed && colon < bracket)) {
    return BadAddress(address, flag, "it has no port");
  }
  const std::optional<std::uint16_t> port = ReadPort(std::string_view(address).substr(colon + 1));
  if (!port) return BadAddress(address, flag, "its port is not a number from 0 to 65535");
  std::string host = address.substr(0, colon);
  if (bracketed && bracket == colon - 1) {
    host = host.substr(1, host.size() - 2);
    if (host.find(':') == std::string::npos) {
      return BadAddress(address, flag, "what is in brackets is not an IPv6 address");
    }
  } else if (host.find_first_of(":[]/@ ") != std::string::npos) {
    return BadAddress(address, flag, "its host is neither a name nor an IPv4 address");
  }
  return HostAndPort{std::move(host), *port};
}

SocketAddress AnyIpv6(std::uint16_t port) {
  SocketAddress any;
  sockaddr_in6 in6{};
  in6.sin6_family = AF_INET6;
  in6.sin6_port = htons(port);
  std::memcpy(&any.storage, &in6, sizeof in6);
  any.size = sizeof in6;
  return any;
}

SocketAddress AnyIpv4(std::uint16_t port) {
  SocketAddress any;
  sockaddr_in in4{};
  in4.sin_family = AF_INET;
  in4.sin_port = htons(port);
  std::memcpy(&any.storage, &in4, sizeof in4);
  any.size = sizeof in4;
  return any;
}

// A name may have several addresses; the first IPv4 one is taken, because clients that try IPv6
// first fall back to it, and two sockets could not share a port that the kernel chooses.
absl::StatusOr<SocketAddress> Resolve(const std::string& address, std::string_view flag,
                                      const HostAndPort& wanted) {
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = fmt::format("{}", wanted.port);
  const int error = getaddrinfo(wanted.host.c_str(), port.c_str(), &hints, &found);
  if (error != 0) {
    return absl::InvalidArgumentError(
        fmt::format("cannot listen on {}: the host has no address ({}); give one of this machine "
                    "with {}",
                    address, gai_strerror(error), flag));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  const addrinfo* chosen = found;
  for (const addrinfo* i = found; i != nullptr && chosen->ai_family != AF_INET; i = i->ai_next) {
    if (i->ai_family == AF_INET) chosen = i;
  }
  SocketAddress resolved;
  std::memcpy(&resolved.storage, chosen->ai_addr, chosen->ai_addrlen);
  resolved.size = chosen->ai_addrlen;
  return resolved;
}

bool SetOption(int fd, int level, int option, int value) {
  return setsockopt(fd, level, option, &value, sizeof value) == 0;
}

// An invalid descriptor, with errno set, if it fails.
Descriptor BindAndListen(const SocketAddress& address) {
  const int family = address.storage.ss_family;
  Descriptor fd(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  const bool listens = fd.valid() && SetOption(fd.get(), SOL_SOCKET, SO_REUSEADDR, 1) &&
                       (family != AF_INET6 || SetOption(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0)) &&
                       bind(fd.get(), address.get(), address.size) == 0 &&
                       listen(fd.get(), SOMAXCONN) == 0;
  if (listens) return fd;
  const int error = errno;
  fd = Descriptor(-1);
  errno = error;
  return fd;
}

std::string UrlOf(const Descriptor& fd) {
  SocketAddress bound;
  bound.size = sizeof bound.storage;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (getsockname(fd.get(), bound.get(), &bound.size) != 0 ||
      getnameinfo(bound.get(), bound.size, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return {};
  }
  const bool ipv6 = bound.storage.ss_family == AF_INET6;
  return fmt::format(fmt::runtime(ipv6 ? "http://[{}]:{}" : "http://{}:{}"), host.data(),
                     port.data());
}

// One socket for both families, or IPv4 alone on a kernel without IPv6.
Descriptor ListenOnAllAddresses(std::uint16_t port) {
  Descriptor fd = BindAndListen(AnyIpv6(port));
  if (!fd.valid() && (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)) {
    fd = BindAndListen(AnyIpv4(port));
  }
  return fd;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  Descriptor old(std::exchange(fd_, other.Release()));
  return *this;
}

Descriptor::~Descriptor() {
  if (valid()) close(fd_);
}

absl::StatusOr<ListenSocket> OpenListenSocket(const std::string& address, std::string_view flag) {
  const absl::StatusOr<HostAndPort> wanted = ReadAddress(address, flag);
  if (!wanted.ok()) return wanted.status();
  if (wanted->host.empty()) {
    Descriptor fd = ListenOnAllAddresses(wanted->port);
    if (!fd.valid()) return CannotListen(address, flag, errno);
    std::string url = UrlOf(fd);
    return ListenSocket{std::move(fd), std::move(url)};
  }
  const absl::StatusOr<SocketAddress> resolved = Resolve(address, flag, *wanted);
  if (!resolved.ok()) return resolved.status();
  Descriptor fd = BindAndListen(*resolved);
  if (!fd.valid()) return CannotListen(address, flag, errno);
  std::string url = UrlOf(fd);
  return ListenSocket{std::move(fd), std::move(url)};
}

}  // namespace ascend
