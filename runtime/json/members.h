#pragma once
// read_members() and rewrite_members(): read and change the members of an object by name, for texts that have
// no generated reader.
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"

namespace snapgen::json {

// Each read_value() reads one value. If the value has another type, `to` is unchanged, the reader is no
// longer ok(), and the result is false.
inline bool read_value(Reader& in, std::string& to) { return in.string(to); }
inline bool read_value(Reader& in, std::int64_t& to) { return in.integer(to); }
inline bool read_value(Reader& in, bool& to) { return in.boolean(to); }
inline bool read_value(Reader& in, std::string_view& to) {  // The text of any value.
  in.raw(to);
  return in.syntax_ok();
}
// An item that is not a string is read as "", and `in` is no longer ok().
inline bool read_value(Reader& in, std::vector<std::string>& to) {
  if (!in.begin_array()) return false;
  to.clear();
  while (in.next_element()) in.string(to.emplace_back());
  return true;
}
template <class T>
bool read_value(Reader& in, std::optional<T>& to) {
  T value{};
  if (!read_value(in, value)) return false;
  to = std::move(value);
  return true;
}
template <std::invocable<Reader&> F>
bool read_value(Reader& in, F& read) {  // `read` must read exactly one value.
  read(in);
  return true;
}

template <class Target, class... Rest>
void read_member(Reader& in, std::string_view name, std::string_view wanted, Target& to, Rest&... rest) {
  if (name == wanted)
    read_value(in, to);
  else if constexpr (sizeof...(rest) == 0)
    in.skip();
  else
    read_member(in, name, rest...);
}

// read_members(in, "code", code, "files", files, "parts", [&](Reader& value) { ... }): reads these members
// and skips all others. Returns false if the next value is not an object.
template <class... NamesAndTargets>
bool read_members(Reader& in, NamesAndTargets&&... members) {
  if (!in.begin_object()) return false;
  std::string_view name;
  while (in.next_key(name)) read_member(in, name, members...);
  return true;
}

// These return a member of `object`, which is the text of a JSON object: its JSON text, or its value if that
// is a string. The result is empty if the member is missing or of another type, or `object` is not a JSON
// object.
inline std::string_view member_json(std::string_view object, std::string_view name) {
  std::string_view found;
  Reader in(object);
  read_members(in, name, found);
  return in.syntax_ok() ? found : std::string_view();
}
inline std::string string_member(std::string_view object, std::string_view name) {
  std::string found;
  Reader in(object);
  read_members(in, name, found);
  return in.syntax_ok() ? found : std::string();
}

// These return changed copies of `object`, which must be the text of a valid JSON object.
// rewrite_members() calls `rewrite(name, value)` for each member, both as std::string_view, with the text of
// the value. It returns the text of the new value as std::optional<std::string>, or nullopt to omit the
// member.
template <class F>
std::string rewrite_members(std::string_view object, F rewrite) {
  std::string changed = "{";
  Writer writer(changed);
  Reader in(object);
  if (!in.begin_object()) return std::string(object);
  std::string_view key;
  while (in.next_key(key)) {
    const std::string name(key);
    std::string_view value;
    in.raw(value);
    const std::optional<std::string> rewritten = rewrite(std::string_view(name), value);
    if (!rewritten) continue;
    if (changed.size() > 1) writer.text(",");
    writer.string(name);
    writer.text(":");
    writer.text(*rewritten);
  }
  return changed + "}";
}
inline std::string without_members(std::string_view object, std::span<const std::string_view> omitted) {
  return rewrite_members(object,
                         [&](std::string_view name, std::string_view value) -> std::optional<std::string> {
                           if (std::ranges::find(omitted, name) != omitted.end()) return std::nullopt;
                           return std::string(value);
                         });
}

}  // namespace snapgen::json
