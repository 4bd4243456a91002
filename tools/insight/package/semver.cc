// Compares semantic versions, and the ranges of npm and Cargo.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/insight/package/version_set.h"
#include "tools/insight/package/words.h"

namespace snapgen::core {
namespace {

// Returns the range of an alias, "npm:name@^1.0.0"; any other range unchanged.
std::string_view without_alias(std::string_view range) {
  if (!range.starts_with("npm:")) return range;
  const std::size_t at = range.find('@', 5);  // After the `@` of a scope, if there is one.
  return at == std::string_view::npos ? std::string_view("*") : range.substr(at + 1);
}

using Numbers = std::array<std::uint64_t, 3>;

// A version whose trailing numbers may be missing or wildcards: 1.2, 1.x, *.
struct PartialVersion {
  Numbers numbers = {};
  std::size_t count = 0;    // How many of the three numbers the version has.
  std::string_view before;  // The pre-release part after a hyphen, such as beta.1.
};

struct SemverBound {
  Bound bound = Bound::equal;
  Numbers numbers = {};
  std::string_view before;
};

// A version is in the set if it meets all bounds of one of the lists.
using SemverSet = std::vector<std::vector<SemverBound>>;

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}

bool is_wildcard(std::string_view text) { return text == "*" || text == "x" || text == "X"; }

std::optional<PartialVersion> partial_of(std::string_view text) {
  PartialVersion version;
  if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
    if (!is_identifier(text.substr(plus + 1))) return std::nullopt;
    text = text.substr(0, plus);
  }
  const std::size_t hyphen = text.find('-');
  if (hyphen != std::string_view::npos) {
    version.before = text.substr(hyphen + 1);
    if (!is_identifier(version.before)) return std::nullopt;
    text = text.substr(0, hyphen);
  }
  bool is_open = false;
  for (std::size_t parts = 0;; ++parts) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    if (parts == version.numbers.size()) return std::nullopt;
    if (is_wildcard(part)) {
      is_open = true;
    } else {
      std::uint64_t number = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
      if (part.empty() || error != std::errc() || end != part.data() + part.size() || is_open)
        return std::nullopt;
      version.numbers[version.count++] = number;
    }
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  if (!version.before.empty() && version.count < version.numbers.size()) return std::nullopt;
  return version;
}

std::optional<PartialVersion> whole_of(std::string_view text) {
  std::optional<PartialVersion> version = partial_of(text);
  if (version && version->count < version->numbers.size()) version.reset();
  return version;
}

// Returns the lowest version above all those that begin with the first `count` numbers.
Numbers next_after(Numbers numbers, std::size_t count) {
  ++numbers[count - 1];
  std::fill(numbers.begin() + static_cast<std::ptrdiff_t>(count), numbers.end(), 0);
  return numbers;
}

void add_between(std::vector<SemverBound>& bounds, const PartialVersion& from, const Numbers& below) {
  bounds.push_back({.bound = Bound::at_least, .numbers = from.numbers, .before = from.before});
  bounds.push_back({.bound = Bound::less, .numbers = below, .before = {}});
}

// Returns how many leading numbers a caret range fixes: up to the first that is not 0.
std::size_t caret_count(const PartialVersion& version) {
  for (std::size_t i = 0; i < version.count; ++i)
    if (version.numbers[i] != 0) return i + 1;
  return version.count;
}

// Adds the bounds of one comparator, such as ^1.2. Returns false if it is not understood.
bool add_comparator(std::vector<SemverBound>& bounds, std::string_view sign, std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::optional<PartialVersion> version = partial_of(text);
  if (!version) return false;
  const bool is_whole = version->count == version->numbers.size();
  if (version->count == 0) {
    // No version is below or above all versions, so the bound < 0.0.0 stands for an empty set.
    if (sign == "<" || sign == ">") bounds.push_back({.bound = Bound::less, .numbers = {}, .before = {}});
  } else if (sign == "^") {
    add_between(bounds, *version, next_after(version->numbers, caret_count(*version)));
  } else if (sign == "~" || sign == "~>") {
    add_between(bounds, *version, next_after(version->numbers, std::min<std::size_t>(version->count, 2)));
  } else if (sign == "" || sign == "=") {
    if (is_whole)
      bounds.push_back({.bound = Bound::equal, .numbers = version->numbers, .before = version->before});
    else
      add_between(bounds, *version, next_after(version->numbers, version->count));
  } else if (sign == ">=" || sign == "<") {
    bounds.push_back({.bound = sign == "<" ? Bound::less : Bound::at_least,
                      .numbers = version->numbers,
                      .before = version->before});
  } else if (is_whole) {
    bounds.push_back({.bound = sign == ">" ? Bound::more : Bound::at_most,
                      .numbers = version->numbers,
                      .before = version->before});
  } else {
    bounds.push_back({.bound = sign == ">" ? Bound::at_least : Bound::less,
                      .numbers = next_after(version->numbers, version->count),
                      .before = {}});
  }
  return true;
}

std::string_view sign_at(std::string_view text) {
  for (std::string_view sign : {"^", "~>", "~", ">=", "<=", ">", "<", "="})
    if (text.starts_with(sign)) return sign;
  return {};
}

// Adds comparators that are separated by blanks, as in npm. A blank may also follow a sign.
bool add_npm(std::vector<SemverBound>& bounds, std::string_view text) {
  if (const std::size_t hyphen = text.find(" - "); hyphen != std::string_view::npos)
    return add_comparator(bounds, ">=", trimmed(text.substr(0, hyphen))) &&
           add_comparator(bounds, "<=", trimmed(text.substr(hyphen + 3)));
  while (!(text = trimmed(text)).empty()) {
    const std::string_view sign = sign_at(text);
    text = trimmed(text.substr(sign.size()));
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    if (end == 0 || !add_comparator(bounds, sign, text.substr(0, end))) return false;
    text.remove_prefix(end);
  }
  return true;
}

