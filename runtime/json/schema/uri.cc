#include <algorithm>
#include <optional>

#include "runtime/base/percent.h"
#include "runtime/json/schema/resources.h"

namespace snapgen::json {
namespace {

struct Parts {
  std::optional<std::string_view> scheme, authority, query, fragment;
  std::string_view path;
};

Parts parse(std::string_view text) {
  Parts out;
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    out.fragment = text.substr(hash + 1);
    text = text.substr(0, hash);
  }
  if (const std::size_t mark = text.find('?'); mark != std::string_view::npos) {
    out.query = text.substr(mark + 1);
    text = text.substr(0, mark);
  }
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && colon > 0 && text.find('/') > colon && is_letter(text[0])) {
    out.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    const std::size_t end = std::min(text.find('/', 2), text.size());
    out.authority = text.substr(2, end - 2);
    text.remove_prefix(end);
  }
  out.path = text;
  return out;
}

// Removes segments `.` and `..` (RFC 3986 section 5.2.4), except `..` at the front of a relative path.
std::string without_dots(std::string_view path) {
  const bool absolute = path.starts_with('/');
  std::string out;
  std::size_t stay = 0;  // The end of the `../` segments in `out`.
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/', path.starts_with('/') ? 1 : 0), path.size());
    const std::string_view segment = path.substr(0, slash);
    const std::string_view name = segment.starts_with('/') ? segment.substr(1) : segment;
    path.remove_prefix(slash);
    if (name == ".") {
      if (path.empty() && (absolute || !out.empty())) out += '/';
    } else if (name == "..") {
      if (out.size() > stay) {
        out.resize(std::max(stay, out.rfind('/') == std::string::npos ? 0 : out.rfind('/')));
        if (path.empty()) out += '/';
      } else if (!absolute) {
        out += out.empty() ? ".." : "/..";
        stay = out.size();
      } else if (path.empty()) {
        out += '/';
      }
    } else {
      out += segment;
    }
  }
  if (!absolute && out.starts_with('/')) out.erase(0, 1);
  return out;
}

std::string merged(const Parts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  return std::string(base.path.substr(0, slash == std::string_view::npos ? 0 : slash + 1)) +
         std::string(path);
}

std::string percent_decoded_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> byte = percent_decoded_byte(text, i);
    out += byte.value_or(text[i]);
    if (byte) i += 2;
  }
  return out;
}

}  // namespace

std::string resolved_uri(std::string_view base_text, std::string_view reference) {
  const Parts base = parse(base_text);
  Parts to = parse(reference);
  std::string path;
  if (to.scheme || to.authority) {
    path = to.scheme && !to.authority && !to.path.starts_with('/') ? std::string(to.path)
                                                                   : without_dots(to.path);
    if (!to.scheme) to.scheme = base.scheme;
  } else {
    to.scheme = base.scheme;
    to.authority = base.authority;
    if (to.path.empty()) {
      path = base.path;
      if (!to.query) to.query = base.query;
    } else {
      path = without_dots(to.path.starts_with('/') ? std::string(to.path) : merged(base, to.path));
    }
  }
  std::string out;
  if (to.scheme) out.append(*to.scheme).append(":");
  if (to.authority) out.append("//").append(*to.authority);
  out += path;
  if (to.query) out.append("?").append(*to.query);
  if (to.fragment) out.append("#").append(*to.fragment);
  return out;
}

SplitUri split_uri(std::string_view uri) {
  const std::size_t hash = uri.find('#');
  return {.resource = std::string(uri.substr(0, hash)),
          .fragment =
              hash == std::string_view::npos ? std::string() : percent_decoded_text(uri.substr(hash + 1))};
}

}  // namespace snapgen::json
