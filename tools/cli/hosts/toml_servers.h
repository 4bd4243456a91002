#pragma once
// Reads and edits the servers in a TOML file: tables `[mcp_servers.NAME]`. Edits insert or remove whole
// lines, or replace single values; all other bytes are unchanged.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/cli/hosts/host_server.h"

namespace snapgen::tools {

// Returns a list such as ["a", "b"], which is valid in JSON and TOML.
std::string list_on_one_line(const std::vector<std::string>& words);

// Returns the servers of the file. Errors: invalid_argument, one sentence: the text is not TOML, or a
// server's entry is invalid.
Result<std::vector<HostServer>> toml_servers(std::string_view text, std::string_view servers);

// Returns the file with the entry NAME, as new tables at the end or with new values in existing tables.
// `approved_tools` has the tools that the host may call without asking; existing tables of tools are
// unchanged. Errors: as toml_servers(); invalid_argument (only a person can change this form of the entry).
Result<std::string> with_toml_server(std::string_view text, std::string_view servers, const std::string& name,
                                     const OurEntry& entry, const std::vector<std::string>& approved_tools);

// Returns the file without the tables of the entry NAME. Comments of other tables remain. Errors: as
// with_toml_server().
Result<std::string> without_toml_server(std::string_view text, std::string_view servers,
                                        const std::string& name);

}  // namespace snapgen::tools
