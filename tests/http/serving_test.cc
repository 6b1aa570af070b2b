// What a well-behaved client gets.
#include <fmt/format.h>

#include <array>
#include <ctime>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/http/http_fixture.h"

namespace ascend {
namespace {

constexpr std::size_t kMiB = std::size_t{1024} * 1024;

// Bytes of every value, without a short period.
std::string ManyBytes(std::size_t size) {
  std::string bytes(size, '\0');
  unsigned state = 1;
  for (char& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>(state >> 24U);
  }
  return bytes;
}

TEST(HttpServingTest, AnswersAGetWithPageAndHead) {
  RunningServer server;
  Client client = server.Connect();
  const Reply reply = client.Get("/metrics");
  EXPECT_EQ(reply.status_line, "HTTP/1.1 200 OK");
  EXPECT_EQ(reply.body, "page\n");
  EXPECT_EQ(reply.field("content-length"), "5");
  EXPECT_EQ(reply.field("content-type"), "text/plain; charset=utf-8");
  EXPECT_EQ(reply.field("x-content-type-options"), "nosniff");
  EXPECT_EQ(reply.fields.count("connection"), 0U);
}

TEST(HttpServingTest, DatesItsReplies) {
  RunningServer server;
  const std::time_t before = std::time(nullptr);
  const std::string date = server.Connect().Get("/metrics").field("date");
  std::tm parsed{};
  const char* const end = strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parsed);
  ASSERT_NE(end, nullptr) << date;
  EXPECT_EQ(*end, '\0') << date;
  const std::time_t said = timegm(&parsed);
  EXPECT_GE(said, before);
  EXPECT_LE(said, std::time(nullptr));
}

TEST(HttpServingTest, PassesOnStatusAndTypeOfTheHandler) {
  HttpOptions options = RunningServer::Options();
  options.handler = [](const HttpRequest&) {
    HttpReply reply = TextReply("{}", 503);
    reply.content_type = "application/json";
    return reply;
  };
  RunningServer server(std::move(options));
  const Reply reply = server.Connect().Get("/");
  EXPECT_EQ(reply.status_line, "HTTP/1.1 503 Service Unavailable");
  EXPECT_EQ(reply.field("content-type"), "application/json");
  EXPECT_EQ(reply.body, "{}");
}

TEST(HttpServingTest, AnswersHeadWithTheLengthAndNoBody) {
  RunningServer server;
  Client client = server.Connect();
  client.Send("HEAD /metrics HTTP/1.1\r\nHost: test\r\n\r\n");
  const Reply reply = client.ReadReply(false);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.field("content-length"), "5");
  EXPECT_EQ(client.Get("/echo").body, "/echo|");  // a body would have come before it
}

TEST(HttpServingTest, TakesANullBodyForAnEmptyPage) {
  HttpOptions options = RunningServer::Options();
  options.handler = [](const HttpRequest&) { return HttpReply{}; };
  RunningServer server(std::move(options));
  Client client = server.Connect();
  for (int i = 0; i < 2; ++i) {
    const Reply reply = client.Get("/");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.field("content-length"), "0");
  }
}

TEST(HttpServingTest, KeepsTheConnectionOfHttp11) {
  RunningServer server;
  Client client = server.Connect();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(client.Get("/metrics").body, "page\n") << i;
  EXPECT_EQ(server->connections(), 1U);
}

TEST(HttpServingTest, ClosesWhenAskedTo) {
  RunningServer server;
  Client client = server.Connect();
  const Reply reply = client.Get("/metrics", "Connection: close\r\n");
  EXPECT_EQ(reply.body, "page\n");
  EXPECT_EQ(reply.field("connection"), "close");
  EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpServingTest, ClosesAfterHttp10) {
  RunningServer server;
  Client client = server.Connect();
  client.Send("GET /metrics HTTP/1.0\r\n\r\n");
  const Reply reply = client.ReadReply();
  EXPECT_EQ(reply.body, "page\n");
  EXPECT_EQ(reply.field("connection"), "close");
  EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpServingTest, KeepsHttp10ThatAsksForIt) {
  RunningServer server;
  Client client = server.Connect();
  for (int i = 0; i < 2; ++i) {
    client.Send("GET /metrics HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const Reply reply = client.ReadReply();
    EXPECT_EQ(reply.body, "page\n");
    EXPECT_EQ(reply.field("connection"), "keep-alive");
  }
}

TEST(HttpServingTest, AnswersAClientThatSendsNothingMore) {
  RunningServer server;
  Client client = server.Connect();
  client.Send("GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n");
  client.EndSending();
  EXPECT_EQ(client.ReadReply().body, "page\n");
  EXPECT_TRUE(client.SeesEnd());
}

TEST(HttpServingTest, AnswersPipelinedRequestsInOrder) {
  RunningServer server;
  Client client = server.Connect();
  constexpr int kRequests = 500;
  std::string requests;
  for (int i = 0; i < kRequests; ++i) {
    requests += fmt::format("GET /echo{} HTTP/1.1\r\nHost: test\r\n\r\n", i);
  }
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < kRequests; ++i) {
    ASSERT_EQ(client.ReadReply().body, fmt::format("/echo{}|", i));
  }
}

