#include "tools/engine/operations/export/export.h"

#include <algorithm>
#include <map>

#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/live_files.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

// Finds the live files of a scope: the listed ones, and ignored ones that are named.
class ScopeFinder {
 public:
  ScopeFinder(Workspace& workspace, LiveView& view) : workspace_(workspace), view_(view) {}

  Result<std::map<std::string, FileStat>> run(const PathScope& scope) {
    const Listing* listing = TRY(view_.listing());
    for (const std::string& path : scope.paths()) {
      auto [first, last] = range_below(*listing, path);
      for (std::size_t i = first; i < last; ++i) found_.emplace(listing->path(i), view_.stat_of(i));
      if (first != last || path.empty()) continue;
      TRY(add_named(path));
    }
    return std::move(found_);
  }
  const SkippedCounts& skipped() const { return skipped_; }
  std::int64_t followed() const { return followed_; }  // Number of named paths behind listed symlinks.

 private:
  Result<Unit> add_named(const std::string& path) {
    Result<FileStat> stat = workspace_.root().lstat(path);
    if (!stat) return view_.record_missing(path, std::move(stat).error());
    switch (kind_of(*stat)) {
      case FileKind::symlink: found_.emplace(path, *stat); return Unit{};
      case FileKind::folder: return add_folder(path);
      case FileKind::other:
        return Error(ErrorCode::invalid_argument,
                     path_in_sentence(path) +
                         " is a FIFO, socket or device, which cannot be exported. Leave it out of paths.");
      case FileKind::file: break;
    }
    // A path through symlinks names the file that they lead to. The symlinks are exported too.
    OpenedPath opened = TRY(workspace_.root().open_file(path));
    for (const std::string& link : opened.followed_symlinks) {
      FileStat of_link = TRY(workspace_.root().lstat(link));
      found_.emplace(link, of_link);
    }
    found_.emplace(opened.path, opened.stat);
    const Listing* listing = TRY(view_.listing());
    if (is_behind_symlink(*listing, path)) ++followed_;
    return Unit{};
  }

  Result<Unit> add_folder(const std::string& path) {
    bool ignored = TRY(workspace_.ignores(path, true));
    if (!ignored) return Unit{};
    std::vector<std::string> files;
    TRY(add_files_below(workspace_.root(), path, view_.stop(), files, skipped_));
    for (std::string& file : files) {
      TRY(view_.check_stop());
      FileStat stat = TRY(workspace_.root().lstat(file));
      found_.emplace(std::move(file), stat);
    }
    return Unit{};
  }

  Workspace& workspace_;
  LiveView& view_;
  std::map<std::string, FileStat> found_;
  SkippedCounts skipped_;
  std::int64_t followed_ = 0;
};

}  // namespace

Result<ExportSource> export_source(Workspace& workspace, const Snapshot& snapshot, const PathScope& scope) {
  ExportSource out;
  for (const std::string& path : scope.paths()) {
    auto [first, last] = range_below(snapshot.entries, path);
    if (first != last || path.empty()) continue;
    return not_in_snapshot_error(snapshot, path);
  }
  for (const ManifestEntry* entry : scope.select(snapshot.entries)) out.entries.push_back(*entry);
  BlobStore& blobs = workspace.blobs();
  auto lost = [](const ManifestEntry& entry, Error why) {
    return lost_file_error(entry.path, "cannot be exported", std::move(why),
                           "Name the other paths to export those.");
  };
  out.size_of = [&blobs, lost](const ManifestEntry& entry) -> Result<std::uint64_t> {
    if (std::optional<std::uint64_t> size = blobs.size_of(entry.blob)) return *size;
    return lost(entry, missing_blob_error(entry));
  };
  out.read = [&blobs, lost](const ManifestEntry& entry) -> Result<std::string> {
    Result<std::string> bytes = blobs.get(entry.blob);
    return bytes ? std::move(bytes) : lost(entry, std::move(bytes).error());
  };
  return out;
}

ExportSource LiveExport::export_source() const {
  auto find = [this](const BlobId& blob) -> const std::string& { return contents.find(blob)->second; };
  return ExportSource{
      .entries = entries,
      .size_of =
          [find](const ManifestEntry& entry) { return Result<std::uint64_t>(find(entry.blob).size()); },
      .read = [find](const ManifestEntry& entry) { return Result<std::string>(find(entry.blob)); }};
}

Result<LiveExport> read_for_export(Workspace& workspace, LiveView& view, const PathScope& scope,
                                   std::uint64_t bytes_max) {
  ScopeFinder finder(workspace, view);
  std::map<std::string, FileStat> found = TRY(finder.run(scope));
  LiveExport out;
  Result<SkippedCounts> skipped = skipped_in(view, scope, [&](std::string_view path) {
    auto at = found.lower_bound(std::string(path));
    return at != found.end() && is_at_or_below_folder(at->first, path);
  });
  if (!skipped) return std::move(skipped).error();
  out.skipped = *skipped;
  add(out.skipped, finder.skipped());
  // A path that the client named is exported even if it is ignored or behind a symlink, so it does not count
  // as omitted.
  for (const std::string& path : scope.paths()) {
    if (view.ignores(path)) --out.skipped.ignored;
  }
  out.skipped.symlink -= finder.followed();
  std::uint64_t sum = 0;
  for (const auto& [path, stat] : found) {
    TRY(view.check_stop());
    // Equal contents count once, so the total is known only after reading. A file above the limit is not
    // read.
    if (static_cast<std::uint64_t>(stat.size) > export_bytes_limit)
      return too_large_to_export_error(static_cast<std::uint64_t>(stat.size), bytes_max, true);
    Result<LiveContent> content = read_live(workspace, view, path, kind_of(stat));
    if (!content && content.error().code == ErrorCode::permission_denied) {
      bool named = std::binary_search(scope.paths().begin(), scope.paths().end(), path);
      if (named) return std::move(content).error();
      ++out.skipped.unreadable;
      continue;
    }
    if (!content) return std::move(content).error();
    out.entries.push_back(ManifestEntry{.path = path, .blob = content->blob, .mode = mode_of(content->stat)});
    if (out.contents.contains(content->blob)) continue;
    sum += content->bytes.size();
    if (sum > export_bytes_limit) return too_large_to_export_error(sum, bytes_max, true);
    out.contents.emplace(content->blob, std::move(content->bytes));
  }
  return out;
}

}  // namespace snapgen::core
