#include "runtime/json/document.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "runtime/base/text.h"
#include "runtime/json/number.h"
#include "runtime/json/pointer.h"

namespace snapgen::json {
namespace {

class Builder {
 public:
  Builder(Reader& in, std::vector<Problem>& problems) : in_(in), problems_(problems) {}

  void value(Node& out) {
    out.offset = in_.offset();
    out.kind = in_.peek();
    switch (out.kind) {
      case Kind::object: object(out); return;
      case Kind::array:
        if (!in_.begin_array()) return;
        while (in_.next_element()) value(out.items.emplace_back());
        return;
      case Kind::string: in_.string(out.text); return;
      case Kind::number: number(out); return;
      case Kind::boolean: in_.boolean(out.boolean); return;
      case Kind::null:
      case Kind::invalid: in_.skip(); return;
    }
  }

 private:
  void object(Node& out) {
    if (!in_.begin_object()) return;
    std::unordered_map<std::string, std::size_t> seen;  // The index of each member.
    std::string_view key;
    while (in_.next_key(key)) {
      const auto [at, is_new] = seen.try_emplace(std::string(key), out.members.size());
      if (is_new)
        out.members.emplace_back();
      else
        problems_.push_back(
            {.offset = in_.key_offset(), .message = "duplicate property " + json::quoted(key)});
      Member& member = out.members[at->second];
      member = {};
      member.key = key;
      member.key_offset = in_.key_offset();
      value(member.value);
    }
  }

  void number(Node& out) {
    std::string_view token;
    if (!in_.number_text(token)) return;
    out.text = token;
    if (!canonical_number(token))
      problems_.push_back({.offset = out.offset, .message = std::string(number_out_of_range)});
  }

  Reader& in_;
  std::vector<Problem>& problems_;
};

std::vector<const Member*> sorted(const std::vector<Member>& members) {
  std::vector<const Member*> out;
  out.reserve(members.size());
  for (const Member& member : members) out.push_back(&member);
  std::ranges::sort(out, {}, [](const Member* member) -> const std::string& { return member->key; });
  return out;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

std::optional<std::int64_t> Node::integer() const {
  std::int64_t value = 0;
  if (kind != Kind::number || parse_integer(text, value) != IntegerForm::integer) return std::nullopt;
  return value;
}

std::optional<double> Node::number() const {
  if (kind != Kind::number) return std::nullopt;
  return parse_double(text);
}

std::string string_member(const Node& object, std::string_view key) {
  const Node* member = object.find(key);
  return member && member->is(Kind::string) ? member->text : std::string();
}

const Node* child_at_token(const Node& node, std::string_view token) {
  if (!node.is(Kind::array)) return node.find(unescaped_pointer_token(token));
  std::size_t index = 0;
  const char* last = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), last, index);
  const bool whole = error == std::errc() && stop == last && (token == "0" || !token.starts_with('0'));
  return whole && index < node.items.size() ? &node.items[index] : nullptr;
}

bool equal(const Node& a, const Node& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::object: {
      if (a.members.size() != b.members.size()) return false;
      const std::vector<const Member*> left = sorted(a.members);
      const std::vector<const Member*> right = sorted(b.members);
      return std::ranges::equal(left, right, [](const Member* x, const Member* y) {
        return x->key == y->key && equal(x->value, y->value);
      });
    }
    case Kind::array: return std::ranges::equal(a.items, b.items, equal);
    case Kind::string: return a.text == b.text;
    case Kind::number: return canonical_number(a.text) == canonical_number(b.text);
    case Kind::boolean: return a.boolean == b.boolean;
    case Kind::null:
    case Kind::invalid: return true;
  }
  return false;
}

void write(Writer& out, const Node& value) {
  bool first = true;
  switch (value.kind) {
    case Kind::object:
      out.text("{");
      for (const Member* member : sorted(value.members)) {
        if (!first) out.text(",");
        first = false;
        out.string(member->key);
        out.text(":");
        write(out, member->value);
      }
      out.text("}");
      return;
    case Kind::array:
      out.text("[");
      for (const Node& item : value.items) {
        if (!first) out.text(",");
        first = false;
        write(out, item);
      }
      out.text("]");
      return;
    case Kind::string: out.string(value.text); return;
    case Kind::number: out.text(canonical_number(value.text).value_or("null")); return;
    case Kind::boolean: out.boolean(value.boolean); return;
    case Kind::null:
    case Kind::invalid: out.null(); return;
  }
}

Document parse_document(std::string_view text) {
  Document out;
  if (!valid_utf8(text)) {
    out.problems.push_back({.offset = 0, .message = "not UTF-8"});
    return out;
  }
  Reader in(text);
  Builder(in, out.problems).value(out.root);
  in.end();
  if (!in.syntax_ok()) {
    out.problems.push_back(
        {.offset = in.error_offset(), .message = "not JSON: " + std::string(in.error_message())});
  }
  return out;
}

std::optional<Problem> first_syntax_error(std::string_view text) {
  Reader in(text);
  in.skip();
  in.end();
  if (in.syntax_ok()) return std::nullopt;
  return Problem{.offset = in.error_offset(), .message = std::string(in.error_message())};
}

LineColumn line_column_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  const std::size_t start = line == 1 ? 0 : before.rfind('\n') + 1;
  return {.line = line, .column = code_point_count(before.substr(start)) + 1};
}

std::string canonical_text(const Node& value) {
  std::string out;
  Writer writer(out);
  write(writer, value);
  return out;
}

}  // namespace snapgen::json
