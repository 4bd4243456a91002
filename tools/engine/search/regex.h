#pragma once
// Regex: a regular expression from a user, in RE2's syntax without \C, for searching lines.
// For the patterns of JSON schemas see pattern.h, for those of the output of tools problem_matchers.h.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

class Regex {
 public:
  struct Options {
    bool literal = false;  // The source is plain text.
    bool ignore_case = false;
  };
  struct Match {
    std::size_t begin = 0;  // offset in bytes
    std::size_t end = 0;
  };

  // Compiles an expression. Errors: invalid_argument (the message says what is wrong with `source`).
  static Result<Regex> compile(std::string_view source, Options options);
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // Returns the first match at or after `from`, which must be the start of a line. A match never contains a
  // line feed; ^ and $ match at line ends. Thread-safe.
  std::optional<Match> find(std::string_view text, std::size_t from) const;
  // Returns the first match within one line, which ends at `end`, before its line feed, and contains `from`.
  std::optional<Match> find(std::string_view text, std::size_t from, std::size_t end) const;

  // The number of groups in the expression, which are numbered from 1.
  std::size_t group_count() const;
  // Returns the match that the function above returns, as the first element, and its groups; nullopt for a
  // group that took no part in the match. Empty without a match.
  std::vector<std::optional<Match>> find_groups(std::string_view text, std::size_t from,
                                                std::size_t end) const;

  // Returns texts in lower-case ASCII that occur in matches, with letters in either case. An empty one occurs
  // everywhere. Search for them with find_ignoring_case().
  const std::vector<std::string>& atoms() const;
  // Returns false if a text certainly has no match, which costs far less than find(). `may_contain_atom` must
  // return whether the part with this index may occur in the text.
  bool may_match(const std::function<bool(std::size_t atom)>& may_contain_atom) const;
  // Returns indexes of atoms(); every match contains at least one of these parts. Empty if none are known.
  const std::vector<std::size_t>& covering_atoms() const;

 private:
  class Compiled;
  explicit Regex(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace snapgen::core
