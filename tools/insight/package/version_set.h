#pragma once
// Sets of versions, as comparisons of a version with bounds, for ecosystem.cc.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/insight/package/ecosystem.h"

namespace snapgen::core {

// A longer range is not understood, because to compare ranges takes quadratic time.
inline constexpr std::size_t range_bytes_max = 4096;

enum class Bound : std::uint8_t { equal, unequal, less, at_most, more, at_least };

// Returns whether a comparison with the result `order` (negative, 0, positive) meets the bound.
bool meets_bound(Bound bound, int order);

// Semantic versions, as npm, Cargo and Go (without the v) use them.
bool is_semver(std::string_view text);
// For these three functions, `ecosystem` is npm or Cargo.
bool is_semver_range(Ecosystem ecosystem, std::string_view text);
Fit fits_semver(Ecosystem ecosystem, std::string_view version, std::string_view range);
// Whether two ranges have a release in common; unknown if one is not understood, or names a pre-release.
Fit semver_ranges_overlap(Ecosystem ecosystem, std::string_view a, std::string_view b);
// Returns a negative number, 0 or a positive one; nullopt if either text is not a semantic version.
std::optional<int> compare_semver(std::string_view a, std::string_view b);

// Versions and ranges of Python, by PEP 440.
bool is_python_version(std::string_view text);
bool is_python_range(std::string_view text);
Fit fits_python(std::string_view version, std::string_view range);
Fit python_ranges_overlap(std::string_view a, std::string_view b);  // As semver_ranges_overlap().
std::optional<int> compare_python(std::string_view a, std::string_view b);

}  // namespace snapgen::core
