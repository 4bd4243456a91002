#pragma once
// Assembly: the App, the tools and what stands around each call of them, put together as the workspace's
// settings say. For whoever serves the tools, and for the command line, which calls them by itself.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/log.h"
#include "runtime/base/result.h"
#include "runtime/mcp/server.h"
#include "tools/answers/answers.h"
#include "tools/app.h"
#include "tools/guard/guarded_tools.h"
#include "tools/settings.h"

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

  App& app() { return *app_; }
  GuardedTools& tools() { return *guarded_; }
  // Defaults where they have faults or there is no workspace.
  const Settings& settings() const { return settings_; }
  // What is wrong with the settings, a sentence each.
  const std::vector<std::string>& faults() const { return faults_; }

  // What offers these tools under the names that were asked for; the assembly outlives it, and so do
  // `resources` and `prompts`, if they are not null. As long as it is there, answers propose what it shows.
  std::unique_ptr<mcp::Server> show(mcp::ResourceSet* resources, mcp::PromptSet* prompts);

 private:
  Assembly();
  struct Compiled;

  Settings settings_;
  std::vector<std::string> faults_;
  std::string profile_;
  bool dotted_names_ = false;
  AnswerChoice answers_ = AnswerChoice::by_host;
  std::unique_ptr<App> app_;
  std::unique_ptr<Compiled> compiled_;
  std::unique_ptr<GuardedTools> guarded_;
};

}  // namespace snapgen::tools
