#pragma once
// The project's context: `.snapback/ctx/context.json`, which people write, and `.snapback/ctx/.ctx`, a short
// text for models that is built from it and contains its hash.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "schemas/facade/project_context.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {

inline constexpr const char* context_json_path = ".snapback/ctx/context.json";
inline constexpr const char* context_text_path = ".snapback/ctx/.ctx";
inline constexpr const char* constraints_example =
    R"("constraints": {"bundle": {"size": {"max": 250, "unit": "kB"}}})";

// Reads context.json. Errors: not_found (there is none); invalid_argument (with line, column and problem);
// those of read_state_file().
Result<ProjectContext> read_context(const std::string& root);

struct CreatedContext {
  bool is_created = false;  // False if the file exists and `force` is not set.
  // The path of a copy of the previous file, if its content was different.
  std::optional<std::string> backup_path;
};

// Creates the file from the workspace's files. `force` replaces an existing file that can be parsed, after
// copying it to context.old.json or, if that exists, to context.old.2.json, and so on. Errors: as
// read_context(), for a file that cannot be parsed and, without `force`, for any wrong one;
// permission_denied, unavailable.
Result<CreatedContext> init_context(const std::string& root, bool force);

// Writes .ctx and returns its text. Errors: as read_context(); permission_denied.
Result<std::string> build_context(const std::string& root);
// Returns the text of .ctx, if it exists and is readable.
std::optional<std::string> read_built_context(const std::string& root);

// Returns a sentence why context.json is wrong, or why .ctx differs from what build_context() would write;
// empty if neither is so.
std::string stale_context_sentence(const std::string& root);

// Returns the blockers that people wrote, and after them the files in which a merge left a conflict.
// `context` is empty if there is none; `dirty` has the uncommitted files. Errors: as
// core::check_files().
Result<std::vector<Blocker>> blockers_of(const core::WorkspaceServices& services,
                                         const ProjectContext& context, const std::vector<std::string>& dirty,
                                         const std::stop_token& stop);

}  // namespace snapgen::tools
