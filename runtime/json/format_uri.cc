#include "runtime/json/format_uri.h"

#include <algorithm>
#include <string>

namespace snapgen::json {
namespace {

constexpr std::string_view sub_delimiters = "!$&'()*+,;=";

bool contains(std::string_view set, char byte) { return set.find(byte) != std::string_view::npos; }

bool is_unreserved(char byte) { return is_alphanumeric(byte) || contains("-._~", byte); }

// Whether `text` has only unreserved characters, sub-delimiters, percent escapes, and those in `more`.
bool is_made_of(std::string_view text, std::string_view more) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (text.size() - i < 3 || !is_hex_digit(text[i + 1]) || !is_hex_digit(text[i + 2])) return false;
      i += 2;
    } else if (!is_unreserved(text[i]) && !contains(sub_delimiters, text[i]) && !contains(more, text[i])) {
      return false;
    }
  }
  return true;
}

// Whether `text` is an IPvFuture (RFC 3986): "v", hexadecimal digits, a point, and a name.
bool is_ip_future(std::string_view text) {
  if (text.empty() || (text.front() | 32) != 'v') return false;
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || point < 2 || point + 1 == text.size()) return false;
  const std::string_view name = text.substr(point + 1);
  return std::ranges::all_of(text.substr(1, point - 1), is_hex_digit) && !contains(name, '%') &&
         is_made_of(name, ":");
}

bool is_authority(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at != std::string_view::npos) {
    if (!is_made_of(text.substr(0, at), ":")) return false;
    text.remove_prefix(at + 1);
  }
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return false;
    const std::string_view inside = text.substr(1, end - 1);
    if (!is_ipv6(inside) && !is_ip_future(inside)) return false;
    port = text.substr(end + 1);
    if (!port.empty() && port.front() != ':') return false;
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    if (!is_made_of(text.substr(0, colon), "")) return false;
    port = text.substr(colon);
  }
  if (!port.empty()) port.remove_prefix(1);
  return std::ranges::all_of(port, is_digit);
}

// Whether `text` may follow a URI's scheme: an authority, path, query and fragment.
bool is_behind_scheme(std::string_view text) {
  const std::size_t hash = text.find('#');
  if (hash != std::string_view::npos) {
    if (!is_made_of(text.substr(hash + 1), ":@/?")) return false;
    text = text.substr(0, hash);
  }
  const std::size_t question = text.find('?');
  if (question != std::string_view::npos) {
    if (!is_made_of(text.substr(question + 1), ":@/?")) return false;
    text = text.substr(0, question);
  }
  if (text.starts_with("//")) {
    const std::size_t path = std::min(text.find('/', 2), text.size());
    if (!is_authority(text.substr(2, path - 2))) return false;
    text.remove_prefix(path);
  }
  return is_made_of(text, ":@/");
}

// Returns the length of `scheme:` at the front of `text`, or 0 if there is none.
std::size_t scheme_size(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !is_letter(text.front())) return 0;
  const std::string_view scheme = text.substr(0, colon);
  const bool fits =
      std::ranges::all_of(scheme, [](char byte) { return is_alphanumeric(byte) || contains("+-.", byte); });
  return fits ? colon + 1 : 0;
}

// Whether `text` is a varname (RFC 6570): letters, digits, `_` and escapes, with single points between them.
bool is_variable_name(std::string_view text) {
  bool point = true;  // A leading point is not allowed.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      if (point) return false;
      point = true;
      continue;
    }
    point = false;
    if (text[i] == '%') {
      if (text.size() - i < 3 || !is_hex_digit(text[i + 1]) || !is_hex_digit(text[i + 2])) return false;
      i += 2;
    } else if (!is_alphanumeric(text[i]) && text[i] != '_') {
      return false;
    }
  }
  return !point;
}

bool is_variable(std::string_view text) {
  if (text.ends_with('*')) return is_variable_name(text.substr(0, text.size() - 1));
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return is_variable_name(text);
  const std::string_view length = text.substr(colon + 1);
  if (length.empty() || length.size() > 4 || length.front() == '0') return false;
  return std::ranges::all_of(length, is_digit) && is_variable_name(text.substr(0, colon));
}

bool is_expression(std::string_view inside) {
  if (!inside.empty() && contains("+#./;?&=,!@|", inside.front())) inside.remove_prefix(1);
  while (true) {
    const std::size_t comma = std::min(inside.find(','), inside.size());
    if (!is_variable(inside.substr(0, comma))) return false;
    if (comma == inside.size()) return true;
    inside.remove_prefix(comma + 1);
  }
}

// Replaces each non-ASCII byte of an IRI by an escape, so that its syntax can be checked as a URI's.
std::string in_ascii(std::string_view utf8) {
  std::string out;
  for (const char byte : utf8) {
    if (static_cast<unsigned char>(byte) < 0x80)
      out += byte;
    else
      out += "%80";
  }
  return out;
}

}  // namespace

bool is_ipv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    std::size_t digits = 0;
    int value = 0;
    while (digits < text.size() && digits < 3 && is_digit(text[digits]))
      value = value * 10 + (text[digits++] - '0');
    if (digits == 0 || value > 255 || (digits > 1 && text.front() == '0')) return false;
    text.remove_prefix(digits);
  }
  return text.empty();
}

bool is_ipv6(std::string_view text) {
  int groups = 0;
  bool gap = false;
  if (text.starts_with("::")) {
    gap = true;
    text.remove_prefix(2);
    if (text.empty()) return true;
  }
  while (true) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view group = text.substr(0, end);
    if (end == text.size() && group.find('.') != std::string_view::npos) {
      if (!is_ipv4(group)) return false;
      groups += 2;
      break;
    }
    if (group.empty() || group.size() > 4 || !std::ranges::all_of(group, is_hex_digit)) return false;
    ++groups;
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
    if (text.starts_with(':')) {
      if (gap) return false;
      gap = true;
      text.remove_prefix(1);
      if (text.empty()) break;
    }
  }
  return gap ? groups < 8 : groups == 8;
}

bool is_uri(std::string_view text) {
  const std::size_t scheme = scheme_size(text);
  return scheme > 0 && is_behind_scheme(text.substr(scheme));
}

bool is_uri_reference(std::string_view text) {
  if (is_uri(text)) return true;
  // Without a scheme, the first segment of a path has no colon.
  const std::string_view first = text.substr(0, text.find_first_of("/?#"));
  return !contains(first, ':') && is_behind_scheme(text);
}

bool is_iri(std::string_view utf8) { return is_uri(in_ascii(utf8)); }

bool is_iri_reference(std::string_view utf8) { return is_uri_reference(in_ascii(utf8)); }

bool is_uri_template(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '{') {
      const std::size_t end = text.find('}', i);
      if (end == std::string_view::npos || !is_expression(text.substr(i + 1, end - i - 1))) return false;
      i = end;
    } else if (byte == '%') {
      if (text.size() - i < 3 || !is_hex_digit(text[i + 1]) || !is_hex_digit(text[i + 2])) return false;
      i += 2;
    } else if (static_cast<unsigned char>(byte) <= ' ' || byte == '\x7f' || contains("\"<>\\^`|}", byte)) {
      return false;
    }
  }
  return true;
}

}  // namespace snapgen::json
