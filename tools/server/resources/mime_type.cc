#include <algorithm>
#include <array>
#include <utility>

#include "tools/engine/files/path.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {
namespace {

// Media types, by the endings of file names, that hosts do not treat as plain text. Sources: the registry of
// media types, and RFC 9239 for JavaScript.
constexpr std::array<std::pair<std::string_view, std::string_view>, 21> types = {{
    {"bin", "application/octet-stream"},
    {"css", "text/css"},
    {"csv", "text/csv"},
    {"gif", "image/gif"},
    {"htm", "text/html"},
    {"html", "text/html"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript"},
    {"json", "application/json"},
    {"md", "text/markdown"},
    {"mjs", "text/javascript"},
    {"mp3", "audio/mpeg"},
    {"ogg", "audio/ogg"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"wav", "audio/wav"},
    {"webp", "image/webp"},
    {"xml", "application/xml"},
    {"zip", "application/zip"},
}};

}  // namespace

std::string_view mime_type_of(std::string_view path) {
  const std::string_view name = core::base_name(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return "text/plain";
  const auto found =
      std::ranges::lower_bound(types, name.substr(dot + 1), {}, &decltype(types)::value_type::first);
  return found != types.end() && found->first == name.substr(dot + 1) ? found->second : "text/plain";
}

}  // namespace snapgen::tools
