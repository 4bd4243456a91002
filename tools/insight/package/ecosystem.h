#pragma once
// The ecosystems whose packages are analyzed, and their rules for names and versions.
#include <cstdint>
#include <string>
#include <string_view>

namespace snapgen::core {

enum class Ecosystem : std::uint8_t { cargo, go, npm, pypi };

std::string_view title_of(Ecosystem ecosystem);  // Cargo, Go, npm, PyPI

// The form in which names are compared: for PyPI that of PEP 503, for Cargo lower-case with hyphens.
std::string comparable_name(Ecosystem ecosystem, std::string_view name);
// Whether a package of the ecosystem can have this name.
bool can_be_named(Ecosystem ecosystem, std::string_view name);

// Whether the text is one version: 1.2.3 (npm, Cargo), v1.2.3 (Go), or as PEP 440 has it.
bool is_version(Ecosystem ecosystem, std::string_view text);
// Whether the text is a version or a set of versions, in the form of the ecosystem's manifests. For PyPI that
// includes the forms of Poetry.
bool is_range(Ecosystem ecosystem, std::string_view text);
std::string_view examples_of_ranges(Ecosystem ecosystem);  // 1.2.3 or ^1.2.0

enum class Fit : std::uint8_t { no, unknown, yes };
// Whether a version is in a range. Unknown if either is not understood, and for versions before a release
// unless the range names exactly this one.
Fit fits(Ecosystem ecosystem, std::string_view version, std::string_view range);
// Whether `a` is an earlier version than `b`; false if either is not understood.
bool is_earlier(Ecosystem ecosystem, std::string_view a, std::string_view b);

}  // namespace snapgen::core
