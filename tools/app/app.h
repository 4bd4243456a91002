#pragma once
// App: state that the handlers of one work tree share. Its ServedTree owns it, and it outlives every call on
// the tree.
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/base/log.h"
#include "runtime/base/result.h"
#include "tools/engine/operations/gc/kinds.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/engine/operations/history/history_options.h"
#include "tools/engine/write/write_rules.h"
#include "tools/work/log/log_writer.h"

namespace snapgen::core {
class HistoryRecorder;
class ImportGraphCache;
class LearningStore;
class MomentTaker;
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
class ReportCache;

// Access tiers. Each one includes the lower tiers, which are before it.
enum class Tier : std::uint8_t { free, pro, enterprise };

// State that the handlers of all trees of a server share. It outlives them. Used on the loop's thread only.
struct SharedServerState {
  // The server that lists the tools; null if there is none.
  const mcp::Server* server = nullptr;

  // The connections of browsers; null if none can connect. Then `no_bridge_reason` is the reason, except in
  // the command line.
  bridge::Hub* bridge = nullptr;
  std::string no_bridge_reason;
};

struct App {
 public:
  // `workspace_folder` is the folder, or the error that every call returns. `limits` and `retention` are from
  // the workspace's settings. If `retention` is nullopt (the settings cannot be read), the store is not
  // swept.
  App(Result<std::string> workspace_folder, Log log, SharedServerState& shared,
      const core::StoreLimits& limits = {}, std::optional<core::Retention> retention = {});
  App(App&&) = delete;
  ~App();

  const Log log;
  SharedServerState& shared;
  core::LogWriter log_writer;

  // These settings are set before the first call.
  Tier tier = Tier::free;
  core::WriteRules write_rules;
  // Further paths that no tool may change, such as the folder of the repository's tools. Absolute.
  std::vector<std::string> protected_paths;
  bool allows_discard = false;     // The user's settings let tools lose content without a question.
  bool is_used_by_person = false;  // The calls are commands that a person typed, not those of a model.
  bool watches_worktree = true;    // True to be notified by the kernel of changes in the work tree.

  // What the history records; nullopt if it is off. With a watch, it is recorded from the first call on.
  std::optional<core::HistoryOptions> history_options;

  // The web service, or null if there is none; then nothing is sent. Used on the loop's thread only.
  Api* api = nullptr;

  // When an answer last asked for consent to run checks, by core::steady_ms(); 0: never.
  std::atomic<double> last_notice_ms = 0;

  // The latest reports of checks.
  const std::unique_ptr<ReportCache> report_cache;

  const Result<std::string>& workspace_folder() const { return workspace_folder_; }

  // Returns the workspace and opens it in the first call. Thread-safe. It blocks, so call it on the thread
  // pool. Errors: why there is no workspace, or why it cannot be opened; a later call tries again.
  Result<core::Workspace*> workspace();

  // Returns the workspace if it is open and the lock is free; else null. Never blocks.
  core::Workspace* try_workspace();

  // Returns the number of calls to workspace(). Never blocks.
  std::uint64_t workspace_call_count() const { return workspace_call_count_; }

  // Frees memory that can be loaded again from disk, after save_leases(). Blocks, as do the functions below.
  void release_memory();

  // Writes the leases to disk, so that they outlive a restart of the server. Call it when the server ends.
  void save_leases();

  // Makes the destructor wait until the kernel has closed all watches. Call it if the app is destroyed long
  // before the process ends.
  void wait_for_watches_at_end();

  // Returns the memory of the workspace, and opens it on demand. Errors: as workspace().
  Result<core::LearningStore*> learning_store();

  // Returns the import graph of the workspace, and opens it on demand. Errors: as workspace().
  Result<core::ImportGraphCache*> import_graph();

  // Returns the workspace, its memory and its import graph, and opens them on demand. Errors: as workspace().
  Result<core::WorkspaceServices> services();

  // Returns what records the history of the workspace. Errors: as workspace(); unavailable (the history is
  // off; the message says why).
  Result<core::MomentTaker*> history();

  // Deletes expired snapshots on a background thread, if that is due and not in progress, and logs what it
  // deletes. The destructor stops it.
  void collect_garbage_if_due(core::Workspace& workspace);

 private:
  void begin_recording();
  Result<Unit> check_history() const;   // Errors: unavailable (why no history is recorded).
  core::Workspace* opened_workspace();  // Returns the workspace; null if it is not open yet.

  Result<std::string> workspace_folder_;
  std::mutex mutex_;
  std::unique_ptr<core::Workspace> workspace_;
  std::atomic<std::uint64_t> workspace_call_count_ = 0;  // Number of calls to workspace().
  std::unique_ptr<core::HistoryRecorder> recorder_;      // Null without a watch or if the history is off.
  std::unique_ptr<core::MomentTaker> taker_;             // Null if there is a recorder, which has its own.
  std::unique_ptr<core::LearningStore> memory_;
  std::unique_ptr<core::ImportGraphCache> imports_;
  const std::uint64_t lease_bytes_max_;
  std::optional<core::Retention> retention_;
  std::atomic<bool> is_collecting_ = false;
  std::jthread collector_;
};

inline std::optional<Tier> tier_named(std::string_view name) {
  if (name == "free") return Tier::free;
  if (name == "pro") return Tier::pro;
  if (name == "enterprise") return Tier::enterprise;
  return std::nullopt;
}

inline std::string_view text(Tier tier) {
  return tier == Tier::free ? "free" : tier == Tier::pro ? "pro" : "enterprise";
}

// Returns whether `tier` may call a tool whose schema file requires the tier `needed`; it is empty if none is
// required.
inline bool tier_allows(Tier tier, std::string_view needed) {
  return needed.empty() || tier >= tier_named(needed).value_or(Tier::enterprise);
}

}  // namespace snapgen::tools
