#include "runtime/json/reader.h"

#include <algorithm>
#include <bitset>
#include <span>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "runtime/json/number.h"
#include "runtime/json/pointer.h"
#include "runtime/json/proposal.h"
#include "runtime/json/writer.h"

namespace snapgen::json {
namespace {

constexpr std::size_t shown_bytes_max = 48;  // Bytes of the client's text in an error.

std::string_view head(std::string_view utf8) { return utf8_head(utf8, shown_bytes_max); }

std::string quoted_head(std::string_view utf8) {
  const std::string_view part = head(utf8);
  std::string out = json::quoted(part);
  if (part.size() != utf8.size()) out.insert(out.size() - 1, "…");
  return out;
}

// Describes the value with the JSON text `token` for an error, such as `3`, `"abc"` or `an object`.
std::string described(std::string_view token) {
  switch (token.front()) {
    case '{': return "an object";
    case '[': return "an array";
    default: break;
  }
  const std::string_view part = head(token);
  std::string out(part);
  if (part.size() != token.size()) out += token.front() == '"' ? "…\"" : "…";
  return out;
}

}  // namespace

std::string_view Reader::error_message() const { return syntax_error_ ? syntax_error_ : std::string_view(); }

std::vector<Violation> Reader::violations() const {
  std::vector<const DeferredViolation*> ordered;
  ordered.reserve(deferred_violations_.size());
  for (const DeferredViolation& deferred : deferred_violations_) ordered.push_back(&deferred);
  std::ranges::sort(ordered, [](const DeferredViolation* a, const DeferredViolation* b) {
    return a->offset != b->offset ? a->offset < b->offset : a < b;  // at the same offset, in the order found
  });
  std::vector<std::size_t> offsets;
  offsets.reserve(ordered.size());
  for (const DeferredViolation* deferred : ordered) offsets.push_back(deferred->offset);
  std::vector<std::string> pointers = pointers_at({begin_, static_cast<std::size_t>(end_ - begin_)}, offsets);
  std::vector<Violation> out;
  out.reserve(ordered.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    out.push_back({.pointer = std::move(pointers[i]),
                   .keyword = ordered[i]->keyword,
                   .message = ordered[i]->message,
                   .rule_size = ordered[i]->rule_size});
  }
  return out;
}

std::string_view Reader::number_at(std::size_t offset) const {
  const std::string_view rest(begin_ + offset, static_cast<std::size_t>(end_ - begin_) - offset);
  return rest.substr(0, rest.find_first_not_of("+-.0123456789Ee"));
}

bool Reader::fail(const char* where, const char* message) {
  if (syntax_error_ == nullptr) {
    syntax_error_ = message;
    error_offset_ = static_cast<std::size_t>(where - begin_);
    at_ = end_;
  }
  return false;
}

bool Reader::fail_here(const char* message) {
  return fail(at_, at_ == end_ ? "the text ends too early" : message);
}

bool Reader::report_wrong_kind(std::string_view expected) {
  report_wrong_type(expected);
  return false;
}

bool Reader::report_begin_failure(char bracket) {
  if (at(bracket)) return fail(at_, "nested too deeply");
  return report_wrong_kind(bracket == '{' ? "an object" : "an array");
}

void Reader::report_violation(std::size_t offset, std::string_view keyword, std::string rule,
                              std::string_view found) {
  if (syntax_error_ != nullptr || violation_count_++ >= violations_max) return;
  const std::size_t rule_size = rule.size();
  deferred_violations_.emplace_back(offset, keyword, std::move(rule.append(found)), rule_size);
}

std::vector<bool> Reader::items_with_violations(std::size_t offset) const {
  std::vector<bool> wrong;
  const auto is_inside = [offset](const DeferredViolation& each) { return each.offset > offset; };
  if (std::ranges::none_of(deferred_violations_, is_inside)) return wrong;
  Reader again(std::string_view(begin_ + offset, static_cast<std::size_t>(at_ - begin_) - offset));
  if (!again.begin_array()) return wrong;
  while (again.next_element()) {
    const std::size_t from = offset + again.offset();
    again.skip();
    const std::size_t to = offset + again.offset();
    const auto is_of_item = [from, to](const DeferredViolation& each) {
      return each.offset >= from && each.offset < to;
    };
    wrong.push_back(std::ranges::any_of(deferred_violations_, is_of_item));
  }
  return wrong;
}

void Reader::report_wrong_type(std::string_view expected) {
  skip_space();
  const char* from = at_;
  skip();
  if (syntax_error_ != nullptr) return;
  report_violation(static_cast<std::size_t>(from - begin_), "type", "expected " + std::string(expected),
                   ", found " + described({from, static_cast<std::size_t>(at_ - from)}));
}

void Reader::report_not_in_enum(std::size_t offset, std::string_view found, const std::string_view* known,
                                std::size_t count) {
  std::string rule = count == 1 ? "expected " : "expected one of ";
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) rule += ", ";
    rule += json::quoted(known[i]);
  }
  std::string end = "; found " + quoted_head(found);
  const std::optional<std::string_view> meant = nearest_name(head(found), std::span(known, count));
  if (meant && count > 1) end += "; did you mean " + json::quoted(*meant) + "?";
  report_violation(offset, count == 1 ? "const" : "enum", std::move(rule), end);
}

