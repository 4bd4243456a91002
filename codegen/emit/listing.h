#pragma once
// listing: makes the Tool object of a tool, as tools/list shows it, for every protocol revision.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/front/check.h"

namespace snapgen::codegen {

// The names of mcp::ListingForm, in its order. 2024-11-05 has no annotations; revisions before 2025-06-18
// have no title and no output.
inline constexpr std::array<std::string_view, 4> listing_forms = {"v2024_11_05", "v2025_03_26", "v2025_06_18",
                                                                  "v2026_07_28"};

struct Listing {
  std::string input;  // The inputSchema as canonical JSON; $refs are inlined, unless it is listed as written.
  std::string output;         // The outputSchema as canonical JSON, or empty.
  std::string merged_output;  // The same as one object (short_schema.h).
  // The index is [form][0: name without dots, 1: with dots].
  std::array<std::array<std::string, 2>, listing_forms.size()> objects;
};

// Whether the listing has the full schemas, or the short ones of short_schema.h.
enum class Detail : std::uint8_t { whole, brief };

// Returns the listing of `tool`, which must have passed read_tool() without findings. A tool that is listed
// as written ignores `detail`.
Listing make_listing(const ToolFile& tool, Detail detail = Detail::whole);

}  // namespace snapgen::codegen
