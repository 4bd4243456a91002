#pragma once
// GuardedTools: the server's tools with the steps around every call: work tree, tier, rate limit, the call
// itself (the session enforces its deadline), and a line in the work tree's log. The answer has the form and
// length of the client's host (server/answers/answers.h).
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
#include "tools/engine/base/bucket.h"
#include "tools/server/answers/answers.h"

namespace snapgen::tools {

struct App;
class ServedTree;
class ServedTrees;
class TreeChooser;

// The default profile: every tool that can work.
inline constexpr std::string_view default_profile = "default";

struct GuardOptions {
  std::map<std::string, ProfileSettings> profiles = {};  // The profiles of the settings.
  AnswerChoice answers = AnswerChoice::json;
  bool has_bridge = true;  // Browsers can connect.
  bool has_tiers = true;   // Reject tools of a higher tier. The command line may call all.
};

class GuardedTools final : public mcp::ToolSet {
 public:
  // The tools are those of the first tree. `trees` and `chooser` must outlive the set.
  GuardedTools(ServedTrees& trees, TreeChooser& chooser, const GuardOptions& options = {});
  GuardedTools(GuardedTools&&) = delete;

  // Problems of the profiles, one sentence each: unknown families and tools.
  const std::vector<std::string>& faults() const { return faults_; }

  // `listener` receives each error before a family formats it; may be null.
  void set_failure_listener(std::function<void(const Error&)> listener) { listener_ = std::move(listener); }

  std::span<const mcp::Tool> all() const override { return tools_.all(); }
  const mcp::Tool* find(std::string_view name) const override { return tools_.find(name); }
  std::span<const mcp::Profile> profiles() const override { return profiles_; }
  Task<Unit> call(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments,
                  std::string& result) override;
  // Work in place of a tool's handler, on the tree of the call.
  using Work = std::function<Task<Unit>(App&, mcp::Call&)>;
  // As call(), with the same steps around `work`. `result` is unchanged, unless there is an error to show.
  // `work` must outlive the task. For the command line, which formats the results of work itself.
  Task<Unit> run(const mcp::Tool& tool, mcp::Call& call, const Work& work, std::string& result);
  void fail(const mcp::Tool& tool, const Error& error, std::string& result) const override;
  void give_up(const mcp::Tool& tool, std::string_view client_name, const Error& error,
               std::string& result) const override;

 private:
  // Why the call is rejected before it starts; nullopt: it may proceed. `no_tree`: why there is no tree;
  // null: there is one. `arguments` may be invalid.
  std::optional<Error> refusal(const mcp::Tool& tool, ServedTree& tree, const Error* no_tree,
                               std::string_view arguments);
  std::optional<Error> rate_refusal(const mcp::Tool& tool, std::string_view arguments);
  // `work`: null for the tool's handler.
  Task<Unit> guard(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments, const Work* work,
                   std::string& result);
  Task<Unit> do_work(const Work& work, App& app, mcp::Call& call, std::string& result) const;
  void add(const std::string& name, const ProfileSettings& profile);
  void add_profile(std::string name, const std::vector<bool>& chosen);
  std::string next_id() const;

  ServedTrees& trees_;
  TreeChooser& chooser_;
  mcp::ToolSet& tools_;  // The tools of the first tree.
  std::function<void(const Error&)> listener_;
  // Per tool, in the set's order: one for each of Tool::rate_values, and one for all other calls. None if the
  // tool has no limit. Used on the loop's thread only.
  std::vector<std::vector<core::Bucket>> buckets_;
  std::vector<mcp::Profile> profiles_;
  // Storage for the profiles of the settings and the default one.
  std::deque<std::pair<std::string, std::vector<std::uint16_t>>> own_;
  std::vector<std::string> faults_;
  const AnswerChoice answers_;
  const bool has_tiers_;
  std::string id_prefix_;
  mutable std::uint64_t last_id_ = 0;  // Ids of calls, and of failures outside of calls.
};

}  // namespace snapgen::tools
