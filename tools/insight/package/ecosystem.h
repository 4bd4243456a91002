#pragma once
// The ecosystems whose packages are analyzed, with their rules for names and versions.
#include <cstdint>
#include <string>
#include <string_view>

namespace snapgen::core {

enum class Ecosystem : std::uint8_t { cargo, go, npm, pypi };

std::string_view title_of(Ecosystem ecosystem);  // Returns "Cargo", "Go", "npm" or "PyPI".

// Returns the name in the form in which names are compared: for PyPI the form of PEP 503, for Cargo lower
// case with hyphens.
std::string comparable_name(Ecosystem ecosystem, std::string_view name);
// Returns whether a package of the ecosystem can have this name.
bool is_valid_name(Ecosystem ecosystem, std::string_view name);

// Returns whether the text is one version: 1.2.3 (npm, Cargo), v1.2.3 (Go), or a version of PEP 440 (PyPI).
bool is_version(Ecosystem ecosystem, std::string_view text);
// Returns whether the text is a version or a set of versions, in the form of the ecosystem's manifests. For
// PyPI that includes the forms of Poetry.
bool is_range(Ecosystem ecosystem, std::string_view text);
// Returns examples for messages: "1.2.3 or ^1.2.0".
std::string_view examples_of_ranges(Ecosystem ecosystem);

enum class Fit : std::uint8_t { no, unknown, yes };
// Returns whether a version is in a range. The result is unknown if either text is not understood.
Fit fits(Ecosystem ecosystem, std::string_view version, std::string_view range);
// Returns whether two ranges have a release in common. The result is unknown for Go, if a range is not
// understood, or if it names a pre-release.
Fit ranges_overlap(Ecosystem ecosystem, std::string_view a, std::string_view b);
// Returns whether `a` is an earlier version than `b`; false if either text is not understood.
bool is_earlier(Ecosystem ecosystem, std::string_view a, std::string_view b);

}  // namespace snapgen::core