// Adds comparators that are separated by commas, as in Cargo. A comparator without a sign means ^.
bool add_cargo(std::vector<SemverBound>& bounds, std::string_view text) {
  for (const std::string_view part : split_by(text, ",")) {
    const std::string_view comparator = trimmed(part);
    std::string_view sign = sign_at(comparator);
    const std::string_view version = trimmed(comparator.substr(sign.size()));
    const bool has_wildcard = version.find('*') != std::string_view::npos;
    if (sign.empty() && !has_wildcard) sign = "^";
    if (version.empty() || !add_comparator(bounds, sign, version)) return false;
  }
  return true;
}

std::optional<SemverSet> semver_set(Ecosystem ecosystem, std::string_view range) {
  if (range.size() > range_bytes_max) return std::nullopt;
  SemverSet set;
  if (ecosystem == Ecosystem::cargo) {
    const bool is_understood = add_cargo(set.emplace_back(), range);
    return is_understood ? std::optional(std::move(set)) : std::nullopt;
  }
  for (const std::string_view alternative : split_by(range, "||"))
    if (!add_npm(set.emplace_back(), alternative)) return std::nullopt;
  return set;
}

int sign_of_order(std::uint64_t a, std::uint64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

bool is_number(std::string_view text) { return std::all_of(text.begin(), text.end(), &is_digit); }

// Compares one part of a pre-release: numbers by value, and a number precedes a word.
int compare_parts(std::string_view a, std::string_view b) {
  if (is_number(a) != is_number(b)) return is_number(a) ? -1 : 1;
  if (is_number(a) && a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

int compare_before(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty() ? 0 : a.empty() ? 1 : -1;
  const std::vector<std::string_view> left = split_by(a, "."), right = split_by(b, ".");
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
    if (const int order = compare_parts(left[i], right[i]); order != 0) return order;
  return sign_of_order(left.size(), right.size());
}

int compare_versions(const Numbers& a, std::string_view a_before, const Numbers& b,
                     std::string_view b_before) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const int order = sign_of_order(a[i], b[i]); order != 0) return order;
  return compare_before(a_before, b_before);
}

// Returns whether a version is in the set. A pre-release is only if a bound names one with the same numbers,
// as in npm and Cargo.
bool is_in_semver_set(const PartialVersion& wanted, const SemverSet& set) {
  return std::ranges::any_of(set, [&](const std::vector<SemverBound>& bounds) {
    const bool admits = wanted.before.empty() || std::ranges::any_of(bounds, [&](const SemverBound& each) {
                          return !each.before.empty() && each.numbers == wanted.numbers;
                        });
    return admits && std::ranges::all_of(bounds, [&](const SemverBound& each) {
             return meets_bound(each.bound,
                                compare_versions(wanted.numbers, wanted.before, each.numbers, each.before));
           });
  });
}

}  // namespace

bool meets_bound(Bound bound, int order) {
  switch (bound) {
    case Bound::equal: return order == 0;
    case Bound::unequal: return order != 0;
    case Bound::less: return order < 0;
    case Bound::at_most: return order <= 0;
    case Bound::more: return order > 0;
    case Bound::at_least: break;
  }
  return order >= 0;
}

bool is_semver(std::string_view text) { return whole_of(text).has_value(); }

bool is_semver_range(Ecosystem ecosystem, std::string_view text) {
  return semver_set(ecosystem, text).has_value();
}

Fit fits_semver(Ecosystem ecosystem, std::string_view version, std::string_view range) {
  if (ecosystem == Ecosystem::npm) range = without_alias(range);
  const std::optional<PartialVersion> wanted = whole_of(version);
  const std::optional<SemverSet> set = semver_set(ecosystem, range);
  if (!wanted || !set) return Fit::unknown;
  return is_in_semver_set(*wanted, *set) ? Fit::yes : Fit::no;
}

Fit semver_ranges_overlap(Ecosystem ecosystem, std::string_view a, std::string_view b) {
  const std::optional<SemverSet> left = semver_set(ecosystem, a), right = semver_set(ecosystem, b);
  if (!left || !right) return Fit::unknown;
  // If the sets have a version in common, they have one at a bound, directly above one, or 0.0.0.
  std::vector<PartialVersion> candidates = {{.numbers = {}, .count = 3, .before = {}}};
  for (const SemverSet* set : {&*left, &*right}) {
    for (const std::vector<SemverBound>& bounds : *set) {
      for (const SemverBound& each : bounds) {
        if (!each.before.empty()) return Fit::unknown;
        candidates.push_back({.numbers = each.numbers, .count = 3, .before = {}});
        candidates.push_back({.numbers = next_after(each.numbers, 3), .count = 3, .before = {}});
      }
    }
  }
  const bool is_common = std::any_of(candidates.begin(), candidates.end(), [&](const PartialVersion& each) {
    return is_in_semver_set(each, *left) && is_in_semver_set(each, *right);
  });
  return is_common ? Fit::yes : Fit::no;
}

std::optional<int> compare_semver(std::string_view a, std::string_view b) {
  const std::optional<PartialVersion> left = whole_of(a), right = whole_of(b);
  if (!left || !right) return std::nullopt;
  return compare_versions(left->numbers, left->before, right->numbers, right->before);
}

}  // namespace snapgen::core
