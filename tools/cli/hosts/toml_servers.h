#pragma once
// The servers in a TOML file: tables `[mcp_servers.NAME]`. The file is parsed, and then changed by inserting
// and removing whole lines, or single values, so that all other bytes remain.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/cli/hosts/host_server.h"

namespace snapgen::tools {

// Errors: invalid_argument, one sentence: it is not TOML, or the entry of a server is not as it must be.
Result<std::vector<HostServer>> toml_servers(std::string_view text, std::string_view servers);

// The file with the entry NAME, as new tables at the end or with other values in the tables that exist.
// `approved`: tools that the host may call without asking; a tool that the file already has a table for is
// not changed. Errors: as toml_servers(); invalid_argument, the entry has a form that only a person can
// change.
Result<std::string> with_toml_server(std::string_view text, std::string_view servers, const std::string& name,
                                     const OurEntry& entry, const std::vector<std::string>& approved);

// The file without the tables of the entry NAME. Comments of other tables remain. Errors: as above.
Result<std::string> without_toml_server(std::string_view text, std::string_view servers,
                                        const std::string& name);

}  // namespace snapgen::tools
