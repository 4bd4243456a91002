#pragma once
// read() and write() for the types of members of generated structs. Generated code adds overloads:
//   void read(json::Reader& in, SnapshotCreateInput& out);
//   void write(json::Writer& out, const SnapshotCreateInput& value);
//
// A read() in this header returns false if the value is of another type. Then `out` is unchanged, and limits
// need not be checked. Reading into a used struct replaces its content and reuses its memory.
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/nullable.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"

namespace snapgen::json {

// ---- Reading.

inline bool read(Reader& in, std::string& out) { return in.string(out); }
inline bool read(Reader& in, std::int64_t& out) { return in.integer(out); }
inline bool read(Reader& in, std::uint64_t& out) { return in.integer(out); }
inline bool read(Reader& in, double& out) { return in.number(out); }
inline bool read(Reader& in, bool& out) { return in.boolean(out); }
// Reads any value verbatim. A value that cannot be written in canonical form (duplicate keys, or a number out
// of range) is a violation.
bool read(Reader& in, Raw& out);
template <class T>
bool read(Reader& in, std::vector<T>& out);
template <class T>
bool read(Reader& in, std::map<std::string, T>& out);
// Reads the value of a member that exists. Null is a violation unless T accepts it. See read_nullable().
template <class T>
bool read(Reader& in, std::optional<T>& out);
template <class T>
bool read(Reader& in, Nullable<T>& out);
template <class T>
bool read(Reader& in, Box<T>& out);
// Reads a required member that may be null, and sets `out` to nullopt for null.
template <class T>
bool read_nullable(Reader& in, std::optional<T>& out);

// ---- Writing.

inline void write(Writer& out, std::string_view value) { out.string(value); }
inline void write(Writer& out, std::int64_t value) { out.integer(value); }
inline void write(Writer& out, std::uint64_t value) { out.unsigned_integer(value); }
inline void write(Writer& out, double value) { out.number(value); }
template <std::same_as<bool> T>
void write(Writer& out, T value) {
  out.boolean(value);
}
// Writes the canonical form. Text that is not JSON is a bug of the caller and is written as null.
void write(Writer& out, const Raw& value);
template <class T>
void write(Writer& out, const std::vector<T>& value);
template <class T>
void write(Writer& out, const std::map<std::string, T>& value);
// Writes null if there is no value. (A struct's write() omits members without a value.)
template <class T>
void write(Writer& out, const std::optional<T>& value);
template <class T>
void write(Writer& out, const Nullable<T>& value);
template <class T>
void write(Writer& out, const Box<T>& value);

// ---- Writing a whole text.

// Returns `value` as canonical JSON.
template <class T>
std::string to_json(const T& value) {
  std::string out;
  Writer writer(out);
  write(writer, value);
  return out;
}

// ---- Implementation.

namespace detail {

// Calls read(). Generated ones return nothing; then the result is true.
template <class T>
bool read_value(Reader& in, T& out) {
  if constexpr (std::same_as<decltype(read(in, out)), bool>) {
    return read(in, out);
  } else {
    read(in, out);
    return true;
  }
}

// Appends one element. The first allocation has room for a few small elements, which saves allocations.
template <class T>
void append_element(std::vector<T>& out) {
  constexpr std::size_t room = 128 / sizeof(T);
  if (room > 1 && out.capacity() == 0) out.reserve(room);
  out.emplace_back();
}

}  // namespace detail

template <class T>
bool read(Reader& in, std::vector<T>& out) {
  if (!in.begin_array()) return false;
  std::size_t count = 0;
  while (in.next_element()) {
    if constexpr (std::same_as<T, bool>) {
      bool value = false;
      in.boolean(value);
      if (count == out.size())
        out.push_back(value);
      else
        out[count] = value;
    } else {
      if (count == out.size()) detail::append_element(out);
      read(in, out[count]);
    }
    ++count;
  }
  out.resize(count);
  return true;
}

template <class T>
bool read(Reader& in, std::map<std::string, T>& out) {
  if (!in.begin_object()) return false;
  out.clear();
  std::string_view key;
  while (in.next_key(key)) {
    const auto [place, is_new] = out.try_emplace(std::string(key));
    if (is_new)
      read(in, place->second);
    else
      in.report_duplicate_key(key);
  }
  return true;
}

template <class T>
bool read(Reader& in, std::optional<T>& out) {
  if (!out) out.emplace();
  return detail::read_value(in, *out);
}

template <class T>
bool read(Reader& in, Nullable<T>& out) {
  if (in.peek() == Kind::null) {
    out.reset();
    return in.null();
  }
  return detail::read_value(in, out ? *out : out.emplace());
}

template <class T>
bool read(Reader& in, Box<T>& out) {
  return detail::read_value(in, *out);
}

template <class T>
bool read_nullable(Reader& in, std::optional<T>& out) {
  if (in.peek() == Kind::null) {
    out.reset();
    return in.null();
  }
  return read(in, out);
}

template <class T>
void write(Writer& out, const std::vector<T>& value) {
  out.text("[");
  bool first = true;
  for (const auto& element : value) {
    if (!first) out.text(",");
    first = false;
    if constexpr (std::same_as<T, bool>)
      out.boolean(element);
    else
      write(out, element);
  }
  out.text("]");
}

// Writes a map as an object. A std::map sorts its keys by bytes, which is the canonical order.
template <class T>
void write(Writer& out, const std::map<std::string, T>& value) {
  out.text("{");
  bool first = true;
  for (const auto& [key, element] : value) {
    if (!first) out.text(",");
    first = false;
    out.string(key);
    out.text(":");
    write(out, element);
  }
  out.text("}");
}

template <class T>
void write(Writer& out, const std::optional<T>& value) {
  if (value)
    write(out, *value);
  else
    out.null();
}

template <class T>
void write(Writer& out, const Nullable<T>& value) {
  if (value)
    write(out, *value);
  else
    out.null();
}

template <class T>
void write(Writer& out, const Box<T>& value) {
  write(out, *value);
}

}  // namespace snapgen::json
