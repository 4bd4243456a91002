#include "tools/engine/git/repository/wildmatch.h"

#include <cstddef>

#include "runtime/base/ascii.h"

namespace snapgen::core::git {
namespace {

using Byte = unsigned char;

Byte lowered_byte(Byte c) { return static_cast<Byte>(to_lower(static_cast<char>(c))); }
Byte raised(Byte c) { return static_cast<Byte>(to_upper(static_cast<char>(c))); }

enum class InClass : Byte { no, yes, unknown_class };

// Git's ASCII-only definition of the POSIX classes; its white space has neither \v nor \f.
InClass in_named_class(std::string_view name, Byte byte, bool fold_case) {
  const char c = static_cast<char>(byte);
  const auto answer = [](bool in) { return in ? InClass::yes : InClass::no; };
  const bool printable = byte >= 0x20 && byte < 0x7f;
  if (name == "alnum") return answer(is_alphanumeric(c));
  if (name == "alpha") return answer(is_letter(c));
  if (name == "blank") return answer(c == ' ' || c == '\t');
  if (name == "cntrl") return answer(byte < 0x20 || byte == 0x7f);
  if (name == "digit") return answer(is_digit(c));
  if (name == "graph") return answer(printable && c != ' ');
  if (name == "lower") return answer(is_lower(c));
  if (name == "print") return answer(printable);
  if (name == "punct") return answer(printable && c != ' ' && !is_alphanumeric(c));
  if (name == "space") return answer(c == ' ' || c == '\t' || c == '\n' || c == '\r');
  if (name == "upper") return answer(is_upper(c) || (fold_case && is_lower(c)));
  if (name == "xdigit") return answer(is_hex_digit(c));
  return InClass::unknown_class;
}

enum class Bracket : Byte { mismatch, match, malformed };

class WildMatcher {
 public:
  WildMatcher(std::string_view pattern, std::string_view text, WildmatchMode mode, bool fold_case)
      : pattern_(pattern), text_(text), path_(mode == WildmatchMode::path), fold_case_(fold_case) {}

  // Matches without recursion. Only the latest star has to be resumed, because a later star can match
  // whatever an earlier one could. Stars that cross slashes have a separate resume point.
  bool run() {
    for (;;) {
      if (at_ == pattern_.size()) {
        if (position_ == text_.size()) return true;
        if (!resume()) return false;
        continue;
      }
      const Byte special = byte(pattern_, at_);
      if (special == '*') {
        star();
        continue;
      }
      if (position_ == text_.size()) return false;  // No star can match more than the rest of the text.
      Byte found = byte(text_, position_);
      if (fold_case_) found = lowered_byte(found);
      bool fits = false;
      if (special == '?') {
        fits = !(path_ && found == '/');
        ++at_;
      } else if (special == '[') {
        const Bracket bracket = read_bracket(found);
        if (bracket == Bracket::malformed) return false;
        fits = bracket == Bracket::match;
      } else {
        Byte literal = fold_case_ ? lowered_byte(special) : special;
        ++at_;
        if (special == '\\') {
          if (at_ == pattern_.size()) return false;
          literal = byte(pattern_, at_++);
        }
        fits = literal == found;
      }
      if (fits) {
        ++position_;
      } else if (!resume()) {
        return false;
      }
    }
  }

 private:
  static constexpr std::size_t none = std::string_view::npos;

  struct Resume {
    std::size_t at = none;        // The pattern offset after the star; none if there is no such star.
    std::size_t position = none;  // The text offset of the next attempt.
    bool only_after_slash = false;
  };

  static Byte byte(std::string_view bytes, std::size_t i) { return static_cast<Byte>(bytes[i]); }

  void star() {
    const std::size_t begin = at_;
    while (at_ < pattern_.size() && pattern_[at_] == '*') ++at_;
    const std::string_view rest = pattern_.substr(at_);
    const bool is_whole_name = (begin == 0 || pattern_[begin - 1] == '/') &&
                               (rest.empty() || rest[0] == '/' || rest.starts_with("\\/"));
    const bool crosses = !path_ || (at_ - begin > 1 && is_whole_name);
    if (!crosses) {
      within_ = {.at = at_, .position = position_};
      return;
    }
    within_ = {};
    across_ = {.at = at_, .position = position_};
    if (path_ && rest.starts_with('/')) {
      // `**/` matches nothing, or any text that ends in a slash.
      across_.at = ++at_;
      across_.only_after_slash = true;
    }
  }

  // Extends the latest star's match. Returns false if no star can be extended.
  bool resume() {
    if (within_.at != none) {
      if (within_.position < text_.size() && text_[within_.position] != '/') {
        at_ = within_.at;
        position_ = ++within_.position;
        return true;
      }
      within_ = {};
    }
    if (across_.at == none || across_.position >= text_.size()) return false;
    if (across_.only_after_slash) {
      const std::size_t slash = text_.find('/', across_.position);
      if (slash == none) return false;
      across_.position = slash + 1;
    } else {
      ++across_.position;
    }
    at_ = across_.at;
    position_ = across_.position;
    return true;
  }

  // Parses from the '[' at `at_` to after the ']'.
  Bracket read_bracket(Byte found) {
    ++at_;
    const bool negated = at_ < pattern_.size() && (pattern_[at_] == '!' || pattern_[at_] == '^');
    if (negated) ++at_;
    bool matched = false;
    Byte previous = 0;  // The low end of a possible range; 0 if there is none.
    for (bool first = true;; first = false) {
      if (at_ == pattern_.size()) return Bracket::malformed;
      Byte c = byte(pattern_, at_);
      if (c == ']' && !first) break;
      if (c == '\\') {
        if (++at_ == pattern_.size()) return Bracket::malformed;
        c = byte(pattern_, at_);
        matched |= c == found;
        previous = c;
      } else if (c == '-' && previous != 0 && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']') {
        c = byte(pattern_, ++at_);
        if (c == '\\') {
          if (++at_ == pattern_.size()) return Bracket::malformed;
          c = byte(pattern_, at_);
        }
        const bool folded = fold_case_ && is_lower(found) && raised(found) >= previous && raised(found) <= c;
        matched |= (found >= previous && found <= c) || folded;
        previous = 0;
      } else if (c == '[' && at_ + 1 < pattern_.size() && pattern_[at_ + 1] == ':') {
        const std::size_t close = pattern_.find(']', at_ + 2);
        if (close == none) return Bracket::malformed;
        if (close < at_ + 3 || pattern_[close - 1] != ':') {
          matched |= found == '[';
          previous = '[';
        } else {
          const std::string_view name = pattern_.substr(at_ + 2, close - 1 - (at_ + 2));
          const InClass in = in_named_class(name, found, fold_case_);
          if (in == InClass::unknown_class) return Bracket::malformed;
          matched |= in == InClass::yes;
          previous = 0;
          at_ = close;
        }
      } else {
        matched |= c == found;
        previous = c;
      }
      ++at_;
    }
    ++at_;
    return matched != negated && !(path_ && found == '/') ? Bracket::match : Bracket::mismatch;
  }

  const std::string_view pattern_;
  const std::string_view text_;
  const bool path_;
  const bool fold_case_;
  std::size_t at_ = 0;
  std::size_t position_ = 0;
  Resume within_;  // The latest `*` that stops at slashes, if it is after across_.
  Resume across_;  // The latest star that crosses slashes.
};

}  // namespace

bool wildmatch(std::string_view pattern, std::string_view text, WildmatchMode mode, bool fold_case) {
  return WildMatcher(pattern, text, mode, fold_case).run();
}

}  // namespace snapgen::core::git
