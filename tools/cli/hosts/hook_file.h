#pragma once
// Reads and changes this program's hooks ("our hooks") in the files of AI hosts (HostForm::hooks). Everything
// else in such a file is unchanged, byte for byte.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/hosts/host_table.h"

namespace snapgen::tools {

// Returns the programs that our hooks in the text start, each once. Errors: as checked_json().
Result<std::vector<std::string>> hook_programs(std::string_view text, const HostForm& host);

// Returns the host's file with a hook for each event that starts `program` (an absolute path). Existing hooks
// of ours for other programs are replaced, those for this program are unchanged. Errors: as with_item();
// invalid_argument (another file has the name of our plugin).
Result<std::string> with_our_hooks(std::string_view text, const HostForm& host, const std::string& program);

// Returns the host's file without our hooks: empty, if the file is our plugin. A group that also has other
// hooks is unchanged. Errors: as checked_json().
Result<std::string> without_our_hooks(std::string_view text, const HostForm& host);

}  // namespace snapgen::tools
