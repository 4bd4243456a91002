#include "tools/app/app.h"

#include <utility>

#include <unistd.h>

#include "tools/app/report_cache.h"
#include "tools/engine/base/thread.h"
#include "tools/engine/operations/gc/sweep.h"
#include "tools/engine/operations/history/recorder.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/engine/write/protected_links.h"
#include "tools/engine/write/protected_paths.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/work/log/audit_line.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/adopt.h"
#include "tools/work/task/task_store.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {

App::App(Result<std::string> workspace_folder, Log log, SharedServerState& shared,
         const core::StoreLimits& limits, std::optional<core::Retention> retention)
    : log(log),
      shared(shared),
      log_writer(workspace_folder ? std::optional(*workspace_folder) : std::nullopt,
                 core::LogLimits::of(limits.log_bytes_max)),
      report_cache(std::make_unique<ReportCache>()),
      workspace_folder_(std::move(workspace_folder)),
      lease_bytes_max_(static_cast<std::uint64_t>(limits.lease_bytes_max)),
      retention_(retention) {}

// The recorder ends first, because its thread starts the collector.
App::~App() { recorder_.reset(); }

Result<core::Workspace*> App::workspace() {
  ++workspace_call_count_;
  std::lock_guard lock(mutex_);
  if (recorder_) recorder_->note_call();
  if (workspace_) {
    begin_recording();
    return workspace_.get();
  }
  if (!workspace_folder_) return workspace_folder_.error();
  workspace_ = TRY(core::Workspace::open(*workspace_folder_));
  core::adopt_earlier_records(*workspace_);
  workspace_->leases().set_bytes_max(lease_bytes_max_);
  std::vector<std::string> outside = core::protected_user_paths();
  outside.insert(outside.end(), protected_paths.begin(), protected_paths.end());
  core::WriteRules rules = write_rules;
  rules.protect_targets_of(std::make_shared<core::ProtectedLinks>(
      workspace_->root(), workspace_->repository(), workspace_->to_repository_path(""), outside));
  workspace_->writer().set_rules(std::move(rules));
  workspace_->writer().set_listener([this](const std::string& line) {
    Result<Unit> stored = log_writer.write_durably(core::LogKind::audit, line);
    if (!stored)
      log.write(Severity::warning, "The restore is not in the audit log: " + stored.error().message);
  });
  workspace_->snapshots().set_late_write_listener(
      [this](const std::string& sentence) { log.write(Severity::warning, sentence); });
  if (watches_worktree)
    workspace_->allow_watching(
        {.log_line = [this](std::string_view line) { log.write(Severity::info, line); },
         .ends_with_process = true});
  begin_recording();
  return workspace_.get();
}

// A folder that is no repository is recorded as soon as it has a folder .snapback, which tools make.
void App::begin_recording() {
  if (recorder_ || !watches_worktree || !check_history()) return;
  recorder_ = std::make_unique<core::HistoryRecorder>(
      *workspace_, *history_options, [this](std::string_view line) { log.write(Severity::warning, line); },
      [this, &workspace = *workspace_] { collect_garbage_if_due(workspace); });
  recorder_->note_call();
}

Result<Unit> App::check_history() const {
  const auto off = [](std::string why) {
    return Error(ErrorCode::unavailable, "The history is off: " + std::move(why));
  };
  if (!history_options) return off("the settings in .snapback/config.json say so, or cannot be read.");
  const std::string& folder = workspace_->root().folder();
  if (folder == "/" || folder == workspace_->environment().home)
    return off("it does not record a home folder or the root of the file system.");
  const bool is_project =
      workspace_->repository().is_git() || ::access((folder + "/.snapback").c_str(), F_OK) == 0;
  if (!is_project) return off("the workspace is no git repository, and snap init was not run in it.");
  return Unit{};
}

