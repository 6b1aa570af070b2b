#include "exporter/http/session.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <span>
#include <utility>

namespace ascend {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kSpareExchanges = 8;
constexpr std::size_t kDrainBufferBytes = std::size_t{4} * 1024;
constexpr std::size_t kMaxDrainedBytes = std::size_t{256} * 1024;
constexpr std::string_view kPlainText = "text/plain; charset=utf-8";

HttpReply PlainReply(unsigned status, std::string_view text) {
  return {status, kPlainText, std::make_shared<const std::string>(text)};
}

HttpReply CallHandler(const HttpOptions& options, const HttpRequest& request) {
  try {
    return options.handler(request);
  } catch (const std::exception&) {
    // What it says may name what is inside; the client has no use for it.
    return PlainReply(500, "internal error\n");
  }
}

void TellOfReply(const HttpOptions& options, const HttpRequest& request, unsigned status) {
  if (!options.on_reply) return;
  try {
    options.on_reply(request, status);
  } catch (const std::exception&) {
    return;  // the reply does not depend on who counts it
  }
}

}  // namespace

std::unique_ptr<Exchange> ExchangePool::Take() {
  if (spare_.empty()) return std::make_unique<Exchange>(post_paths_);
  std::unique_ptr<Exchange> exchange = std::move(spare_.back());
  spare_.pop_back();
  return exchange;
}

void ExchangePool::Put(std::unique_ptr<Exchange> exchange) {
  if (spare_.size() >= kSpareExchanges) return;
  exchange->reader.Reset();
  exchange->body.reset();
  spare_.push_back(std::move(exchange));
}

SessionContext::SessionContext(HttpOptions http_options)
    : options(std::move(http_options)),
      deadlines({options.head_timeout, options.keep_alive_timeout, options.write_timeout}),
      exchanges(options.post_paths) {}

void Session::Start() {
  context_.deadlines.Enter(*this, Phase::kHead);
  When(Socket::wait_read, &Session::Read);
}

void Session::Close() noexcept {
  context_.deadlines.Leave(*this);
  error_code ignored;
  socket_.close(ignored);
}

void Session::When(Socket::wait_type ready, Step step) {
  socket_.async_wait(ready, [self = shared_from_this(), step](const error_code& error) {
    if (error || !self->socket_.is_open()) return self->Close();
    ((*self).*step)();
  });
}

void Session::Read() {
  const bool was_idle = exchange_ == nullptr;
  if (was_idle) exchange_ = context_.exchanges.Take();
  const std::span<char> space = exchange_->reader.Space();
  error_code error;
  const std::size_t bytes = socket_.read_some(asio::buffer(space.data(), space.size()), error);
  if (error == asio::error::would_block) return When(Socket::wait_read, &Session::Read);
  if (error) return Close();
  if (was_idle) context_.deadlines.Enter(*this, Phase::kHead);
  exchange_->reader.Commit(bytes);
  Proceed();
}

void Session::Proceed() {
  switch (exchange_->reader.Advance()) {
    case RequestReader::State::kNeedsMore:
      return When(Socket::wait_read, &Session::Read);
    case RequestReader::State::kComplete:
      return Respond();
    case RequestReader::State::kRefused:
      return Refuse(exchange_->reader.refusal());
  }
}

void Session::Respond() { Reply(CallHandler(context_.options, exchange_->reader.request())); }

void Session::Refuse(const Refusal& refusal) { Reply(PlainReply(refusal.status, refusal.text)); }

void Session::Reply(const HttpReply& reply) {
  const RequestReader& reader = exchange_->reader;
  const HttpRequest request = reader.request();
  keep_alive_ = reader.keep_alive();
  const Persistence kept = reader.http_1_0() ? Persistence::kKeepHttp10 : Persistence::kKeep;
  WriteReplyHead({.status = reply.status,
                  .content_type = reply.content_type,
                  .content_length = reply.body == nullptr ? 0 : reply.body->size(),
                  .date = context_.date.Now(),
                  .allowed = reader.allowed(),
                  .persistence = keep_alive_ ? kept : Persistence::kClose},
                 exchange_->head);
  exchange_->body = request.method == "HEAD" ? nullptr : reply.body;
  exchange_->sent = 0;
  TellOfReply(context_.options, request, reply.status);
  context_.deadlines.Enter(*this, Phase::kReply);
  Send();
}

std::array<asio::const_buffer, 2> Session::Unsent() const {
  asio::const_buffer head = asio::buffer(exchange_->head);
  asio::const_buffer body;
  if (exchange_->body != nullptr) body = asio::buffer(*exchange_->body);
  const std::size_t of_head = std::min(exchange_->sent, head.size());
  return {head + of_head, body + (exchange_->sent - of_head)};
}

void Session::Send() {
  for (auto unsent = Unsent(); asio::buffer_size(unsent) > 0; unsent = Unsent()) {
    error_code error;
    exchange_->sent += socket_.write_some(unsent, error);
    if (error == asio::error::would_block) return When(Socket::wait_write, &Session::Send);
    if (error) return Close();
  }
  EndExchange();
}

void Session::EndExchange() {
  if (keep_alive_ && !exchange_->reader.empty()) {
    exchange_->reader.Next();
    exchange_->body.reset();
    context_.deadlines.Enter(*this, Phase::kHead);
    // Other connections have their turn before the next of the requests that came together.
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      if (self->socket_.is_open()) self->Proceed();
    });
    return;
  }
  context_.exchanges.Put(std::move(exchange_));
  if (keep_alive_) return AwaitRequest();
  // Closing with unread bytes would reset the connection and could destroy the reply on its way.
  error_code error;
  socket_.shutdown(Socket::shutdown_send, error);
  if (error) return Close();
  context_.deadlines.Enter(*this, Phase::kHead);
  When(Socket::wait_read, &Session::Drain);
}

void Session::AwaitRequest() {
  context_.deadlines.Enter(*this, Phase::kIdle);
  When(Socket::wait_read, &Session::Read);
}

void Session::Drain() {
  std::array<char, kDrainBufferBytes> unwanted;
  error_code error;
  drained_ += socket_.read_some(asio::buffer(unwanted), error);
  const bool over = error && error != asio::error::would_block;
  if (over || drained_ > kMaxDrainedBytes) return Close();
  When(Socket::wait_read, &Session::Drain);
}

}  // namespace ascend
