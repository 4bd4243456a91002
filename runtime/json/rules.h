#pragma once
// Helpers of generated readers and writers beyond single values: seen members, constants, unions, and objects
// whose first member is optional.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "runtime/json/nullable.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"

namespace snapgen::json {

// ---- read

// Returns true for the first occurrence of the member with this bit. A repeated member is a violation, and
// its value is skipped.
inline bool first(Reader& in, std::string_view key, std::uint64_t& seen, std::uint64_t bit) {
  if ((seen & bit) == 0) [[likely]] {
    seen |= bit;
    return true;
  }
  in.duplicate_key(key);
  return false;
}

// Reports a violation of `required` for the object at `offset`.
void report_missing(Reader& in, std::size_t offset, std::string_view name);

// Returns the value to read into; an existing one is reused.
template <class T>
T& ensure_value(std::optional<T>& value) {
  return value ? *value : value.emplace();
}
template <class T>
T& ensure_value(Nullable<T>& value) {
  return value ? *value : value.emplace();
}

// Read the only string, or the only value in canonical form, that `const` allows.
void read_constant(Reader& in, std::string_view string);
void read_constant_value(Reader& in, std::string_view canonical);

// Checks `enum` for integers, numbers, booleans and canonical texts.
void check_one_of(Reader& in, std::size_t offset, std::int64_t value,
                  std::initializer_list<std::int64_t> allowed);
void check_one_of(Reader& in, std::size_t offset, std::uint64_t value,
                  std::initializer_list<std::uint64_t> allowed);
void check_one_of(Reader& in, std::size_t offset, double value, std::initializer_list<double> allowed);
void check_one_of(Reader& in, std::size_t offset, bool value, bool allowed);
void check_one_of(Reader& in, std::size_t offset, const Raw& value,
                  std::initializer_list<std::string_view> allowed);

// Peek at a member of the next object without moving: whether it exists; its value in canonical form.
bool has_member(Reader& in, std::string_view name);
bool peek_member_value(Reader& in, std::string_view name, std::string& canonical);

// Reports that no alternative of a union matches its member `name`, and skips the value.
void violate_tag(Reader& in, std::string_view keyword, std::string_view name,
                 std::initializer_list<std::string_view> allowed);

// ---- write

template <class... T>
void write(Writer& out, const std::variant<T...>& value) {
  std::visit([&](const auto& each) { write(out, each); }, value);
}

// Ends an object whose members were written from `start` on, each with a comma before it.
inline void end_object(Writer& out, std::size_t start) {
  std::string& text = out.out();
  if (text.size() == start) return out.text("{}");
  text[start] = '{';
  text += '}';
}

// Writes the members of a map from `at` on, each with a comma before it, while their keys are below `before`.
// A key equal to `before` is never written. Advances `at`.
template <class T>
void write_members(Writer& out, typename std::map<std::string, T>::const_iterator& at,
                   const std::map<std::string, T>& members, const std::string_view* before = nullptr) {
  for (; at != members.end(); ++at) {
    if (before && at->first >= *before) {
      if (at->first == *before) ++at;
      return;
    }
    out.text(",");
    out.string(at->first);
    out.text(":");
    write(out, at->second);
  }
}
template <class T>
void write_members(Writer& out, typename std::map<std::string, T>::const_iterator& at,
                   const std::map<std::string, T>& members, std::string_view before) {
  write_members(out, at, members, &before);
}

}  // namespace snapgen::json
