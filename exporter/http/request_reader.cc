#include "exporter/http/request_reader.h"

#include <algorithm>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <cstdint>
#include <utility>

namespace ascend {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::size_t kMaxHeadBytes = std::size_t{16} * 1024;
constexpr std::size_t kReadBytes = std::size_t{2} * 1024;  // a scraper's whole head fits
constexpr std::uint64_t kMaxBodyBytes = std::uint64_t{64} * 1024;
constexpr std::uint64_t kMaxPostBytes = std::uint64_t{4} * 1024;

constexpr Refusal kMalformed = {400, "malformed request\n"};
constexpr Refusal kBadTarget = {400, "malformed path in the request\n"};
constexpr Refusal kBadHost = {400, "an HTTP/1.1 request needs exactly one Host field\n"};
constexpr Refusal kNotAllowed = {405, "only GET and HEAD are served here\n"};
constexpr Refusal kOnlyPost = {405, "only POST is served here\n"};
constexpr Refusal kNoLength = {411, "a request body needs a Content-Length field\n"};
constexpr Refusal kPostTooLarge = {413, "request body above 4 KiB\n"};
constexpr Refusal kBodyTooLarge = {413, "request body above 64 KiB\n"};
constexpr Refusal kHeadTooLarge = {431, "request head above 16 KiB\n"};

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

Refusal RefusalFor(const beast::error_code& error) {
  return error == http::error::header_limit ? kHeadTooLarge : kMalformed;
}

}  // namespace

RequestParser::RequestParser(RequestHead& head) : head_(head) {
  header_limit(kMaxHeadBytes);
  body_limit(boost::none);  // CheckHead looks at it, after the method
}

void RequestParser::on_request_impl(Verb, Text method, Text target, int version, Error&) {
  head_.method = View(method);
  head_.target = View(target);
  head_.version = version;
}

void RequestParser::on_field_impl(Field name, Text, Text value, Error&) {
  if (name == Field::host) ++head_.hosts;
  if (name == Field::expect && beast::iequals(value, "100-continue")) {
    head_.expects_continue = true;
  }
}

RequestReader::RequestReader(const std::vector<std::string>& post_paths)
    : post_paths_(post_paths), buffer_(kMaxHeadBytes) {
  parser_.emplace(head_);
}

std::span<char> RequestReader::Space() {
  const auto space = buffer_.prepare(std::min(kReadBytes, kMaxHeadBytes - buffer_.size()));
  return {static_cast<char*>(space.data()), space.size()};
}

RequestReader::State RequestReader::Advance() {
  while (!parser_->is_done()) {
    if (buffer_.size() == 0) return State::kNeedsMore;
    beast::error_code error;
    const bool in_head = !parser_->is_header_done();
    const std::size_t taken = parser_->put(buffer_.data(), error);
    buffer_.consume(taken);
    if (in_head) head_bytes_ += taken;
    const std::size_t pending = parser_->is_header_done() ? 0 : buffer_.size();
    if (head_bytes_ + pending >= kMaxHeadBytes) return Refuse(kHeadTooLarge);
    if (error && error != http::error::need_more) return Refuse(RefusalFor(error));
    if (parser_->is_header_done() && !std::exchange(head_checked_, true)) {
      if (const std::optional<Refusal> refusal = CheckHead()) return Refuse(*refusal);
      // A body that is not wanted is not waited for; what is left of it ends with the connection.
      if (parser_->chunked() || (head_.expects_continue && !parser_->is_done())) {
        keep_alive_ = false;
        return State::kComplete;
      }
    }
    if (error) return State::kNeedsMore;
  }
  return State::kComplete;
}

std::optional<Refusal> RequestReader::CheckHead() {
  keep_alive_ = parser_->keep_alive();
  if (head_.hosts > 1 || (head_.hosts == 0 && !http_1_0())) return kBadHost;
  std::optional<Target> target = ReadTarget(head_.target);
  const bool readable = target.has_value();
  if (readable) target_ = *std::move(target);
  const bool is_get = head_.method == "GET" || head_.method == "HEAD";
  if (takes_post() && head_.method != "POST") return kOnlyPost;
  if (!takes_post() && !is_get) return kNotAllowed;
  if (const std::optional<Refusal> refusal = CheckBody()) return refusal;
  return readable ? std::nullopt : std::optional(kBadTarget);
}

std::optional<Refusal> RequestReader::CheckBody() const {
  const std::uint64_t bytes = parser_->content_length().value_or(0);
  if (!takes_post()) return bytes > kMaxBodyBytes ? std::optional(kBodyTooLarge) : std::nullopt;
  if (parser_->chunked()) return kNoLength;
  return bytes > kMaxPostBytes ? std::optional(kPostTooLarge) : std::nullopt;
}

bool RequestReader::takes_post() const {
  return std::find(post_paths_.begin(), post_paths_.end(), target_.path) != post_paths_.end();
}

std::string_view RequestReader::allowed() const { return takes_post() ? "POST" : "GET, HEAD"; }

RequestReader::State RequestReader::Refuse(Refusal refusal) {
  refusal_ = refusal;
  keep_alive_ = false;
  return State::kRefused;
}

void RequestReader::Next() {
  parser_.emplace(head_);
  head_.method.clear();
  head_.target.clear();
  head_.version = 0;
  head_.hosts = 0;
  head_.expects_continue = false;
  head_bytes_ = 0;
  target_ = Target();
  head_checked_ = false;
  keep_alive_ = false;
}

void RequestReader::Reset() {
  Next();
  buffer_.clear();
}

HttpRequest RequestReader::request() const { return {head_.method, target_.path, target_.query}; }

}  // namespace ascend
