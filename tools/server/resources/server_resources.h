#pragma once
// ServerResources: the resources that clients can attach, read and subscribe to: all routes (route.h), and
// the bridge's. A client reads from the work tree of its calls. A subscription does not name a tree, so its
// client is notified of changes in every work tree in use.
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/mcp/resource_set.h"
#include "runtime/mcp/server.h"
#include "tools/engine/watch/path_watch.h"
#include "tools/server/resources/route.h"
#include "tools/server/trees/tree_chooser.h"

namespace snapgen::tools {

class ServerResources final : public mcp::ResourceSet {
 public:
  // `more` is another set, which announces its changes itself; it may be null. All references must outlive
  // this object.
  ServerResources(ServedTrees& trees, TreeChooser& chooser, mcp::ResourceSet* more)
      : trees_(trees), chooser_(chooser), other_resources_(more) {}

  std::vector<mcp::Resource> resources() override;
  std::vector<mcp::ResourceTemplate> templates() override;
  bool has_skills() const override { return true; }
  std::vector<mcp::Skill> skills() override;
  Task<mcp::ReadResourceResult> read(mcp::Context& context, std::string uri) override;
  bool announces_changes() const override { return true; }
  void on_subscribe(mcp::Context& context) override;
  void on_subscriptions_changed(const std::set<std::string>& uris) override;
  bool has_completions() const override { return true; }
  Task<mcp::Completion> complete(mcp::Context& context, const mcp::CompleteParams& params) override;

  // Notifies clients of changes in subscribed resources, until the stop.
  Task<Unit> announce(Loop& loop, mcp::Server& server, std::stop_token stop);

 private:
  // A subscribed resource. A change of one of the paths means that it may have changed.
  struct Watched {
    std::string uri;
    std::vector<std::string> paths;
  };
  // Reads the events of watch_ and adds the URIs of changed resources to changed_uris_.
  void collect_changes();
  // Watches the paths of the subscribed resources, in all trees that are in use.
  void restart_watch();
  Task<Unit> announce_worktree(Loop& loop, mcp::Server& server, int changed, std::stop_token stop);

  ServedTrees& trees_;
  TreeChooser& chooser_;
  mcp::ResourceSet* other_resources_;
  std::set<std::string> subscribed_uris_;
  std::vector<Watched> watched_resources_;
  std::optional<core::PathWatch> watch_;  // The watch of the paths of all entries of watched_resources_.
  // The trees that have these paths; the references prevent closing them.
  std::vector<ChosenTree> watched_trees_;
  std::vector<ChosenTree>
      notifying_trees_;                 // The trees with a listener that reports changes of the work tree.
  std::set<std::string> changed_uris_;  // The URIs of changed resources that are not announced yet.
  std::stop_source watch_restart_;      // A stop is requested when the watches change or announce() ends.
};

}  // namespace snapgen::tools
