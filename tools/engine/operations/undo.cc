#include "tools/engine/operations/undo.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/operations/capture_files.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

// The time by which a snapshot is dated back, because kernel file times lag by up to 10 ms. A restore deletes
// a file that the change created only if its birth time is later than the snapshot's.
constexpr std::int64_t clock_lag_ms_max = 20;

bool has_content(const TreeWrite& write) {
  if (!write.existing) return false;
  const FileKind kind = kind_of(write.existing->stat);
  return kind == FileKind::file || kind == FileKind::symlink;
}

constexpr std::string_view store_remedy = "correct that";

// `remedy` is what a person can do. No error proposes `discard` to a model, because the content may exist
// nowhere else.
Error cannot_store_error(ErrorCode code, const std::string& why, std::string_view remedy,
                         std::string cause = {}) {
  return Error(code,
               why + " Nothing was changed, because the old content could not be kept. The user can " +
                   std::string(remedy) + ", or change the files outside of this server.",
               {}, std::move(cause));
}

Error undo_too_large_error(std::int64_t bytes, std::int64_t files, std::int64_t bytes_max) {
  return cannot_store_error(ErrorCode::too_large,
                            "The call would replace or delete " + std::to_string(bytes) + " bytes in " +
                                count_with_noun(files, "file") + ", more than the " +
                                std::to_string(bytes_max) + " bytes that an undo snapshot may contain.",
                            "raise store.undo_bytes_max in .snapback/config.json");
}

}  // namespace

Fingerprint undo_fingerprint(Fingerprint state, std::vector<std::string> absent) {
  if (absent.empty()) return state;
  std::sort(absent.begin(), absent.end());
  std::string text = state.status_hash;
  for (const std::string& path : absent) text.append(path).push_back('\0');
  state.status_hash = sha256_hex(text);
  return state;
}

UndoCapture::UndoCapture(Workspace& workspace, std::vector<FileRecord> records,
                         std::vector<std::string> absent, std::string message, std::stop_token stop)
    : workspace_(workspace),
      records_(std::move(records)),
      absent_(std::move(absent)),
      message_(std::move(message)),
      taken_ms_(workspace.now() / 1'000'000 - clock_lag_ms_max),
      stop_(std::move(stop)) {
  assert(std::ranges::is_sorted(records_, {}, &FileRecord::path));
  PrivacyCollector survey(PrivacyCollector::Detail::exact_permissions);
  rows_.reserve(records_.size());
  for (const FileRecord& record : records_) {
    rows_.push_back({.path = record.path, .blob = *record.blob, .mode = mode_of(record.stat)});
    survey.add(record.path, record.stat.mode);
  }
  add_parent_folders(workspace_.root().fd(), rows_, {}, survey);
  privacy_ = survey.finish();
}

SnapshotSaveOptions UndoCapture::save_options() const {
  std::int64_t bytes = 0;
  for (const FileRecord& record : records_) bytes += record.stat.size;
  return {.message = message_,
          .is_undo = true,
          .now_ms = workspace_.now() / 1'000'000,
          .scope = {.folders = {}, .unknown_paths = {}, .absent_paths = absent_, .taken_ms = taken_ms_},
          .privacy = privacy_,
          .bytes = bytes,
          .found_in_generation = generation_,
          .stop = stop_};
}

Result<Unit> UndoCapture::plan(std::uint64_t generation) {
  generation_ = generation;
  plan_ = TRY(workspace_.snapshots().plan(undo_fingerprint({}, absent_), rows_));
  files_ = workspace_.snapshots().files(plan_, rows_, save_options());
  return Unit{};
}

Result<Unit> UndoCapture::make_durable() {
  assert(!files_.hex.empty());  // After plan().
  return workspace_.snapshots().write_unsynced(plan_, rows_, save_options());
}

UndoSnapshot UndoCapture::undo_snapshot() const {
  return {.snapshot_id = "sha256:" + plan_.hex, .file_count = static_cast<std::int64_t>(rows_.size())};
}

Result<std::unique_ptr<UndoCapture>> capture_replaced(Workspace& workspace, std::vector<TreeWrite>& writes,
                                                      const UndoRequest& request,
                                                      const std::stop_token& stop) {
  if (!request.is_wanted) return std::unique_ptr<UndoCapture>();
  std::vector<TreeWrite*> replaced;
  std::vector<std::string> absent;
  std::int64_t bytes = 0;
  for (TreeWrite& write : writes) {
    if (has_content(write)) {
      replaced.push_back(&write);
      bytes += write.existing->stat.size;
    } else if (!write.existing && write.change.kind != TreeChange::Kind::remove_folder) {
      absent.push_back(write.change.path);
    }
  }
  if (replaced.empty()) return std::unique_ptr<UndoCapture>();
  const std::int64_t bytes_max = workspace.writer().rules().undo_bytes_max();
  if (bytes > bytes_max)
    return undo_too_large_error(bytes, static_cast<std::int64_t>(replaced.size()), bytes_max);
  std::sort(replaced.begin(), replaced.end(),
            [](const TreeWrite* a, const TreeWrite* b) { return a->change.path < b->change.path; });
  const std::uint64_t generation = workspace.blobs().generation();
  std::vector<CaptureTarget> targets;
  targets.reserve(replaced.size());
  for (const TreeWrite* write : replaced)
    targets.push_back({.path = write->change.path,
                       .listed_stat = write->existing->stat,
                       .listed_ns = write->existing->seen_ns,
                       .is_named = true});
  auto [records, failed] = capture_files(workspace, targets, stop);
  if (stop.stop_requested()) return cancelled_write_error();
  if (failed) {
    Error& error = failed->second;
    if (error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_argument)
      return changed_while_read_error(targets[failed->first].path);
    if (error.code == ErrorCode::repo_changed) return std::move(error);
    return cannot_store_error(error.code, error.message, store_remedy, error.cause);
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    FileRecord& existing = *replaced[i]->existing;
    const bool same = records[i].blob && records[i].stat == existing.stat &&
                      (!existing.blob || *existing.blob == *records[i].blob);
    if (!same) {
      workspace.blobs().abandon_puts();
      return changed_while_read_error(existing.path);
    }
    existing.blob = records[i].blob;
  }
  auto capture =
      std::make_unique<UndoCapture>(workspace, std::move(records), std::move(absent), request.message, stop);
  Result<Unit> planned = capture->plan(generation);
  if (planned) return capture;
  workspace.blobs().abandon_puts();
  return cannot_store_error(planned.error().code, planned.error().message, store_remedy,
                            planned.error().cause);
}

}  // namespace snapgen::core
