#include "tools/server/listeners/bridge_pages.h"

#include "runtime/json/values.h"
#include "tools/server/listeners/page_assets.h"

namespace snapgen::tools {
namespace {

// The header fields of every page. They allow no external or inline resources, and no embedding in frames.
constexpr std::string_view shell =
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: same-origin\r\nX-Content-Type-Options: nosniff\r\nContent-Type: ";

std::string fields(std::string_view type) { return std::string(shell).append(type).append("\r\n"); }

constexpr std::string_view html = "text/html; charset=utf-8";
constexpr std::string_view plain = "text/plain; charset=utf-8";

struct Page {
  std::string_view path;
  std::string_view type;
  std::string_view text;
};
constexpr Page pages[] = {{"/", html, page_assets::status_html},
                          {"/new-token", html, page_assets::new_token_html},
                          {"/page.css", "text/css; charset=utf-8", page_assets::page_css},
                          {"/page.js", "text/javascript; charset=utf-8", page_assets::page_js}};

const Page* find(std::string_view path) {
  for (const Page& each : pages)
    if (each.path == path) return &each;
  return nullptr;
}

// Returns whether a POST is from one of these pages: browsers send the origin with it. Forms of other sites
// are rejected.
bool is_our_own(const http::RequestHead& head) {
  return head.field_count("Origin") == 1 && head.field("Origin") == "http://" + std::string(head.host);
}

http::Denial denial(int status, std::string_view more, std::string_view sentence) {
  return {.status = status, .fields = fields(plain).append(more), .body = std::string(sentence)};
}

}  // namespace

std::optional<http::Denial> BridgePages::deny(const http::RequestHead& head) {
  const bool asks_new = head.path() == "/new-token";
  const bool is_known = find(head.path()) || head.path() == "/status.json";
  if (!is_known) return denial(404, "", "Unknown page.");
  if (head.method == "POST" && asks_new) {
    if (is_our_own(head)) return std::nullopt;
    return denial(403, "", "Only the page itself may send requests.");
  }
  if (head.method == "GET") return std::nullopt;
  return denial(405, asks_new ? "Allow: GET, POST\r\n" : "Allow: GET\r\n",
                "This method is not allowed here.");
}

Task<Unit> BridgePages::handle(http::Connection& connection, std::stop_token) {
  const http::RequestHead& head = connection.head();
  if (head.method == "POST") {
    post(connection);
  } else if (head.path() == "/status.json") {
    connection.write_response(200, fields("application/json"), status());
  } else {
    const Page& page = *find(head.path());
    connection.write_response(200, fields(page.type), page.text);
  }
  co_return Unit{};
}

void BridgePages::post(http::Connection& connection) {
  const Result<Unit> requested = hub_.request_pairing();
  if (requested) return connection.write_response(200, fields(html), page_assets::asked_html);
  connection.write_response(500, fields(plain), "The pairing could not be created.");
}

std::string BridgePages::status() const {
  BridgeState state = hub_.status();
  for (OpenPairing& each : state.pairings) each.code.reset();
  return json::to_json(state);
}

}  // namespace snapgen::tools
