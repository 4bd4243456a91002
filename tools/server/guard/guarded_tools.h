#pragma once
// GuardedTools: the server's tools with the steps around every call: work tree, tier, rate limit, the call
// itself (the session enforces its deadline), and a line in the work tree's log. The answer has the form and
// length of the client's host (server/answers/host_renderer.h).
//
// All parameters are from the schema files, in mcp::Tool. Only helpful_calls.h is specific to tools.
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/mcp/call.h"
#include "runtime/mcp/tool.h"
#include "schemas/common/profile_settings.h"
#include "tools/engine/base/token_bucket.h"
#include "tools/server/answers/host_renderer.h"

namespace snapgen::tools {

struct App;
class ServedTree;
class ServedTrees;
class TreeChooser;

// The default profile, which has every tool.
inline constexpr std::string_view default_profile = "default";

struct GuardOptions {
  std::map<std::string, ProfileSettings> profiles = {};  // The profiles that the settings define.
  AnswerChoice answers = AnswerChoice::json;
  bool has_bridge = true;  // True if browsers can connect.
  bool has_tiers = true;   // Reject tools of a higher tier. The command line does not.
};

class GuardedTools final : public mcp::ToolSet {
 public:
  // Lists the tools of the first tree. `trees` and `chooser` must outlive the set.
  GuardedTools(ServedTrees& trees, TreeChooser& chooser, const GuardOptions& options = {});
  GuardedTools(GuardedTools&&) = delete;

  // Returns the problems of the profiles, such as unknown families and tools, one sentence each.
  const std::vector<std::string>& faults() const { return faults_; }

  std::span<const mcp::Tool> all() const override { return tools_.all(); }
  const mcp::Tool* find(std::string_view name) const override { return tools_.find(name); }
  std::span<const mcp::Profile> profiles() const override { return profiles_; }
  // Tools of the bridge need browsers that can connect, and a tool with a tier needs that tier. The tier is
  // that of the first tree, and unknown before there is a workspace.
  bool can_work(const mcp::Tool& tool) const override;
  Task<Unit> call(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments,
                  std::string& result) override;
  // Does as call(), but the answer is for `renderer` instead of the client's host. For the command line,
  // which formats answers itself.
  Task<Unit> call_for(mcp::AnswerRenderer& renderer, const mcp::Tool& tool, mcp::Call& call,
                      std::string_view arguments, std::string& result);
  // A function that run_for() calls instead of a tool's handler, with the app of the call's tree.
  using Work = std::function<Task<Unit>(App&, mcp::Call&)>;
  // Does as call_for(), but calls `work` instead of the handler. `renderer` receives only errors. `work` must
  // outlive the task.
  Task<Unit> run_for(mcp::AnswerRenderer& renderer, const mcp::Tool& tool, mcp::Call& call, const Work& work,
                     std::string& result);
  mcp::ErrorWriter error_writer(const mcp::Tool& tool) const override { return tools_.error_writer(tool); }
  void append_unfinished_result(const mcp::Tool& tool, std::string_view client_name, const Error& error,
                                std::string& result) const override;

 private:
  // Returns an error if the call must not start, else nullopt. `no_tree` is the reason why there is no tree,
  // or null if there is one. `arguments` may be invalid.
  std::optional<Error> refusal(const mcp::Tool& tool, ServedTree& tree, const Error* no_tree,
                               std::string_view arguments);
  std::optional<Error> rate_refusal(const App& app, const mcp::Tool& tool, std::string_view arguments);
  // Runs the tool's handler, or `work` if it is not null. If `renderer` is null, the answer is for the host.
  Task<Unit> run_guarded(mcp::AnswerRenderer* renderer, const mcp::Tool& tool, mcp::Call& call,
                         std::string_view arguments, const Work* work, std::string& result);
  Task<Unit> run_instead_of_handler(const Work& work, App& app, mcp::Call& call, std::string& result) const;
  // Returns the error that the client gets for a call whose handler is still running.
  Error unfinished_error(const mcp::Tool& tool, const Error& error) const;
  void add(const std::string& name, const ProfileSettings& profile);
  void add_profile(std::string name, const std::vector<bool>& chosen);
  std::string next_id() const;

  ServedTrees& trees_;
  TreeChooser& chooser_;
  mcp::ToolSet& tools_;  // The tools of the first tree, which are the listed ones.
  // The buckets of each tool: one per value in Tool::rate_values, and one for all other calls; none if the
  // tool has no limit. Used on the loop's thread only.
  std::vector<std::vector<core::TokenBucket>> buckets_;
  std::vector<mcp::Profile> profiles_;
  // Owns the names and tools to which profiles_ refers.
  std::deque<std::pair<std::string, std::vector<std::uint16_t>>> owned_profiles_;
  std::vector<std::string> faults_;
  const AnswerChoice answers_;
  const bool has_bridge_;
  const bool has_tiers_;
  std::string id_prefix_;
  mutable std::uint64_t last_id_ = 0;  // The last id of a call, or of a failure outside of calls.
};

}  // namespace snapgen::tools
