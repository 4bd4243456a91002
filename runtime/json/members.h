#pragma once
// read_members(): reads the members of an object by name, for texts that have no generated reader.
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/reader.h"

namespace snapgen::json {

// Each reads one value. A value of another kind leaves `to` unchanged, and the reader is no longer ok().
inline void read_value(Reader& in, std::string& to) { in.string(to); }
inline void read_value(Reader& in, std::string_view& to) { in.raw(to); }  // The JSON text of any value.
inline void read_value(Reader& in, std::int64_t& to) { in.integer(to); }
inline void read_value(Reader& in, bool& to) { in.boolean(to); }
inline void read_value(Reader& in, std::vector<std::string>& to) {
  if (!in.begin_array()) return;
  to.clear();
  while (in.next_element()) in.string(to.emplace_back());
}
template <class T>
void read_value(Reader& in, std::optional<T>& to) {
  read_value(in, to.emplace());
}
template <std::invocable<Reader&> F>
void read_value(Reader& in, F& read) {  // It reads exactly one value.
  read(in);
}

template <class Target, class... Rest>
void read_member(Reader& in, std::string_view name, std::string_view wanted, Target& to, Rest&... rest) {
  if (name == wanted) return read_value(in, to);
  if constexpr (sizeof...(rest) == 0)
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

// The JSON text of a member, or its string; empty if it is absent, of another kind, or not in an object.
inline std::string_view member_text(std::string_view object, std::string_view name) {
  std::string_view found;
  Reader in(object);
  read_members(in, name, found);
  return found;
}
inline std::string string_member(std::string_view object, std::string_view name) {
  std::string found;
  Reader in(object);
  read_members(in, name, found);
  return found;
}

}  // namespace snapgen::json
