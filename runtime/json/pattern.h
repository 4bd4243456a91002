#pragma once
// Pattern: the regular expression of a schema. Compiled when it is first used, so that a server with a
// hundred of them starts as fast as one with none.
//
// The language is that of JSON Schema (ECMA-262 with the `u` flag) as far as it can be matched in linear
// time: no look-around and no back-references. pattern_error says so when a schema is compiled.
#include <atomic>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::json {

class Pattern {
 public:
  // `source` must outlive the pattern: a literal of generated code.
  constexpr explicit Pattern(std::string_view source) : source_(source) {}
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern();

  std::string_view source() const { return source_; }
  // Whether some part of `utf8` matches, as JSON Schema wants: only ^ and $ anchor. Safe to call from several
  // threads.
  bool matches(std::string_view utf8) const;

 private:
  class Compiled;
  std::string_view source_;
  mutable std::atomic<const Compiled*> compiled_ = nullptr;
};

// Why `source` cannot be a Pattern, in one sentence; none if it can.
std::optional<std::string> pattern_error(std::string_view source);

}  // namespace snapgen::json
