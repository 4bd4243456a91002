#pragma once
// Regex: a regular expression from a user, in RE2's syntax without \C, for searching lines. It is in this
// folder because only this folder includes RE2; pattern.h is for the patterns of schemas.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::json {

class Regex {
 public:
  struct Options {
    bool literal = false;  // The source is plain text.
    bool ignore_case = false;
  };
  struct Match {
    std::size_t begin = 0;  // bytes
    std::size_t end = 0;
  };

  // Errors: invalid_argument, with the problem and its position.
  static Result<Regex> compile(std::string_view source, Options options);
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // Returns the first match at or after `from`, which must be the start of a line. A match never contains a
  // line feed; ^ and $ match at line ends. Thread-safe.
  std::optional<Match> find(std::string_view text, std::size_t from) const;
  // As above within one line, which ends at `end`, before its line feed. `from` may be inside the line.
  std::optional<Match> find(std::string_view text, std::size_t from, std::size_t end) const;

  // Texts that occur in matches, in lower-case ASCII; their letters match in either case. An empty one
  // matches everywhere (see find_folded()).
  const std::vector<std::string>& parts() const;
  // False: the text has no match. `may_hold` returns whether the part with this index may occur in the text.
  // Costs far less than find().
  bool may_match(const std::function<bool(std::size_t part)>& may_hold) const;
  // Indexes of parts, at least one of which occurs in every match. Empty: unknown.
  const std::vector<std::size_t>& leads() const;

 private:
  class Compiled;
  explicit Regex(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace snapgen::json
