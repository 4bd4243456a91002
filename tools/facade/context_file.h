#pragma once
// The project's context: `.snapback/ctx/context.json`, which people write, and `.snapback/ctx/.ctx`, a short
// text for models that is built from it and says which one it was built from.
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "schemas/facade/project_context.h"

namespace snapgen::tools {

inline constexpr const char* context_json_path = ".snapback/ctx/context.json";
inline constexpr const char* context_text_path = ".snapback/ctx/.ctx";

// Errors: not_found (there is none); invalid_argument (what is wrong where); those of
// read_state_file().
Result<ProjectContext> read_context(const std::string& root);

struct BegunContext {
  bool created = false;                 // No: there is one already, and `force` is not set.
  std::optional<std::string> old_path;  // Of a copy of what stood there, if it was something else.
};

// Begins the file from what the workspace holds. What stands there is first copied to context.old.json, or if
// that is taken to context.old.2.json, and so on. Errors: permission_denied, unavailable.
Result<BegunContext> init_context(const std::string& root, bool force);

// Writes .ctx and returns its text. Errors: as read_context(); permission_denied.
Result<std::string> build_context(const std::string& root);
// Its text, if it is there and can be read.
std::optional<std::string> built_context(const std::string& root);

// Why .ctx is not what would be built now, in a sentence; empty: it is.
std::string why_not_fresh(const std::string& root);
bool context_is_fresh(const std::string& root);

}  // namespace snapgen::tools
