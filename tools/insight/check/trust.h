#pragma once
// Trust: decides which commands from a repository's own files may run on this machine.
//
// A repository's author, or a model that edits it, can write commands into .snapback/config.json and
// package.json. A configured command runs only after the user trusted it. A package script runs only after an
// earlier answer named it. Decisions are stored outside of the repository, under a hash of the repository's
// path and the command's text, so a changed command needs a new decision.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/insight/check/plan.h"

namespace snapgen::core {

class Workspace;

// Several processes may use the same folder. One object is used by one thread.
class TrustStore {
 public:
  // `folder` is created with the first entry; if it is empty, decisions last as long as the process.
  // `repository` identifies the repository on this machine: its git directory, or the workspace without git.
  TrustStore(std::string folder, std::string repository)
      : folder_(std::move(folder)), repository_(std::move(repository)) {}

  bool has(std::string_view text) const;
  // Returns whether other processes, too, will have the entries that this one adds.
  bool is_persistent() const;
  // Stores the entry on disk if this process may write there, else in memory.
  void add(std::string_view text);
  // Removes the entry for this text. Errors: unavailable.
  Result<Unit> remove(std::string_view text);

 private:
  std::string file_name_of(std::string_view text) const;

  std::string folder_, repository_;
};

// Returns $XDG_STATE_HOME/snapgen/trust, by default in ~/.local/state; empty if there is no home folder.
std::string trust_store_path();

// Returns the store for this workspace's repository on this machine.
TrustStore trust_store_of(const Workspace& workspace);

// Returns a command for display: "make lint (in web)".
std::string command_line_of(const CheckCommand& command);
// Returns the text that identifies a configured command or a package script in the store.
std::string trust_key(const CheckCommand& command);

struct WithheldCommands {
  std::vector<CheckCommand> untrusted;  // Configured commands that the user has not trusted.
  // Package scripts that no answer has named yet, as trust_key(). The caller adds them to the store after
  // the answer that names them.
  std::vector<std::string> unnamed_scripts;
};

// Removes commands that may not run yet from `plan`, and adds the reasons to its skipped checks.
WithheldCommands withhold_untrusted(CheckPlan& plan, const TrustStore& store);

}  // namespace snapgen::core
