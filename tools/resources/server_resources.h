#pragma once
// ServerResources: what this server offers to be attached, read and subscribed to: all routes (route.h), and
// the bridge's own.
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/mcp/resource_set.h"
#include "runtime/mcp/server.h"
#include "tools/app.h"
#include "tools/core/watch/path_watch.h"
#include "tools/resources/route.h"

namespace snapgen::tools {

class ServerResources final : public mcp::ResourceSet {
 public:
  // `more`: of other kinds, whose changes others announce; or null. All outlive it.
  ServerResources(App& app, mcp::ResourceSet* more) : app_(app), more_(more) {}

  std::vector<mcp::Resource> resources() override;
  std::vector<mcp::ResourceTemplate> templates() override;
  Task<mcp::ReadResourceResult> read(mcp::Context& context, std::string uri) override;
  bool announces_changes() const override { return true; }
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
  // From now on `changed`, an eventfd, is written to when the watch of the work tree sees something; -1: no
  // more. Blocks. Errors: why there is no work tree.
  Result<Unit> tell_of_tree(int changed, const std::stop_token& stop);
  Task<Unit> announce_worktree(Loop& loop, mcp::Server& server, int changed, std::stop_token stop);

  App& app_;
  mcp::ResourceSet* more_;
  std::vector<Watched> watched_;
  std::optional<core::PathWatch> watch_;  // Of all their paths.
  bool wants_tree_ = false;               // The watch of the work tree is to tell too.
  std::set<std::string> changed_;         // To be announced.
  std::stop_source another_;              // Stopped when any of these was changed from outside.
};

}  // namespace snapgen::tools
