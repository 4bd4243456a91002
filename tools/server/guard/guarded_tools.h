#pragma once
// GuardedTools: the tools of the server with what stands around every call, in this order: work tree, tier,
// rate limit; then the call itself, under its deadline, which the session keeps; and a line in the log of its
// work tree. The answer gets the form and length of the client's host (server/answers/answers.h).
//
// All of it is said in the schema files and stands in mcp::Tool; nothing is written per tool.
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

class ServedTree;
class ServedTrees;
class TreeChooser;

// What is listed where no profile is named: every tool that can work.
inline constexpr std::string_view default_profile = "default";

struct GuardOptions {
  std::map<std::string, ProfileSettings> profiles = {};  // Those of the settings.
  AnswerChoice answers = AnswerChoice::json;
  bool has_bridge = true;  // Whether browsers can connect.
};

class GuardedTools final : public mcp::ToolSet {
 public:
  // The tools are those of the first of `trees`. `trees` and `chooser` outlive the set.
  GuardedTools(ServedTrees& trees, TreeChooser& chooser, const GuardOptions& options = {});
  GuardedTools(GuardedTools&&) = delete;

  // What is wrong with the profiles, a sentence each: families and tools that there are none of.
  const std::vector<std::string>& faults() const { return faults_; }

  // `listener` hears each error as it was before a family gave it its form; or null.
  void tell_failures(std::function<void(const Error&)> listener) { listener_ = std::move(listener); }

  std::span<const mcp::Tool> all() const override { return tools_.all(); }
  const mcp::Tool* find(std::string_view name) const override { return tools_.find(name); }
  std::span<const mcp::Profile> profiles() const override { return profiles_; }
  Task<Unit> call(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments,
                  std::string& result) override;
  void fail(const mcp::Tool& tool, const Error& error, std::string& result) const override;
  void give_up(const mcp::Tool& tool, std::string_view client_name, const Error& error,
               std::string& result) const override;

 private:
  // Why the call is refused before any work; nothing: it is not. `no_tree`: why there is no tree; null: there
  // is one.
  std::optional<Error> refusal(const mcp::Tool& tool, ServedTree& tree, const Error* no_tree);
  void add(const std::string& name, const ProfileSettings& profile);
  void add_profile(std::string name, const std::vector<bool>& chosen);
  std::string next_id() const;

  ServedTrees& trees_;
  TreeChooser& chooser_;
  mcp::ToolSet& tools_;  // Of the first tree.
  std::function<void(const Error&)> listener_;
  std::vector<std::optional<core::Bucket>>
      buckets_;  // Of each tool, in the set's order. On the loop's thread.
  std::vector<mcp::Profile> profiles_;
  std::deque<std::pair<std::string, std::vector<std::uint16_t>>>
      own_;  // What those of the settings, and the default one, refer to.
  std::vector<std::string> faults_;
  const AnswerChoice answers_;
  std::string id_prefix_;
  mutable std::uint64_t last_id_ = 0;  // Of calls, and of what fails outside of them.
};

}  // namespace snapgen::tools
