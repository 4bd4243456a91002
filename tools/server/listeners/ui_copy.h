#pragma once
// The copy of the page of `snap ui` that `snap report` saves: one HTML file with the style, the script, and
// the answers that the page would get. Its policy forbids every request. It cannot change the workspace.
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "schemas/substrate/history_list.h"
#include "schemas/ui/work.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// Equal answers give equal bytes. `changes` is the answer of history_list, whose error the page shows. The
// copy has up to 4 MiB of their diffs, the latest first, with `[redacted]` in place of likely secrets
// (redact.h). Blocks. Errors: those of App::history(), unless `changes` is an error; cancelled.
Result<std::string> page_copy(App& app, const Work& work, const Result<HistoryListed>& changes,
                              const std::stop_token& stop);

}  // namespace snapgen::tools
