#include "runtime/websocket/handshake.h"

#include <algorithm>
#include <array>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "runtime/websocket/accept.h"

namespace snapgen::websocket {
namespace {

constexpr std::string_view text_type = "Content-Type: text/plain\r\n";

HandshakeResponse refuse(int status, std::string sentence, std::string_view fields = {}) {
  return {.status = status, .fields = std::string(fields).append(text_type), .body = std::move(sentence)};
}

bool is_http_1_1(const http::RequestHead& head) {
  const std::string_view text = head.text;
  return text.substr(0, text.find("\r\n")).ends_with(" HTTP/1.1");
}

// Whether the id has 32 letters from a to p, which is Chromium's format of an extension id.
bool is_chrome_id(std::string_view id) {
  return id.size() == 32 && std::ranges::all_of(id, [](char byte) { return byte >= 'a' && byte <= 'p'; });
}

// Whether the id is a UUID in lower case, with which Firefox identifies an installed extension.
bool is_uuid(std::string_view id) {
  if (id.size() != 36) return false;
  for (std::size_t i = 0; i != id.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? id[i] != '-' : !is_lower_hex_digit(id[i])) return false;
  }
  return true;
}

// Whether the id is a UUID in either case, with which Safari identifies an installed extension.
bool is_uuid_in_any_case(std::string_view id) { return is_uuid(to_lower(id)); }

// The origins of a browser's extensions: the prefix, and what identifies one of them.
struct ExtensionScheme {
  std::string_view prefix;
  bool (*is_id)(std::string_view);
  std::string_view id_form;  // What is_id() accepts, in words.

