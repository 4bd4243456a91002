#pragma once
// The project's context: `.snapback/ctx/context.json`, which people write, and `.snapback/ctx/.ctx`, a short
// text for models that is built from it and contains its hash.
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "schemas/facade/project_context.h"

namespace snapgen::tools {

inline constexpr const char* context_json_path = ".snapback/ctx/context.json";
inline constexpr const char* context_text_path = ".snapback/ctx/.ctx";

// Errors: not_found (there is none); invalid_argument (the location and the problem); those of
// read_state_file().
Result<ProjectContext> read_context(const std::string& root);

struct BegunContext {
  bool created = false;                 // False: the file exists, and `force` is not set.
  std::optional<std::string> old_path;  // The copy of the previous file, if its content was different.
};

// Creates the file from the workspace's files. First copies an existing file to context.old.json or, if that
// exists, to context.old.2.json, and so on. Errors: permission_denied, unavailable.
Result<BegunContext> init_context(const std::string& root, bool force);

// Writes .ctx and returns its text. Errors: as read_context(); permission_denied.
Result<std::string> build_context(const std::string& root);
// The text of .ctx, if it exists and is readable.
std::optional<std::string> built_context(const std::string& root);

// A sentence why .ctx differs from what build_context() would write; empty: it does not.
std::string why_not_fresh(const std::string& root);
bool context_is_fresh(const std::string& root);

}  // namespace snapgen::tools
