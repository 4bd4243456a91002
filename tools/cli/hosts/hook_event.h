#pragma once
// Reads the JSON that an AI host passes to a hook on standard input.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/history/host_event.h"
#include "tools/hosts/host_table.h"

namespace snapgen::tools {

struct HookReport {
  core::HostEvent event;             // Without a time.
  std::vector<std::string> folders;  // Folders in the project, the most specific first.
};

// Reads `payload`, the JSON of a hook. `event_name` is the host's name of the event; if it is empty, the JSON
// has the name. Members of other types count as missing. Returns nullopt for an event that the history does
// not need. Errors: invalid_argument (it is not a JSON object, or not UTF-8), one sentence.
Result<std::optional<HookReport>> read_hook(const HostForm& host, std::string_view event_name,
                                            std::string_view payload);

}  // namespace snapgen::tools
