#pragma once
// Reads the names of tiers, and compares tiers.
#include <optional>
#include <string_view>

#include "tools/app/app.h"

namespace snapgen::tools {

inline std::optional<Tier> tier_named(std::string_view name) {
  if (name == "free") return Tier::free;
  if (name == "pro") return Tier::pro;
  if (name == "enterprise") return Tier::enterprise;
  return std::nullopt;
}

inline std::string_view text(Tier tier) {
  return tier == Tier::free ? "free" : tier == Tier::pro ? "pro" : "enterprise";
}

// Returns whether `tier` may call a tool whose schema file requires the tier `needed`; it is empty if none is
// required.
inline bool tier_allows(Tier tier, std::string_view needed) {
  return needed.empty() || tier >= tier_named(needed).value_or(Tier::enterprise);
}

}  // namespace snapgen::tools