void Reader::report_unknown_key(std::string_view key, const std::string_view* known, std::size_t count) {
  if (ignores(key, depth_)) return skip();
  if (violation_count_ >= violations_max) {  // It is only counted, so it needs no message.
    report_violation(key_offset(), "additionalProperties", {});
    return skip();
  }
  report_violation(key_offset(), "additionalProperties", "unknown property",
                   " " + quoted_head(key) + suggestion_clause(head(key), std::span(known, count)));
  skip();
}

void Reader::report_duplicate_key(std::string_view key) {
  report_violation(key_offset(), "duplicate", "duplicate property", " " + quoted_head(key));
  skip();
}

void Reader::rewind(const Mark& mark) {
  if (syntax_error_ != nullptr) return;
  at_ = begin_ + mark.position;
  depth_ = mark.depth;
  expects_first_ = false;
  violation_count_ = mark.violation_count;
  if (deferred_violations_.size() > violation_count_) {
    deferred_violations_.erase(deferred_violations_.begin() + static_cast<std::ptrdiff_t>(violation_count_),
                               deferred_violations_.end());
  }
}

bool Reader::peek_member(std::string_view name, std::string& out) {
  skip_space();
  Reader ahead({at_, static_cast<std::size_t>(end_ - at_)});
  ahead.depth_ = depth_;
  if (!at('{') || !ahead.begin_object()) return false;
  std::string_view key;
  while (ahead.next_key(key)) {
    if (key == name) return ahead.peek() == Kind::string && ahead.string(out);
    ahead.skip();
  }
  return false;
}

void Reader::end() {
  skip_space();
  if (at_ != end_) fail(at_, "more text after the value");
}

// ---- Reader's functions for numbers.

bool Reader::skip_number() {
  const char* from = at_;
  if (at('-')) ++at_;
  const char* digits = at_;
  while (at_ != end_ && is_digit(*at_)) ++at_;
  if (at_ == digits) return fail(from, "not a JSON value");
  if (*digits == '0' && at_ - digits > 1) return fail(from, "a number with a leading zero");
  if (at('.')) {
    const char* fraction = ++at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    if (at_ == fraction) return fail(from, "a number without a digit after its decimal point");
  }
  if (at('e') || at('E')) {
    ++at_;
    if (at('+') || at('-')) ++at_;
    const char* exponent = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    if (at_ == exponent) return fail(from, "a number without a digit in its exponent");
  }
  return true;
}

bool Reader::number_text(std::string_view& out) {
  if (peek() != Kind::number) return report_wrong_kind("a number");
  const char* from = at_;
  if (!skip_number()) return false;
  out = std::string_view(from, static_cast<std::size_t>(at_ - from));
  return true;
}

bool Reader::report_wrong_number(const char* from, std::string_view expected) {
  report_violation(static_cast<std::size_t>(from - begin_), "type", "expected " + std::string(expected),
                   ", found " + described({from, static_cast<std::size_t>(at_ - from)}));
  return false;
}

template <class T>
bool Reader::integer_slow(T& out, std::string_view range) {
  if (peek() != Kind::number) return report_wrong_kind("an integer");
  std::string_view token;
  if (!number_text(token)) return false;
  switch (parse_integer(token, out)) {
    case IntegerForm::integer: return true;
    case IntegerForm::fraction: return report_wrong_number(token.data(), "an integer");
    case IntegerForm::out_of_range: return report_wrong_number(token.data(), range);
  }
  return false;
}

