// The clients that an HTTP server accepts: host names, origins, tokens and listen addresses.
#include "runtime/streamable/guard.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "runtime/http/request_parser.h"
#include "runtime/streamable/stateless_reply.h"

namespace snapgen::streamable {
namespace {

int status(const AccessRules& access, std::string_view host, const std::string& fields = {}) {
  const http::RequestLimits limits;
  http::RequestParser parser(limits);
  parser.feed("GET /mcp HTTP/1.1\r\nHost: " + std::string(host) + "\r\n" + fields + "\r\n");
  EXPECT_EQ(parser.stage(), http::RequestParser::Stage::complete) << host << fields;
  const std::optional<http::Denial> denial = access_denial(parser.head(), access);
  return denial ? denial->status : 200;
}

TEST(Guard, AllowsHostNamesOfThisMachine) {
  for (const std::string_view host : {"localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]", "[::1]:80"})
    EXPECT_EQ(status({}, host), 200) << host;
}

TEST(Guard, RejectsOtherHostNames) {
  for (const std::string_view host :
       {"evil.example", "localhost.evil.example", "evil.localhost", "127.0.0.1.evil.example", "127.0.0.2",
        "0.0.0.0", "localhost:", "localhost:x", "localhost:123456", "localhost:80:80",
        "localhost@evil.example", "[::1", "[::1]x", "[::]", "::1", "localhost.", ""})
    EXPECT_EQ(status({}, host), 403) << host;
}

TEST(Guard, AllowsOnlyExactOrigins) {
  const auto of = [](const std::string& origin) {
    return status({.origins = {"https://app.example"}}, "localhost", "Origin: " + origin + "\r\n");
  };
  for (const char* origin : {"http://localhost", "http://localhost:6274", "https://127.0.0.1:1",
                             "http://[::1]:80", "https://app.example"})
    EXPECT_EQ(of(origin), 200) << origin;
  for (const char* origin :
       {"http://evil.example", "null", "", "http://localhost.evil.example", "http://evil.example:80",
        "localhost", "https://app.example:8443", "https://app.example.evil", "http://app.example",
        "https://app.example/", "chrome-extension://abc", "http://localhost/", "file://"})
    EXPECT_EQ(of(origin), 403) << origin;
  EXPECT_EQ(status({}, "localhost", "Origin: http://localhost\r\nOrigin: http://localhost\r\n"), 403);
}

TEST(Guard, RequiresTheToken) {
  const AccessRules access{.is_loopback_only = false, .token = "0123456789abcdef"};
  EXPECT_EQ(status(access, "any.example", "Authorization: Bearer 0123456789abcdef\r\n"), 200);
  EXPECT_EQ(status(access, "any.example", "authorization: bearer 0123456789abcdef\r\n"), 200);
  for (const char* fields :
       {"", "Authorization: Bearer 0123456789abcdee\r\n", "Authorization: Bearer 0123456789abcdef0\r\n",
        "Authorization: Bearer \r\n", "Authorization: Basic 0123456789abcdef\r\n",
        "Authorization: 0123456789abcdef\r\n",
        "Authorization: Bearer 0123456789abcdef\r\nAuthorization: Bearer 0123456789abcdef\r\n"})
    EXPECT_EQ(status(access, "any.example", fields), 401) << fields;
}

TEST(ListenAddress, GivesTheUrlOfTheEndpoint) {
  const auto place = [](std::string_view text) {
    Result<Address> address = parse_address(text);
    return address ? url_of(*address, "/mcp") : "?";
  };
  EXPECT_EQ(place("8080"), "http://127.0.0.1:8080/mcp");
  EXPECT_EQ(place("localhost:0"), "http://127.0.0.1:0/mcp");
  EXPECT_EQ(place("0.0.0.0:65535"), "http://0.0.0.0:65535/mcp");
  EXPECT_EQ(place("[::1]:80"), "http://[::1]:80/mcp");
  for (const std::string_view wrong : {"", ":", ":80", "65536", "-1", "80x", "x", "::1:80", "[]:80",
                                       "[127.0.0.1]:80", "localhost:", "[::1]", " 80"})
    EXPECT_EQ(place(wrong), "?") << wrong;
  EXPECT_EQ(
      parse_address("x:y").error().message,
      "\"x:y\" is not an address to listen on. Use [HOST:]PORT, such as 8080, 127.0.0.1:8080 or [::1]:8080.");
}

TEST(ListenAddress, OutsideLoopbackNeedsAToken) {
  const std::string secret = "0123456789abcdef";
  EXPECT_TRUE(access_rules_for({.host = "127.0.0.1"}, ""));
  EXPECT_TRUE(access_rules_for({.host = "127.0.0.1"}, secret)->is_loopback_only);
  EXPECT_FALSE(access_rules_for({.host = "0.0.0.0"}, ""));
  EXPECT_FALSE(access_rules_for({.host = "::"}, ""));
  EXPECT_FALSE(access_rules_for({.host = "0.0.0.0"}, "short"));
  Result<AccessRules> access = access_rules_for({.host = "0.0.0.0"}, secret);
  ASSERT_TRUE(access);
  EXPECT_FALSE(access->is_loopback_only);
  EXPECT_EQ(access->token, secret);
}

TEST(Field, MayBeEncodedAsBase64) {
  EXPECT_EQ(decoded_field_value("plain"), "plain");
  EXPECT_EQ(decoded_field_value("=?base64?aMOk?="), "h\xc3\xa4");
  EXPECT_EQ(decoded_field_value("=?base64?"
                                "?="),
            "");
  EXPECT_EQ(decoded_field_value("=?base64?aMO?="), std::nullopt);
  EXPECT_EQ(decoded_field_value("=?base64?a b=?="), std::nullopt);
  EXPECT_EQ(decoded_field_value("=?base64?="), "=?base64?=");
  EXPECT_EQ(decoded_field_value("=?BASE64?aMOk?="), "=?BASE64?aMOk?=");
}

}  // namespace
}  // namespace snapgen::streamable
