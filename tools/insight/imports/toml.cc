#include "tools/insight/imports/toml.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/percent.h"
#include "tools/engine/base/toml_keys.h"
#include "tools/engine/base/toml_plus_plus.h"

namespace snapgen::core {
namespace {

constexpr int toml_depth_max = 256;
// Columns beyond this are not searched for their offset, because that would take quadratic time.
constexpr std::size_t toml_column_max = 4096;

bool is_encoded(char c) { return static_cast<unsigned char>(c) >= 0x80 || c == '%'; }

// Encodes non-ASCII characters, because toml++ 3.0 has undefined behaviour for them where a blank may occur.
// Percent-encoding is safe: outside of strings and comments, TOML has neither these nor percent signs.
std::string in_ascii(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_encoded(c))
      append_percent_encoded(out, c);
    else
      out += c;
  }
  return out;
}

// Reverses in_ascii(). A text with an escape such as \u0025C3 may decode to bytes that are not UTF-8; it is
// returned unchanged.
std::string from_ascii(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> byte = text[i] == '%' ? percent_decoded_byte(text, i) : std::nullopt;
    out += byte ? *byte : text[i];
    if (byte) i += 2;
  }
  return json::valid_utf8(out) ? out : std::string(text);
}

// Converts toml++'s nodes, whose locations are lines and columns of the text that in_ascii() made.
class TomlConverter {
 public:
  explicit TomlConverter(std::string_view text) : text_(text) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines_.push_back(i + 1);
  }

  std::size_t offset_of(const toml::source_position& at) const {
    if (at.line < 1) return 0;
    if (at.line > lines_.size()) return text_.size();
    std::size_t offset = lines_[at.line - 1];
    for (std::size_t column = 1; column < at.column && offset < text_.size() && text_[offset] != '\n';
         ++offset)
      column += is_encoded(text_[offset]) ? 3 : 1;
    return offset;
  }

  json::Node node_of(const toml::node& node, int depth) const {
    json::Node out;
    out.offset = offset_of_node(node.source().begin);
    if (depth > toml_depth_max) return out;
    if (const toml::table* table = node.as_table()) {
      out.kind = json::Kind::object;
      for (const auto& [key, value] : *table)
        out.members.push_back({.key = from_ascii(key.str()),
                               .key_offset = offset_of_node(key.source().begin),
                               .value = node_of(value, depth + 1)});
    } else if (const toml::array* array = node.as_array()) {
      out.kind = json::Kind::array;
      for (const toml::node& item : *array) out.items.push_back(node_of(item, depth + 1));
    } else if (const toml::value<std::string>* string = node.as_string()) {
      out.kind = json::Kind::string;
      out.text = from_ascii(string->get());
    } else if (const toml::value<bool>* boolean = node.as_boolean()) {
      out.kind = json::Kind::boolean;
      out.boolean = boolean->get();
    } else if (const toml::value<std::int64_t>* integer = node.as_integer()) {
      out.kind = json::Kind::number;
      out.text = std::to_string(integer->get());
    } else if (const toml::value<double>* number = node.as_floating_point()) {
      out.kind = json::Kind::number;
      out.text = std::to_string(number->get());
    }
    return out;
  }

 private:
  std::size_t offset_of_node(const toml::source_position& at) const {
    return offset_of({.line = at.line, .column = at.column > toml_column_max ? 1 : at.column});
  }

  const std::string_view text_;
  std::vector<std::size_t> lines_;  // The offset at which each line starts.
};

}  // namespace

json::Document parse_toml(std::string_view text) {
  const TomlConverter converter(text);
  json::Document document;
  document.root.kind = json::Kind::object;
  if (const std::optional<std::size_t> at = long_toml_key(text)) {
    document.problems.push_back(
        {.offset = *at, .message = "a key has more than " + std::to_string(toml_key_parts_max) + " parts"});
    return document;
  }
  const toml::parse_result parsed = toml::parse(in_ascii(text));
  if (parsed) {
    document.root = converter.node_of(parsed.table(), 0);
    return document;
  }
  const std::size_t offset = converter.offset_of(parsed.error().source().begin);
  std::string message = from_ascii(parsed.error().description());
  // If a string is not closed on its line, toml++ reports the line end as a control character.
  const bool is_at_line_end = offset >= text.size() || text[offset] == '\n' || text[offset] == '\r';
  if (is_at_line_end && message.find("control characters") != std::string::npos)
    message = "the string is not closed at the end of its line";
  document.problems.push_back({.offset = offset, .message = std::move(message)});
  return document;
}

}  // namespace snapgen::core
