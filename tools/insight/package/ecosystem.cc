#include "tools/insight/package/ecosystem.h"

#include <algorithm>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/insight/package/version_set.h"

namespace snapgen::core {
namespace {

// Returns whether the text has only letters, digits and the characters in `others`.
bool consists_of(std::string_view text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_alphanumeric(c) || others.find(c) != std::string_view::npos;
  });
}

// Returns the version without its leading v; empty if it has none.
std::string_view without_v(std::string_view text) {
  return text.starts_with('v') ? text.substr(1) : std::string_view();
}

// Returns whether `go get` accepts the text after @: latest, a partial version such as v1 or v1.2, or a
// bound.
bool is_go_query(std::string_view text) {
  for (std::string_view word : {"latest", "upgrade", "patch"})
    if (text == word) return true;
  for (std::string_view sign : {">=", "<=", ">", "<"})
    if (text.starts_with(sign)) return is_semver(without_v(text.substr(sign.size())));
  const std::string_view numbers = without_v(text);
  return !numbers.empty() && is_digit(numbers[0]) && consists_of(numbers, ".") &&
         is_semver_range(Ecosystem::npm, numbers);
}

}  // namespace

std::string_view title_of(Ecosystem ecosystem) {
  switch (ecosystem) {
    case Ecosystem::cargo: return "Cargo";
    case Ecosystem::go: return "Go";
    case Ecosystem::npm: return "npm";
    case Ecosystem::pypi: break;
  }
  return "PyPI";
}

std::string comparable_name(Ecosystem ecosystem, std::string_view name) {
  if (ecosystem == Ecosystem::npm || ecosystem == Ecosystem::go) return std::string(name);
  std::string out;
  for (const char c : name) {
    const bool separates = c == '-' || c == '_' || (c == '.' && ecosystem == Ecosystem::pypi);
    // PEP 503 treats several separators in a row as one.
    if (separates && ecosystem == Ecosystem::pypi && out.ends_with('-')) continue;
    out += separates ? '-' : to_lower(c);
  }
  return out;
}

bool is_valid_name(Ecosystem ecosystem, std::string_view name) {
  const std::size_t slash = name.find('/');
  switch (ecosystem) {
    case Ecosystem::cargo: return consists_of(name, "-_") && !is_digit(name[0]);
    case Ecosystem::go:
      return consists_of(name, "-_.~/+!") && name.substr(0, slash).find('.') != std::string_view::npos &&
             slash != std::string_view::npos;
    case Ecosystem::npm:
      return consists_of(name, "-_.~@/") && (name.starts_with('@') == (slash != std::string_view::npos));
    case Ecosystem::pypi: break;
  }
  return consists_of(name, "-_.");
}

bool is_version(Ecosystem ecosystem, std::string_view text) {
  switch (ecosystem) {
    case Ecosystem::cargo:
    case Ecosystem::npm: return is_semver(text);
    case Ecosystem::go: return is_semver(without_v(text));
    case Ecosystem::pypi: break;
  }
  return is_python_version(text);
}

bool is_range(Ecosystem ecosystem, std::string_view text) {
  switch (ecosystem) {
    case Ecosystem::cargo: return is_semver_range(ecosystem, text);
    case Ecosystem::npm: return text == "latest" || text == "next" || is_semver_range(ecosystem, text);
    case Ecosystem::go: return is_version(ecosystem, text) || is_go_query(text);
    case Ecosystem::pypi: break;
  }
  return is_python_range(text);
}

std::string_view examples_of_ranges(Ecosystem ecosystem) {
  switch (ecosystem) {
    case Ecosystem::cargo: return "1.2.3 or ^1.2";
    case Ecosystem::go: return "v1.2.3 or latest";
    case Ecosystem::npm: return "1.2.3 or ^1.2.0";
    case Ecosystem::pypi: break;
  }
  return "1.2.3 or >=1.2,<2";
}

Fit fits(Ecosystem ecosystem, std::string_view version, std::string_view range) {
  switch (ecosystem) {
    case Ecosystem::cargo:
    case Ecosystem::npm: return fits_semver(ecosystem, version, range);
    case Ecosystem::go:
      // A version in a go.mod is a lower bound.
      if (version == range) return Fit::yes;
      return is_earlier(ecosystem, version, range) ? Fit::no : Fit::unknown;
    case Ecosystem::pypi: break;
  }
  return fits_python(version, range);
}

Fit ranges_overlap(Ecosystem ecosystem, std::string_view a, std::string_view b) {
  switch (ecosystem) {
    case Ecosystem::cargo:
    case Ecosystem::npm: return semver_ranges_overlap(ecosystem, a, b);
    case Ecosystem::go: return Fit::unknown;
    case Ecosystem::pypi: break;
  }
  return python_ranges_overlap(a, b);
}

bool is_earlier(Ecosystem ecosystem, std::string_view a, std::string_view b) {
  const std::optional<int> order = ecosystem == Ecosystem::pypi ? compare_python(a, b)
                                   : ecosystem == Ecosystem::go ? compare_semver(without_v(a), without_v(b))
                                                                : compare_semver(a, b);
  return order && *order < 0;
}

}  // namespace snapgen::core
