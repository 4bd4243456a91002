#include "runtime/json/tree.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/json/number.h"
#include "runtime/json/writer.h"

namespace snapgen::json {
namespace {

// In objects with at most so many members, each pair of keys is compared to find duplicates.
constexpr std::size_t small_object = 12;

void write_normal(std::string& out, Value value);

void write_normal_object(std::string& out, Value value) {
  std::vector<Value> members;
  for (Value each = value.first_child(); each.exists(); each = each.next_sibling()) members.push_back(each);
  std::ranges::sort(members, {}, [](const Value& each) { return each.key(); });
  out += '{';
  for (const Value& each : members) {
    Writer(out).string(each.key());
    write_normal(out, each);
  }
  out += '}';
}

void write_normal(std::string& out, Value value) {
  switch (value.kind()) {
    case Kind::object: return write_normal_object(out, value);
    case Kind::array:
      out += '[';
      for (Value each = value.first_child(); each.exists(); each = each.next_sibling()) {
        write_normal(out, each);
        out += ',';
      }
      out += ']';
      return;
    case Kind::string: return Writer(out).string(value.text());
    case Kind::number: out += text(parse_decimal(value.text())); return;
    case Kind::boolean: out += value.boolean() ? 't' : 'f'; return;
    case Kind::null:
    case Kind::invalid: out += 'n'; return;
  }
}

void write_normal(std::string& out, const Node& value) {
  switch (value.kind) {
    case Kind::object: {
      std::vector<const Member*> members;
      for (const Member& each : value.members) members.push_back(&each);
      std::ranges::sort(members, {}, [](const Member* each) -> const std::string& { return each->key; });
      out += '{';
      for (const Member* each : members) {
        Writer(out).string(each->key);
        write_normal(out, each->value);
      }
      out += '}';
      return;
    }
    case Kind::array:
      out += '[';
      for (const Node& each : value.items) {
        write_normal(out, each);
        out += ',';
      }
      out += ']';
      return;
    case Kind::string: return Writer(out).string(value.text);
    case Kind::number: out += text(parse_decimal(value.text)); return;
    case Kind::boolean: out += value.boolean ? 't' : 'f'; return;
    case Kind::null:
    case Kind::invalid: out += 'n'; return;
  }
}

}  // namespace

bool Tree::parse(std::string_view text) {
  source_ = text;
  slots_.clear();
  problems_.clear();
  key_offsets_.clear();
  unescaped_.clear();
  is_json_ = false;
  if (!valid_utf8(text)) {
    problems_.push_back({.offset = 0, .message = "not UTF-8"});
    return false;
  }
  Reader in(text);
  value(in, {});
  in.end();
  is_json_ = in.syntax_ok();
  if (!is_json_) {
    slots_.clear();
    problems_.push_back(
        {.offset = in.error_offset(), .message = "not JSON: " + std::string(in.error_message())});
  }
  return problems_.empty();
}

std::string_view Tree::stored_text(std::string_view text) {
  const bool in_source = !text.empty() && std::less_equal<const char*>()(source_.data(), text.data()) &&
                         std::less<const char*>()(text.data(), source_.data() + source_.size());
  if (text.empty() || in_source) return text.empty() ? std::string_view() : text;
  if (unescaped_.empty()) unescaped_.reserve(source_.size());  // Enough: unescaped text is shorter.
  const std::size_t start = unescaped_.size();
  unescaped_.append(text);
  return std::string_view(unescaped_).substr(start);
}

void Tree::value(Reader& in, std::string_view key) {
  const auto index = static_cast<std::uint32_t>(slots_.size());
  Slot& slot = slots_.emplace_back();
  slot.key = key;
  slot.offset = static_cast<std::uint32_t>(in.offset());
  slot.kind = in.peek();
  std::string_view text;
  switch (slot.kind) {
    case Kind::object: object(in, index); break;
    case Kind::array: {
      std::uint32_t size = 0;
      if (in.begin_array()) {
        while (in.next_element()) {
          value(in, {});
          ++size;
        }
      }
      slots_[index].size = size;
      break;
    }
    case Kind::string:
      if (in.string(text)) slot.text = stored_text(text);
      break;
    case Kind::number: in.number_text(slot.text); break;
    case Kind::boolean: in.boolean(slot.boolean); break;
    case Kind::null:
    case Kind::invalid: in.skip(); break;
  }
  slots_[index].next = static_cast<std::uint32_t>(slots_.size());
}

void Tree::object(Reader& in, std::uint32_t index) {
  if (!in.begin_object()) return;
  const std::size_t from = key_offsets_.size();
  std::uint32_t size = 0;
  std::string_view key;
  while (in.next_key(key)) {
    key_offsets_.push_back(static_cast<std::uint32_t>(in.key_offset()));
    value(in, stored_text(key));
    ++size;
  }
  slots_[index].size = size;
  slots_[index].next = static_cast<std::uint32_t>(slots_.size());
  if (in.syntax_ok()) report_duplicates(index, key_offsets_, from);
  key_offsets_.resize(from);
}

void Tree::report_duplicates(std::uint32_t index, const std::vector<std::uint32_t>& key_offsets,
                             std::size_t from) {
  const std::uint32_t end = slots_[index].next;
  const auto say = [&](std::size_t member, std::string_view key) {
    problems_.push_back(
        {.offset = key_offsets[from + member], .message = "duplicate property " + quoted(key)});
  };
  std::size_t member = 0;
  if (slots_[index].size <= small_object) {
    for (std::uint32_t i = index + 1; i < end; i = slots_[i].next, ++member) {
      for (std::uint32_t before = index + 1; before < i; before = slots_[before].next) {
        if (slots_[before].key != slots_[i].key) continue;
        say(member, slots_[i].key);
        break;
      }
    }
    return;
  }
  std::unordered_set<std::string_view> seen;
  for (std::uint32_t i = index + 1; i < end; i = slots_[i].next, ++member) {
    if (!seen.insert(slots_[i].key).second) say(member, slots_[i].key);
  }
}

bool equal(Value a, Value b) {
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  switch (a.kind()) {
    case Kind::object:
      for (Value each = a.first_child(); each.exists(); each = each.next_sibling()) {
        const Value other = b.find(each.key());
        if (!other.exists() || !equal(each, other)) return false;
      }
      return true;
    case Kind::array: {
      Value other = b.first_child();
      for (Value each = a.first_child(); each.exists();
           each = each.next_sibling(), other = other.next_sibling()) {
        if (!equal(each, other)) return false;
      }
      return true;
    }
    case Kind::string: return a.text() == b.text();
    case Kind::number: return a.text() == b.text() || compare_numbers(a.text(), b.text()) == 0;
    case Kind::boolean: return a.boolean() == b.boolean();
    case Kind::null:
    case Kind::invalid: return true;
  }
  return false;
}

std::string normal_form(Value value) {
  std::string out;
  write_normal(out, value);
  return out;
}

std::string normal_form(const Node& value) {
  std::string out;
  write_normal(out, value);
  return out;
}

}  // namespace snapgen::json
