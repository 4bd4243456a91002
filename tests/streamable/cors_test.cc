// The requests that web pages of an allowed origin may send, and the normal form of an origin.
#include "runtime/streamable/cors.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/streamable/http_world.h"

namespace snapgen::streamable {
namespace {

TEST(Origin, IsNormalizedToTheFormThatBrowsersSend) {
  const auto form = [](std::string_view text) {
    const Result<std::string> origin = parse_origin(text);
    return origin ? *origin : "?";
  };
  for (const char* same :
       {"https://example.org", "http://localhost:5173", "http://[::1]:8080", "https://a-b.xn--p1ai:444",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop", "http://example.org:443"})
    EXPECT_EQ(form(same), same);
  EXPECT_EQ(form("HTTPS://Example.ORG"), "https://example.org");
  EXPECT_EQ(form("https://example.org:443"), "https://example.org");
  EXPECT_EQ(form("http://example.org:80"), "http://example.org");
  EXPECT_EQ(form("https://example.org:08443"), "https://example.org:8443");
  EXPECT_EQ(form("http://[0:0::1]"), "http://[::1]");
  for (const char* wrong : {"",
                            "*",
                            "null",
                            "example.org",
                            "https://",
                            "https:///",
                            "https://example.org/",
                            "https://example.org/x",
                            "https://*.example.org",
                            "chrome-extension://*",
                            "https://user@example.org",
                            "https://example.org:",
                            "https://example.org:x",
                            "https://example.org:65536",
                            "https://ex ample.org",
                            "garbage \x07",
                            "://x",
                            "1://x",
                            "https://ex\xc3\xa4mple.org",
                            "http://[::1",
                            "http://[x]",
                            "http://[::1]x",
                            "https://example.org?x"})
    EXPECT_EQ(form(wrong), "?") << wrong;
}

TEST(Http, AnswersPagesOfAllowedOriginsOnly) {
  const std::string page = "Origin: https://app.example\r\n";
  const std::string asks = "Access-Control-Request-Method: POST\r\n";
  const std::string token = "0123456789abcdef";
  HttpWorld world({.access = {.token = token, .origins = {"https://app.example"}}});
  Peer peer = world.connect();
  const std::string leave = peer.send(
      request("OPTIONS",
              page + asks +
                  "Access-Control-Request-Headers: content-type,mcp-param-region, x-other,Mcp-Param-\"\r\n"));
  EXPECT_EQ(status_of(leave), 204) << "a preflight request has no token";
  EXPECT_EQ(field_of(leave, "Access-Control-Allow-Origin"), "https://app.example");
  EXPECT_EQ(field_of(leave, "Access-Control-Allow-Methods"), "POST, GET, DELETE");
  EXPECT_EQ(field_of(leave, "Access-Control-Allow-Headers"),
            "Content-Type, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID, Mcp-Method, "
            "Mcp-Name, "
            "mcp-param-region");
  EXPECT_EQ(field_of(leave, "Access-Control-Max-Age"), "7200");
  EXPECT_EQ(field_of(leave, "Vary"), "Origin");
  EXPECT_FALSE(has(leave, "Content-Length"));

  const std::string bearer = "Authorization: Bearer " + token + "\r\n";
  const std::string opened = peer.send(request("POST", page + bearer, initialize));
  EXPECT_EQ(status_of(opened), 200);
  EXPECT_EQ(field_of(opened, "Access-Control-Allow-Origin"), "https://app.example");
  EXPECT_EQ(field_of(opened, "Access-Control-Expose-Headers"), "Mcp-Session-Id");
  EXPECT_EQ(field_of(opened, "Vary"), "Origin");
  const std::string session = "Mcp-Session-Id: " + field_of(opened, "Mcp-Session-Id") + "\r\n";
  const std::string stream = peer.send(request("GET", page + bearer + session));
  EXPECT_EQ(field_of(stream, "Content-Type"), "text/event-stream");
  EXPECT_EQ(field_of(stream, "Access-Control-Allow-Origin"), "https://app.example");
  Peer other = world.connect();
  const std::string refused = other.send(request("GET", page));
  EXPECT_EQ(status_of(refused), 401);
  EXPECT_EQ(field_of(refused, "Access-Control-Allow-Origin"), "https://app.example")
      << "the page must be able to read the response";
  EXPECT_EQ(status_of(other.send(request("OPTIONS", page + bearer))), 405)
      << "OPTIONS without a requested method is not a preflight request";

  for (const std::string& fields : {std::string(), std::string("Origin: https://evil.example\r\n"),
                                    std::string("Origin: http://localhost\r\n"), page + page}) {
    const std::string answer = other.send(request("OPTIONS", fields + asks + bearer));
    EXPECT_GE(status_of(answer), 403) << fields;
    EXPECT_FALSE(has(answer, "Access-Control") || has(answer, "Vary")) << fields;
    EXPECT_FALSE(has(other.send(request("GET", fields + bearer)), "Access-Control")) << fields;
  }
  Peer rebound = world.connect();
  EXPECT_EQ(status_of(rebound.send("OPTIONS /mcp HTTP/1.1\r\nHost: evil.example\r\n" + page + asks + "\r\n")),
            403);
}

}  // namespace
}  // namespace snapgen::streamable
