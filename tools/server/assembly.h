#pragma once
// Assembly: the work trees, the tools and their guards, configured by the settings. Used by the server, and
// by the command line, which calls the tools itself.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/log.h"
#include "runtime/base/result.h"
#include "runtime/mcp/server.h"
#include "tools/app/app.h"
#include "tools/app/settings.h"
#include "tools/server/answers/answers.h"
#include "tools/server/guard/guarded_tools.h"
#include "tools/server/trees/served_trees.h"
#include "tools/server/trees/tree_chooser.h"
#include "tools/server/trees/workspace.h"

namespace snapgen::mcp {
class PromptSet;
class ResourceSet;
}  // namespace snapgen::mcp

namespace snapgen::tools {

struct AssemblyRequest {
  std::string_view program;              // The prefix of log lines; a literal.
  std::optional<std::string> workspace;  // --workspace
  std::optional<std::string> tools;      // --tools: a folder of tools without C++. Overrides the settings.
  std::optional<std::string> profile;    // --profile. Overrides the settings.
  std::optional<bool> dotted_names;      // --tool-names. Overrides the settings.
  std::optional<AnswerChoice> answers;   // --answers. Overrides the settings.
  bool has_bridge = false;               // Whether browsers can connect.
  Severity log_level = Severity::warning;
  bool serves = false;  // True for a server, to which hosts name workspaces; false for a command.
  bool watches = true;  // Watch the work tree: useful for more than one call.
  // The user is the caller, who may change files that no tool may change, and needs no tier.
  bool for_user = false;
  bool sweeps = false;  // Sweep the store after a snapshot if that is due.
};

class Assembly {
 public:
  // A missing workspace is no error: each call then reports it. Invalid settings are no error, either: they
  // are logged and ignored, and nothing may be written if the write rules are invalid. Errors:
  // invalid_argument (invalid tools in `request`; unknown tier or profile in the environment or `request`).
  static Result<std::unique_ptr<Assembly>> make(const AssemblyRequest& request);
  Assembly(Assembly&&) = delete;
  ~Assembly();

  // The app of the work tree that the process's environment names. It decides which tools are listed; in a
  // command it is the only tree. Without a workspace every call on it returns the reason.
  App& app() { return trees_->start()->app(); }
  ServedTrees& trees() { return *trees_; }
  TreeChooser& chooser() { return *chooser_; }
  const WorkspaceSources& workspace_sources() const { return workspace_sources_; }
  GuardedTools& tools() { return *guarded_; }
  // Defaults if the settings are invalid or there is no workspace.
  const Settings& settings() const { return trees_->start()->settings(); }
  // Problems of the settings, one sentence each.
  const std::vector<std::string>& faults() const { return faults_; }

  // Makes a server for these tools under the requested names. The assembly, `resources` and `prompts` (may be
  // null) must outlive it. While it exists, answers propose only tools that it lists.
  std::unique_ptr<mcp::Server> show(mcp::ResourceSet* resources, mcp::PromptSet* prompts);

 private:
  explicit Assembly(WorkspaceSources sources);

  const WorkspaceSources workspace_sources_;
  ServerShare share_;
  std::vector<std::string> faults_;
  std::string profile_;
  bool dotted_names_ = false;
  AnswerChoice answers_ = AnswerChoice::by_host;
  std::unique_ptr<ServedTrees> trees_;
  std::unique_ptr<TreeChooser> chooser_;
  std::unique_ptr<GuardedTools> guarded_;
};

}  // namespace snapgen::tools
