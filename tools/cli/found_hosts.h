#pragma once
// Finds the AI hosts of the user, and asks which of them `snap init` shall change.
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/cli/command.h"
#include "tools/hosts/host_table.h"

namespace snapgen::tools {

// A host that the user has.
struct FoundHost {
  const HostForm& form;
  std::string file;         // The file that `snap init` would change.
  bool has_server = false;  // True if the file has our entry for the workspace.
};

// Returns the hosts of which a folder exists in the workspace or in the home folder, or a program in PATH.
std::vector<FoundHost> found_hosts(const std::string& workspace);

// Returns the hosts as lines: name, title, file, and whether it has the server.
std::string list_of_found(const Invocation& invocation, const std::vector<FoundHost>& found);

// Returns the names of all hosts: "claude, codex, ...".
std::string names_of_hosts();

// Lists the hosts on the terminal, and returns the names of those that the user chose: by default all of
// them, none at the end of the input. Errors: as Terminal::print().
Result<std::vector<std::string>> ask_for_hosts(const Invocation& invocation,
                                               const std::vector<FoundHost>& found);

}  // namespace snapgen::tools
