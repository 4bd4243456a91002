// Conversion between UTF-8 and other encodings.
#include "tools/engine/text/text_encoding.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/engine/chance.h"

namespace snapgen::core {
namespace {

std::string encoded(std::string_view text, FileEncoding encoding) {
  auto made = encode_text(text, encoding);
  const auto* bytes = std::get_if<std::string>(&made);
  EXPECT_NE(bytes, nullptr) << text;
  return bytes == nullptr ? std::string() : *bytes;
}

UnencodableCharacter missing_in(std::string_view text, TextEncoding encoding) {
  auto made = encode_text(text, {.encoding = encoding});
  const auto* missing = std::get_if<UnencodableCharacter>(&made);
  EXPECT_NE(missing, nullptr) << text;
  return missing == nullptr ? UnencodableCharacter() : *missing;
}

TEST(TextEncoding, DecodesEachEncoding) {
  const std::string utf16le(
      "\xff\xfe"
      "a\0\xfc\0\x3d\xd8\x00\xde\r\0\n\0",
      14);
  const std::string utf16be(
      "\xfe\xff"
      "\0a\0\xfc\xd8\x3d\xde\x00\0\r\0\n",
      14);
  struct Case {
    std::string bytes, text;
    TextEncoding encoding;
  };
  for (const Case& one :
       {Case{"Gr\xfc\xdf"
             "e\n",
             "Grüße\n", TextEncoding::latin1},
        Case{"\x93"
             "5 \x80\x94\x81",
             "“5 €”\u0081", TextEncoding::windows1252},
        Case{utf16le, "aü😀\r\n", TextEncoding::utf16le}, Case{utf16be, "aü😀\r\n", TextEncoding::utf16be}}) {
    const std::optional<DecodedText> decoded = decode_text(one.bytes, std::nullopt);
    ASSERT_TRUE(decoded) << one.text;
    EXPECT_EQ(decoded->text, one.text);
    EXPECT_EQ(decoded->encoding.encoding, one.encoding);
    EXPECT_EQ(encoded(decoded->text, decoded->encoding), one.bytes);
  }
}

TEST(TextEncoding, ADeclarationDecidesWithoutAByteOrderMark) {
  EXPECT_EQ(decode_text("\x80", TextEncoding::latin1)->text, "\u0080");
  EXPECT_EQ(decode_text("\xe4", TextEncoding::windows1252)->encoding.encoding, TextEncoding::windows1252);
  const std::string utf16("a\0\xe4\0", 4);
  const std::optional<DecodedText> decoded = decode_text(utf16, TextEncoding::utf16le);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->text, "aä");
  EXPECT_EQ(encoded(decoded->text, decoded->encoding), utf16);
  // The bytes contradict the declaration.
  EXPECT_EQ(decode_text("\xe4", TextEncoding::utf8)->encoding.encoding, TextEncoding::latin1);
  EXPECT_EQ(decode_text("\xe4-\x80", TextEncoding::utf16le)->encoding.encoding, TextEncoding::windows1252);
}

TEST(TextEncoding, OtherContentsAreBinary) {
  using namespace std::string_literals;
  for (const std::string& bytes : {"\xff\xfe"
                                   "a"s,
                                   "\xff\xfe\x00\xd8"s, "\xff\xfe\x00\xdc\x00\xd8"s, "\xff\xfe\0\0a\0\0\0"s,
                                   "\xe4\0"s, "\x89PNG\r\n\x1a\n\xff"s, "\xe4\x01"s, "\xe4\x7f"s})
    EXPECT_FALSE(decode_text(bytes, std::nullopt)) << testing::PrintToString(bytes);
  // Text files have these control characters.
  EXPECT_TRUE(decode_text("\xe4\b\t\v\f\r\n\x1b[0m\x1a", std::nullopt));
}

TEST(TextEncoding, EveryTextIsRestoredExactly) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Chance chance(seed);
    std::string bytes = chance.bytes(chance.below(20), 256);
    if (seed % 3 != 0)  // Control characters would make most contents binary.
      for (char& byte : bytes) byte = static_cast<std::uint8_t>(byte) < 0x20 ? '\n' : byte;
    if (seed % 4 == 0) bytes = "\xff\xfe" + bytes;
    if (seed % 4 == 1) bytes = "\xfe\xff" + bytes;
    for (const auto declared : {std::optional<TextEncoding>(), std::optional(TextEncoding::latin1),
                                std::optional(TextEncoding::windows1252),
                                std::optional(TextEncoding::utf16le), std::optional(TextEncoding::utf16be)}) {
      const std::optional<DecodedText> decoded = decode_text(bytes, declared);
      if (decoded) {
        ASSERT_EQ(encoded(decoded->text, decoded->encoding), bytes) << seed;
      }
    }
  }
  std::string all_bytes;
  for (int byte = 0x80; byte <= 0xff; ++byte) all_bytes += static_cast<char>(byte);
  for (const TextEncoding each : {TextEncoding::latin1, TextEncoding::windows1252}) {
    const std::optional<DecodedText> decoded = decode_text(all_bytes, each);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(encoded(decoded->text, decoded->encoding), all_bytes);
  }
}

TEST(TextEncoding, NamesTheFirstCharacterThatAnEncodingLacks) {
  const UnencodableCharacter euro = missing_in("ä\nb €, 😀\n", TextEncoding::latin1);
  EXPECT_EQ(euro.line, 2);
  EXPECT_EQ(euro.character, "€");
  EXPECT_EQ(euro.code_point, 0x20acU);
  EXPECT_EQ(missing_in("€ 😀", TextEncoding::windows1252).character, "😀");
  EXPECT_EQ(missing_in("\u0080", TextEncoding::windows1252).code_point, 0x80U);
  EXPECT_EQ(missing_in("a\xff", TextEncoding::utf16le).code_point, std::nullopt);
  EXPECT_EQ(unencodable_message(euro, TextEncoding::latin1, "a.txt"),
            "line 2 has \"€\" (U+20AC), which latin-1, the encoding of a.txt, does not have. Use other "
            "characters, or write the whole file in UTF-8 with workspace_write_file (content as "
            "base64:<data>)");
}

TEST(TextEncoding, ReadsTheUsualNames) {
  for (const std::string_view name : {"latin-1", "Latin1", "ISO-8859-1", "iso_8859_1"})
    EXPECT_EQ(encoding_of_label(name), TextEncoding::latin1) << name;
  EXPECT_EQ(encoding_of_label("windows-1252"), TextEncoding::windows1252);
  EXPECT_EQ(encoding_of_label("CP1252"), TextEncoding::windows1252);
  EXPECT_EQ(encoding_of_label("UTF-16LE-BOM"), TextEncoding::utf16le);
  EXPECT_EQ(encoding_of_label("utf-8"), TextEncoding::utf8);
  for (const std::string_view name : {"", "utf-16", "shift_jis", "iso-8859-15"})
    EXPECT_FALSE(encoding_of_label(name)) << name;
}

}  // namespace
}  // namespace snapgen::core
