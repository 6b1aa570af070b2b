#include "exporter/front/service_notify.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace ascend {
namespace {

constexpr std::size_t kMostStatusBytes = 512;
constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kNanosPerMicro = 1'000;

std::string_view Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::optional<std::int64_t> NumberIn(const char* name) {
  const std::string_view text = Variable(name);
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || stop != text.data() + text.size()) return {};
  return number;
}

// What systemd sets the beginning of a reload against; std::chrono's clock need not be this one.
std::int64_t MonotonicMicros() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kMicrosPerSecond + now.tv_nsec / kNanosPerMicro;
}

}  // namespace

ServiceNotify ServiceNotify::FromEnvironment() {
  const std::string_view name = Variable("NOTIFY_SOCKET");
  sockaddr_un address{};
  const bool usable = name.starts_with('/') || name.starts_with('@');
  if (!usable || name.size() >= sizeof address.sun_path) return ServiceNotify(Descriptor(-1));
  address.sun_family = AF_UNIX;
  std::copy(name.begin(), name.end(), address.sun_path);
  if (name.front() == '@') address.sun_path[0] = '\0';
  Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  // Connected now, it needs no right to reach that path later.
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  if (!socket.valid() || connect(socket.get(), generic, size) != 0) socket = Descriptor(-1);
  return ServiceNotify(std::move(socket));
}

bool ServiceNotify::Ready() { return Send("READY=1"); }

bool ServiceNotify::Reloading() {
  return Send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", MonotonicMicros()));
}

bool ServiceNotify::Stopping() { return Send("STOPPING=1"); }

bool ServiceNotify::Status(std::string_view text) {
  std::string line(text.substr(0, kMostStatusBytes));
  std::replace(line.begin(), line.end(), '\n', ' ');  // else it would begin another message
  return Send("STATUS=" + line);
}

bool ServiceNotify::Alive() { return Send("WATCHDOG=1"); }

bool ServiceNotify::Send(std::string_view message) {
  if (!enabled()) return true;
  const ssize_t sent =
      send(socket_.get(), message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent == static_cast<ssize_t>(message.size());
}

std::optional<std::chrono::microseconds> WatchdogPeriod() {
  const std::optional<std::int64_t> micros = NumberIn("WATCHDOG_USEC");
  if (!micros || *micros <= 0) return std::nullopt;
  const std::optional<std::int64_t> watched = NumberIn("WATCHDOG_PID");
  if (watched && *watched != getpid() && *watched != getppid()) return std::nullopt;
  return std::chrono::microseconds(*micros);
}

}  // namespace ascend
