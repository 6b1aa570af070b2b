#include "exporter/http/reply_head.h"

#include <fmt/format.h>

#include <boost/beast/http/status.hpp>
#include <iterator>

namespace ascend {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr int kTmYearBase = 1900;
constexpr unsigned kMethodNotAllowed = 405;

std::string_view ConnectionField(Persistence persistence) {
  switch (persistence) {
    case Persistence::kKeep:
      return "";
    case Persistence::kKeepHttp10:
      return "Connection: keep-alive\r\n";
    case Persistence::kClose:
      break;
  }
  return "Connection: close\r\n";
}

std::string_view ReasonOf(unsigned status) {
  const auto text = boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(status));
  return {text.data(), text.size()};
}

}  // namespace

std::string_view HttpDate::Now() {
  const std::time_t now = std::time(nullptr);
  if (now == second_) return text_;
  std::tm utc{};
  gmtime_r(&now, &utc);
  text_ = fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT", kDays[utc.tm_wday], utc.tm_mday,
                      kMonths[utc.tm_mon], utc.tm_year + kTmYearBase, utc.tm_hour, utc.tm_min,
                      utc.tm_sec);
  second_ = now;
  return text_;
}

void WriteReplyHead(const ReplyHead& head, std::string& out) {
  out.clear();
  fmt::format_to(std::back_inserter(out),
                 "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nDate: {}\r\n"
                 "X-Content-Type-Options: nosniff\r\n",
                 head.status, ReasonOf(head.status), head.content_type, head.content_length,
                 head.date);
  if (head.status == kMethodNotAllowed) {
    fmt::format_to(std::back_inserter(out), "Allow: {}\r\n", head.allowed);
  }
  out.append(ConnectionField(head.persistence)).append("\r\n");
}

}  // namespace ascend
