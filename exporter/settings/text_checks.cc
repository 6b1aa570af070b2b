#include "exporter/settings/text_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "exporter/settings/quoted.h"

namespace ascend {
namespace {

constexpr std::string_view kPagesOfTheServer = "/-/";
constexpr std::string_view kPlainInUrls =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

absl::Status Refuse(const std::string& text, std::string_view problem) {
  return absl::InvalidArgumentError(fmt::format("{} {}", Quoted(text), problem));
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool IsPort(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port <= 65535;
}

// A name or an IPv4 address, an IPv6 address in brackets, or nothing for all addresses.
bool IsHost(std::string_view text) {
  const bool bracketed = text.size() > 2 && text.front() == '[' && text.back() == ']';
  const std::string_view inner = bracketed ? text.substr(1, text.size() - 2) : text;
  return std::none_of(inner.begin(), inner.end(), [bracketed](char c) {
    return IsControl(c) || std::string_view(" ,/[]").find(c) != std::string_view::npos ||
           (c == ':' && !bracketed);
  });
}

}  // namespace

absl::Status CheckPath(const std::string& text) {
  if (std::any_of(text.begin(), text.end(), IsControl)) {
    return Refuse(text, "has a control character; write a plain path");
  }
  return absl::OkStatus();
}

absl::Status CheckName(const std::string& text) {
  if (text.empty()) return Refuse(text, "is empty; leave the setting out for its default");
  return CheckPath(text);
}

absl::Status CheckListenAddress(const std::string& text) {
  const std::string_view view = text;
  const std::size_t colon = view.rfind(':');
  if (colon == std::string_view::npos || !IsPort(view.substr(colon + 1)) ||
      !IsHost(view.substr(0, colon))) {
    return Refuse(text, "is not an address; write host:port, [::1]:port or :port, one at a time");
  }
  return absl::OkStatus();
}

absl::Status CheckTelemetryPath(const std::string& text) {
  if (text.empty() || text.front() != '/') {
    return Refuse(text, "does not begin with /; write a path such as /metrics");
  }
  if (text == "/" || text.starts_with(kPagesOfTheServer)) {
    return Refuse(text, "is a page of the exporter itself; write another path, such as /metrics");
  }
  if (text.find_first_not_of(kPlainInUrls) != std::string::npos) {
    return Refuse(text, "is not a plain path; use only letters, digits and -._~/");
  }
  return absl::OkStatus();
}

absl::Status CheckOptionalTelemetryPath(const std::string& text) {
  return text.empty() ? absl::OkStatus() : CheckTelemetryPath(text);
}

absl::Status CheckHttpUrl(const std::string& text) {
  constexpr std::string_view kScheme = "http://";
  const bool plain =
      std::none_of(text.begin(), text.end(), [](char c) { return IsControl(c) || c == ' '; });
  if (!plain || text.size() == kScheme.size() || text.rfind(kScheme, 0) != 0) {
    return Refuse(text, "is not a URL; write one such as http://127.0.0.1:10910/-/healthy");
  }
  return absl::OkStatus();
}

}  // namespace ascend
