#pragma once
// The handshake (RFC 6455 section 4.2) decides whether a request may become a WebSocket, and builds the
// response. It is a pure function of the request's head.
//
// Any web page may open a WebSocket to this machine, and an attacker's host name may resolve to it. So the
// Host must be known, and the Origin must be allowed. Browsers always send an Origin; programs do not.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/http/head.h"
#include "runtime/websocket/extensions.h"

namespace snapgen::websocket {

struct HandshakeRules {
  // The allowed names in Host, with or without a port; IPv6 addresses in brackets.
  std::vector<std::string> hosts = {"127.0.0.1", "localhost", "[::1]"};
  // The port that Host must name; 0 for any port.
  std::uint16_t port = 0;
  // The allowed origins, such as "https://example.org". "chrome-extension://*", "moz-extension://*" and
  // "safari-web-extension://*" allow every extension of these browsers.
  std::vector<std::string> origins;
  bool origin_required = false;  // Whether an Origin is required.
  // The supported subprotocols; the first in the client's list that is supported is used. Unless this is
  // empty, clients that offer none of them are rejected.
  std::vector<std::string> protocols;
  DeflatePolicy deflate;
};

// The field that the rules for peers do not allow.
enum class RejectedField : std::uint8_t { none, host, origin };

struct HandshakeResponse {
  int status = 101;
  std::string fields;  // Header lines of the response, each with its CR LF.
  std::string body;    // One sentence if the request is rejected.
  std::string protocol;
  std::optional<DeflateParameters> terms;
  RejectedField rejected = RejectedField::none;
  bool is_accepted() const { return status == 101; }
};

HandshakeResponse handshake_response(const http::RequestHead& head, const HandshakeRules& rules);

// Returns the client's subprotocols in its order; empty if there are none, or the list is invalid.
std::vector<std::string> offered_protocols(const http::RequestHead& head);

// Whether the rules allow this Host.
bool is_allowed_host(std::string_view host, const HandshakeRules& rules);

// Whether `allowed` contains the origin, or a pattern for it (see HandshakeRules::origins).
bool is_allowed_origin(std::string_view origin, const std::vector<std::string>& allowed);

// Returns the form that the id of an extension must have, such as "a UUID", if `origin` has an extension's
// scheme but not such an id. Returns an empty text for any other origin.
std::string_view missing_id_form(std::string_view origin);

}  // namespace snapgen::websocket
