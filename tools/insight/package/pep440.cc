// Parses Python's versions and specifiers (PEP 440), and the ranges of Poetry.
#include <algorithm>
#include <charconv>
#include <compare>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/insight/package/version_set.h"
#include "tools/insight/package/words.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t before_all = -1;
constexpr std::int64_t after_all = INT64_MAX;

struct PythonVersion {
  std::int64_t epoch = 0;
  std::vector<std::int64_t> release;  // The release numbers: 1, 2, 3 for 1.2.3. There is at least one.
  // The pre-release phase: 0 is alpha, 1 beta, 2 release candidate. Its number is `before`.
  std::int64_t phase = after_all;
  std::int64_t before = 0;
  std::int64_t post = before_all;
  std::int64_t dev = after_all;
  std::string local;

  bool is_pre_release() const { return phase != after_all || dev != after_all; }
  bool is_post_release() const { return post != before_all; }
};

// PythonParser reads the parts of a version, which must be in lower case.
class PythonParser {
 public:
  explicit PythonParser(std::string text) : text_(std::move(text)), rest_(text_) {}

  std::optional<PythonVersion> run() {
    PythonVersion version;
    take_prefix(rest_, "v");
    if (const std::size_t mark = rest_.find('!'); mark != std::string_view::npos) {
      if (!number(version.epoch) || !take_prefix(rest_, "!")) return std::nullopt;
    }
    do {
      if (!number(version.release.emplace_back())) return std::nullopt;
    } while (rest_.size() > 1 && rest_[0] == '.' && is_digit(rest_[1]) && take_prefix(rest_, "."));
    phase(version);
    // A hyphen and a number mean a post-release: 1.0-1 is 1.0.post1.
    if (rest_.size() > 1 && rest_[0] == '-' && is_digit(rest_[1])) {
      take_prefix(rest_, "-");
      if (!number(version.post)) return std::nullopt;
    } else if (word({"post", "rev", "r"})) {
      version.post = optional_number();
    }
    if (word({"dev"})) {
      version.dev = optional_number();
      // A development release without a pre-release or post-release, such as 1.0.dev1, precedes the alphas.
      if (version.phase == after_all && version.post == before_all) version.phase = before_all;
    }
    if (take_prefix(rest_, "+")) {
      if (rest_.empty()) return std::nullopt;
      version.local = rest_;
      const bool is_local = std::all_of(rest_.begin(), rest_.end(), [](char c) {
        return is_alphanumeric(c) || c == '.' || c == '-' || c == '_';
      });
      if (!is_local) return std::nullopt;
      rest_ = {};
    }
    return rest_.empty() ? std::optional(std::move(version)) : std::nullopt;
  }

 private:
  bool number(std::int64_t& out) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
    if (error != std::errc() || out < 0) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }
  std::int64_t optional_number() {
    std::int64_t value = 0;
    const std::string_view before = rest_;
    if (!rest_.empty() && separators.find(rest_[0]) != std::string_view::npos) rest_.remove_prefix(1);
    if (rest_.empty() || !is_digit(rest_[0]) || !number(value)) rest_ = before;
    return value;
  }

  // Takes one of these words, with a separator before it, if it is next.
  bool word(std::initializer_list<std::string_view> words) {
    std::string_view after = rest_;
    if (!after.empty() && separators.find(after[0]) != std::string_view::npos) after.remove_prefix(1);
    for (const std::string_view each : words) {
      if (!after.starts_with(each)) continue;
      rest_ = after.substr(each.size());
      return true;
    }
    return false;
  }

  void phase(PythonVersion& version) {
    if (word({"alpha", "a"}))
      version.phase = 0;
    else if (word({"beta", "b"}))
      version.phase = 1;
    else if (word({"preview", "pre", "rc", "c"}))
      version.phase = 2;
    else
      return;
    version.before = optional_number();
  }

  static constexpr std::string_view separators = ".-_";
  const std::string text_;
  std::string_view rest_;
};

std::optional<PythonVersion> python_version(std::string_view text) {
  return PythonParser(to_lower(trimmed(text))).run();
}

std::int64_t number_at(const PythonVersion& version, std::size_t index) {
  return index < version.release.size() ? version.release[index] : 0;
}

