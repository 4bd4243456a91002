#pragma once
// listing: a tool as tools/list shows it, in every form that a revision of the protocol knows.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/check.h"

namespace snapgen::codegen {

// What mcp::ListingForm counts: 2024-11-05 has no annotations, those before 2025-06-18 no title and no
// output.
inline constexpr std::array<std::string_view, 4> listing_forms = {"v2024_11_05", "v2025_03_26", "v2025_06_18",
                                                                  "v2026_07_28"};

struct Listing {
  std::string input;   // The canonical inputSchema, $refs inlined unless it is listed as it is written.
  std::string output;  // Empty if there is none.
  std::array<std::array<std::string, 2>, listing_forms.size()> objects;  // [form][safe, dotted]
};

// How much of the schemas the objects show: all of it, or what brief.h leaves.
enum class Detail : std::uint8_t { whole, brief };

// Of a tool without findings. One that is listed as it is written is so in any case.
Listing list_tool(const ToolFile& tool, Detail detail = Detail::whole);

}  // namespace snapgen::codegen
