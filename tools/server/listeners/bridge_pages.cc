#include "tools/server/listeners/bridge_pages.h"

#include "runtime/json/values.h"
#include "tools/server/listeners/page_assets.h"
#include "tools/server/listeners/page_fields.h"

namespace snapgen::tools {
namespace {

std::string fields(std::string_view type) { return std::string(page_fields) + content_type(type); }

constexpr std::string_view html = "text/html; charset=utf-8";
constexpr std::string_view plain = "text/plain; charset=utf-8";

constexpr PageAsset pages[] = {{"/", html, page_assets::status_html},
                               {"/new-token", html, page_assets::new_token_html},
                               {"/page.css", "text/css; charset=utf-8", page_assets::page_css},
                               {"/page.js", "text/javascript; charset=utf-8", page_assets::page_js}};

http::Denial denial(int status, std::string_view more, std::string_view sentence) {
  return {.status = status, .fields = fields(plain).append(more), .body = std::string(sentence)};
}

}  // namespace

std::optional<http::Denial> BridgePages::deny(const http::RequestHead& head) {
  const bool asks_new = head.path() == "/new-token";
  const bool is_known = find_asset(pages, head.path()) || head.path() == "/status.json";
  if (!is_known) return denial(404, "", "Unknown page.");
  if (head.method == "POST" && asks_new) {
    if (is_from_own_page(head)) return std::nullopt;
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
    const PageAsset& page = *find_asset(pages, head.path());
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
  BridgeStatus state = hub_.status();
  for (OpenPairing& each : state.pairings) each.code.reset();
  return json::to_json(state);
}

}  // namespace snapgen::tools