// Compares the epochs and the release numbers of two versions.
int compare_python_releases(const PythonVersion& a, const PythonVersion& b) {
  if (a.epoch != b.epoch) return a.epoch < b.epoch ? -1 : 1;
  for (std::size_t i = 0; i < std::max(a.release.size(), b.release.size()); ++i)
    if (number_at(a, i) != number_at(b, i)) return number_at(a, i) < number_at(b, i) ? -1 : 1;
  return 0;
}

// Compares two versions without their local parts (1.0+local).
int compare_python_versions(const PythonVersion& a, const PythonVersion& b) {
  if (const int order = compare_python_releases(a, b); order != 0) return order;
  const auto key = [](const PythonVersion& one) {
    return std::tuple(one.phase, one.before, one.post, one.dev);
  };
  const auto order = key(a) <=> key(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

// One clause of a specifier: a bound, or all versions that begin with some numbers (==1.2.*).
struct PythonClause {
  Bound bound = Bound::equal;
  PythonVersion version;
  std::size_t prefix = 0;     // How many numbers are compared; 0 means the whole version.
  bool is_arbitrary = false;  // The clause is === with a text that is not a version.
};

// A version is in the set if it meets all clauses of one of the lists.
using PythonSet = std::vector<std::vector<PythonClause>>;

PythonVersion next_python(const PythonVersion& version, std::size_t count) {
  PythonVersion next{.epoch = version.epoch, .release = version.release};
  next.release.resize(count);
  ++next.release.back();
  return next;
}

// Adds the clauses that Poetry's ^1.2 (a caret) or ~1.2 (a tilde) means.
void add_poetry(std::vector<PythonClause>& clauses, bool is_caret, const PythonVersion& version) {
  std::size_t count = std::min<std::size_t>(version.release.size(), 2);
  if (is_caret) {
    const auto first = std::find_if(version.release.begin(), version.release.end(),
                                    [](std::int64_t number) { return number != 0; });
    const auto at = static_cast<std::size_t>(first - version.release.begin());
    count = std::min(at + 1, version.release.size());
  }
  clauses.push_back({.bound = Bound::at_least, .version = version});
  clauses.push_back({.bound = Bound::less, .version = next_python(version, count)});
}

bool add_clause(std::vector<PythonClause>& clauses, std::string_view text) {
  if (text == "*") return true;
  std::string_view sign;
  for (std::string_view each : {"===", "~=", "==", "!=", "<=", ">=", "<", ">", "^", "~", "="})
    if (sign.empty() && text.starts_with(each)) sign = each;
  text = trimmed(text.substr(sign.size()));
  PythonClause clause;
  const bool has_prefix = text.ends_with(".*");
  if (has_prefix) text.remove_suffix(2);
  const std::optional<PythonVersion> version = python_version(text);
  if (!version) {
    clauses.push_back({.version = {}, .is_arbitrary = true});
    return sign == "===" && !text.empty();
  }
  clause.version = *version;
  if (has_prefix) {
    if (sign != "" && sign != "==" && sign != "!=") return false;
    clause.prefix = version->release.size();
  }
  if (sign == "^" || sign == "~") {
    add_poetry(clauses, sign == "^", *version);
    return true;
  }
  if (sign == "~=") {
    if (version->release.size() < 2) return false;
    clauses.push_back({.bound = Bound::at_least, .version = *version});
    clause.prefix = version->release.size() - 1;
  } else if (sign == "!=") {
    clause.bound = Bound::unequal;
  } else if (sign.starts_with('<')) {
    clause.bound = sign == "<" ? Bound::less : Bound::at_most;
  } else if (sign.starts_with('>')) {
    clause.bound = sign == ">" ? Bound::more : Bound::at_least;
  }
  clauses.push_back(std::move(clause));
  return true;
}

// Adds clauses that are separated by blanks, as Poetry allows. A blank may also follow an operator.
bool add_clauses(std::vector<PythonClause>& clauses, std::string_view text) {
  std::string clause;
  for (const std::string_view word : split_by(text, " ")) {
    clause += word;
    if (clause.find_first_not_of("=<>!~^") == std::string::npos) continue;
    if (!add_clause(clauses, clause)) return false;
    clause.clear();
  }
  return clause.empty();
}

std::optional<PythonSet> python_set(std::string_view range) {
  if (range.size() > range_bytes_max) return std::nullopt;
  PythonSet set;
  // Poetry separates alternative ranges by | or ||.
  const std::vector<std::string_view> alternatives = split_by(range, "|");
  for (const std::string_view alternative : alternatives) {
    if (trimmed(alternative).empty() && alternatives.size() > 1) continue;
    std::vector<PythonClause>& clauses = set.emplace_back();
    const std::vector<std::string_view> parts = split_by(trimmed(alternative), ",");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string_view part = trimmed(parts[i]);
      // The specifier is empty, or this is the empty part after a comma at its end.
      if (part.empty() && i + 1 == parts.size()) continue;
      if (part.empty() || !add_clauses(clauses, part)) return std::nullopt;
    }
  }
  if (set.empty()) return std::nullopt;
  return set;
}

Fit fits_clause(const PythonVersion& wanted, const PythonClause& clause) {
  if (clause.is_arbitrary) return Fit::unknown;
  int order = compare_python_versions(wanted, clause.version);
  if (clause.prefix > 0) {
    bool same = wanted.epoch == clause.version.epoch;
    for (std::size_t i = 0; i < clause.prefix; ++i)
      same = same && number_at(wanted, i) == number_at(clause.version, i);
    order = same ? 0 : 1;
  } else if (order == 0 && !clause.version.local.empty() && clause.version.local != wanted.local) {
    order = 1;
  }
  // PEP 440: < excludes the pre-releases of its version, and > its post-releases and local versions, unless
  // the version itself is one.
  const bool is_excluded =
      (clause.bound == Bound::less && wanted.is_pre_release() && !clause.version.is_pre_release()) ||
      (clause.bound == Bound::more &&
       ((wanted.is_post_release() && !clause.version.is_post_release()) || !wanted.local.empty()));
  if (is_excluded && compare_python_releases(wanted, clause.version) == 0) return Fit::no;
  return meets_bound(clause.bound, order) ? Fit::yes : Fit::no;
}

Fit fit_in_python_set(const PythonVersion& wanted, const PythonSet& set) {
  Fit best = Fit::no;
  for (const std::vector<PythonClause>& clauses : set) {
    Fit all = Fit::yes;
    for (const PythonClause& each : clauses) all = std::min(all, fits_clause(wanted, each));
    best = std::max(best, all);
  }
  return best;
}

}  // namespace

