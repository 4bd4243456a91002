#include "tools/engine/workspace/try_read.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include <sys/stat.h>

#include "tools/engine/files/sibling_opener.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t records_max = 32;  // The maximum number of files to compare by stat.

}  // namespace

NonBlockingRead::NonBlockingRead(Workspace& workspace, const std::string& lease_id) : workspace_(workspace) {
  lease_ = workspace.leases().try_use(lease_id, records_max);
  if (lease_) before_ = workspace.live_tree().try_status();
}

std::optional<LeaseState> NonBlockingRead::validate(LiveView& view) {
  // Fails for records with a racy stat, because they would need a second read.
  const Result<TouchedFiles> touched = view.touched();
  if (!touched || !workspace_.writer().is_recovered() || !workspace_.root().check_not_moved())
    return std::nullopt;
  const std::shared_lock gate(workspace_.gate_mutex(), std::try_to_lock);
  if (!gate) return std::nullopt;
  // The watch has reported no change since before the read. A write that it cannot see counts as later than
  // the read, and the next check of the lease detects it.
  const std::optional<LiveTree::QuietStatus> after = workspace_.live_tree().try_status();
  if (!after || after->moment != before_->moment || after->status != before_->status) return std::nullopt;
  const std::int64_t events_complete_until_ns = workspace_.events_complete_until_ns();
  const LeaseBase base = lease_->base();
  if (base.fingerprint != after->status->fingerprint) return std::nullopt;
  SiblingOpener siblings(workspace_.root());
  const std::optional<std::vector<FileRecord>> unproven = lease_->try_unproven_files(after->files);
  if (!unproven) return std::nullopt;
  for (const FileRecord& record : *unproven) {
    if (S_ISDIR(record.stat.mode)) {
      if (!is_still_absent(record, siblings)) return std::nullopt;
      continue;
    }
    const auto read = std::find_if(touched->records.begin(), touched->records.end(),
                                   [&](const FileRecord& one) { return one.path == record.path; });
    if (read != touched->records.end()) {
      if (!record.blob || read->blob != record.blob || !proves_unchanged(record, read->stat))
        return std::nullopt;
      continue;
    }
    const std::optional<FileStat> now = siblings.stat(record.path);
    if (is_absence(record)) {
      if (now) return std::nullopt;
    } else if (!now || !proves_unchanged(record, *now)) {
      return std::nullopt;
    }
  }
  for (const FileRecord& record : touched->records)
    if (is_racy(record.stat, record.seen_ns) || record.stat.ctime_ns >= events_complete_until_ns)
      return std::nullopt;
  if (!workspace_.leases().add_touched(*lease_, *touched)) return std::nullopt;
  return LeaseState{.lease_id = lease_->id(), .fingerprint = after->status->fingerprint};
}

}  // namespace snapgen::core
