// POST, which only the paths that the options list take.
#include <fmt/format.h>

#include <atomic>
#include <string>
#include <string_view>

#include "tests/http/http_fixture.h"

namespace ascend {
namespace {

constexpr std::size_t kMostBody = 4096;

std::string Post(std::string_view path, std::size_t body_bytes, std::string_view more = "") {
  return fmt::format("POST {} HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n{}\r\n{}", path,
                     body_bytes, more, std::string(body_bytes, 'b'));
}

class HttpPostTest : public testing::Test {
 protected:
  Reply Answer(const std::string& bytes) {
    Client client = server_.Connect();
    client.Send(bytes);
    return client.ReadReply();
  }

  std::atomic<int> actions_ = 0;  // how often the handler saw a POST
  RunningServer server_{Options()};

 private:
  HttpOptions Options() {
    HttpOptions options = RunningServer::Options();
    options.post_paths = {"/-/act", "/-/act more"};
    options.handler = [this](const HttpRequest& request) {
      if (request.method != "POST") return TestPages(request);
      ++actions_;
      return TextReply(fmt::format("{} done|{}", request.path, request.query));
    };
    return options;
  }
};

TEST_F(HttpPostTest, ReachesTheHandlerWithoutABody) {
  for (const char* fields : {"", "Content-Length: 0\r\n"}) {
    const Reply reply =
        Answer(fmt::format("POST /-/act?for=5m HTTP/1.1\r\nHost: test\r\n{}\r\n", fields));
    EXPECT_EQ(reply.status, 200) << fields;
    EXPECT_EQ(reply.body, "/-/act done|for=5m") << fields;
  }
}

TEST_F(HttpPostTest, APathIsComparedDecoded) {
  EXPECT_EQ(Answer(Post("/-/act%20more", 0)).body, "/-/act more done|");
}

TEST_F(HttpPostTest, ASmallBodyIsReadAndThrownAway) {
  Client client = server_.Connect();
  client.Send(Post("/-/act", kMostBody) + Post("/-/act", 1));
  EXPECT_EQ(client.ReadReply().status, 200);
  EXPECT_EQ(client.ReadReply().status, 200);
  EXPECT_EQ(client.Get("/metrics").body, "page\n");  // nothing of a body is left in front of it
  EXPECT_EQ(actions_, 2);
}

TEST_F(HttpPostTest, NothingIsDoneBeforeTheWholeBodyCame) {
  const std::string request = Post("/-/act", 100);
  Client client = server_.Connect();
  client.Send(request.substr(0, request.size() - 1));
  EXPECT_EQ(Answer("GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n").status, 200);
  EXPECT_EQ(actions_, 0);
  client.Send("b");
  EXPECT_EQ(client.ReadReply().status, 200);
  EXPECT_EQ(actions_, 1);
}

TEST_F(HttpPostTest, ALargerBodyGets413) {
  const Reply reply = Answer(Post("/-/act", kMostBody + 1));
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(reply.field("connection"), "close");
  EXPECT_EQ(actions_, 0);
}

TEST_F(HttpPostTest, AChunkedBodyGets411) {
  const Reply reply = Answer(
      "POST /-/act HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: "
      "chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n");
  EXPECT_EQ(reply.status_line, "HTTP/1.1 411 Length Required");
  EXPECT_EQ(reply.field("connection"), "close");
  EXPECT_EQ(actions_, 0);
}

TEST_F(HttpPostTest, AClientThatWaitsToSendItsBodyIsAnsweredWithoutIt) {
  const Reply reply = Answer(
      "POST /-/act HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.field("connection"), "close");
}

TEST_F(HttpPostTest, OtherMethodsOnItsPathsGet405ThatAllowsPost) {
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "post"}) {
    Client client = server_.Connect();
    client.Send(fmt::format("{} /-/act HTTP/1.1\r\nHost: test\r\n\r\n", method));
    const Reply reply = client.ReadReply(std::string_view(method) != "HEAD");
    EXPECT_EQ(reply.status, 405) << method;
    EXPECT_EQ(reply.field("allow"), "POST") << method;
  }
  EXPECT_EQ(actions_, 0);
}

TEST_F(HttpPostTest, OnOtherPathsItGets405ThatAllowsGet) {
  for (const char* path : {"/metrics", "/", "/-/act/", "/-/ACT", "/%", "*"}) {
    const Reply reply = Answer(Post(path, 0));
    EXPECT_EQ(reply.status, 405) << path;
    EXPECT_EQ(reply.field("allow"), "GET, HEAD") << path;
  }
  EXPECT_EQ(actions_, 0);
}

TEST_F(HttpPostTest, ABrokenRequestDoesNothing) {
  EXPECT_EQ(Answer("POST /-/act HTTP/1.1\r\n\r\n").status, 400);  // no Host
  EXPECT_EQ(Answer(Post("/-/act", 0, "X: " + std::string(20'000, 'x') + "\r\n")).status, 431);
  EXPECT_EQ(actions_, 0);
}

}  // namespace
}  // namespace ascend
