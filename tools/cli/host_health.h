#pragma once
// What the hosts' files say of this server, and whether a server that they name starts.
#include <optional>
#include <string>

#include "tools/cli/findings.h"

namespace snapgen::tools {

// `workspace`: none if there is none; only the home is looked at then. `starts_all`: other programs than this
// one are started, too; whoever can write a host's file says what runs then.
void look_at_hosts(Findings& findings, const std::optional<std::string>& workspace, bool starts_all);

}  // namespace snapgen::tools
