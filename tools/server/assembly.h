#pragma once
// Assembly: the work trees, the tools and what stands around each call of them, put together as the settings
// say. For a server of the tools, and for the command line, which calls them itself.
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
  std::string_view program;              // Begins each line of the log; a literal.
  std::optional<std::string> workspace;  // --workspace
  std::optional<std::string> tools;    // --tools: a folder of tools without C++; before that of the settings.
  std::optional<std::string> profile;  // --profile; before that of the settings.
  std::optional<bool> dotted_names;    // --tool-names; before those of the settings.
  std::optional<AnswerChoice> answers;  // --answers; before that of the settings.
  bool has_bridge = false;              // Whether browsers can connect.
  Severity log_level = Severity::warning;
  bool serves = false;    // Whether it is for a server, to which hosts name workspaces, or for a command.
  bool watches = true;    // Whether the work tree is watched: worth while for who answers more than once.
  bool for_user = false;  // Whether the user is the caller, who may change what no tool may.
  bool sweeps = false;    // Whether the store is swept after a snapshot, if that is due.
};

class Assembly {
 public:
  // A workspace that is none, and settings with faults, are no errors: each call says the one, and the others
  // are logged; what they would have said does not count, and where it is not clear what may be written
  // nothing may be. Errors: invalid_argument (tools of `request` with faults, no such tier or profile of the
  // environment or of `request`).
  static Result<std::unique_ptr<Assembly>> make(const AssemblyRequest& request);
  Assembly(Assembly&&) = delete;
  ~Assembly();

  // The work tree that the process's surroundings name. It decides which tools are listed, and of a command
  // it is the only one. Without one its app answers every call with the reason.
  App& app() { return trees_->start()->app(); }
  ServedTrees& trees() { return *trees_; }
  TreeChooser& chooser() { return *chooser_; }
  const WorkspaceRequest& request() const { return request_; }
  GuardedTools& tools() { return *guarded_; }
  // Defaults where they have faults or there is no workspace.
  const Settings& settings() const { return trees_->start()->settings(); }
  // What is wrong with the settings, a sentence each.
  const std::vector<std::string>& faults() const { return faults_; }

  // What offers these tools under the names that were asked for; the assembly outlives it, and so do
  // `resources` and `prompts`, if they are not null. As long as it is there, answers propose what it shows.
  std::unique_ptr<mcp::Server> show(mcp::ResourceSet* resources, mcp::PromptSet* prompts);

 private:
  explicit Assembly(WorkspaceRequest request);

  const WorkspaceRequest request_;
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
