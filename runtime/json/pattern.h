#pragma once
// Pattern: the regular expression of a schema. It is compiled on first use, so that hundreds of patterns do
// not slow down the start of a server.
//
// The language is that of JSON Schema (ECMA-262 with the `u` flag) without look-around and back-references,
// so that matching takes linear time. pattern_error reports these when a schema is compiled.
#include <atomic>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::json {

class Pattern {
 public:
  // `source` must outlive the pattern; it is usually a literal in generated code.
  constexpr explicit Pattern(std::string_view source) : source_(source) {}
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern();

  std::string_view source() const { return source_; }
  // Whether the pattern matches anywhere in `utf8`. It need not match the whole text unless it has ^ and $,
  // as in JSON Schema. Thread-safe.
  bool matches(std::string_view utf8) const;

 private:
  class Compiled;
  std::string_view source_;
  mutable std::atomic<const Compiled*> compiled_ = nullptr;
};

// Returns why `source` cannot be a Pattern, or nullopt if it can.
std::optional<std::string> pattern_error(std::string_view source);

}  // namespace snapgen::json
