// Any bytes as a file in another encoding than UTF-8: a text that was read must be written back as the same
// bytes, and an unchanged one again. The same bytes as declarations: their parsers must not run forever.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "runtime/json/reader.h"
#include "tests/fuzz/target.h"
#include "tools/engine/text/editor_config.h"
#include "tools/engine/text/python_coding.h"
#include "tools/engine/text/text_encoding.h"

namespace snapgen::core {
namespace {

void expect_bytes_restored(std::string_view bytes, std::optional<TextEncoding> declared) {
  const std::optional<DecodedText> decoded = decode_text(bytes, declared);
  if (!decoded) return;
  FUZZ_EXPECT(json::valid_utf8(decoded->text));
  const auto encoded = encode_text(decoded->text, decoded->encoding);
  FUZZ_EXPECT(std::get<std::string>(encoded) == bytes);
}

// What can be written is read as the same text.
void expect_text_restored(std::string_view text, TextEncoding encoding) {
  const auto encoded = encode_text(text, {.encoding = encoding});
  if (const auto* missing = std::get_if<UnencodableCharacter>(&encoded)) {
    FUZZ_EXPECT(text.find(missing->character) != std::string_view::npos);
    FUZZ_EXPECT(missing->line >= 1);
    return;
  }
  FUZZ_EXPECT(json::valid_utf8(text));
  const std::string& bytes = std::get<std::string>(encoded);
  const std::optional<DecodedText> decoded = decode_text(bytes, encoding);
  const bool is_same_encoding = decoded && decoded->encoding.encoding == encoding;
  if (is_same_encoding && !has_utf16_bom(bytes)) FUZZ_EXPECT(decoded->text == text);
}

}  // namespace
}  // namespace snapgen::core

FUZZ_TARGET(encodings) {
  using namespace snapgen::core;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::array encodings = {TextEncoding::latin1, TextEncoding::windows1252, TextEncoding::utf16le,
                                    TextEncoding::utf16be};
  expect_bytes_restored(bytes, std::nullopt);
  for (const TextEncoding encoding : encodings) {
    expect_bytes_restored(bytes, encoding);
    expect_text_restored(bytes, encoding);
  }
  static_cast<void>(python_coding("a.py", bytes));
  const EditorConfig config(bytes);
  static_cast<void>(config.charset("src/main.c"));
  const std::size_t middle = bytes.find('\n');
  if (middle == std::string_view::npos) return 0;
  const EditorConfig glob("[" + std::string(bytes.substr(0, middle)) + "]\ncharset = latin1\n");
  static_cast<void>(glob.charset(bytes.substr(middle + 1)));
  return 0;
}
