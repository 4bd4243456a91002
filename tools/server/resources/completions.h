#pragma once
// Completes variables of resource URIs and arguments of prompts.
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "schemas/mcp/complete_params.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// Each completes an id: of snapshots (the latest first), or of tasks (open ones first).
Result<std::vector<std::string>> complete_snapshot(App& app, std::string_view typed);
Result<std::vector<std::string>> complete_task(App& app, std::string_view typed);
// Completes a path with the entries of its folder; folders end with a slash. The folder is in the snapshot
// `snapshot_id`, or in the work tree if that is empty.
Result<std::vector<std::string>> complete_path(App& app, std::string_view snapshot_id, std::string_view typed,
                                               const std::stop_token& stop);
// Completes the last of several paths that are separated by commas.
Result<std::vector<std::string>> complete_paths(App& app, std::string_view snapshot_id,
                                                std::string_view typed, const std::stop_token& stop);
// Returns the value of another argument, as the client sent it; or empty.
std::string other_argument(const mcp::CompleteParams& params, const std::string& name);

// Completes the path of a page of the reference.
std::vector<std::string> complete_page(std::string_view typed);

}  // namespace snapgen::tools
