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
#include "tools/server/trees/folder_identity.h"

namespace snapgen::tools {

// Options that apply to every tree of a server.
struct TreeOptions {
  Log log;
  std::optional<std::string> tools;  // --tools: a folder of tools without C++. Overrides the settings.
  std::string user_agent;            // For web services: snapgen/0.1.0.
  bool watches = true;               // Watch the tree: useful for callers with more than one call.
  bool sweeps = false;               // Sweep the store after a snapshot if that is due.
  bool for_user = false;             // The caller is the user, who may change files that no tool may change.
};

class ServedTree {
 public:
  // `workspace`: its folder, or the error that every call returns. Invalid settings are not an error: they
  // are logged and listed in faults(), and nothing may be written if the write rules are invalid. `shared`
  // must outlive the tree. Errors: invalid_argument (invalid --tools; unknown tier in SNAPBACK_TIER).
  static Result<std::unique_ptr<ServedTree>> open(Result<std::string> workspace, const TreeOptions& options,
                                                  ServerShare& shared);
  ServedTree(ServedTree&&) = delete;
  ~ServedTree();

  App& app() { return *app_; }
  // The tools that run on this tree.
  mcp::ToolSet& tools() { return *tools_; }
  // Defaults if the settings are invalid or there is no workspace.
  const Settings& settings() const { return settings_; }
  // Why the settings could not be read; empty: they could.
  const std::string& settings_fault() const { return settings_fault_; }
  // Problems of the settings, one sentence each.
  const std::vector<std::string>& faults() const { return faults_; }

  // Whether the folder at the tree's path is still the one that was opened.
  bool is_in_place() const;

  // Releases the objects of the event-loop thread, so that the others can be destroyed on the thread pool.
  // Call it before destroying a tree while the server continues.
  void leave_loop();

  // Tracks how long the tree has been unused. Only ServedTrees::release_unused() uses it.
  struct Use {
    std::uint64_t seen = 0;                 // App::uses() at the last search.
    std::optional<std::uint64_t> released;  // App::uses() when its memory was last released.
    double since_ms = 0;                    // When `seen` last changed.
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
