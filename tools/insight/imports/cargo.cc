#include "tools/insight/imports/cargo.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
// toml++ asserts that a key begins where it expects one. Input such as "[!" violates that, and toml++ then
// reports a regular error, so the assertion is disabled.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <algorithm>

#include "runtime/base/percent.h"

namespace snapgen::core {
namespace {

// toml++ 3.0 has undefined behaviour for non-ASCII letters where a blank may occur. Percent-encoding is safe:
// outside of strings and comments, TOML has neither non-ASCII characters nor percent signs.
std::string in_ascii(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80 || c == '%')
      append_percent_encoded(out, c);
    else
      out += c;
  }
  return out;
}

// Empty if the node is not a string.
std::string string_of(toml::node_view<const toml::node> node) {
  const toml::value<std::string>* value = node.as_string();
  if (value == nullptr) return {};
  const std::string& text = value->get();
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> byte = text[i] == '%' ? percent_decoded(text, i) : std::nullopt;
    out += byte ? *byte : text[i];
    if (byte) i += 2;
  }
  return out;
}

// The byte of `line` that has the column, from 1, in its ASCII form.
std::size_t column_in(std::string_view line, std::size_t column) {
  std::size_t encoded = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    encoded += static_cast<unsigned char>(line[i]) >= 0x80 || line[i] == '%' ? 3 : 1;
    if (encoded >= column) return i + 1;
  }
  return line.size() + 1;
}

}  // namespace

std::optional<TomlFault> toml_fault(std::string_view text) {
  const toml::parse_result parsed = toml::parse(in_ascii(text));
  if (parsed) return std::nullopt;
  const toml::source_position at = parsed.error().source().begin;
  std::string_view line = text;
  for (std::size_t i = 1; i < at.line && !line.empty(); ++i)
    line.remove_prefix(std::min(line.find('\n'), line.size() - 1) + 1);
  return TomlFault{.line = at.line,
                   .column = static_cast<std::int64_t>(column_in(line.substr(0, line.find('\n')), at.column)),
                   .message = std::string(parsed.error().description())};
}

std::optional<CargoManifest> read_cargo(std::string_view text) {
  toml::parse_result parsed = toml::parse(in_ascii(text));
  if (!parsed) return std::nullopt;
  const toml::table& table = parsed.table();
  CargoManifest manifest;
  manifest.library_name = string_of(table["package"]["name"]);
  if (manifest.library_name.empty()) return std::nullopt;
  std::string library = string_of(table["lib"]["name"]);
  if (!library.empty()) manifest.library_name = std::move(library);
  manifest.library_path = string_of(table["lib"]["path"]);
  for (const char* kind : {"bin", "test", "example", "bench"}) {
    const toml::array* programs = table[kind].as_array();
    if (programs == nullptr) continue;
    for (const toml::node& program : *programs) {
      const toml::table* one = program.as_table();
      if (one == nullptr) continue;
      std::string path = string_of((*one)["path"]);
      if (!path.empty()) manifest.program_paths.push_back(std::move(path));
    }
  }
  return manifest;
}

}  // namespace snapgen::core
