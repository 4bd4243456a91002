#pragma once
// What the pages of all listeners have in common.
#include <string>
#include <string_view>

#include "runtime/http/head.h"

namespace snapgen::tools {

// The header fields of every page, but for Content-Type. They allow no external or inline resources, and no
// embedding in frames.
inline constexpr std::string_view page_fields =
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: same-origin\r\nX-Content-Type-Options: nosniff\r\n";

inline std::string content_type(std::string_view type) {
  return "Content-Type: " + std::string(type) + "\r\n";
}

struct PageAsset {
  std::string_view path;
  std::string_view type;
  std::string_view text;
};

// Returns the asset of `assets` with this path; null if there is none.
template <class Assets>
const PageAsset* find_asset(const Assets& assets, std::string_view path) {
  for (const PageAsset& each : assets)
    if (each.path == path) return &each;
  return nullptr;
}

// Returns whether the request names the listener itself as its origin. Browsers send the origin with a POST.
inline bool is_from_own_page(const http::RequestHead& head) {
  return head.field_count("Origin") == 1 && head.field("Origin") == "http://" + std::string(head.host);
}

}  // namespace snapgen::tools
