#pragma once
// App: what the handlers of one work tree share. Owned by its ServedTree; outlives every call on the tree.
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

// Who may call what; each may call what those below may.
enum class Tier : std::uint8_t { free, pro, enterprise };

// What the handlers of all work trees of a server share. It outlives them. On the loop's thread.
struct ServerShare {
  // The server that lists the tools; null where there is none.
  const mcp::Server* server = nullptr;

  // The browsers; null if none can connect. `no_bridge` is the reason, unless it is the command line's.
  bridge::Hub* bridge = nullptr;
  std::string no_bridge;
};

struct App {
 public:
  // `workspace`: its folder, or why there is none, which every call then answers.
  // `limits`, `retention`: what the workspace's settings say; no retention: they cannot be read, and the
  // store is not swept.
  App(Result<std::string> workspace_folder, Log log, ServerShare& shared,
      const core::StoreLimits& limits = {}, std::optional<core::Retention> retention = {});
  App(App&&) = delete;
  ~App();

  const Log log;
  ServerShare& shared;
  core::LogBook book;

  // What the settings allow. Settled before the first call.
  Tier tier = Tier::free;
  core::WriteRules write_rules;
  bool watches = true;  // The kernel is asked to tell of changes of the work tree.

  // The service that may be asked; null: none, and nothing is sent. Of the loop's thread.
  Api* api = nullptr;

  const Result<std::string>& workspace_folder() const { return workspace_folder_; }

  // The open workspace: opened by the first call that asks for it. Blocks: call it on the pool. Safe
  // from several threads. Errors: why there is no workspace, or why it cannot be opened; a later call tries
  // again.
  Result<core::Workspace*> workspace();

  // The same where it is open and nobody is opening anything; null otherwise. Waits for nobody.
  core::Workspace* try_workspace();

  // How often the workspace was asked for. Waits for nobody.
  std::uint64_t uses() const { return uses_; }

  // Gives back memory that can be had again from disk, and saves. Blocks, like what follows.
  void rest();

  // Writes to disk what is only in memory and outlives a restart: leases that no client has given back. To be
  // called when a server ends.
  void save();

  // To be called if the app is destroyed long before the process ends. The destructor then waits until the
  // kernel has closed all watches.
  void end_before_process();

  // What the workspace has taught; opened and answered like the workspace.
  Result<core::Memory*> memory();

  // Who imports whom in the workspace; opened and answered like the workspace.
  Result<core::KeptImports*> imports();

  // All of these at once; opened and answered like the workspace.
  Result<core::WorkspaceServices> services();

  // Sweeps the store on a thread of its own, if that is due and not being done. What goes is logged. Ends
  // early with the app.
  void sweep_if_due(core::Workspace& workspace);

 private:
  core::Workspace* opened();  // Null: nobody has asked for it.

  Result<std::string> workspace_folder_;
  std::mutex mutex_;
  std::unique_ptr<core::Workspace> workspace_;
  std::atomic<std::uint64_t> uses_ = 0;  // Of it.
  std::unique_ptr<core::Memory> memory_;
  std::unique_ptr<core::KeptImports> imports_;
  const std::uint64_t lease_bytes_max_;
  std::optional<core::Retention> retention_;
  std::atomic<bool> sweeping_ = false;
  std::jthread sweeper_;
};

}  // namespace snapgen::tools
