#pragma once
// The handshake (RFC 6455 section 4.2): whether a request may become a WebSocket, and the answer either way.
// A pure function of the request's head.
//
// Any page in a browser may open a WebSocket to this machine, and a name that an attacker owns may point to
// it. So the Host must be one that is ours, and an Origin, which browsers always send and programs do not,
// one that is listed.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/http/head.h"
#include "runtime/websocket/extensions.h"

namespace snapgen::websocket {

struct HandshakeRules {
  // Hosts by which the server may be called, with or without a port; IPv6 addresses in brackets.
  std::vector<std::string> hosts = {"127.0.0.1", "localhost", "[::1]"};
  // The port that a Host must name; 0: any.
  std::uint16_t port = 0;
  // Whose pages may connect: "https://example.org", compared whole; "chrome-extension://*" and
  // "moz-extension://*" for every extension of such a browser.
  std::vector<std::string> origins;
  bool origin_required = false;  // Whether programs that send none are refused.
  // Subprotocols, of which the client's first known one is chosen. A client that names none of them is
  // refused, unless this is empty.
  std::vector<std::string> protocols;
  DeflatePolicy deflate;
};

struct Handshake {
  int status = 101;
  std::string fields;  // Of the answer; lines, each with its CR LF.
  std::string body;    // One sentence, if it was refused.
  std::string protocol;
  std::optional<DeflateTerms> terms;
  bool accepted() const { return status == 101; }
};

Handshake shake_hands(const http::Head& head, const HandshakeRules& rules);

// The subprotocols that a client names, in its order; none if it names none, or not as the grammar wants it.
std::vector<std::string> offered_protocols(const http::Head& head);

// Whether the server may be called by this Host.
bool is_allowed_host(std::string_view host, const HandshakeRules& rules);

// Whether one of the rules above names the origin.
bool is_allowed_origin(std::string_view origin, const std::vector<std::string>& allowed);

}  // namespace snapgen::websocket
