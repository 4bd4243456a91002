#include "runtime/json/rules.h"

#include <algorithm>
#include <utility>

#include "runtime/json/proposal.h"

namespace snapgen::json {
namespace {

template <class List, class Text>
std::string listed(const List& allowed, Text text) {
  std::string words;
  for (auto each = allowed.begin(); each != allowed.end(); ++each) {
    if (each != allowed.begin()) words += std::next(each) == allowed.end() ? " or " : ", ";
    words += text(*each);
  }
  return words;
}

void violate_value(Reader& in, std::size_t offset, std::string_view keyword, const std::string& allowed,
                   const std::string& found) {
  in.report_violation(offset, keyword, "expected " + allowed, ", found " + found);
}

template <class T>
void check_number(Reader& in, std::size_t offset, T value, std::initializer_list<T> allowed) {
  if (std::ranges::find(allowed, value) != allowed.end()) return;
  violate_value(in, offset, "enum", listed(allowed, [](T each) { return to_json(each); }), to_json(value));
}

std::string canonical_of(Reader& in) {
  std::string_view text;
  in.raw(text);
  Result<std::string> found = canonical(text);
  return found ? *found : std::string(text);
}

}  // namespace

void report_missing_member(Reader& in, std::size_t offset, std::string_view name) {
  in.report_violation(offset, "required", "missing property " + quoted(name));
}

void read_constant(Reader& in, std::string_view string) {
  std::size_t at = in.offset();
  std::string_view found;
  if (in.string(found) && found != string)
    violate_value(in, at, "const", quoted(string), shortened(quoted(found)));
}

void read_constant_value(Reader& in, std::string_view canonical) {
  std::size_t at = in.offset();
  std::string found = canonical_of(in);
  if (in.syntax_ok() && found != canonical)
    violate_value(in, at, "const", std::string(canonical), shortened(std::move(found)));
}

void check_one_of(Reader& in, std::size_t offset, std::int64_t value,
                  std::initializer_list<std::int64_t> allowed) {
  check_number(in, offset, value, allowed);
}

void check_one_of(Reader& in, std::size_t offset, std::uint64_t value,
                  std::initializer_list<std::uint64_t> allowed) {
  check_number(in, offset, value, allowed);
}

void check_one_of(Reader& in, std::size_t offset, double value, std::initializer_list<double> allowed) {
  check_number(in, offset, value, allowed);
}

void check_one_of(Reader& in, std::size_t offset, bool value, bool allowed) {
  if (value != allowed)
    violate_value(in, offset, "enum", allowed ? "true" : "false", value ? "true" : "false");
}

void check_one_of(Reader& in, std::size_t offset, const Raw& value,
                  std::initializer_list<std::string_view> allowed) {
  Result<std::string> text = canonical(value.text);
  if (text && std::ranges::find(allowed, *text) != allowed.end()) return;
  violate_value(in, offset, "enum", listed(allowed, [](std::string_view each) { return std::string(each); }),
                shortened(text ? *text : value.text));
}

bool has_member(Reader& in, std::string_view name) {
  std::string unused;
  return peek_member_value(in, name, unused);
}

bool peek_member_value(Reader& in, std::string_view name, std::string& found) {
  if (in.peek() != Kind::object) return false;
  const Reader::Mark mark = in.mark();
  bool there = false;
  std::string_view key;
  if (in.begin_object()) {
    while (in.next_key(key)) {
      if (key == name && !there) {
        found = canonical_of(in);
        there = true;
      } else {
        in.skip();
      }
    }
  }
  // After a syntax error, a reader must not be rewound.
  if (in.syntax_ok()) in.rewind(mark);
  return there && in.syntax_ok();
}

void report_wrong_tag(Reader& in, std::string_view keyword, std::string_view name,
                      std::initializer_list<std::string_view> allowed) {
  if (in.peek() != Kind::object) return in.report_wrong_type("an object");
  std::size_t at = in.offset();
  std::string found;
  bool there = peek_member_value(in, name, found);
  std::string choice = std::string(name) + " must be " +
                       listed(allowed, [](std::string_view each) { return std::string(each); });
  if (there)
    in.report_violation(at, keyword, std::move(choice), ", found " + shortened(std::move(found)));
  else
    in.report_violation(at, keyword, choice + ", and is missing");
  in.skip();
}

}  // namespace snapgen::json
