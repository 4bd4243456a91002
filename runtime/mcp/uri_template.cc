#include "runtime/mcp/uri_template.h"

#include <algorithm>
#include <cstddef>

#include "runtime/base/ascii.h"
#include "runtime/base/percent.h"

namespace snapgen::mcp {

namespace {

// A part of a template: the text up to the next variable, and the variable's name if there is one.
struct Piece {
  std::string_view literal;
  std::string_view name;
  bool takes_all = false;
};

Piece next_piece(std::string_view& rest) {
  const std::size_t opens = rest.find('{');
  const std::size_t closes = rest.find('}', std::min(opens, rest.size()));
  Piece piece{.literal = rest.substr(0, opens)};
  if (closes == std::string_view::npos) {
    rest = {};
    return piece;
  }
  piece.name = rest.substr(opens + 1, closes - opens - 1);
  piece.takes_all = piece.name.starts_with('+');
  if (piece.takes_all) piece.name.remove_prefix(1);
  rest.remove_prefix(closes + 1);
  return piece;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const std::optional<char> byte = percent_decoded_byte(text, i);
      if (!byte) return std::nullopt;
      c = *byte;
      i += 2;
    }
    if (c == '\0') return std::nullopt;
    out += c;
  }
  return out;
}

bool is_unreserved(char c) { return is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~'; }

void append_encoded(std::string& out, std::string_view value, bool keeps_slashes) {
  for (const char c : value) {
    if (is_unreserved(c) || (keeps_slashes && c == '/'))
      out += c;
    else
      append_percent_encoded(out, c);
  }
}

}  // namespace

std::optional<UriVariables> match_uri(std::string_view uri_template, std::string_view uri) {
  UriVariables out;
  while (!uri_template.empty()) {
    const Piece piece = next_piece(uri_template);
    if (!uri.starts_with(piece.literal)) return std::nullopt;
    uri.remove_prefix(piece.literal.size());
    if (piece.name.empty()) break;
    const std::size_t size = piece.takes_all ? uri.size() : std::min(uri.find('/'), uri.size());
    std::optional<std::string> value = decoded(uri.substr(0, size));
    if (!value || value->empty()) return std::nullopt;
    const auto [known, is_new] = out.emplace(piece.name, *value);
    if (!is_new && known->second != *value) return std::nullopt;
    uri.remove_prefix(size);
  }
  if (!uri.empty()) return std::nullopt;
  return out;
}

std::string expand_uri(std::string_view uri_template, const UriVariables& variables) {
  std::string out;
  while (!uri_template.empty()) {
    const Piece piece = next_piece(uri_template);
    out += piece.literal;
    if (piece.name.empty()) break;
    const auto value = variables.find(piece.name);
    if (value != variables.end()) append_encoded(out, value->second, piece.takes_all);
  }
  return out;
}

}  // namespace snapgen::mcp
