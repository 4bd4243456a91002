#pragma once
// Regex: a regular expression that a user typed, in RE2's own syntax without \C, for searching in lines. It
// stands here because this folder alone includes RE2; for the patterns of schemas see pattern.h.
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
    bool literal = false;  // The source is the text itself.
    bool ignore_case = false;
  };
  struct Match {
    std::size_t begin = 0;  // bytes
    std::size_t end = 0;
  };

  // Errors: invalid_argument, with what is wrong and where.
  static Result<Regex> compile(std::string_view source, Options options);
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // The first match that begins at `from` or later. `from` is the beginning of a line. A match never holds a
  // line feed; ^ and $ match at the ends of lines. Safe to call from several threads.
  std::optional<Match> find(std::string_view text, std::size_t from) const;
  // The same within one line, which ends at `end`, before its line feed.
  std::optional<Match> find(std::string_view text, std::size_t from, std::size_t end) const;

  // Texts that matches hold, in ASCII and lower case, whose letters match in either case; an empty one stands
  // everywhere (see find_folded()).
  const std::vector<std::string>& parts() const;
  // False: find() would find nothing anywhere in a text. `may_hold` says of each part, by its number, whether
  // it may stand in the text. Costs far less than find().
  bool may_match(const std::function<bool(std::size_t part)>& may_hold) const;
  // Those of the parts, by their numbers, of which every match holds one at least; none: nothing can be told.
  const std::vector<std::size_t>& leads() const;

 private:
  class Compiled;
  explicit Regex(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace snapgen::json