bool Reader::integer_slow(std::int64_t& out) { return integer_slow(out, "an integer from -2^63 to 2^63-1"); }
bool Reader::integer_slow(std::uint64_t& out) { return integer_slow(out, "an integer from 0 to 2^64-1"); }

bool Reader::number(double& out) {
  std::string_view token;
  if (!number_text(token)) return false;
  const std::optional<double> value = parse_double(token);
  if (!value) return report_wrong_number(token.data(), "a number within the range of a double");
  out = *value;
  return true;
}

// ---- Reader's functions for objects and arrays with white space, escapes or errors.

bool Reader::next_key_slow(std::string_view& key) {
  skip_space();
  if (at('}')) {
    ++at_;
    --depth_;
    expects_first_ = false;
    return false;
  }
  if (!expects_first_) {
    if (!at(',')) return fail_here("expected a comma or the end of the object");
    ++at_;
    skip_space();
  }
  expects_first_ = false;
  if (!at('"')) return fail_here("expected a property name");
  key_at_ = at_;
  const char* from = at_ + 1;
  at_ = plain_end(from, end_);
  if (at('"')) {
    key = std::string_view(from, static_cast<std::size_t>(at_ - from));
    ++at_;
  } else {
    if (!unescape(from, key_)) return false;
    key = key_;
  }
  skip_space();
  if (!at(':')) return fail_here("expected a colon");
  ++at_;
  return true;
}

bool Reader::next_element_slow() {
  skip_space();
  if (at(']')) {
    ++at_;
    --depth_;
    expects_first_ = false;
    return false;
  }
  if (!expects_first_) {
    if (!at(',')) return fail_here("expected a comma or the end of the array");
    ++at_;
  } else if (at_ == end_) {
    return fail_here("expected a value");
  }
  expects_first_ = false;
  return true;
}

// ---- Reader's functions for values of any type.

void Reader::raw(std::string_view& out) {
  skip_space();
  const char* from = at_;
  skip();
  out = syntax_error_ ? std::string_view() : std::string_view(from, static_cast<std::size_t>(at_ - from));
}

void Reader::raw(std::string& out) {
  std::string_view text;
  raw(text);
  if (!syntax_error_) out.assign(text);
}

// Reads the key and colon of a member; at_ is at the key's first byte.
bool Reader::skip_key() {
  if (!at('"')) return fail_here("expected a property name");
  if (!skip_string()) return false;
  skip_space();
  if (!at(':')) return fail_here("expected a colon");
  ++at_;
  return true;
}

void Reader::skip() {
  std::bitset<depth_max> arrays;  // Which of the open brackets are `[`.
  const int floor = depth_;
  for (;;) {
    skip_space();
    switch (peek()) {
      case Kind::object:
      case Kind::array: {
        if (depth_ == depth_max) {
          fail(at_, "nested too deeply");
          return;
        }
        const bool array = *at_ == '[';
        arrays[static_cast<std::size_t>(depth_++)] = array;
        ++at_;
        skip_space();
        if (at(array ? ']' : '}')) break;  // The loop below consumes the bracket.
        if (!array && !skip_key()) return;
        continue;
      }
      case Kind::string:
        if (!skip_string()) return;
        break;
      case Kind::number:
        if (!skip_number()) return;
        break;
      case Kind::boolean:
        if (!read_literal(*at_ == 't' ? "true" : "false")) return;
        break;
      case Kind::null:
        if (!read_literal("null")) return;
        break;
      case Kind::invalid: fail_here("not a JSON value"); return;
    }
    for (;;) {  // Reads what follows a value, or ends empty brackets.
      if (depth_ == floor) return;
      const bool array = arrays[static_cast<std::size_t>(depth_ - 1)];
      skip_space();
      if (at(array ? ']' : '}')) {
        ++at_;
        --depth_;
        continue;
      }
      if (!at(',')) {
        fail_here(array ? "expected a comma or the end of the array"
                        : "expected a comma or the end of the object");
        return;
      }
      ++at_;
      skip_space();
      if (!array && !skip_key()) return;
      break;
    }
  }
}

}  // namespace snapgen::json
