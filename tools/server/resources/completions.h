#pragma once
// How what somebody types may go on: the variables of resources' URIs, and the arguments of prompts.
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "schemas/mcp/complete_params.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// Snapshots, the latest first, and tasks, open ones first, by the beginning of their ids.
Result<std::vector<std::string>> complete_snapshot(App& app, std::string_view typed);
Result<std::vector<std::string>> complete_task(App& app, std::string_view typed);
// Paths of one folder; those of folders end in a slash. `snapshot_id`: within that snapshot; empty: in the
// work tree.
Result<std::vector<std::string>> complete_path(App& app, std::string_view snapshot_id, std::string_view typed,
                                               const std::stop_token& stop);
// The last of several paths, which commas separate.
Result<std::vector<std::string>> complete_paths(App& app, std::string_view snapshot_id,
                                                std::string_view typed, const std::stop_token& stop);
// What the client says that another argument is; empty: it does not say.
std::string known_argument(const mcp::CompleteParams& asked, const std::string& name);

// Pages of the reference.
std::vector<std::string> complete_page(std::string_view typed);

}  // namespace snapgen::tools
