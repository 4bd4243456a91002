#pragma once
// Assembly: the work trees, the tools and their guards, configured by the settings. The server and the
// command line use it; the command line calls the tools itself.
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
#include "tools/server/answers/host_renderer.h"
#include "tools/server/guard/guarded_tools.h"
#include "tools/server/trees/find_workspace.h"
#include "tools/server/trees/served_trees.h"
#include "tools/server/trees/tree_chooser.h"

namespace snapgen::mcp {
class PromptSet;
class ResourceSet;
}  // namespace snapgen::mcp

namespace snapgen::tools {

struct AssemblyRequest {
  std::string_view program;              // The prefix of log lines, a string literal.
  std::optional<std::string> workspace;  // The value of --workspace.
  // The value of --tools, a folder of tools without C++. Overrides the settings.
  std::optional<std::string> tools_folder;
  std::optional<std::string> profile;         // The value of --profile. Overrides the settings.
  std::optional<bool> dotted_names;           // The value of --tool-names. Overrides the settings.
  std::optional<AnswerChoice> answer_choice;  // The value of --answers. Overrides the settings.
  bool has_bridge = false;                    // True if browsers can connect.
  Severity log_level = Severity::warning;
  bool is_server = false;        // True for a server, whose hosts name workspaces. False for a command.
  bool watches_worktree = true;  // Watch the work tree, which is useful for more than one call.
  // The caller is the user, who needs no tier and may change files that no tool may change.
  bool for_user = false;
  bool collects_garbage = false;  // Delete expired snapshots after a new one is made, if that is due.
};

class Assembly {
 public:
  // A missing workspace is not an error: each call then reports it. Invalid settings are not an error either:
  // they are logged and ignored, and if the write rules are invalid, nothing may be written. Errors:
  // invalid_argument (invalid tools in `request`; unknown tier or profile in the environment or `request`).
  static Result<std::unique_ptr<Assembly>> make(const AssemblyRequest& request);
  Assembly(Assembly&&) = delete;
  ~Assembly();

  // Returns the app of the work tree that the process's environment names. That tree decides which tools are
  // listed, and in a command it is the only one. Without a workspace, every call on it returns the reason.
  App& app() { return trees_->start_tree()->app(); }
  ServedTrees& trees() { return *trees_; }
  TreeChooser& chooser() { return *chooser_; }
  const WorkspaceSources& workspace_sources() const { return workspace_sources_; }
  GuardedTools& tools() { return *guarded_tools_; }
  // Returns the settings, or defaults if they are invalid or there is no workspace.
  const Settings& settings() const { return trees_->start_tree()->settings(); }
  // Returns the problems of the settings, one sentence each.
  const std::vector<std::string>& faults() const { return faults_; }

  // Makes a server that lists these tools under the requested names. The assembly, `resources` and `prompts`
  // (both may be null) must outlive it. While it exists, answers propose only tools that it lists.
  std::unique_ptr<mcp::Server> make_server(mcp::ResourceSet* resources, mcp::PromptSet* prompts);

 private:
  explicit Assembly(WorkspaceSources sources);

  const WorkspaceSources workspace_sources_;
  SharedServerState shared_state_;
  std::vector<std::string> faults_;
  std::string profile_;
  bool dotted_names_ = false;
  AnswerChoice answers_ = AnswerChoice::by_host;
  std::unique_ptr<ServedTrees> trees_;
  std::unique_ptr<TreeChooser> chooser_;
  std::unique_ptr<GuardedTools> guarded_tools_;
};

}  // namespace snapgen::tools
