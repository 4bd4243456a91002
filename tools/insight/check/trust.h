#pragma once
// Trust: which commands of a repository's own files may run on this machine.
//
// Anybody who sends a repository, and a model that edits one, can write commands into .snapback/config.json
// and into package.json. A configured command runs only after the user trusted it. A package script runs only
// after an earlier answer has named it. Both are remembered outside of the repository, by a hash of the
// repository's place and of the command's text, so that a changed command is asked for again.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/insight/check/plan.h"

namespace snapgen::core {

// Safe for several processes; one object is used by one thread.
class TrustStore {
 public:
  // `folder`: made when something is first remembered; empty: nothing is remembered, and nothing is trusted.
  // `repository`: names the repository on this machine: its git directory, or the workspace without git.
  TrustStore(std::string folder, std::string repository)
      : folder_(std::move(folder)), repository_(std::move(repository)) {}

  bool has(std::string_view text) const;
  // On disk if this process may write there, else for as long as it runs.
  void add(std::string_view text);
  // Errors: unavailable.
  Result<Unit> remove(std::string_view text);

 private:
  std::string name_of(std::string_view text) const;

  std::string folder_, repository_;
};

// $XDG_STATE_HOME/snapgen/trust, by default in ~/.local/state; empty without a home folder.
std::string trust_folder();

// Of the repository of this workspace, on this machine.
TrustStore trust_store_of(const Workspace& workspace);

// A command as a person reads it: "make lint (in web)".
std::string line_of(const CheckCommand& command);
// The text by which a configured command, or a package script, is remembered.
std::string trust_text(const CheckCommand& command);

struct Withheld {
  std::vector<CheckCommand> untrusted;  // Configured commands that the user has not trusted.
  // Package scripts that no answer has named, as trust_text() has them; to be added to the store once the
  // answer is made.
  std::vector<std::string> unnamed;
};

// Takes out of `plan` what may not run yet, and adds the reasons to its skipped checks.
Withheld withhold(CheckPlan& plan, const TrustStore& store);

}  // namespace snapgen::core