bool is_python_version(std::string_view text) { return python_version(text).has_value(); }

bool is_python_range(std::string_view text) { return python_set(text).has_value(); }

Fit fits_python(std::string_view version, std::string_view range) {
  const std::optional<PythonVersion> wanted = python_version(version);
  const std::optional<PythonSet> set = python_set(range);
  if (!wanted || !set) return Fit::unknown;
  return fit_in_python_set(*wanted, *set);
}

Fit python_ranges_overlap(std::string_view a, std::string_view b) {
  const std::optional<PythonSet> left = python_set(a), right = python_set(b);
  if (!left || !right) return Fit::unknown;
  // If the sets have a version in common, they have one at a bound, just above a bound, or at 0.
  constexpr std::size_t numbers_max = 8;  // More than the numbers of any real version.
  std::vector<PythonVersion> candidates = {{.release = {0}}};
  for (const PythonSet* set : {&*left, &*right}) {
    for (const std::vector<PythonClause>& clauses : *set) {
      for (const PythonClause& each : clauses) {
        if (each.is_arbitrary || each.version.is_pre_release() || each.version.is_post_release() ||
            each.version.release.size() >= numbers_max)
          return Fit::unknown;
        candidates.push_back(each.version);
        PythonVersion& above = candidates.emplace_back(each.version);
        above.release.resize(numbers_max);
        above.release.back() = 1;
        if (each.prefix > 0) candidates.push_back(next_python(each.version, each.prefix));
      }
    }
  }
  const bool is_common = std::any_of(candidates.begin(), candidates.end(), [&](const PythonVersion& each) {
    return fit_in_python_set(each, *left) == Fit::yes && fit_in_python_set(each, *right) == Fit::yes;
  });
  return is_common ? Fit::yes : Fit::no;
}

std::optional<int> compare_python(std::string_view a, std::string_view b) {
  const std::optional<PythonVersion> left = python_version(a), right = python_version(b);
  if (!left || !right) return std::nullopt;
  return compare_python_versions(*left, *right);
}

}  // namespace snapgen::core
