// The request parser: which requests it accepts, and that the result does not depend on how the bytes are
// divided.
#include "runtime/http/request_parser.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace snapgen::http {
namespace {

using Stage = RequestParser::Stage;

struct Outcome {
  Stage stage = Stage::head;
  int status = 0;  // The status of a rejected request.
  std::string method, target, host, body;
  bool is_persistent = false;
  std::string unread_bytes;
  bool operator==(const Outcome&) const = default;
};

// Parses `text` in pieces of `size` bytes.
Outcome parse(std::string_view text, std::size_t size, const RequestLimits& limits = {}) {
  RequestParser parser(limits);
  std::string held;
  const auto is_over = [&] { return parser.stage() == Stage::complete || parser.stage() == Stage::refused; };
  const auto feed = [&] {
    for (;;) {
      const Stage before = parser.stage();
      const std::size_t taken = parser.feed(held);
      held.erase(0, taken);
      if (is_over() || (taken == 0 && before == parser.stage())) return;
    }
  };
  while (!text.empty()) {
    held.append(text.substr(0, size));
    text.remove_prefix(std::min(size, text.size()));
    if (!is_over()) feed();
  }
  Outcome out;
  out.stage = parser.stage();
  if (out.stage == Stage::refused) {
    out.status = parser.error().status;
    EXPECT_FALSE(parser.error().sentence.empty());
    return out;
  }
  if (out.stage == Stage::head) return out;
  const RequestHead& head = parser.head();
  out.method = head.method;
  out.target = head.target;
  out.host = head.host;
  out.is_persistent = head.is_persistent;
  out.body = parser.body();
  out.unread_bytes = held;
  return out;
}

// Parses `text` in pieces of several sizes and expects the same outcome each time.
Outcome parse_all_ways(std::string_view text, const RequestLimits& limits = {}) {
  const Outcome whole = parse(text, text.size() + 1, limits);
  for (const std::size_t size : {1, 2, 3, 7, 64}) {
    const Outcome cut = parse(text, size, limits);
    EXPECT_EQ(cut.stage, whole.stage) << size << ": " << text;
    EXPECT_EQ(cut.status, whole.status) << size << ": " << text;
    EXPECT_EQ(cut, whole) << size << ": " << text;
  }
  return whole;
}

TEST(RequestParser, ReadsRequestsWithoutBodies) {
  const Outcome out =
      parse_all_ways("GET /mcp?x=1 HTTP/1.1\r\nHost: localhost:80\r\nA:\t b c \t\r\n\r\nGET /next");
  EXPECT_EQ(out, (Outcome{.stage = Stage::complete,
                          .method = "GET",
                          .target = "/mcp?x=1",
                          .host = "localhost:80",
                          .is_persistent = true,
                          .unread_bytes = "GET /next"}));
}

TEST(RequestParser, ReadsBodiesWithAContentLength) {
  const Outcome out =
      parse_all_ways("POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 5\r\n\r\nhelloPOST / HTTP/1.1");
  EXPECT_EQ(out.stage, Stage::complete);
  EXPECT_EQ(out.body, "hello");
  EXPECT_EQ(out.unread_bytes, "POST / HTTP/1.1");
}

TEST(RequestParser, ReadsChunkedBodies) {
  const Outcome out = parse_all_ways(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "5\r\nhello\r\nA;ext=1\r\n, world..!\r\n0\r\nTrailer: x\r\n\r\nrest");
  EXPECT_EQ(out.stage, Stage::complete);
  EXPECT_EQ(out.body, "hello, world..!");
  EXPECT_EQ(out.unread_bytes, "rest");
}

TEST(RequestParser, ShowsTheHeadBeforeTheBodyArrives) {
  const RequestLimits limits;
  RequestParser parser(limits);
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
  EXPECT_EQ(parser.feed(head), head.size());
  EXPECT_EQ(parser.stage(), Stage::body);
  EXPECT_TRUE(parser.head().expects_continue);
  EXPECT_EQ(parser.feed("abcd"), 3U);
  EXPECT_EQ(parser.stage(), Stage::complete);
}

TEST(RequestParser, LeavesBytesAfterAnUpgradeUnread) {
  const std::string head =
      "GET /bridge HTTP/1.1\r\nHost: 127.0.0.1:1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: "
      "websocket\r\n\r\n";
  const RequestLimits limits;
  RequestParser parser(limits);
  EXPECT_EQ(parser.feed(head + "\x81\x85"), head.size());
  EXPECT_EQ(parser.stage(), Stage::complete);
  EXPECT_TRUE(parser.head().upgrades_to("websocket"));
  EXPECT_FALSE(parser.head().upgrades_to("h2c"));
  EXPECT_FALSE(parser.head().has_list_item("Connection", "Up"));
}

TEST(RequestParser, DeterminesWhetherAConnectionIsKeptAlive) {
  const auto kept = [](std::string_view line, std::string_view field) {
    return parse_all_ways(std::string(line) + "\r\nHost: a\r\n" + std::string(field) + "\r\n").is_persistent;
  };
  EXPECT_TRUE(kept("GET / HTTP/1.1", ""));
  EXPECT_FALSE(kept("GET / HTTP/1.1", "Connection: x, Close\r\n"));
  EXPECT_FALSE(kept("GET / HTTP/1.0", ""));
  EXPECT_TRUE(kept("GET / HTTP/1.0", "Connection: Keep-Alive\r\n"));
}

TEST(RequestParser, AcceptsAnAbsoluteTargetOfTheSameHost) {
  EXPECT_EQ(parse_all_ways("GET http://A:1/x?y HTTP/1.1\r\nHost: a:1\r\n\r\n").target, "/x?y");
  EXPECT_EQ(parse_all_ways("GET HTTP://a HTTP/1.1\r\nHost: a\r\n\r\n").target, "/");
  EXPECT_EQ(parse_all_ways("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n").status, 400);
}

TEST(RequestParser, SkipsEmptyLinesBeforeARequest) {
  EXPECT_EQ(parse_all_ways("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").stage, Stage::complete);
}

TEST(RequestParser, WaitsForTheRestOfAHead) {
  for (const std::string_view text :
       {"", "\r", "G", "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r"})
    EXPECT_EQ(parse_all_ways(text).stage, Stage::head) << text;
  for (const std::string_view text :
       {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxx\r\n0\r\n"})
    EXPECT_EQ(parse_all_ways(text).stage, Stage::body) << text;
}

struct Bad {
  int status;
  std::string head;  // without the empty line at the end, which the test adds to every request
};

TEST(RequestParser, RejectsAmbiguousRequests) {
  using namespace std::string_literals;
  const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n";
  const std::string post = "POST / HTTP/1.1\r\nHost: a\r\n";
  const std::vector<Bad> cases = {
      // Invalid Host fields
      {400, "GET / HTTP/1.1\r\n"},
      {400, get + "Host: a\r\n"},
      {400, get + "host: b\r\n"},
      // Invalid lines
      {400, "GET / HTTP/1.1\nHost: a\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a\n"},
      {400, "GET / HTTP/1.1\r\nHost: a\rb\r\n"},
      {400, get + "X: a\r\n b\r\n"},
      {400, get + "X: a\r\n\tb\r\n"},
      {400, "GET / HTTP/1.1\r\n Host: a\r\n"},
      {400, get + "X: a\0b\r\n"s},
      {400, get + "X: a\x01\r\n"},
      {400, get + "X: a\x7f\r\n"},
      // Invalid field names
      {400, get + "Key : x\r\n"},
      {400, get + "Key\t: x\r\n"},
      {400, get + ": x\r\n"},
      {400, get + "Key\r\n"},
      {400, get + "K(y: x\r\n"},
      {400, get + "K\xc3\xa4y: x\r\n"},
      // Invalid request lines
      {400, "GET  / HTTP/1.1\r\nHost: a\r\n"},
      {400, "GET /a b HTTP/1.1\r\nHost: a\r\n"},
      {400, "GET /\tHTTP/1.1\r\nHost: a\r\n"},
      {400, "GET /\r\nHost: a\r\n"},
      {400, "G(T / HTTP/1.1\r\nHost: a\r\n"},
      {400, "GET x HTTP/1.1\r\nHost: a\r\n"},
      {400, "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n"},
      {400, "OPTIONS * HTTP/1.1\r\nHost: a\r\n"},
      {400, "GET / http/1.1\r\nHost: a\r\n"},
      {505, "GET / HTTP/2.0\r\nHost: a\r\n"},
      {505, "GET / HTTP/1.2\r\nHost: a\r\n"},
      {400, "\x16\x03\x01\x02"},
      // Invalid lengths
      {400, post + "Content-Length: 5\r\nContent-Length: 5\r\n"},
      {400, post + "Content-Length: 5, 5\r\n"},
      {400, post + "Content-Length: 5\r\nContent-Length: 6\r\n"},
      {400, post + "Content-Length: +5\r\n"},
      {400, post + "Content-Length: -5\r\n"},
      {400, post + "Content-Length: 0x5\r\n"},
      {400, post + "Content-Length: 5 5\r\n"},
      {400, post + "Content-Length:\r\n"},
      {400, post + "Content-Length: 18446744073709551616\r\n"},
      {400, post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"},
      {400, post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"},
      {400, post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"},
      {400, "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"},
      {501, post + "Transfer-Encoding: gzip, chunked\r\n"},
      {501, post + "Transfer-Encoding: chunked, identity\r\n"},
      {501, post + "Transfer-Encoding: identity\r\n"},
      {501, post + "Transfer-Encoding: \"chunked\"\r\n"},
      {501, post + "Transfer-Encoding: xchunked\r\n"},
      {417, post + "Expect: 200-ok\r\n"},
  };
  for (const Bad& bad : cases) {
    const Outcome out = parse_all_ways(bad.head + "\r\n");
    EXPECT_EQ(out.stage, Stage::refused) << bad.head;
    EXPECT_EQ(out.status, bad.status) << bad.head;
  }
}

TEST(RequestParser, RejectsAmbiguousChunks) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string_view body :
       {"x\r\na\r\n", "-1\r\na\r\n", "0x1\r\na\r\n\r\n", "1\na\r\n", "1\r\nab\r\n0\r\n\r\n",
        "1\r\na\n0\r\n\r\n", "1x\r\na\r\n", "0 1\r\n\r\n", "+1\r\na\r\n", "\r\na\r\n",
        "11111111111111111\r\na", "1;\x01\r\na\r\n", " 1\r\na\r\n", "1;a=\"\r\n\"\r\na\r\n"}) {
    const Outcome out = parse_all_ways(head + std::string(body));
    EXPECT_EQ(out.stage, Stage::refused) << body;
  }
}

TEST(RequestParser, EnforcesItsLimits) {
  const RequestLimits limits{.head_bytes_max = 200, .fields_max = 5, .body_bytes_max = 10};
  const std::string post = "POST / HTTP/1.1\r\nHost: a\r\n";
  const auto status = [&](const std::string& text) { return parse_all_ways(text, limits).status; };
  EXPECT_EQ(status(post + "X: " + std::string(300, 'x') + "\r\n\r\n"), 431);
  EXPECT_EQ(status("GET /" + std::string(300, 'x')), 431) << "the request line is rejected before its end";
  EXPECT_EQ(status(post + "A: 1\r\nA: 2\r\nA: 3\r\nA: 4\r\nA: 5\r\n\r\n"), 431);
  EXPECT_EQ(status(post + "A: 1\r\nA: 2\r\nA: 3\r\nA: 4\r\n\r\n"), 0);
  EXPECT_EQ(status(post + "Content-Length: 11\r\n\r\n"), 413) << "the body is rejected before it arrives";
  EXPECT_EQ(parse_all_ways(post + "Content-Length: 10\r\n\r\n0123456789", limits).body, "0123456789");
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(status(chunked + "6\r\n012345\r\n6\r\n012345\r\n"), 413);
  EXPECT_EQ(status(chunked + "FFFFFFF\r\n01234567890123456"), 413);
  EXPECT_EQ(status(chunked + "1;" + std::string(300, 'x')), 400) << "a chunk line without an end";
  EXPECT_EQ(status(chunked + "0\r\nA: " + std::string(300, 'x')), 431) << "trailers without an end";
}

TEST(RequestHead, FindsFieldsInAnyCase) {
  const RequestLimits limits;
  RequestParser parser(limits);
  parser.feed("GET /a/b?c HTTP/1.1\r\nHost: a\r\nX-Y: 1\r\nx-y: 2\r\nEmpty:\r\n\r\n");
  const RequestHead& head = parser.head();
  EXPECT_EQ(head.path(), "/a/b");
  EXPECT_EQ(head.field("x-Y"), "1");
  EXPECT_EQ(head.field_count("X-y"), 2U);
  EXPECT_EQ(head.field_count("empty"), 1U);
  EXPECT_EQ(head.field("empty"), "");
  EXPECT_EQ(head.field_count("none"), 0U);
}

}  // namespace
}  // namespace snapgen::http
