#pragma once
// App: state that the handlers of one work tree share. Its ServedTree owns it, and it outlives every call on
// the tree.
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "runtime/base/log.h"
#include "runtime/base/result.h"
#include "tools/engine/operations/gc/kinds.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/engine/write/write_rules.h"
#include "tools/work/log/log_book.h"

namespace snapgen::core {
class KeptImports;
class Memory;
class Workspace;
struct WorkspaceServices;
}  // namespace snapgen::core

namespace snapgen::mcp {
class Server;
}

namespace snapgen::tools {

namespace bridge {
class Hub;
}
class Api;
class KeptReports;

// Access tiers; each includes those below it.
enum class Tier : std::uint8_t { free, pro, enterprise };

// State that the handlers of all work trees of a server share. It outlives them. Used on the loop's thread
// only.
struct ServerShare {
  // The server that lists the tools; null if there is none.
  const mcp::Server* server = nullptr;

  // The browser connections; null if none can connect. `no_bridge` is the reason, except in the command line.
  bridge::Hub* bridge = nullptr;
  std::string no_bridge;
};

struct App {
 public:
  // `workspace_folder`: the folder, or the error that every call returns. `limits`, `retention`: from the
  // workspace's settings; without retention (unreadable settings) the store is not swept.
  App(Result<std::string> workspace_folder, Log log, ServerShare& shared,
      const core::StoreLimits& limits = {}, std::optional<core::Retention> retention = {});
  App(App&&) = delete;
  ~App();

  const Log log;
  ServerShare& shared;
  core::LogBook book;

  // Settings; set before the first call.
  Tier tier = Tier::free;
  core::WriteRules write_rules;
  bool watches = true;  // Use kernel notifications of changes in the work tree.

  // The web service; null: there is none, and nothing is sent. Used on the loop's thread only.
  Api* api = nullptr;

  // The latest reports of checks.
  const std::unique_ptr<KeptReports> reports;

  const Result<std::string>& workspace_folder() const { return workspace_folder_; }

  // Returns the workspace and opens it in the first call. Thread-safe. It blocks, so call it on the thread
  // pool. Errors: why there is no workspace, or why it cannot be opened; a later call tries again.
  Result<core::Workspace*> workspace();

  // Returns the workspace if it is open and the lock is free; else null. Never blocks.
  core::Workspace* try_workspace();

  // The number of calls to workspace(). Never blocks.
  std::uint64_t uses() const { return uses_; }

  // Frees memory that can be loaded again from disk, and saves. Blocks, as do the functions below.
  void release_memory();

  // Writes unreleased leases, which outlive a restart, to disk. Call it when the server ends.
  void save();

  // Call it if the app is destroyed long before the process ends. The destructor then waits until the kernel
  // has closed all watches.
  void end_before_process();

  // The memory of the workspace; opened on demand. Errors: as workspace().
  Result<core::Memory*> memory();

  // The import graph of the workspace; opened on demand. Errors: as workspace().
  Result<core::KeptImports*> imports();

  // All of the above; opened on demand. Errors: as workspace().
  Result<core::WorkspaceServices> services();

  // Sweeps the store on a background thread if that is due and not in progress, and logs what it deletes. The
  // destructor stops the sweep.
  void sweep_if_due(core::Workspace& workspace);

 private:
  core::Workspace* opened();  // Null: not open yet.

  Result<std::string> workspace_folder_;
  std::mutex mutex_;
  std::unique_ptr<core::Workspace> workspace_;
  std::atomic<std::uint64_t> uses_ = 0;  // Number of calls to workspace().
  std::unique_ptr<core::Memory> memory_;
  std::unique_ptr<core::KeptImports> imports_;
  const std::uint64_t lease_bytes_max_;
  std::optional<core::Retention> retention_;
  std::atomic<bool> sweeping_ = false;
  std::jthread sweeper_;
};

}  // namespace snapgen::tools
