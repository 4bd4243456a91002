#pragma once
// Checks a tool file outside its schemas: name, description, `x-snapgen`, and restrictions of MCP hosts. Part
// of the check stage.
#include "codegen/front/check.h"

namespace snapgen::codegen {

// Hosts put the server's name before a tool's name, and then allow 60 to 64 characters of [a-zA-Z0-9_-].
inline constexpr std::size_t tool_name_max = 40;
// The limit of the protocol and of the strictest hosts, for names that another specification defines.
inline constexpr std::size_t fixed_name_max = 64;
// Claude Code cuts longer descriptions.
inline constexpr std::size_t description_max = 2048;

// Texts that `snapgen new tool` writes, for authors to replace: a part of the tool's description, the
// descriptions of its argument and of its result, and the name of its example.
inline constexpr std::string_view unedited_description =
    "Describe here when a model should call the tool, and what it returns.";
inline constexpr std::string_view unedited_input = "The text to return.";
inline constexpr std::string_view unedited_output = "The text of the call.";
inline constexpr std::string_view unedited_example = "A word";

// Each returns the allowed members, sorted: of a tool file, or of its x-snapgen.
std::vector<std::string_view> known_tool_keys();
std::vector<std::string_view> known_extension_keys();

ToolFile read_tool(const File& file, const Schema* input, const Schema* output, Findings& findings);

// Reads the member "rate" at `place`. `input` is the schema of the arguments that "by" may name, or null.
RateLimit rate_of(const json::Member& member, const SourceLocation& location, const Schema* input,
                  Findings& findings);

void check_message_extension(const File& file, Findings& findings);

}  // namespace snapgen::codegen
