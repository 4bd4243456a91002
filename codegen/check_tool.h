#pragma once
// What stands around the schemas of a file: a tool's name and description, `x-snapgen`, and what hosts of the
// protocol refuse. Part of the check stage.
#include "codegen/check.h"

namespace snapgen::codegen {

// Hosts put the server's name in front and then allow 60 to 64 characters of [a-zA-Z0-9_-].
inline constexpr std::size_t tool_name_max = 40;
// What the protocol and the strictest hosts allow at all, for a name that somebody else has fixed.
inline constexpr std::size_t fixed_name_max = 64;
// Claude Code cuts a longer one.
inline constexpr std::size_t description_max = 2048;

// The members of a tool file, and of its x-snapgen; sorted.
std::vector<std::string_view> known_tool_keys();
std::vector<std::string_view> known_extension_keys();

ToolFile check_tool(const File& file, const Schema* input, const Schema* output, Findings& findings);

// What a member "rate" says; at `place`.
Rate rate_of(const json::Member& member, const SourceLocation& place, Findings& findings);

void check_message_extension(const File& file, Findings& findings);

}  // namespace snapgen::codegen
