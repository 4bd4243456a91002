#pragma once
// ServerResources: what this server offers to be attached, read and subscribed to: all routes (route.h), and
// the bridge's own. A client reads from the work tree that its calls work on. A subscription does not name a
// tree, so its client is notified of changes in every work tree that is in use.
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
  // `more`: of other kinds, whose changes others announce; or null. All outlive it.
  ServerResources(ServedTrees& trees, TreeChooser& chooser, mcp::ResourceSet* more)
      : trees_(trees), chooser_(chooser), more_(more) {}

  std::vector<mcp::Resource> resources() override;
  std::vector<mcp::ResourceTemplate> templates() override;
  Task<mcp::ReadResourceResult> read(mcp::Context& context, std::string uri) override;
  bool announces_changes() const override { return true; }
  void subscribing(mcp::Context& context) override;
  void subscribed(const std::set<std::string>& uris) override;
  bool completes() const override { return true; }
  Task<mcp::Completion> complete(mcp::Context& context, const mcp::CompleteParams& asked) override;

  // Tells the server's clients when what they subscribed to changes, until the stop.
  Task<Unit> announce(Loop& loop, mcp::Server& server, std::stop_token stop);

 private:
  // A resource that somebody subscribed to, and what tells that it may have changed.
  struct Watched {
    std::string uri;
    std::vector<std::string> paths;
  };
  // Takes in what the watch has seen.
  void note_changes();
  // Watches what the subscribed resources consist of in the trees that are in use.
  void watch_again();
  Task<Unit> announce_worktree(Loop& loop, mcp::Server& server, int changed, std::stop_token stop);

  ServedTrees& trees_;
  TreeChooser& chooser_;
  mcp::ResourceSet* more_;
  std::set<std::string> subscribed_;
  std::vector<Watched> watched_;
  std::optional<core::PathWatch> watch_;  // Of all their paths.
  // The trees of these paths, which are not closed while they are watched.
  std::vector<ChosenTree> watched_trees_;
  std::vector<ChosenTree> telling_;  // Trees whose own watches also report changes.
  std::set<std::string> changed_;    // To be announced.
  std::stop_source another_;         // Stopped when any of these was changed from outside.
};

}  // namespace snapgen::tools
