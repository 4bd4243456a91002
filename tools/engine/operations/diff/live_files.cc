#include "tools/engine/operations/diff/live_files.h"

#include <atomic>
#include <map>
#include <mutex>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/sibling_opener.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t files_per_block = 16;  // Files that one thread reads at a time.

// Finds live files by the paths of captured ones. Nothing exists below a symlink or a file.
class LiveFileFinder {
 public:
  explicit LiveFileFinder(const Root& root) : root_(root) {}

  std::optional<LiveFile> find(const std::string& path) {
    if (!is_folder(parent_path(path))) return std::nullopt;
    std::int64_t seen = now_ns();
    Result<FileStat> stat = root_.lstat(path);
    if (!stat) return std::nullopt;
    FileKind kind = kind_of(*stat);
    if (kind != FileKind::file && kind != FileKind::symlink) return std::nullopt;
    return LiveFile{.path = path, .stat = *stat, .seen_ns = seen, .mode = mode_of(*stat), .blob = {}};
  }

 private:
  bool is_folder(std::string_view path) {
    if (path.empty()) return true;
    auto known = folders_.find(path);
    if (known != folders_.end()) return known->second;
    bool good = is_folder(parent_path(path));
    if (good) {
      Result<FileStat> stat = root_.lstat(path);
      good = stat && kind_of(*stat) == FileKind::folder;
    }
    folders_.emplace(path, good);
    return good;
  }

  const Root& root_;
  std::map<std::string, bool, std::less<>> folders_;
};

}  // namespace

Result<std::vector<LivePair>> pair_with_live(Workspace& workspace, LiveView& view, const PathScope& scope,
                                             const std::vector<ManifestEntry>& before) {
  const Listing* listing = TRY(view.listing());
  const Listing& files = *listing;
  std::vector<const ManifestEntry*> captured = scope.select(before);
  std::vector<LivePair> pairs;
  std::shared_ptr<const ListingContents> known;
  if (view.moment() && !view.records_touches())
    known = workspace.known_contents().contents_of(view.shared_listing());
  else
    pairs.reserve(std::max(captured.size(), files.size()));
  LiveFileFinder finder(workspace.root());
  SiblingOpener siblings(workspace.root());
  auto next = captured.begin();
  auto take_captured = [&] {
    const std::string& path = (*next)->path;
    pairs.push_back(LivePair{.before = *next, .after = finder.find(path)});
    // The answer shows the client that the file is missing, so the lease records it.
    if (!pairs.back().after && view.records_touches() && !siblings.stat(path))
      view.mark_touched(observed_absence_of(path, now_ns()));
    ++next;
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string_view path = files.path(i);
    if (!scope.contains(path)) continue;
    while (next != captured.end() && (*next)->path < path) take_captured();
    LivePair pair;
    if (next != captured.end() && (*next)->path == path) pair.before = *next++;
    if (known && pair.before && known->find(i) == pair.before->blob &&
        mode_of(view.stat_of(i)) == pair.before->mode) {
      continue;
    }
    pair.after = LiveFile{.path = std::string(path),
                          .stat = view.stat_of(i),
                          .seen_ns = view.listed_ns(),
                          .mode = mode_of(view.stat_of(i)),
                          .blob = {}};
    pairs.push_back(std::move(pair));
  }
  while (next != captured.end()) take_captured();
  return pairs;
}

std::int64_t remove_uncaptured(const SnapshotScope& captured, std::vector<LivePair>& pairs) {
  const auto is_uncaptured = [&](const LivePair& pair) {
    return pair.before == nullptr && !captured.covers(pair.after->path);
  };
  return static_cast<std::int64_t>(std::erase_if(pairs, is_uncaptured));
}

Result<Unit> add_files_below(const Root& root, const std::string& folder, const std::stop_token& stop,
                             std::vector<std::string>& paths, SkippedCounts& skipped) {
  if (stop.stop_requested()) return cancelled_call_error();
  Result<std::vector<FolderEntry>> entries = root.read_folder(folder);
  if (!entries && entries.error().code == ErrorCode::permission_denied) {
    ++skipped.unreadable;
    return Unit{};
  }
  if (!entries) return std::move(entries).error();
  for (const FolderEntry& entry : *entries) {
    std::string below = joined_path(folder, entry.name);
    switch (entry.kind) {
      case FileKind::other: ++skipped.not_a_file; break;
      case FileKind::folder: TRY(add_files_below(root, below, stop, paths, skipped)); break;
      case FileKind::file:
      case FileKind::symlink: paths.push_back(std::move(below)); break;
    }
  }
  return Unit{};
}

bool sizes_differ(Workspace& workspace, const ManifestEntry& before, const LiveFile& after) {
  std::optional<std::uint64_t> size = workspace.blobs().size_of(before.blob);
  return size && *size != static_cast<std::uint64_t>(after.stat.size);
}

Result<Unit> set_blobs(Workspace& workspace, const std::vector<LiveFile*>& files,
                       const std::stop_token& stop) {
  std::mutex mutex;
  std::optional<Error> failure;
  std::vector<FileRecord> learned;
  std::atomic<bool> failed = false;
  in_parallel(files.size(), files_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !failed && !stop.stop_requested(); ++i) {
      LiveFile& file = *files[i];
      file.blob = workspace.stat_cache().find(file.path, file.stat);
      if (file.blob) continue;
      Result<FileRecord> record = observe_file(workspace.root(), file.path, stop);
      std::lock_guard lock(mutex);
      if (record && record->stat == file.stat) {
        file.blob = record->blob;
        file.seen_ns = record->seen_ns;
        learned.push_back(*std::move(record));
      } else if (!record && record.error().code == ErrorCode::permission_denied) {
        file.unreadable = true;
      } else {
        bool changed = record || record.error().code == ErrorCode::not_found ||
                       record.error().code == ErrorCode::invalid_argument;
        failure = changed ? changed_while_read_error(file.path) : std::move(record).error();
        failed = true;
      }
    }
  });
  if (stop.stop_requested()) return cancelled_call_error();
  if (failure) return *std::move(failure);
  if (learned.empty()) return Unit{};
  TRY(workspace.prepare_store());
  workspace.stat_cache().remember(learned);
  return Unit{};
}

Result<LiveContent> read_live(Workspace& workspace, LiveView& view, const std::string& path, FileKind kind) {
  const Root& root = workspace.root();
  LiveContent content;
  std::int64_t seen = now_ns();
  if (kind == FileKind::symlink) {
    Result<FileRecord> link = observe_file(root, path, view.stop());
    Result<std::string> target = root.read_link(path);
    if (!link || !target || link->blob != blob_id_of(*target)) return changed_while_read_error(path);
    content = {.bytes = *std::move(target), .blob = *link->blob, .stat = link->stat};
  } else {
    Result<OpenedPath> opened = root.open_file(path);
    if (!opened && opened.error().code == ErrorCode::permission_denied) return std::move(opened).error();
    if (!opened || opened->path != path) return changed_while_read_error(path);
    TRY(read_stable_content(*opened, content.bytes));
    content.blob = blob_id_of(content.bytes);
    content.stat = opened->stat;
  }
  view.mark_touched(FileRecord{.path = path, .stat = content.stat, .seen_ns = seen, .blob = content.blob});
  return content;
}

void mark_touched(LiveView& view, const LiveFile& file) {
  view.mark_touched(
      FileRecord{.path = file.path, .stat = file.stat, .seen_ns = file.seen_ns, .blob = file.blob});
}

}  // namespace snapgen::core
