#pragma once
// Models often name a file by its absolute path. The paths of tools are relative to the workspace, so an
// absolute path in it is made relative before the handler reads the arguments.
#include <optional>
#include <string>
#include <string_view>

#include "tools/server/trees/tree_chooser.h"

namespace snapgen::tools {

// Returns the arguments with every absolute path in the folder `root` made relative to it; nullopt if there
// is none. The folder may be spelled through symlinks. Paths are the arguments with the brand Path.
std::optional<std::string> with_relative_paths(const NamedArguments& arguments, const std::string& root);

}  // namespace snapgen::tools
