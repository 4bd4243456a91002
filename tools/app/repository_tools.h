#pragma once
// RepositoryTools: the folder of tools without C++ that .snapback/config.json names, and the user's trust in
// it.
//
// Such a tool is a program of the repository, so its author decides what a call runs, and how the tool
// describes itself to a model. The server lists and runs these tools only after the user trusted exactly this
// content of the folder (`snap trust`). The trust covers every file in the folder, and files elsewhere that a
// command names.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "schemas/common/settings.h"

namespace snapgen::core {
class TrustStore;
}

namespace snapgen::tools {

struct RepositoryTool {
  std::string name;                  // The name in the schema file; its path if it has none.
  std::vector<std::string> command;  // Program and arguments; empty if the file has no x-snapgen.run.
};

struct RepositoryTools {
  std::string folder;                 // The absolute path.
  std::vector<RepositoryTool> tools;  // Sorted by file.
  std::vector<std::string> files;     // All trusted files, sorted: paths relative to the folder, or absolute.
  std::string trust_key;              // Identifies names and contents of all files in the TrustStore.
};

// Returns the absolute path of the folder in the settings; nullopt if they name none.
std::optional<std::string> tools_folder_of(const Settings& settings, const std::string& workspace);

// Reads the folder. Errors: not_found; too_large (more files or bytes than a person can trust);
// invalid_argument (a symlink to a folder, or a file that is neither regular nor a symlink to one);
// unavailable.
Result<RepositoryTools> read_repository_tools(const std::string& folder, const std::string& workspace);

// Checks that the user trusts the present content of the folder. Errors: permission_denied; as
// read_repository_tools().
Result<Unit> check_tools_trusted(const std::string& folder, const std::string& workspace,
                                 const core::TrustStore& store);

}  // namespace snapgen::tools
