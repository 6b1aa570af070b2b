// What clients get that break the rules: a clear answer, a closed connection, no harm to others.
#include <fmt/format.h>

#include <string>

#include "tests/http/http_fixture.h"

namespace ascend {
namespace {

// What the server says to `bytes`; it must then close the connection.
Reply Refused(RunningServer& server, const std::string& bytes) {
  Client client = server.Connect();
  client.Send(bytes);
  Reply reply = client.ReadReply();
  EXPECT_EQ(reply.field("connection"), "close") << bytes.substr(0, 60);
  client.EndSending();
  EXPECT_TRUE(client.SeesEnd()) << bytes.substr(0, 60);
  return reply;
}

class HttpRefusalTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(server_.Connect().Get("/metrics").body, "page\n"); }

  RunningServer server_;
};

TEST_F(HttpRefusalTest, OtherMethodsGet405) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", "X"}) {
    const Reply reply =
        Refused(server_, fmt::format("{} /metrics HTTP/1.1\r\nHost: test\r\n\r\n", method));
    EXPECT_EQ(reply.status_line, "HTTP/1.1 405 Method Not Allowed") << method;
    EXPECT_EQ(reply.field("allow"), "GET, HEAD") << method;
  }
}

TEST_F(HttpRefusalTest, APostGetsItsAnswerThoughItsBodyIsNotRead) {
  const std::string body(std::size_t{200} * 1024, 'p');
  const Reply reply =
      Refused(server_, fmt::format("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n{}",
                                   body.size(), body));
  EXPECT_EQ(reply.status, 405);
}

TEST_F(HttpRefusalTest, MalformedRequestsGet400) {
  const std::string cases[] = {
      "rubbish\r\n\r\n",
      "\r\n\r\n",
      "GET /metrics\r\n\r\n",
      "GET  /metrics HTTP/1.1\r\nHost: test\r\n\r\n",
      "GET /metrics HTTP/2.0\r\nHost: test\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "GET /metrics HTTP/1.1\r\nHost test\r\n\r\n",
      "GET /metrics HTTP/1.1\r\nHost: test\r\nContent-Length: x\r\n\r\n",
      "GET /metrics HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      std::string("\x16\x03\x01\x02\x00\x01\x00", 7),  // TLS spoken to the plain port
      std::string("GET /\0 HTTP/1.1\r\nHost: test\r\n\r\n", 30),
  };
  for (const std::string& bytes : cases) EXPECT_EQ(Refused(server_, bytes).status, 400) << bytes;
}

TEST_F(HttpRefusalTest, Http11WithoutOneHostGets400) {
  EXPECT_EQ(Refused(server_, "GET / HTTP/1.1\r\n\r\n").status, 400);
  EXPECT_EQ(Refused(server_, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").status, 400);
}

TEST_F(HttpRefusalTest, BadTargetsGet400) {
  for (const char* target : {"/%", "/%2", "/%zz", "/%+1", "/%00", "metrics", "*", "ftp://host/",
                             "http://", "http:///metrics", "http:/metrics"}) {
    const Reply reply =
        Refused(server_, fmt::format("GET {} HTTP/1.1\r\nHost: test\r\n\r\n", target));
    EXPECT_EQ(reply.status, 400) << target;
  }
}

TEST_F(HttpRefusalTest, OversizedHeadsGet431) {
  const std::string much(std::size_t{20} * 1024, 'x');
  const std::string cases[] = {
      "GET / HTTP/1.1\r\nHost: test\r\nX: " + much + "\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: test\r\nX: " + much,  // not even ended
      "GET /" + much + " HTTP/1.1\r\nHost: test\r\n\r\n",
      // No part above the limit, but together.
      "GET /" + much.substr(0, 10'000) + " HTTP/1.1\r\nHost: test\r\nX: " + much.substr(0, 10'000) +
          "\r\n\r\n",
  };
  for (const std::string& bytes : cases) {
    EXPECT_EQ(Refused(server_, bytes).status_line, "HTTP/1.1 431 Request Header Fields Too Large");
  }
}

TEST_F(HttpRefusalTest, AnOversizedBodyGets413) {
  EXPECT_EQ(
      Refused(server_, "GET / HTTP/1.1\r\nHost: test\r\nContent-Length: 65537\r\n\r\n").status,
      413);
}

TEST_F(HttpRefusalTest, RubbishBehindARequestIsRefusedAfterItsReply) {
  Client client = server_.Connect();
  client.Send("GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n\x01\x02 rubbish\r\n\r\n");
  EXPECT_EQ(client.ReadReply().body, "page\n");
  EXPECT_EQ(client.ReadReply().status, 400);
  client.EndSending();
  EXPECT_TRUE(client.SeesEnd());
}

TEST_F(HttpRefusalTest, NothingBehindARefusalIsAnswered) {
  Client client = server_.Connect();
  client.Send("POST / HTTP/1.1\r\nHost: test\r\n\r\nGET /metrics HTTP/1.1\r\nHost: test\r\n\r\n");
  EXPECT_EQ(client.ReadReply().status, 405);
  client.EndSending();
  EXPECT_TRUE(client.SeesEnd());
}

TEST_F(HttpRefusalTest, AClientThatNeverStopsSendingIsCutOff) {
  Client client = server_.Connect();
  client.Send("rubbish\r\n\r\n");
  const std::string more(std::size_t{64} * 1024, 'x');
  bool cut_off = false;
  for (int i = 0; i < 1000 && !cut_off; ++i) cut_off = !client.Send(more);
  EXPECT_TRUE(cut_off);
}

}  // namespace
}  // namespace ascend
