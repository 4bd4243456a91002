// Compares generated readers with the interpreting validator, on random values made from each schema. Both
// must accept the same values. Writing an accepted value must give a valid text, from which the same value is
// read.
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "codegen/front/check.h"
#include "codegen/model/integer.h"
#include "runtime/json/number.h"
#include "tests/codegen/files.h"
#include "tests/codegen/golden/tools/list_entries.h"
#include "tests/codegen/golden/tools/plain_text.h"
#include "tests/codegen/golden/types/conditions.h"
#include "tests/codegen/golden/types/constants.h"
#include "tests/codegen/golden/types/defaults.h"
#include "tests/codegen/golden/types/enums.h"
#include "tests/codegen/golden/types/envelope.h"
#include "tests/codegen/golden/types/limits.h"
#include "tests/codegen/golden/types/maps.h"
#include "tests/codegen/golden/types/merged.h"
#include "tests/codegen/golden/types/names.h"
#include "tests/codegen/golden/types/nested_tags.h"
#include "tests/codegen/golden/types/nullable.h"
#include "tests/codegen/golden/types/presence.h"
#include "tests/codegen/golden/types/recursive.h"
#include "tests/codegen/golden/types/references.h"
#include "tests/codegen/golden/types/rest.h"
#include "tests/codegen/golden/types/scalars.h"
#include "tests/codegen/golden/types/tagged.h"
#include "tests/codegen/golden/types/untagged.h"
#include "tests/codegen/reading.h"
#include "tests/codegen/validate.h"

namespace snapgen::codegen {
namespace {

// Makes random values that usually match a schema.
class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  std::string value(const Schema& given, int depth = 0) {
    const Schema& s = resolved(given);
    if (one_in(40) || depth > 6) return anything();
    if (!s.alternatives.empty()) return value(*s.alternatives[below(s.alternatives.size())], depth);
    if (s.values && !one_in(20)) return (*s.values)[below(s.values->size())].canonical;
    std::vector<Kinds> kinds;
    for (int bit = 0; bit < 7; ++bit)
      if (s.kinds & (1 << bit)) kinds.push_back(static_cast<Kinds>(1 << bit));
    switch (kinds[below(kinds.size())]) {
      case kinds::null: return "null";
      case kinds::boolean: return one_in(2) ? "true" : "false";
      case kinds::integer: return integer(s);
      case kinds::fraction: return number(s);
      case kinds::string: return string(s);
      case kinds::array: return array(s, depth);
      default: return object(s, depth);
    }
  }

 private:
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  bool one_in(std::size_t count) { return below(count) == 0; }

  std::string anything() {
    static constexpr std::array<const char*, 12> all = {"null",  "true", "0",   "-1", "1.5",        "\"\"",
                                                        "\"x\"", "[]",   "[1]", "{}", R"({"a":1})", "1e3"};
    return all[below(all.size())];
  }

  // Uses integers around the limits.
  std::string integer(const Schema& s) {
    // The range of the C++ type: the reader rejects integers beyond it, although the schema permits them.
    const bool is_unsigned = integer_range(s).is_unsigned;
    std::vector<std::string> around = {"0", "1", "2", "3", "7", "-1", "100"};
    const auto near = [&](auto limit) {
      using Limits = std::numeric_limits<decltype(limit)>;
      if (limit != Limits::min()) around.push_back(std::to_string(limit - 1));
      around.push_back(std::to_string(limit));
      if (limit != Limits::max()) around.push_back(std::to_string(limit + 1));
    };
    for (const auto& limit : {s.minimum, s.maximum, s.exclusive_minimum, s.exclusive_maximum}) {
      if (!limit) continue;
      std::int64_t whole = 0;
      std::uint64_t natural = 0;
      if (is_unsigned && json::parse_integer(limit->text, natural) == json::IntegerForm::integer)
        near(natural);
      else if (is_unsigned)
        near(std::numeric_limits<std::uint64_t>::max());
      else if (json::parse_integer(limit->text, whole) == json::IntegerForm::integer)
        near(whole);
      else
        near(static_cast<std::int64_t>(limit->value));
    }
    std::string text = around[below(around.size())];
    return one_in(10) ? text + ".0" : text;
  }
  std::string number(const Schema& s) {
    std::vector<double> around = {0, 0.25, 0.3, 1, 2.5, -3};
    for (const auto& limit : {s.minimum, s.maximum, s.exclusive_minimum, s.exclusive_maximum})
      if (limit) around.insert(around.end(), {limit->value, limit->value + 0.125, limit->value - 0.125});
    return json::to_json(around[below(around.size())]);
  }
  std::string string(const Schema& s) {
    static constexpr std::array<const char*, 8> letters = {"a", "b", "z", "A", "0", "é", "😀", "\\n"};
    std::size_t size = below(5);
    if (s.min_length && !one_in(4)) size = *s.min_length + below(2);
    if (s.max_length && !one_in(4)) size = *s.max_length - below(2);
    std::string text = "\"";
    for (std::size_t i = 0; i < size; ++i) text += letters[one_in(4) ? below(letters.size()) : below(3)];
    return text + "\"";
  }
  std::string array(const Schema& s, int depth) {
    std::string text = "[";
    const std::size_t size = below(4);
    for (std::size_t i = 0; i < size; ++i)
      text += (i ? "," : "") + (s.items ? value(*s.items, depth + 1) : anything());
    return text + "]";
  }
  std::string object(const Schema& s, int depth) {
    std::string text = "{";
    auto add = [&](const std::string& key, const std::string& member) {
      text += (text.size() > 1 ? "," : "") + json::quoted(key) + ":" + member;
    };
    for (const Property& each : s.properties) {
      const bool there = each.required ? !one_in(25) : one_in(3);
      if (there) add(each.name, value(*each.schema, depth + 1));
    }
    if (s.additional_schema) {
      static constexpr std::array<const char*, 3> names = {"p", "q", "é"};
      for (const char* name : names)
        if (one_in(2)) add(name, value(*s.additional_schema, depth + 1));
    }
    if (one_in(s.additional == Additional::closed ? 30 : 3)) add("unheard_of", anything());
    return text + "}";
  }

