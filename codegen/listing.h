#pragma once
// listing: a tool as tools/list shows it, for every protocol revision.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/check.h"

namespace snapgen::codegen {

// In the order of mcp::ListingForm. 2024-11-05 has no annotations; revisions before 2025-06-18 have no title
// and no output.
inline constexpr std::array<std::string_view, 4> listing_forms = {"v2024_11_05", "v2025_03_26", "v2025_06_18",
                                                                  "v2026_07_28"};

struct Listing {
  std::string input;   // Canonical inputSchema; $refs are inlined unless it is listed as written.
  std::string output;  // Empty if there is none.
  std::array<std::array<std::string, 2>, listing_forms.size()> objects;  // [form][safe, dotted]
};

// How much of the schemas is listed: everything, or the short form of brief.h.
enum class Detail : std::uint8_t { whole, brief };

// `tool` must have passed read_tool() without findings. A tool that is listed as written ignores `detail`.
Listing list_tool(const ToolFile& tool, Detail detail = Detail::whole);

}  // namespace snapgen::codegen
