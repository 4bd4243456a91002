// Public test suites: the texts that are valid JSON (nst/JSONTestSuite), and the canonical form of values.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/base/text.h"
#include "runtime/json/document.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tests/json/exact.h"
#include "tests/json/shared.h"

namespace snapgen::json {
namespace {

// Returns whether both the transport and the reader accept the text.
bool is_json(std::string_view text) {
  if (!valid_utf8(text)) return false;
  Reader in(text);
  in.skip();
  in.end();
  return in.syntax_ok();
}

std::vector<std::filesystem::path> suite_files(std::string_view prefix) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(shared("json-test-suite/test_parsing"))) {
    if (entry.path().filename().string().starts_with(prefix)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

TEST(JsonTestSuite, ValidTextsAreAccepted) {
  SNAPGEN_NEEDS(shared("json-test-suite"));
  const auto files = suite_files("y_");
  EXPECT_EQ(files.size(), 95U);
  for (const auto& file : files) {
    const Exact text(file_text(file));
    EXPECT_TRUE(is_json(text.view())) << file.filename();
  }
}

TEST(JsonTestSuite, InvalidTextsAreRejected) {
  SNAPGEN_NEEDS(shared("json-test-suite"));
  const auto files = suite_files("n_");
  EXPECT_EQ(files.size(), 188U);
  for (const auto& file : files) {
    const Exact text(file_text(file));
    EXPECT_FALSE(is_json(text.view())) << file.filename();
    EXPECT_FALSE(canonical(text.view())) << file.filename();
    EXPECT_FALSE(parse_document(text.view()).ok()) << file.filename();
  }
}

TEST(JsonTestSuite, OptionalTextsAreRejectedExceptUnderflowAndPermittedDepth) {
  SNAPGEN_NEEDS(shared("json-test-suite"));
  const std::set<std::string> accepted = {
      "i_number_double_huge_neg_exp.json",
      "i_number_real_underflow.json",
      "i_structure_500_nested_arrays.json",
  };
  const auto files = suite_files("i_");
  EXPECT_EQ(files.size(), 35U);
  for (const auto& file : files) {
    const Exact text(file_text(file));
    const bool wanted = accepted.contains(file.filename().string());
    EXPECT_EQ(bool(canonical(text.view())), wanted) << file.filename();
  }
}

TEST(JsonTestSuite, TransformedTextsAreReadExactlyOrRejected) {
  SNAPGEN_NEEDS(shared("json-test-suite"));
  const std::map<std::string, std::string> wanted = {
      {"number_-9223372036854775808.json", "[-9223372036854775808]"},
      {"number_-9223372036854775809.json", ""},
      {"number_1.0.json", "[1]"},
      {"number_1.000000000000000005.json", "[1]"},
      {"number_1000000000000000.json", "[1000000000000000]"},
      {"number_10000000000000000999.json", "[10000000000000000999]"},
      {"number_1e-999.json", "[0]"},
      {"number_1e6.json", "[1000000]"},
      {"number_9223372036854775807.json", "[9223372036854775807]"},
      {"number_9223372036854775808.json", "[9223372036854775808]"},
      {"object_key_nfc_nfd.json", "{\"e\xCC\x81\":\"NFD\",\"\xC3\xA9\":\"NFC\"}"},
      {"object_key_nfd_nfc.json", "{\"e\xCC\x81\":\"NFD\",\"\xC3\xA9\":\"NFC\"}"},
      {"object_same_key_different_values.json", ""},
      {"object_same_key_same_value.json", ""},
      {"string_1_escaped_invalid_codepoint.json", ""},
      {"string_with_escaped_NULL.json", "[\"A\\u0000B\"]"},
  };
  for (const auto& [name, form] : wanted) {
    const Exact text(file_text(shared("json-test-suite/test_transform/" + name)));
    const Result<std::string> got = canonical(text.view());
    EXPECT_EQ(got ? *got : "", form) << name;
  }
}

std::string unhex(std::string_view digits) {
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    out += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return out;
}

TEST(CanonicalVectors, EveryVectorGivesTheExpectedBytesOrError) {
  const std::filesystem::path path = shared("canonical-json/vectors.json");
  SNAPGEN_NEEDS(path);
  const std::map<std::string, std::string> sentences = {
      {"not_json", "not JSON: "},
      {"bom", "a byte order mark"},
      {"duplicate_key", "duplicate property "},
      {"lone_surrogate", "not JSON: a lone surrogate"},
      {"invalid_utf8", "not UTF-8"},
      {"number_out_of_range", "number out of range"},
  };
  const std::string text = file_text(path);
  const Document document = parse_document(text);
  ASSERT_TRUE(document.ok());
  const Node* vectors = document.root.find("vectors");
  ASSERT_NE(vectors, nullptr);
  EXPECT_GE(vectors->items.size(), 30U);
  for (const Node& vector : vectors->items) {
    const std::string& id = vector.find("id")->text;
    const Exact input(unhex(vector.find("input_hex")->text));
    const Result<std::string> got = canonical(input.view());
    if (const Node* reject = vector.find("reject")) {
      ASSERT_FALSE(got) << id;
      EXPECT_EQ(got.error().code, ErrorCode::invalid_argument) << id;
      EXPECT_TRUE(got.error().message.starts_with(sentences.at(reject->text)))
          << id << ": " << got.error().message;
      continue;
    }
    ASSERT_TRUE(got) << id << ": " << got.error().message;
    EXPECT_EQ(hex(*got), vector.find("expected_hex")->text) << id;
    // A double from 2^64 up to 1e21 is written without a point, so it is read back as an integer out of
    // range.
    const Result<std::string> again = canonical(*got);
    if (again)
      EXPECT_EQ(*again, *got) << id;
    else
      EXPECT_TRUE(again.error().message.starts_with("number out of range")) << id;
  }
}

}  // namespace
}  // namespace snapgen::json
