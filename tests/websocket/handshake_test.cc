#include "runtime/websocket/handshake.h"

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/http/request_parser.h"
#include "runtime/websocket/accept.h"

namespace snapgen::websocket {
namespace {

const HandshakeRules plain;

HandshakeRules speaking(std::vector<std::string> protocols) { return {.protocols = std::move(protocols)}; }

struct HeadLine {
  std::string_view name;   // The name of a field; empty: the request line.
  std::string_view value;  // Empty: the field is omitted.
};

// Returns a valid request with these lines changed. A name that begins with `+` adds a field.
std::string request(const std::vector<HeadLine>& changes) {
  std::vector<std::pair<std::string, std::string>> lines = {{"", "GET /chat HTTP/1.1"},
                                                            {"Host", "localhost:8765"},
                                                            {"Upgrade", "websocket"},
                                                            {"Connection", "Upgrade"},
                                                            {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="},
                                                            {"Sec-WebSocket-Version", "13"}};
  for (const HeadLine& change : changes) {
    if (change.name.starts_with('+')) {
      lines.emplace_back(change.name.substr(1), change.value);
      continue;
    }
    bool found = false;
    for (auto& [name, value] : lines)
      if (name == change.name) {
        value = change.value;
        found = true;
      }
    if (!found) lines.emplace_back(change.name, change.value);
  }
  std::string out;
  for (const auto& [name, value] : lines) {
    if (value.empty()) continue;
    out += name.empty() ? value + "\r\n" : name + ": " + value + "\r\n";
  }
  return out + "\r\n";
}

// Status 0: the parser rejected the head.
HandshakeResponse answer(const std::vector<HeadLine>& changes, const HandshakeRules& rules) {
  const http::RequestLimits limits;
  http::RequestParser parser(limits);
  static_cast<void>(parser.feed(request(changes)));
  if (parser.stage() == http::RequestParser::Stage::refused) return {.status = parser.error().status};
  if (parser.stage() == http::RequestParser::Stage::head) return {.status = 0};
  return handshake_response(parser.head(), rules);
}

struct Expected {
  const char* name;
  std::vector<HeadLine> changes;
  int status;
};

class Requests : public testing::TestWithParam<Expected> {};

TEST_P(Requests, GetTheExpectedStatus) {
  const HandshakeResponse given = answer(GetParam().changes, plain);
  EXPECT_EQ(given.status, GetParam().status) << given.body;
  if (given.status >= 400 && !given.fields.empty()) {
    EXPECT_TRUE(given.body.ends_with('.')) << "the reason must be a sentence";
    EXPECT_NE(given.fields.find("Content-Type: text/plain\r\n"), std::string::npos);
  }
}

const std::vector<Expected> requests = {
    {"the_plain_one", {}, 101},
    {"the_method_is_post", {{"", "POST /chat HTTP/1.1"}}, 405},
    {"the_method_is_head", {{"", "HEAD /chat HTTP/1.1"}}, 405},
    {"the_method_is_options", {{"", "OPTIONS /chat HTTP/1.1"}}, 405},
    {"the_method_is_in_lower_case", {{"", "get /chat HTTP/1.1"}}, 405},
    {"http_1_0", {{"", "GET /chat HTTP/1.0"}}, 505},
    {"http_2_0", {{"", "GET /chat HTTP/2.0"}}, 505},
    {"no_http_at_all", {{"", "GET /chat"}}, 400},
    {"an_absolute_target", {{"", "GET http://localhost:8765/chat HTTP/1.1"}}, 101},
    {"a_target_with_a_query", {{"", "GET /chat?x=1 HTTP/1.1"}}, 101},
    {"no_host", {{"Host", ""}}, 400},
    {"two_hosts", {{"+Host", "localhost:8765"}}, 400},
    {"host_127_0_0_1", {{"Host", "127.0.0.1:8765"}}, 101},
    {"host_ipv6", {{"Host", "[::1]:8765"}}, 101},
    {"host_ipv6_without_a_port", {{"Host", "[::1]"}}, 101},
    {"host_in_capitals", {{"Host", "LocalHost:8765"}}, 101},
    {"host_of_a_stranger", {{"Host", "evil.example:8765"}}, 403},
    {"host_that_begins_like_ours", {{"Host", "localhost.evil.example"}}, 403},
    {"host_that_ends_like_ours", {{"Host", "evil-localhost"}}, 403},
    {"host_0_0_0_0", {{"Host", "0.0.0.0:8765"}}, 403},
    {"upgrade_is_missing", {{"Upgrade", ""}}, 426},
    {"upgrade_to_something_else", {{"Upgrade", "h2c"}}, 426},
    {"upgrade_to_a_longer_word", {{"Upgrade", "websockets"}}, 426},
    {"upgrade_in_capitals", {{"Upgrade", "WebSocket"}}, 101},
    {"upgrade_to_several", {{"Upgrade", "h2c, websocket"}}, 101},
    {"connection_is_missing", {{"Connection", ""}}, 426},
    {"connection_without_upgrade", {{"Connection", "keep-alive"}}, 426},
    {"connection_with_more", {{"Connection", "keep-alive, Upgrade"}}, 101},
    {"connection_in_lower_case", {{"Connection", "upgrade"}}, 101},
    {"connection_in_two_fields", {{"Connection", "keep-alive"}, {"+Connection", "Upgrade"}}, 101},
    {"version_is_missing", {{"Sec-WebSocket-Version", ""}}, 426},
    {"version_8", {{"Sec-WebSocket-Version", "8"}}, 426},
    {"version_14", {{"Sec-WebSocket-Version", "14"}}, 426},
    {"version_013", {{"Sec-WebSocket-Version", "013"}}, 426},
    {"version_13_and_more", {{"Sec-WebSocket-Version", "13, 8"}}, 426},
    {"version_twice", {{"+Sec-WebSocket-Version", "13"}}, 426},
    {"version_is_no_number", {{"Sec-WebSocket-Version", "x"}}, 426},
    {"key_is_missing", {{"Sec-WebSocket-Key", ""}}, 400},
    {"key_twice", {{"+Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}}, 400},
    {"key_of_15_bytes", {{"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j"}}, 400},
    {"key_of_17_bytes", {{"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZSE="}}, 400},
    {"key_without_padding", {{"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ"}}, 400},
    {"key_that_is_no_base64", {{"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZ!=="}}, 400},
    {"key_with_a_blank", {{"Sec-WebSocket-Key", "dGhlIHNhbXBs ZSBub25jZQ=="}}, 400},
    {"key_that_says_more_than_16_bytes", {{"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR=="}}, 400},
    {"a_body", {{"Content-Length", "5"}}, 400},
    {"an_empty_body", {{"Content-Length", "0"}}, 101},
    {"a_chunked_body", {{"Transfer-Encoding", "chunked"}}, 400},
    {"an_origin", {{"Origin", "https://example.org"}}, 403},
    {"an_origin_that_is_null", {{"Origin", "null"}}, 403},
    {"an_origin_of_an_extension", {{"Origin", "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh"}}, 403},
    {"two_origins", {{"+Origin", "https://a.example"}, {"+Origin", "https://b.example"}}, 400},
    {"a_protocol_nobody_asked_for", {{"Sec-WebSocket-Protocol", "chat"}}, 101},
    {"an_empty_protocol", {{"Sec-WebSocket-Protocol", ","}}, 400},
    {"a_protocol_that_is_no_token", {{"Sec-WebSocket-Protocol", "a b"}}, 400},
    {"a_protocol_in_quotes", {{"Sec-WebSocket-Protocol", "\"a\""}}, 400},
    {"a_protocol_twice", {{"Sec-WebSocket-Protocol", "a, b, a"}}, 400},
    {"a_protocol_in_two_fields", {{"+Sec-WebSocket-Protocol", "a"}, {"+Sec-WebSocket-Protocol", "a"}}, 400},
    {"extensions_nobody_knows", {{"Sec-WebSocket-Extensions", "foo; bar=1, x; y=\"z\""}}, 101},
    {"extensions_without_a_name", {{"Sec-WebSocket-Extensions", "; a"}}, 400},
    {"extensions_with_an_open_quote", {{"Sec-WebSocket-Extensions", "a; b=\"c"}}, 400},
    {"extensions_with_a_blank_in_quotes", {{"Sec-WebSocket-Extensions", "a; b=\"c d\""}}, 400},
    {"extensions_with_an_empty_value", {{"Sec-WebSocket-Extensions", "a; b="}}, 400},
    {"extensions_with_an_empty_parameter", {{"Sec-WebSocket-Extensions", "a;"}}, 400},
    {"extensions_with_two_words", {{"Sec-WebSocket-Extensions", "a b"}}, 400},
    {"extensions_with_empty_elements", {{"Sec-WebSocket-Extensions", ", a,, b"}}, 101},
    {"extensions_of_commas_alone", {{"Sec-WebSocket-Extensions", ",,"}}, 400},
};

std::string name_of_request(const testing::TestParamInfo<Expected>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Handshake, Requests, testing::ValuesIn(requests), name_of_request);

TEST(Handshake, TheResponseContainsTheHashOfTheKey) {
  EXPECT_EQ(sec_websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(
      answer({}, plain).fields,
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n");
}

TEST(Handshake, AnotherVersionIsAnsweredWithTheSupportedOne) {
  EXPECT_NE(answer({{"Sec-WebSocket-Version", "8"}}, plain).fields.find("Sec-WebSocket-Version: 13\r\n"),
            std::string::npos);
}

TEST(Handshake, TheClientsFirstSupportedProtocolIsChosen) {
  const HandshakeRules rules = speaking({"bridge", "mcp"});
  const HandshakeResponse given = answer({{"Sec-WebSocket-Protocol", "other, mcp, bridge"}}, rules);
  EXPECT_EQ(given.protocol, "mcp");
  EXPECT_NE(given.fields.find("Sec-WebSocket-Protocol: mcp\r\n"), std::string::npos);
  EXPECT_EQ(answer({{"+Sec-WebSocket-Protocol", "x"}, {"+Sec-WebSocket-Protocol", "bridge"}}, rules).protocol,
            "bridge");
}

TEST(Handshake, AClientWithoutASupportedProtocolIsRejected) {
  const HandshakeResponse given = answer({{"Sec-WebSocket-Protocol", "MCP"}}, speaking({"mcp"}));
  EXPECT_EQ(given.status, 400) << "protocol names are case-sensitive";
  EXPECT_EQ(given.body, "Sec-WebSocket-Protocol names no supported protocol: mcp.");
  EXPECT_EQ(answer({}, speaking({"mcp"})).status, 400);
}

TEST(Handshake, AnUnknownProtocolIsNotConfirmed) {
  EXPECT_EQ(answer({{"Sec-WebSocket-Protocol", "chat"}}, plain).fields.find("Protocol"), std::string::npos);
}

TEST(Handshake, TheHostMustHaveTheServersPort) {
  HandshakeRules rules;
  rules.port = 8765;
  EXPECT_EQ(answer({}, rules).status, 101);
  EXPECT_EQ(answer({{"Host", "localhost:8766"}}, rules).status, 403);
  EXPECT_EQ(answer({{"Host", "localhost"}}, rules).status, 403);
  rules.port = 80;
  EXPECT_EQ(answer({{"Host", "localhost"}}, rules).status, 101);
}

TEST(Handshake, OriginsMustMatchCompletely) {
  const std::vector<std::string> allowed = {"https://example.org", "chrome-extension://*",
                                            "moz-extension://*", "safari-web-extension://*"};
  for (const char* good : {"https://example.org", "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh",
                           "moz-extension://1b4e28ba-2fa1-11d2-883f-0016d3cca427",
                           "safari-web-extension://1B4E28BA-2FA1-11D2-883F-0016D3CCA427"})
    EXPECT_TRUE(is_allowed_origin(good, allowed)) << good;
  for (const char* bad :
       {"", "null", "https://example.org/", "https://example.org.evil.example", "http://example.org",
        "https://example.org:444", "https://EXAMPLE.org", "chrome-extension://", "chrome-extension://*",
        "chrome-extension://aaaabbbbccccddddeeeeffffgggghhh",
        "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhq",
        "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/x",
        "moz-extension://1B4E28BA-2FA1-11D2-883F-0016D3CCA427",
        "moz-extension://1b4e28ba-2fa1-11d2-883f-0016d3cca42", "safari-web-extension://x"})
    EXPECT_FALSE(is_allowed_origin(bad, allowed)) << bad;
  HandshakeRules rules;
  rules.origins = allowed;
  EXPECT_EQ(answer({{"Origin", "https://example.org"}}, rules).status, 101);
}

TEST(Handshake, TheOriginOfAnExtensionNeedsAnIdInTheFormOfItsBrowser) {
  EXPECT_EQ(missing_id_form("chrome-extension://a"), "32 letters from a to p");
  EXPECT_EQ(missing_id_form("moz-extension://1B4E28BA-2FA1-11D2-883F-0016D3CCA427"), "a UUID in lower case");
  EXPECT_EQ(missing_id_form("safari-web-extension://"), "a UUID");
  for (const char* other :
       {"chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh", "https://example.org", "null"})
    EXPECT_EQ(missing_id_form(other), "") << other;
}

TEST(Handshake, ClientsWithoutAnOriginCanBeRejected) {
  HandshakeRules rules;
  rules.origin_required = true;
  EXPECT_EQ(answer({}, rules).status, 403);
}

struct Offered {
  const char* offer;
  const char* answer;  // Empty: the offer is declined.
};

TEST(Offers, AreAcceptedAsFarAsTheServerSupportsThem) {
  const DeflatePolicy keeping{.is_enabled = true, .keep_context = true};
  for (const Offered& each : std::vector<Offered>{
           {"permessage-deflate", "permessage-deflate"},
           {"permessage-deflate; client_max_window_bits", "permessage-deflate"},
           {"permessage-deflate; server_no_context_takeover",
            "permessage-deflate; server_no_context_takeover"},
           {"permessage-deflate;client_no_context_takeover",
            "permessage-deflate; client_no_context_takeover"},
           {"permessage-deflate; server_max_window_bits=10", "permessage-deflate; server_max_window_bits=10"},
           {"permessage-deflate; server_max_window_bits=\"10\"",
            "permessage-deflate; server_max_window_bits=10"},
           {"permessage-deflate; server_max_window_bits=15", "permessage-deflate"},
           {"permessage-deflate; client_max_window_bits=9", "permessage-deflate; client_max_window_bits=9"},
           {"permessage-deflate; client_max_window_bits=8", "permessage-deflate; client_max_window_bits=8"},
           {"permessage-deflate; server_max_window_bits=8", ""},
           {"permessage-deflate; server_max_window_bits=8, permessage-deflate", "permessage-deflate"},
           {"permessage-deflate; server_max_window_bits=7", ""},
           {"permessage-deflate; server_max_window_bits=16", ""},
           {"permessage-deflate; server_max_window_bits=010", ""},
           {"permessage-deflate; server_max_window_bits", ""},
           {"permessage-deflate; server_max_window_bits=1x", ""},
           {"permessage-deflate; client_max_window_bits=16", ""},
           {"permessage-deflate; client_max_window_bits=0", ""},
           {"permessage-deflate; server_no_context_takeover=1", ""},
           {"permessage-deflate; client_no_context_takeover=true", ""},
           {"permessage-deflate; server_no_context_takeover; server_no_context_takeover", ""},
           {"permessage-deflate; unknown", ""},
           {"x-webkit-deflate-frame", ""},
           {"unknown, permessage-deflate", "permessage-deflate"},
       }) {
    const ExtensionAgreement given = negotiate_extensions(each.offer, keeping);
    EXPECT_FALSE(given.malformed) << each.offer;
    EXPECT_EQ(given.terms ? given.terms->response_field : "", each.answer) << each.offer;
  }
}

TEST(Offers, OfCompressionAreDeclinedByDefault) {
  EXPECT_FALSE(negotiate_extensions("permessage-deflate", {}).terms);
}

TEST(Offers, AreAcceptedWithoutContextTakeoverIfThePolicyKeepsNoContext) {
  const DeflatePolicy policy{.is_enabled = true, .window_bits = 11};
  EXPECT_EQ(negotiate_extensions("permessage-deflate; client_max_window_bits", policy).terms->response_field,
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
            "server_max_window_bits=11; "
            "client_max_window_bits=11");
}

}  // namespace
}  // namespace snapgen::websocket
