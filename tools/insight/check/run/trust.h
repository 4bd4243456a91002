#pragma once
// Trust: decides which programs of a repository may run on this machine.
//
// A check that compiles, lints or tests runs code of the repository, whatever its files say at that time. So
// it needs one consent for the repository. A command that .snapback/config.json names also needs the user's
// trust in its text, and a folder of tools in its content. Decisions are stored outside of the repository,
// under a hash of the repository's path and of what was trusted.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/insight/check/run/plan.h"

namespace snapgen::core {

class Workspace;

// Several processes may use the same folder. One object is used by one thread.
class TrustStore {
 public:
  // `folder` is created with the first entry; if it is empty, decisions last as long as the process.
  // `repository` is its git directory, or the workspace without git. Another repository that takes its place
  // is not trusted: the time when the directory was created, and its inode, identify it.
  TrustStore(std::string folder, const std::string& repository);

  bool has(std::string_view text) const;
  // Stores the entry on disk if this process may write there, else in memory.
  void add(std::string_view text);
  // Stores the entry in memory, for this process alone.
  void add_for_process(std::string_view text);
  // Removes the entry for this text. Errors: unavailable.
  Result<Unit> remove(std::string_view text);

 private:
  std::string file_name_of(std::string_view text) const;

  std::string folder_;
  std::string repository_;  // Its path and identity.
};

// Returns $XDG_STATE_HOME/snapgen/trust, by default in ~/.local/state; empty if there is no home folder.
std::string trust_store_path();

// Returns the store for this workspace's repository on this machine.
TrustStore trust_store_of(const Workspace& workspace);
// Does so for a folder that is not open; its git folder is searched.
TrustStore trust_store_of(const std::string& workspace_folder);

// Returns a command for display: "make lint (in web)".
std::string command_line_of(const CheckCommand& command);
// Returns the text that identifies a configured command in the store.
std::string trust_key(const CheckCommand& command);

// The entry of the store that permits checks to run code of the repository.
inline constexpr std::string_view consent_key = "checks run code of this repository";
// An entry for the process: an answer said what the next call runs.
inline constexpr std::string_view notice_key = "an answer asked for consent to run code of this repository";
// What a person, or a model, must read before such code runs for the first time.
inline constexpr std::string_view consent_sentence = "this runs code of this repository, whatever it becomes";

// The commands of a plan that may not run yet.
struct WithheldCommands {
  std::vector<CheckCommand> untrusted;    // Configured commands that the user has not trusted.
  std::vector<CheckCommand> unconsented;  // Other commands, because nobody has consented to run them.
  bool empty() const { return untrusted.empty() && unconsented.empty(); }
};

// Removes commands that may not run yet from `plan`. `has_consent` is true if commands that are not
// configured may run.
WithheldCommands withhold_untrusted(CheckPlan& plan, const TrustStore& store, bool has_consent);

// Returns the names of programs for a sentence: "`tsc`, `npm run test (in web)`".
std::string names_of(const std::vector<CheckCommand>& commands);

// Returns the skipped checks that report `withheld`. `was_declined`: the user was asked, and declined.
std::vector<SkippedCheck> reasons_of(const WithheldCommands& withheld, bool was_declined);

}  // namespace snapgen::core