Result<core::MomentTaker*> App::history() {
  core::Workspace* const opened = TRY(workspace());
  std::lock_guard lock(mutex_);
  if (recorder_) return &recorder_->taker();
  TRY(check_history());
  if (!taker_) taker_ = std::make_unique<core::MomentTaker>(*opened, *history_options);
  return taker_.get();
}

core::Workspace* App::try_workspace() {
  ++workspace_call_count_;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && recorder_) recorder_->note_call();
  return lock ? workspace_.get() : nullptr;
}

core::Workspace* App::opened_workspace() {
  const std::lock_guard lock(mutex_);
  return workspace_.get();
}

void App::save_leases() {
  core::Workspace* const found = opened_workspace();
  if (found == nullptr) return;
  Result<Unit> saved = found->leases().save();
  if (!saved) log.write(Severity::info, "Leases end with this server: " + saved.error().message);
}

void App::release_memory() {
  save_leases();
  core::Workspace* const found = opened_workspace();
  if (found == nullptr) return;
  // Releases the index of the tree here and not in Workspace::release_memory(), which a sweep also calls
  // while other calls need the index.
  found->live_tree().release_memory();
  found->release_memory();
}

void App::wait_for_watches_at_end() {
  const std::lock_guard lock(mutex_);
  if (workspace_) workspace_->live_tree().set_process_continues();
}

Result<core::LearningStore*> App::learning_store() {
  core::Workspace* opened = TRY(workspace());
  core::Workspace& found = *opened;
  std::lock_guard lock(mutex_);
  if (memory_) return memory_.get();
  TRY(found.prepare_store());
  memory_ = std::make_unique<core::LearningStore>(core::record_folders_of(found));
  return memory_.get();
}

Result<core::ImportGraphCache*> App::import_graph() {
  core::Workspace* opened = TRY(workspace());
  std::lock_guard lock(mutex_);
  if (!imports_) imports_ = std::make_unique<core::ImportGraphCache>(*opened);
  return imports_.get();
}

Result<core::WorkspaceServices> App::services() {
  core::Workspace* opened = TRY(workspace());
  core::LearningStore* remembered = TRY(learning_store());
  core::ImportGraphCache* imported = TRY(import_graph());
  return core::WorkspaceServices{
      .workspace = *opened, .learning_store = *remembered, .import_graph = *imported};
}

void App::collect_garbage_if_due(core::Workspace& workspace) {
  if (!retention_ || is_collecting_ || !core::sweep_is_due(workspace, *retention_)) return;
  std::lock_guard lock(mutex_);
  if (is_collecting_.exchange(true)) return;
  collector_ = core::try_start_thread([this, &workspace](const std::stop_token& stop) {
    const core::GetSparedSnapshots spared =
        core::spared_by_open_tasks(workspace.store_folder(), core::record_folders_of(workspace));
    Result<core::SweepResult> swept = core::sweep(workspace, *retention_, spared, stop);
    if (!swept) {
      log.write(Severity::info, "The snapshot store was not swept: " + swept.error().message);
    } else {
      if (!swept->failure.empty())
        log.write(Severity::warning, "The snapshot store could not be swept completely: " + swept->failure);
      if (!swept->removed.empty())
        log_writer.add(core::LogKind::audit,
                       core::garbage_collection_line(swept->removed, swept->bytes_freed),
                       core::LogFolder::only_if_exists);
      // The client's log tells which snapshots were deleted, because the user may miss them.
      if (swept->failure.empty() || !swept->removed.empty())
        log.write(swept->removed.empty() ? Severity::info : Severity::warning,
                  "The snapshot store was swept: " + std::to_string(swept->removed.size()) +
                      " expired snapshots removed, " + std::to_string(swept->bytes_freed) + " bytes freed.");
    }
    workspace.release_memory();
    is_collecting_ = false;
  });
  if (!collector_.joinable())
    is_collecting_ = false;  // No thread could be started, so the sweep remains due.
}

}  // namespace snapgen::tools
