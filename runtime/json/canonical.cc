// canonical(): converts any JSON text to canonical form in one pass. It writes members in input order,
// records their positions in the output, and sorts them only if they are out of order.
#include <algorithm>
#include <vector>

#include "runtime/json/number.h"
#include "runtime/json/values.h"

namespace snapgen::json {
namespace {

class Canonicalizer {
 public:
  Canonicalizer(std::string_view text, std::string& out) : in_(text), writer_(out), out_(out) {}

  Reader& in() { return in_; }
  // These describe the first error that is not a syntax error (a duplicate property or a number out of
  // range): whether there is one, its message and its offset in the input.
  bool refused() const { return !refusal_.empty(); }
  const std::string& refusal() const { return refusal_; }
  std::size_t refused_at() const { return refused_at_; }
  std::string_view keyword() const { return keyword_; }  // The keyword for a Violation of that error.

  void value() {
    switch (in_.peek()) {
      case Kind::object: object(); return;
      case Kind::array: {
        if (!in_.begin_array()) return;
        out_ += '[';
        bool first = true;
        while (in_.next_element()) {
          if (!first) out_ += ',';
          first = false;
          value();
        }
        out_ += ']';
        return;
      }
      case Kind::string: {
        std::string_view text;
        if (in_.string(text)) writer_.string(text);
        return;
      }
      case Kind::number: number(); return;
      case Kind::boolean: {
        bool value = false;
        if (in_.boolean(value)) writer_.boolean(value);
        return;
      }
      case Kind::null:
        if (in_.null()) writer_.null();
        return;
      case Kind::invalid: in_.skip(); return;
    }
  }

 private:
  // An object's member in the output: its key, and where its text (without the comma) begins and ends.
  struct Written {
    std::string key;
    std::size_t begin;
    std::size_t end;
    std::size_t offset;  // of the key in the input
  };

  void object() {
    if (!in_.begin_object()) return;
    out_ += '{';
    const std::size_t begin = out_.size();
    const std::size_t base = members_.size();
    bool in_order = true;
    std::string_view key;
    while (in_.next_key(key)) {
      if (members_.size() > base) {
        out_ += ',';
        if (key <= members_.back().key) in_order = false;
      }
      members_.push_back(
          {.key = std::string(key), .begin = out_.size(), .end = 0, .offset = in_.key_offset()});
      writer_.string(key);
      out_ += ':';
      const std::size_t self = members_.size() - 1;
      value();
      members_[self].end = out_.size();
    }
    if (!in_order && !refused()) put_in_order(begin, base);
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(base), members_.end());
    out_ += '}';
  }

  void put_in_order(std::size_t begin, std::size_t base) {
    const auto first = members_.begin() + static_cast<std::ptrdiff_t>(base);
    std::sort(first, members_.end(), [](const Written& a, const Written& b) {
      return a.key < b.key || (a.key == b.key && a.offset < b.offset);
    });
    const auto same = std::adjacent_find(first, members_.end(),
                                         [](const Written& a, const Written& b) { return a.key == b.key; });
    if (same != members_.end()) {
      refuse(std::next(same)->offset, "duplicate", "duplicate property " + json::quoted(same->key));
      return;
    }
    const std::string before = out_.substr(begin);
    out_.resize(begin);
    for (auto member = first; member != members_.end(); ++member) {
      if (member != first) out_ += ',';
      out_.append(before, member->begin - begin, member->end - member->begin);
    }
  }

  void number() {
    const std::size_t offset = in_.offset();
    std::string_view token;
    if (!in_.number_text(token)) return;
    const std::optional<std::string> form = canonical_number(token);
    if (form)
      out_ += *form;
    else
      refuse(offset, "type", "number out of range");
  }

  void refuse(std::size_t offset, std::string_view keyword, std::string message) {
    if (refused()) return;
    keyword_ = keyword;
    refusal_ = std::move(message);
    refused_at_ = offset;
  }

  Reader in_;
  Writer writer_;
  std::string& out_;
  std::vector<Written> members_;  // The members of all objects that are being read.
  std::string refusal_;
  std::string_view keyword_;
  std::size_t refused_at_ = 0;
};

}  // namespace

Result<std::string> canonical(std::string_view text) {
  const auto invalid = [](const std::string& message, std::size_t offset) {
    return Error(ErrorCode::invalid_argument, message + " at byte " + std::to_string(offset));
  };
  if (!valid_utf8(text)) return Error(ErrorCode::invalid_argument, "not UTF-8");
  if (text.starts_with("\xEF\xBB\xBF")) return invalid("a byte order mark", 0);
  std::string out;
  out.reserve(text.size());
  Canonicalizer canonicalizer(text, out);
  canonicalizer.value();
  Reader& in = canonicalizer.in();
  in.end();
  if (!in.syntax_ok()) return invalid("not JSON: " + std::string(in.error_message()), in.error_offset());
  if (canonicalizer.refused()) return invalid(canonicalizer.refusal(), canonicalizer.refused_at());
  return out;
}

std::optional<std::string> canonical_number(std::string_view token) {
  char buffer[number_bytes_max];
  const bool is_integer = token.find_first_of(".eE") == std::string_view::npos;
  if (is_integer) {
    const bool negative = token.starts_with('-');
    const std::string_view digits = token.substr(negative ? 1 : 0);
    if (digits == "0") return "0";
    constexpr std::string_view largest = "18446744073709551615";
    constexpr std::string_view smallest = "9223372036854775808";  // after a minus sign
    const std::string_view limit = negative ? smallest : largest;
    if (digits.size() > limit.size() || (digits.size() == limit.size() && digits > limit))
      return std::nullopt;
    return std::string(token);
  }
  const std::optional<double> value = parse_double(token);
  if (!value) return std::nullopt;
  return std::string(buffer, write_number(buffer, *value));
}

bool read(Reader& in, Raw& out) {
  const Kind kind = in.peek();
  const std::size_t offset = in.offset();
  in.raw(out.text);
  if (kind == Kind::string || kind == Kind::boolean || kind == Kind::null || !in.syntax_ok()) return true;
  std::string form;
  Canonicalizer check(out.text, form);
  check.value();
  if (!check.refused()) return true;
  in.report_violation(offset + check.refused_at(), check.keyword(), {}, check.refusal());
  return false;
}

void write(Writer& out, const Raw& value) {
  Result<std::string> form = canonical(value.text);
  assert(form);
  if (form)
    out.text(*form);
  else
    out.null();
}

}  // namespace snapgen::json
