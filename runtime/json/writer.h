#pragma once
// Writer: appends canonical JSON to a string. Generated writers pass their keys in byte order.
//
// Canonical JSON is UTF-8, has no white space and sorts keys by their UTF-8 bytes. Only `"`, `\` and U+0000
// to U+001F are escaped. Integers are exact, other numbers are written as ECMAScript does, and -0 is 0.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::json {

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  void text(std::string_view json) { out_.append(json); }  // appends text that is already JSON
  void string(std::string_view utf8);                      // appends a string, quoted and escaped
  void integer(std::int64_t value);
  void unsigned_integer(std::uint64_t value);
  void number(double value);  // must be finite
  void boolean(bool value) { out_.append(value ? "true" : "false"); }
  void null() { out_.append("null"); }
  std::string& out() { return out_; }

 private:
  std::string& out_;
};

// The text of any JSON value. Reading stores it verbatim; writing converts it to canonical form.
struct Raw {
  std::string text = "null";
  friend bool operator==(const Raw&, const Raw&) = default;
};

// Returns the canonical form of `text`. Errors: invalid_argument with the position (not JSON, a duplicate
// key, a lone surrogate, a BOM, invalid UTF-8, an integer outside [-2^63, 2^64-1], a number beyond double).
Result<std::string> canonical(std::string_view text);

// Returns the canonical form of `token`, a valid JSON number, or nullopt if it is out of range.
std::optional<std::string> canonical_number(std::string_view token);

std::string quoted(std::string_view utf8);
std::string number_text(double value);  // Returns what Writer::number() writes.

}  // namespace snapgen::json