  std::mt19937 random_;
};

// Reads a text with a generated reader. Returns the text that the writer makes of the value; nullopt if the
// text is invalid.
using Reads = std::function<std::optional<std::string>(const std::string&)>;

template <class T, class Read>
Reads reads(Read read_value) {
  return [read_value](const std::string& text) -> std::optional<std::string> {
    T value;
    if (!golden::faults_of(text, value, read_value).empty()) return std::nullopt;
    std::string written = json::to_json(value);
    T again;
    EXPECT_EQ(golden::faults_of(written, again, read_value), golden::Faults()) << written;
    EXPECT_EQ(json::to_json(again), written) << text;
    EXPECT_EQ(*json::canonical(written), written);
    return written;
  };
}
template <class T>
Reads reads() {
  return reads<T>([](json::Reader& in, T& out) { read(in, out); });
}

TEST(Oracle, GeneratedReadersAgreeWithTheValidator) {
  Findings findings;
  const Sources sources =
      parse_sources(schema_files("tests/codegen/golden/types"),
                    {.schemas = "tests/codegen/golden", .name_space = "golden", .namespaces = {}}, findings);
  const CheckedSchemas checked = check(sources, resolve(sources, findings), findings);
  ASSERT_TRUE(findings.empty());
  const std::vector<std::pair<std::string, Reads>> types = {
      {"conditions", reads<golden::Conditions>()},
      {"constants", reads<golden::Constants>()},
      {"defaults", reads<golden::Defaults>()},
      {"enums", reads<golden::Enums>()},
      {"envelope", reads<golden::Envelope>(&golden::read_envelope)},
      {"limits", reads<golden::Limits>()},
      {"maps", reads<golden::Maps>()},
      {"merged", reads<golden::Merged>()},
      {"names", reads<golden::Names>()},
      {"nested_tags", reads<golden::NestedTags>(&golden::read_nested_tags)},
      {"nullable", reads<golden::Nullable>()},
      {"presence", reads<golden::Presence>(&golden::read_presence)},
      {"recursive", reads<golden::Recursive>()},
      {"references", reads<golden::References>()},
      {"rest", reads<golden::Rest>()},
      {"scalars", reads<golden::Scalars>()},
      {"tagged", reads<golden::Tagged>()},
      {"untagged", reads<golden::Untagged>()},
  };
  for (const auto& [name, read_text] : types) {
    const Schema& schema = *checked.messages.at(sources.find("tests/codegen/golden/types/" + name + ".json"));
    Maker maker(20260728);
    int fitting = 0;
    constexpr int rounds = 2000;
    for (int i = 0; i < rounds; ++i) {
      const std::string text = maker.value(schema);
      const bool fits = validate(schema, json::parse_document(text).root).empty();
      const std::optional<std::string> written = read_text(text);
      ASSERT_EQ(written.has_value(), fits) << name << ": " << text;
      if (!written) continue;
      ++fitting;
      ASSERT_TRUE(validate(schema, json::parse_document(*written).root).empty())
          << name << ": " << text << " is written as " << *written;
    }
    EXPECT_GT(fitting, rounds / 20) << name;
    EXPECT_LT(fitting, rounds) << name;
  }
}

}  // namespace
}  // namespace snapgen::codegen
