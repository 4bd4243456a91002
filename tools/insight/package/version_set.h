#pragma once
// Sets of versions, as comparisons of a version with bounds. Used by ecosystem.cc.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/insight/package/ecosystem.h"

namespace snapgen::core {

enum class Bound : std::uint8_t { equal, unequal, less, at_most, more, at_least };

// Whether a comparison with the result `order` (negative, 0, positive) meets the bound.
bool is_met(Bound bound, int order);

// Semantic versions: npm, Cargo and Go (without the v).
bool is_semver(std::string_view text);
// `ecosystem` is npm or Cargo.
bool is_semver_range(Ecosystem ecosystem, std::string_view text);
Fit fits_semver(Ecosystem ecosystem, std::string_view version, std::string_view range);
// Negative, 0 or positive; nullopt if either is no semantic version.
std::optional<int> compare_semver(std::string_view a, std::string_view b);

// PEP 440.
bool is_python_version(std::string_view text);
bool is_python_range(std::string_view text);
Fit fits_python(std::string_view version, std::string_view range);
std::optional<int> compare_python(std::string_view a, std::string_view b);

}  // namespace snapgen::core
