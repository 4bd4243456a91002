#include "tools/engine/operations/diff/live_files.h"

#include <algorithm>
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

  LivePair pair_of(const ManifestEntry& captured) {
    const std::string& path = captured.path;
    LivePair pair{.before = &captured, .after = {}};
    Presence presence = presence_of_folder(parent_path(path));
    if (presence == Presence::present) {
      std::int64_t seen = now_ns();
      Result<FileStat> stat = root_.lstat(path);
      presence = presence_of(stat);
      if (stat && (kind_of(*stat) == FileKind::file || kind_of(*stat) == FileKind::symlink))
        pair.after =
            LiveFile{.path = path, .stat = *stat, .seen_ns = seen, .mode = mode_of(*stat), .blob = {}};
    }
    pair.is_hidden = presence == Presence::unknown;
    return pair;
  }

 private:
  enum class Presence : std::uint8_t { missing, present, unknown };

  static Presence presence_of(const Result<FileStat>& stat) {
    if (stat) return Presence::present;
    return stat.error().code == ErrorCode::permission_denied ? Presence::unknown : Presence::missing;
  }

  Presence presence_of_folder(std::string_view path) {
    if (path.empty()) return Presence::present;
    auto known = folders_.find(path);
    if (known != folders_.end()) return known->second;
    Presence presence = presence_of_folder(parent_path(path));
    if (presence == Presence::present) {
      Result<FileStat> stat = root_.lstat(path);
      presence = stat && kind_of(*stat) != FileKind::folder ? Presence::missing : presence_of(stat);
    }
    folders_.emplace(path, presence);
    return presence;
  }

  const Root& root_;
  std::map<std::string, Presence, std::less<>> folders_;
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
    known = workspace.known_contents().contents_of(view.shared_listing(), ranges_below(files, scope.paths()));
  else
    pairs.reserve(std::max(captured.size(), files.size()));
  LiveFileFinder finder(workspace.root());
  SiblingOpener siblings(workspace.root());
  auto next = captured.begin();
  auto take_captured = [&] {
    const std::string& path = (*next)->path;
    pairs.push_back(finder.pair_of(**next));
    const LivePair& pair = pairs.back();
    // The answer shows the client that the file is missing, so the lease records it.
    if (!pair.after && !pair.is_hidden && view.records_touches() && !siblings.stat(path))
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

std::vector<std::string> take_unreadable(const Root& root, const SnapshotScope& captured,
                                         std::vector<LivePair>& pairs) {
  std::vector<std::string> paths;
  const auto is_unreadable = [&](const LivePair& pair) {
    if (pair.before != nullptr ||
        std::ranges::find(captured.unknown_paths, pair.after->path) == captured.unknown_paths.end())
      return false;
    const Result<OpenedPath> opened = root.open_file(pair.after->path);
    if (opened || opened.error().code != ErrorCode::permission_denied) return false;
    paths.push_back(pair.after->path);
    return true;
  };
  std::erase_if(pairs, is_unreadable);
  return paths;
}

std::int64_t count_unlisted_unreadable(const LiveView& view, const std::vector<std::string>& paths) {
  const std::vector<SkippedPath>& skipped = view.skipped();
  return std::ranges::count_if(paths, [&](const std::string& path) {
    for (std::string_view at = path; !at.empty(); at = parent_path(at)) {
      const auto one = std::ranges::lower_bound(
          skipped, at, {}, [](const SkippedPath& each) { return std::string_view(each.path); });
      if (one != skipped.end() && one->path == at && one->reason == SkipReason::unreadable) return false;
    }
    return true;
  });
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
