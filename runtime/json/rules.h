#pragma once
// Functions that generated readers and writers call: for repeated and missing members, constants, unions, and
// objects whose first member is optional.
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

// ---- Functions for readers.

// Returns true if the member `key` occurs for the first time; `bit` is the member's bit in `seen`. A repeated
// member is reported and its value skipped.
inline bool mark_seen(Reader& in, std::string_view key, std::uint64_t& seen, std::uint64_t bit) {
  if ((seen & bit) == 0) [[likely]] {
    seen |= bit;
    return true;
  }
  in.report_duplicate_key(key);
  return false;
}

// Reports that the object at `offset` lacks the required member `name`.
void report_missing_member(Reader& in, std::size_t offset, std::string_view name);

// Returns the value in the optional `value`, for a reader to fill; creates one if it is empty.
template <class T>
T& ensure_value(std::optional<T>& value) {
  return value ? *value : value.emplace();
}
template <class T>
T& ensure_value(Nullable<T>& value) {
  return value ? *value : value.emplace();
}

// These read a value and report it unless it is the one that `const` allows, a string or canonical JSON.
void read_constant(Reader& in, std::string_view string);
void read_constant_value(Reader& in, std::string_view canonical);

// These report a value that `enum` does not allow. A Raw value is compared in canonical form.
void check_one_of(Reader& in, std::size_t offset, std::int64_t value,
                  std::initializer_list<std::int64_t> allowed);
void check_one_of(Reader& in, std::size_t offset, std::uint64_t value,
                  std::initializer_list<std::uint64_t> allowed);
void check_one_of(Reader& in, std::size_t offset, double value, std::initializer_list<double> allowed);
void check_one_of(Reader& in, std::size_t offset, bool value, bool allowed);
void check_one_of(Reader& in, std::size_t offset, const Raw& value,
                  std::initializer_list<std::string_view> allowed);

// These return whether the next object has a member `name`, and do not consume the object.
// peek_member_value() also sets `canonical` to the member's value in canonical form.
bool has_member(Reader& in, std::string_view name);
bool peek_member_value(Reader& in, std::string_view name, std::string& canonical);

// Reports that the member `name` of the next object selects no alternative of a union, and skips the object.
void report_wrong_tag(Reader& in, std::string_view keyword, std::string_view name,
                      std::initializer_list<std::string_view> allowed);

// ---- Functions for writers.

template <class... T>
void write(Writer& out, const std::variant<T...>& value) {
  std::visit([&](const auto& each) { write(out, each); }, value);
}

// Completes an object whose members were written from offset `start` on, each with a comma before it.
inline void end_object(Writer& out, std::size_t start) {
  std::string& text = out.out();
  if (text.size() == start) return out.text("{}");
  text[start] = '{';
  text += '}';
}

// Writes the members of a map from `at` on, each with a comma before it, while their keys are less than
// `before`. A key equal to `before` is skipped. Advances `at` past these members.
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
