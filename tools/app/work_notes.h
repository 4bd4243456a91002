#pragma once
// What a call leaves for those who look back at the work later (snap log, snap report): lines of
// `.snapback/logs/work.jsonl`. Nobody waits for them, and where there is no `.snapback/` nothing is written.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/app/app.h"
#include "tools/insight/check/report.h"
#include "tools/work/history/work_note.h"

namespace snapgen::tools {

// What a check of the live tree came to. `task_id`: as the call named it; none: of the open task that began
// last. Blocks.
void note_check(App& app, const core::CheckReport& report, std::string_view mode,
                std::optional<std::string> task_id);

// How risky the work is now. `at_ms` of the note is set here.
void note_risk(App& app, core::RiskNote note);

}  // namespace snapgen::tools
