#include "tools/engine/text/text_encodings.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/json/reader.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/text/python_coding.h"

namespace snapgen::core {
namespace {

bool is_ascii(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  for (std::uint64_t word = 0; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    if ((word & high_bits) != 0) return false;
  }
  return std::ranges::all_of(text, [](char byte) { return static_cast<std::uint8_t>(byte) < 0x80; });
}

bool has_single_bytes(TextEncoding encoding) {
  return encoding == TextEncoding::latin1 || encoding == TextEncoding::windows1252;
}

}  // namespace

DeclarationReader declarations_in(const Root& root) {
  return [&root](const std::string& path) -> std::optional<std::string> {
    const Result<OpenedPath> opened = root.open_file(path);
    if (!opened) return std::nullopt;
    Result<std::string> text = read_open_file(opened->fd.get(), path, declaration_bytes_max);
    if (!text) return std::nullopt;
    return *std::move(text);
  };
}

const TextEncodings::FolderDeclarations& TextEncodings::declarations_of(std::string_view folder) {
  if (const auto known = folders_.find(folder); known != folders_.end()) return known->second;
  FolderDeclarations found;
  if (const auto text = read_(joined_path(folder, ".editorconfig")))
    found.editor_config = std::make_unique<EditorConfig>(*text);
  if (auto text = read_(joined_path(folder, ".gitattributes")))
    found.attributes = std::make_unique<git::AttributeRules>(*std::move(text), folder.empty());
  return folders_.emplace(folder, std::move(found)).first->second;
}

std::optional<TextEncoding> TextEncodings::declared_in_tree(std::string_view path) {
  if (!read_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  std::vector<const git::AttributeRules*> macros;
  std::vector<std::pair<const git::AttributeRules*, std::string_view>> attributes;
  std::optional<std::string_view> charset;
  bool is_below_root = true;  // No `.editorconfig` so far says that those above do not apply.
  std::string_view folder = path;
  do {
    folder = parent_path(folder);
    const std::string_view below = folder.empty() ? path : path.substr(folder.size() + 1);
    const FolderDeclarations& here = declarations_of(folder);
    if (here.editor_config && is_below_root) {
      if (!charset) charset = here.editor_config->charset(below);
      is_below_root = !here.editor_config->is_root();
    }
    if (here.attributes) {
      macros.push_back(here.attributes.get());
      attributes.emplace_back(here.attributes.get(), below);
    }
  } while (!folder.empty());
  const std::optional<TextEncoding> by_editor = charset ? encoding_of_label(*charset) : std::nullopt;
  if (by_editor) return by_editor;
  git::AttributeCollector collected(std::move(macros));
  for (const auto& [rules, below] : attributes)
    for (auto rule = rules->rules().rbegin(); rule != rules->rules().rend(); ++rule)
      if (rule->pattern.matches(below)) collected.apply(rule->changes);
  return encoding_of_label(collected.value("working-tree-encoding").text);
}

std::optional<TextEncoding> TextEncodings::declared(std::string_view path, std::string_view bytes) {
  const std::optional<TextEncoding> coding = python_coding(path, bytes);
  return coding ? coding : declared_in_tree(path);
}

std::optional<DecodedText> TextEncodings::decode(std::string_view path, std::string_view bytes) {
  if (has_utf16_bom(bytes)) return decode_text(bytes, std::nullopt);
  const bool is_utf8 = json::valid_utf8(bytes);
  const bool is_binary = looks_binary(bytes);
  if (is_utf8 && !is_binary) return std::nullopt;
  const std::optional<TextEncoding> encoding = declared(path, bytes);
  // Text in UTF-16 with ASCII characters alone is also UTF-8, with NUL characters.
  if (is_utf8 && encoding != TextEncoding::utf16le && encoding != TextEncoding::utf16be) return std::nullopt;
  return decode_text(bytes, encoding);
}

DecodedText TextEncodings::text_of(std::string_view path, std::string bytes) {
  std::optional<DecodedText> decoded = decode(path, bytes);
  return decoded ? *std::move(decoded) : DecodedText{.text = std::move(bytes), .encoding = {}};
}

bool TextEncodings::may_be_utf16(std::string_view path, std::string_view bytes) {
  if (has_utf16_bom(bytes)) return true;
  const std::optional<TextEncoding> encoding = declared_in_tree(path);
  return encoding == TextEncoding::utf16le || encoding == TextEncoding::utf16be;
}

FileEncoding TextEncodings::encoding_after(std::string_view path, std::string_view before,
                                           FileEncoding current, std::string_view after) {
  if (current.encoding == TextEncoding::utf8) {
    if (is_ascii(after) || !is_ascii(before) || !json::valid_utf8(after)) return current;
    const std::optional<TextEncoding> named = declared(path, after);
    return named && has_single_bytes(*named) ? FileEncoding{.encoding = *named} : current;
  }
  if (!has_single_bytes(current.encoding)) return current;
  const std::optional<TextEncoding> named = python_coding(path, after);
  if (!named || named == python_coding(path, before)) return current;
  return has_single_bytes(*named) || *named == TextEncoding::utf8 ? FileEncoding{.encoding = *named}
                                                                  : current;
}

EncodedText TextEncodings::encode(std::string_view path, std::string_view before, FileEncoding current,
                                  std::string after) {
  const FileEncoding encoding = encoding_after(path, before, current, after);
  EncodedText out{.bytes = {}, .encoding = encoding.encoding, .missing = {}};
  if (encoding.encoding == TextEncoding::utf8) {
    out.bytes = std::move(after);
    return out;
  }
  auto encoded = encode_text(after, encoding);
  if (auto* bytes = std::get_if<std::string>(&encoded))
    out.bytes = std::move(*bytes);
  else
    out.missing = std::get<UnencodableCharacter>(std::move(encoded));
  return out;
}

}  // namespace snapgen::core
