#pragma once
// ServedTree: one work tree with the objects that its settings configure: its App, its tools, and their web
// service. A server has several if its clients work in several folders (served_trees.h).
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/log.h"
#include "runtime/base/result.h"
#include "runtime/mcp/tool.h"
#include "tools/app/app.h"
#include "tools/app/settings.h"
#include "tools/server/trees/reach.h"

namespace snapgen::tools {

// The options of every tree of a server.
struct TreeOptions {
  Log log;
  // The value of --tools, a folder of tools without C++. Overrides the settings.
  std::optional<std::string> tools_folder;
  std::string user_agent;         // The name for web services: snapgen/0.1.0.
  bool watches_worktree = true;   // Watch the tree, which is useful for callers with more than one call.
  bool collects_garbage = false;  // Delete expired snapshots after a new one is made, if that is due.
  bool for_user = false;          // The caller is the user, who may change files that no tool may change.
};

class ServedTree {
 public:
  // `workspace` is its folder, or the error that every call returns. Invalid settings are not an error: they
  // are logged and listed in faults(), and if the write rules are invalid, nothing may be written. `shared`
  // must outlive the tree. Errors: invalid_argument (invalid --tools).
  static Result<std::unique_ptr<ServedTree>> open(Result<std::string> workspace, const TreeOptions& options,
                                                  SharedServerState& shared);
  ServedTree(ServedTree&&) = delete;
  ~ServedTree();

  App& app() { return *app_; }
  // Returns the tools that run on this tree.
  mcp::ToolSet& tools() { return *tools_; }
  // Returns the settings, or defaults if they are invalid or there is no workspace.
  const Settings& settings() const { return settings_; }
  // Returns the reason why the settings could not be read, or an empty text.
  const std::string& settings_fault() const { return settings_fault_; }
  // Returns the problems of the settings, one sentence each.
  const std::vector<std::string>& faults() const { return faults_; }

  // Returns whether the folder at the tree's path is still the one that was opened.
  bool is_in_place() const;

  // Releases the objects that belong to the event loop's thread, so that the others can be destroyed on the
  // thread pool. Call it before you destroy a tree while the server continues.
  void release_loop_objects();

  // Tracks how long the tree has been unused. Only ServedTrees::release_unused_until_stop() uses it.
  struct Use {
    std::uint64_t last_call_count = 0;  // The value of App::workspace_call_count() at the last search.
    // The value of App::workspace_call_count() when its memory was last released.
    std::optional<std::uint64_t> released_call_count;
    double since_ms = 0;  // The time when `last_call_count` last changed.
  };
  Use use;

 private:
  struct Compiled;
  ServedTree();

  Settings settings_;
  std::string settings_fault_;
  std::vector<std::string> faults_;
  std::optional<FolderIdentity> identity_;
  std::unique_ptr<App> app_;
  std::unique_ptr<Compiled> compiled_;
  mcp::ToolSet* tools_ = nullptr;
};

}  // namespace snapgen::tools