TEST(HttpServingTest, TakesARequestThatComesByteByByte) {
  RunningServer server;
  Client client = server.Connect();
  const std::string request = "GET /echo?a HTTP/1.1\r\nHost: test\r\nX: y\r\n\r\n";
  for (const char byte : request) ASSERT_TRUE(client.Send(std::string_view(&byte, 1)));
  EXPECT_EQ(client.ReadReply().body, "/echo|a");
}

TEST(HttpServingTest, TakesALongHeadBelowTheLimit) {
  RunningServer server;
  constexpr std::size_t kLongButAllowed = std::size_t{15} * 1024;
  const std::string field = "X: " + std::string(kLongButAllowed, 'x') + "\r\n";
  Client client = server.Connect();
  EXPECT_EQ(client.Get("/metrics", field).status, 200);
  EXPECT_EQ(client.Get("/metrics", field).status, 200);
}

TEST(HttpServingTest, IgnoresTheBodyOfAGet) {
  RunningServer server;
  Client client = server.Connect();
  const std::string body(std::size_t{60} * 1024, 'b');
  client.Send(fmt::format("GET /metrics HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n{}",
                          body.size(), body));
  EXPECT_EQ(client.ReadReply().body, "page\n");
  EXPECT_EQ(client.Get("/echo").body, "/echo|");
}

TEST(HttpServingTest, DoesNotWaitForABodyThatIsHeldBack) {
  RunningServer server;
  for (const char* field :
       {"Content-Length: 9\r\nExpect: 100-continue\r\n", "Transfer-Encoding: chunked\r\n"}) {
    Client client = server.Connect();
    const Reply reply = client.Get("/metrics", field);
    EXPECT_EQ(reply.body, "page\n");
    EXPECT_EQ(reply.field("connection"), "close");
    client.EndSending();
    EXPECT_TRUE(client.SeesEnd());
  }
}

TEST(HttpServingTest, TakesTargetsApart) {
  RunningServer server;
  Client client = server.Connect();
  const std::pair<const char*, const char*> cases[] = {
      {"/echo", "/echo|"},
      {"/echo?", "/echo|"},
      {"/echo?a=1&b=%20?", "/echo|a=1&b=%20?"},
      {"/echo/%61%2Fb+c", "/echo/a/b+c|"},
      {"/%65cho%3Fx", "/echo?x|"},
      {"http://host:1/echo?q", "/echo|q"},
      {"HTTP://host/echo", "/echo|"},
      {"https://host", "/|"},
      {"http://host?q", "/|q"},
  };
  for (const auto& [target, seen] : cases) EXPECT_EQ(client.Get(target).body, seen) << target;
}

TEST(HttpServingTest, DeliversAMebibyteByteForByte) {
  const auto page = std::make_shared<const std::string>(ManyBytes(kMiB));
  HttpOptions options = RunningServer::Options();
  options.handler = [page](const HttpRequest&) { return HttpReply{.body = page}; };
  RunningServer server(std::move(options));
  Client client = server.Connect();
  for (int i = 0; i < 3; ++i) {
    const Reply reply = client.Get("/");
    ASSERT_EQ(reply.body.size(), kMiB);
    EXPECT_TRUE(reply.body == *page);
  }
}

TEST(HttpServingTest, AnswersManyScrapersAtOnce) {
  const auto page = std::make_shared<const std::string>(ManyBytes(120'000));
  HttpOptions options = RunningServer::Options();
  options.handler = [page](const HttpRequest&) { return HttpReply{.body = page}; };
  RunningServer server(std::move(options));
  std::vector<std::thread> scrapers;
  std::array<int, 4> complete{};
  scrapers.reserve(complete.size());
  for (int& count : complete) {
    scrapers.emplace_back([&] {
      Client client = server.Connect();
      for (int i = 0; i < 50; ++i) count += client.Get("/").body == *page ? 1 : 0;
    });
  }
  for (std::thread& scraper : scrapers) scraper.join();
  for (const int count : complete) EXPECT_EQ(count, 50);
}

TEST(HttpServingTest, TurnsAnExceptionOfTheHandlerInto500) {
  HttpOptions options = RunningServer::Options();
  options.handler = [](const HttpRequest& request) -> HttpReply {
    if (request.path == "/bad") throw std::runtime_error("secret");
    return TestPages(request);
  };
  RunningServer server(std::move(options));
  Client client = server.Connect();
  const Reply reply = client.Get("/bad");
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(reply.body, "internal error\n");
  EXPECT_EQ(client.Get("/metrics").body, "page\n");
}

TEST(HttpServingTest, TellsOfEachReplyAndSurvivesTheListener) {
  std::mutex mutex;
  std::vector<std::string> told;
  HttpOptions options = RunningServer::Options();
  options.on_reply = [&](const HttpRequest& request, unsigned status) {
    const std::lock_guard lock(mutex);
    told.push_back(
        fmt::format("{} {} {}", std::string(request.method), std::string(request.path), status));
    throw std::runtime_error("not your business");
  };
  RunningServer server(std::move(options));
  Client client = server.Connect();
  client.Get("/metrics");
  client.Get("/nothing");
  client.Send("rubbish\r\n\r\n");
  EXPECT_EQ(client.ReadReply().status, 400);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(told, (std::vector<std::string>{"GET /metrics 200", "GET /nothing 404", "  400"}));
}

}  // namespace
}  // namespace ascend
