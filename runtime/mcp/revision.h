#pragma once
// The revisions of MCP, in two eras. In legacy revisions (up to 2025-11-25), `initialize` negotiates the
// connection's revision. In modern ones (since 2026-07-28), every request names its revision in `_meta`.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

enum class Revision : std::uint8_t { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };

inline constexpr Revision newest_legacy_revision = Revision::v2025_11_25;
// The revisions that a modern request may name.
inline constexpr std::array modern_revisions = {Revision::v2026_07_28};

constexpr bool is_modern(Revision revision) { return revision >= Revision::v2026_07_28; }

std::string_view text(Revision revision);
std::optional<Revision> revision_named(std::string_view name);

// Returns the answer to an `initialize` that asks for the revision `name`: that one if it is legacy,
// otherwise the newest legacy one. Clients that ask for a modern revision this way disconnect if they get it.
Revision negotiated_revision(std::string_view name);

// Returns the form of tools/list for the revision: which fields of a Tool object it has.
ListingForm listing_form(Revision revision);

}  // namespace snapgen::mcp
