// The JSON layer on any bytes: every reader must accept the same texts as simdjson, and a written text must
// read back as the same value.
#include <cstdint>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "runtime/json/document.h"
#include "runtime/json/number.h"
#include "runtime/json/values.h"
#include "tests/fuzz/target.h"
#include "tests/json/tool_call.h"

namespace snapgen::json {
namespace {

bool is_json(std::string_view text) {
  Reader in(text);
  in.skip();
  in.end();
  return in.syntax_ok();
}

// Compares with the result of simdjson. Texts with numbers out of range, which simdjson rejects although they
// are valid JSON, and deeply nested texts, for which simdjson has another limit, are not compared.
void compare_with_simdjson(std::string_view text, bool accepted) {
  simdjson::dom::parser parser;
  if (parser.allocate(text.size() + 1, depth_max) != simdjson::SUCCESS) return;
  simdjson::dom::element element;
  const simdjson::error_code error = parser.parse(simdjson::padded_string(text)).get(element);
  if (error == simdjson::SUCCESS) {
    FUZZ_EXPECT(accepted || text.starts_with("\xEF\xBB\xBF"));
  } else if (error != simdjson::NUMBER_ERROR && error != simdjson::DEPTH_ERROR &&
             error != simdjson::CAPACITY) {
    FUZZ_EXPECT(!accepted);
  }
}

// Reads every value of the text with the functions of generated readers for its type.
void read_all(Reader& in) {
  switch (in.peek()) {
    case Kind::object: {
      std::string tag;
      in.peek_member("kind", tag);
      std::string_view key;
      if (in.begin_object()) {
        while (in.next_key(key)) {
          FUZZ_EXPECT(valid_utf8(key));
          const std::size_t offset = in.key_offset();
          read_all(in);
          FUZZ_EXPECT(!in.syntax_ok() || offset < in.offset());
        }
      }
      return;
    }
    case Kind::array:
      if (in.begin_array()) {
        while (in.next_element()) read_all(in);
      }
      return;
    case Kind::string: {
      const Reader::Mark mark = in.mark();
      std::string text;
      std::string_view view;
      if (!in.string(text)) return;
      FUZZ_EXPECT(valid_utf8(text));
      in.rewind(mark);
      FUZZ_EXPECT(in.string(view));
      FUZZ_EXPECT(text == view);
      const std::string written = json::quoted(text);
      Reader again(written);
      std::string back;
      FUZZ_EXPECT(again.string(back));
      FUZZ_EXPECT(back == text);
      return;
    }
    case Kind::number: {
      std::int64_t integer = 0;
      const Reader::Mark mark = in.mark();
      const bool whole = in.integer(integer);
      if (!in.syntax_ok()) return;
      in.rewind(mark);
      double number = 0;
      const bool finite = in.number(number);
      FUZZ_EXPECT(in.syntax_ok());
      FUZZ_EXPECT(!whole || finite);
      if (whole) FUZZ_EXPECT(number == static_cast<double>(integer));
      if (!finite) return;
      std::string written;
      Writer(written).number(number);
      FUZZ_EXPECT(parse_double(written) == number);
      return;
    }
    case Kind::boolean: {
      bool value = false;
      in.boolean(value);
      return;
    }
    case Kind::null: in.null(); return;
    case Kind::invalid: in.skip(); return;
  }
}

void check_struct(std::string_view text, bool accepted) {
  fixture::ToolCall call;
  Reader in(text);
  read(in, call);
  in.end();
  FUZZ_EXPECT(in.syntax_ok() == accepted);
  for (const Violation& violation : in.violations()) {
    FUZZ_EXPECT(valid_utf8(violation.message));
    FUZZ_EXPECT(valid_utf8(violation.pointer));
  }
  if (!in.ok()) return;
  const std::string written = to_json(call);
  FUZZ_EXPECT(*canonical(written) == written);
  fixture::ToolCall back;
  Reader again(written);
  read(again, back);
  FUZZ_EXPECT(again.ok() && back == call);
}

void check_canonical(std::string_view text, bool accepted) {
  const Result<std::string> form = canonical(text);
  const Document document = parse_document(text);
  FUZZ_EXPECT(bool(form) == document.ok());
  if (!form) return;
  FUZZ_EXPECT(accepted);
  FUZZ_EXPECT(to_json(document.root) == *form);
  const Result<std::string> again = canonical(*form);
  // A double from 2^64 to 1e21 is written without a point, so it is read back as an integer out of range.
  if (again) {
    FUZZ_EXPECT(*again == *form);
  } else {
    FUZZ_EXPECT(again.error().message.starts_with("number out of range"));
  }
}

}  // namespace
}  // namespace snapgen::json

FUZZ_TARGET(json) {
  using namespace snapgen::json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!valid_utf8(text)) {
    FUZZ_EXPECT(!canonical(text));
    return 0;
  }
  const bool accepted = is_json(text);
  compare_with_simdjson(text, accepted);
  Reader in(text);
  read_all(in);
  in.end();
  FUZZ_EXPECT(in.syntax_ok() == accepted);
  check_struct(text, accepted);
  check_canonical(text, accepted);
  return 0;
}
