// Reads requests out of the bytes of one connection, in order. Owns the only read buffer, so a
// connection without a request in work needs none.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/http/http_server.h"
#include "exporter/http/target.h"

namespace ascend {

// An answer that needs no handler.
struct Refusal {
  unsigned status;
  std::string_view text;
};

constexpr int kHttp11 = 11;  // Beast's number for HTTP/1.1

// What the parser found in a request head.
struct RequestHead {
  std::string method;
  std::string target;
  int version = 0;                // 10 for HTTP/1.0
  unsigned hosts = 0;             // how many Host fields
  bool expects_continue = false;  // the client waits before it sends the body
};

class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  explicit RequestParser(RequestHead& head);

 private:
  using Error = boost::beast::error_code;
  using Text = boost::beast::string_view;
  using Verb = boost::beast::http::verb;
  using Field = boost::beast::http::field;

  void on_request_impl(Verb, Text method, Text target, int version, Error&) override;
  void on_response_impl(int, Text, int, Error&) override {}
  void on_field_impl(Field name, Text, Text value, Error&) override;
  void on_header_impl(Error&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
  std::size_t on_body_impl(Text body, Error&) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t, Text, Error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text body, Error&) override { return body.size(); }
  void on_finish_impl(Error&) override {}

  RequestHead& head_;
};

// Thread-compatible.
class RequestReader {
 public:
  enum class State { kNeedsMore, kComplete, kRefused };

  // `post_paths`: see HttpOptions; must outlive the reader.
  explicit RequestReader(const std::vector<std::string>& post_paths);

  // Where the next bytes go. Never empty after Advance said kNeedsMore.
  std::span<char> Space();
  void Commit(std::size_t bytes) { buffer_.commit(bytes); }
  // Takes the request in front as far as it has come.
  State Advance();
  // Forgets the request in front and keeps the bytes behind it.
  void Next();
  // Forgets everything, for another connection.
  void Reset();

  [[nodiscard]] bool empty() const { return buffer_.size() == 0; }
  // After kComplete or kRefused; valid until Next. Fields that could not be read are empty.
  [[nodiscard]] HttpRequest request() const;
  [[nodiscard]] const Refusal& refusal() const { return refusal_; }
  // The methods that the path of the request takes, as the field Allow lists them.
  [[nodiscard]] std::string_view allowed() const;
  [[nodiscard]] bool keep_alive() const { return keep_alive_; }
  [[nodiscard]] bool http_1_0() const { return head_.version < kHttp11; }

 private:
  std::optional<Refusal> CheckHead();
  [[nodiscard]] std::optional<Refusal> CheckBody() const;
  [[nodiscard]] bool takes_post() const;
  State Refuse(Refusal refusal);

  const std::vector<std::string>& post_paths_;
  boost::beast::flat_buffer buffer_;
  RequestHead head_;
  std::optional<RequestParser> parser_;
  std::size_t head_bytes_ = 0;
  Target target_;
  Refusal refusal_{};
  bool head_checked_ = false;
  bool keep_alive_ = false;
};

}  // namespace ascend