  bool matches(std::string_view origin) const {
    return origin.starts_with(prefix) && is_id(origin.substr(prefix.size()));
  }
};
constexpr std::array<ExtensionScheme, 3> extension_schemes = {
    {{"chrome-extension://", is_chrome_id, "32 letters from a to p"},
     {"moz-extension://", is_uuid, "a UUID in lower case"},
     {"safari-web-extension://", is_uuid_in_any_case, "a UUID"}}};

bool is_token(std::string_view text) {
  const auto fits = [](char byte) {
    return byte > ' ' && byte < 0x7F &&
           std::string_view("()<>@,;:\\\"/[]?={}").find(byte) == std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, fits);
}

// Joins all fields of a name into one list (RFC 9110 section 5.3).
std::string joined(const http::RequestHead& head, std::string_view name) {
  std::string out;
  for (const http::Field& field : head.fields) {
    if (!equal_ignoring_case(field.name, name)) continue;
    if (!out.empty()) out += ", ";
    out += field.value;
  }
  return out;
}

// Returns the names in a list of subprotocols, or nullopt if the list is empty or has a name that is no token
// or occurs twice.
std::optional<std::vector<std::string>> protocols_of(std::string_view list) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string_view name = list.substr(begin, end - begin);
    begin = end + 1;
    while (name.starts_with(' ') || name.starts_with('\t')) name.remove_prefix(1);
    while (name.ends_with(' ') || name.ends_with('\t')) name.remove_suffix(1);
    if (name.empty()) continue;
    if (!is_token(name) || std::ranges::find(out, name) != out.end()) return std::nullopt;
    out.emplace_back(name);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

// Checks Host and Origin first, so that a foreign page learns nothing else about the server.
std::optional<HandshakeResponse> check_peer(const http::RequestHead& head, const HandshakeRules& rules) {
  const auto reject = [](RejectedField field, std::string sentence) {
    HandshakeResponse out = refuse(403, std::move(sentence));
    out.rejected = field;
    return out;
  };
  if (!is_allowed_host(head.host, rules))
    return reject(RejectedField::host, "The Host field does not name this server.");
  const std::size_t origins = head.field_count("Origin");
  if (origins > 1) return refuse(400, "There is more than one Origin field.");
  if (origins == 0 && rules.origin_required) return refuse(403, "An Origin field is required.");
  if (origins == 1 && !is_allowed_origin(head.field("Origin"), rules.origins))
    return reject(RejectedField::origin, "This Origin is not allowed to connect.");
  return std::nullopt;
}

std::optional<HandshakeResponse> check_upgrade(const http::RequestHead& head) {
  if (head.method != "GET")
    return refuse(405, "The method of a WebSocket handshake must be GET.", "Allow: GET\r\n");
  if (!is_http_1_1(head)) return refuse(505, "A WebSocket handshake must use HTTP/1.1.");
  if (head.field_count("Transfer-Encoding") != 0 ||
      (head.field_count("Content-Length") != 0 && head.field("Content-Length") != "0"))
    return refuse(400, "A WebSocket handshake must not have a body.");
  if (!head.upgrades_to("websocket"))
    return refuse(426, "This is a WebSocket server: Upgrade: websocket and Connection: Upgrade are required.",
                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n");
  if (head.field_count("Sec-WebSocket-Version") != 1 || head.field("Sec-WebSocket-Version") != "13")
    return refuse(426, "The only supported version is 13.",
                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n");
  constexpr std::size_t key_bytes = 16;
  const std::optional<std::string> key = base64_decoded(head.field("Sec-WebSocket-Key"));
  if (head.field_count("Sec-WebSocket-Key") != 1 || !key || key->size() != key_bytes)
    return refuse(400, "Sec-WebSocket-Key must be 16 bytes in base64.");
  return std::nullopt;
}

}  // namespace

bool is_allowed_host(std::string_view host, const HandshakeRules& rules) {
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos;
  const std::string_view name = has_port ? host.substr(0, colon) : host;
  const std::string_view port = has_port ? host.substr(colon + 1) : std::string_view();
  const std::string wanted = rules.port == 0 ? std::string() : std::to_string(rules.port);
  if (rules.port != 0 && (port.empty() ? rules.port != 80 : port != wanted)) return false;
  const auto same = [name](const std::string& each) { return equal_ignoring_case(each, name); };
  return std::ranges::any_of(rules.hosts, same);
}

std::vector<std::string> offered_protocols(const http::RequestHead& head) {
  if (head.field_count("Sec-WebSocket-Protocol") == 0) return {};
  return protocols_of(joined(head, "Sec-WebSocket-Protocol")).value_or(std::vector<std::string>());
}

bool is_allowed_origin(std::string_view origin, const std::vector<std::string>& allowed) {
  return std::ranges::any_of(allowed, [origin](const std::string& each) {
    for (const ExtensionScheme& scheme : extension_schemes)
      if (each == std::string(scheme.prefix) + "*") return scheme.matches(origin);
    return each == origin;
  });
}

std::string_view missing_id_form(std::string_view origin) {
  for (const ExtensionScheme& scheme : extension_schemes)
    if (origin.starts_with(scheme.prefix))
      return scheme.matches(origin) ? std::string_view() : scheme.id_form;
  return {};
}

HandshakeResponse handshake_response(const http::RequestHead& head, const HandshakeRules& rules) {
  if (std::optional<HandshakeResponse> refused = check_peer(head, rules)) return *std::move(refused);
  if (std::optional<HandshakeResponse> refused = check_upgrade(head)) return *std::move(refused);
  HandshakeResponse out;
  if (head.field_count("Sec-WebSocket-Protocol") != 0) {
    const std::optional<std::vector<std::string>> named =
        protocols_of(joined(head, "Sec-WebSocket-Protocol"));
    if (!named) return refuse(400, "Sec-WebSocket-Protocol must be a list of distinct names.");
    const auto known = [&](const std::string& name) {
      return std::ranges::find(rules.protocols, name) != rules.protocols.end();
    };
    const auto chosen = std::ranges::find_if(*named, known);
    if (chosen != named->end()) out.protocol = *chosen;
  }
  if (out.protocol.empty() && !rules.protocols.empty()) {
    std::string sentence = "Sec-WebSocket-Protocol names no supported protocol:";
    for (const std::string& name : rules.protocols) sentence += " " + name;
    return refuse(400, sentence + ".");
  }
  if (head.field_count("Sec-WebSocket-Extensions") != 0) {
    ExtensionAgreement negotiated =
        negotiate_extensions(joined(head, "Sec-WebSocket-Extensions"), rules.deflate);
    if (negotiated.malformed) return refuse(400, "Sec-WebSocket-Extensions is not well formed.");
    out.terms = std::move(negotiated.terms);
  }
  out.fields = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ";
  out.fields.append(sec_websocket_accept(head.field("Sec-WebSocket-Key"))).append("\r\n");
  if (!out.protocol.empty())
    out.fields.append("Sec-WebSocket-Protocol: ").append(out.protocol).append("\r\n");
  if (out.terms)
    out.fields.append("Sec-WebSocket-Extensions: ").append(out.terms->response_field).append("\r\n");
  return out;
}

}  // namespace snapgen::websocket
