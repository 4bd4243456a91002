#pragma once
// Answers the page of `snap ui` what a turn or a moment changed.
#include <stop_token>
#include <string_view>

#include "runtime/base/result.h"
#include "schemas/ui/history_diff.h"
#include "tools/app/app.h"
#include "tools/engine/operations/history/history_diff.h"

namespace snapgen::tools {

// `query` is a HistoryDiffQuery as JSON. Blocks. Errors: invalid_argument (another JSON), and those of
// App::history() and core::history_diff().
Result<HistoryDiff> diff_for_page(App& app, std::string_view query, const std::stop_token& stop);

// Returns core::history_diff() in the form for the page.
Result<HistoryDiff> page_diff(core::Workspace& workspace, const core::Timeline& timeline,
                              core::TextEncodings& encodings, const core::HistoryDiffQuery& query,
                              const std::stop_token& stop);

}  // namespace snapgen::tools
