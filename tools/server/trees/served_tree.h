#pragma once
// ServedTree: one work tree with what its settings configure: its App, the tools that run on it, and the
// service that they may ask. A server has several if its clients work in several folders (served_trees.h).
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

// What applies to every tree of a server.
struct TreeOptions {
  Log log;
  std::optional<std::string> tools;  // --tools: a folder of tools without C++; before that of the settings.
  std::string user_agent;            // The name that services see: snapgen/0.1.0.
  bool watches = true;               // Whether the tree is watched: for callers that ask more than once.
  bool sweeps = false;               // Whether the store is swept after a snapshot, if that is due.
  bool for_user = false;             // Whether the caller is the user, who may change what no tool may.
};

class ServedTree {
 public:
  // `workspace`: its folder, or why there is none, which every call then answers. Settings with faults are no
  // error: they are logged and listed in faults(), and nothing may be written where they do not say what may
  // be. `shared` outlives the tree. Errors: invalid_argument (--tools has faults; SNAPBACK_TIER names no
  // tier).
  static Result<std::unique_ptr<ServedTree>> open(Result<std::string> workspace, const TreeOptions& options,
                                                  ServerShare& shared);
  ServedTree(ServedTree&&) = delete;
  ~ServedTree();

  App& app() { return *app_; }
  // The tools that run on this tree.
  mcp::ToolSet& tools() { return *tools_; }
  // Defaults where they have faults or there is no workspace.
  const Settings& settings() const { return settings_; }
  // Why none of the settings count; empty: they could be read.
  const std::string& settings_fault() const { return settings_fault_; }
  // What is wrong with the settings, one sentence each.
  const std::vector<std::string>& faults() const { return faults_; }

  // Whether the folder at the tree's path is still the one that was opened.
  bool is_in_place() const;

  // Releases what belongs to the loop's thread, so that the rest may be destroyed on the pool. Called before
  // a tree is destroyed while the server continues.
  void leave_loop();

  // How long the tree is unused. Only ServedTrees::tend() uses it.
  struct Use {
    std::uint64_t seen = 0;               // App::uses() at the last search.
    std::optional<std::uint64_t> rested;  // App::uses() when it was last rested.
    double since_ms = 0;                  // When `seen` last changed.
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
