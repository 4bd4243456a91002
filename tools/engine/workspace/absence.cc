#include "tools/engine/workspace/absence.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr int links_max = 40;  // Maximum number of symlinks to follow, as in Root.

using Records = std::map<std::string, FileRecord, std::less<>>;

bool is_not_found(const Error& error) { return error.code == ErrorCode::not_found; }

Result<Unit> add_links(const Root& root, const std::vector<std::string>& links, const std::stop_token& stop,
                       Records& records) {
  for (const std::string& link : links) {
    Result<FileRecord> record = observe_file(root, link, stop);
    if (!record)
      return record.error().code == ErrorCode::cancelled ? std::move(record).error()
                                                         : changed_while_read_error(link);
    records.insert_or_assign(link, *std::move(record));
  }
  return Unit{};
}

// Fails if something exists at `path`. Opens the path, because normalized_path() is wrong for a target that
// goes up from below another symlink.
Result<Unit> changed_if_there(const Root& root, std::string_view path) {
  Result<OpenedPath> opened = root.open_file(path);
  if (!opened && is_not_found(opened.error())) return Unit{};
  return changed_while_read_error(path);
}

Result<Unit> add_absence(const Root& root, std::string_view path, const std::stop_token& stop,
                         Records& records) {
  std::string wanted(path);
  for (int followed = 0; followed <= links_max; ++followed) {
    std::string_view there = wanted;
    Result<FileStat> stat = root.lstat(there);
    while (!stat && is_not_found(stat.error()) && !there.empty()) {
      there = parent_path(there);
      if (!there.empty()) stat = root.lstat(there);
    }
    // A path that cannot be examined cannot be written either.
    if (!stat && !there.empty()) return Unit{};
    const bool is_link = stat && kind_of(*stat) == FileKind::symlink;
    if (there == wanted && !is_link) return changed_if_there(root, path);
    const bool is_folder = stat && kind_of(*stat) == FileKind::folder;
    const std::string_view folder = is_folder ? there : parent_path(there);
    Result<OpenedPath> opened = root.open_folder(folder);
    if (!opened) return is_not_found(opened.error()) ? changed_while_read_error(path) : Result<Unit>(Unit{});
    std::vector<std::string>& links = opened->followed_symlinks;
    if (is_link) links.push_back(joined_path(opened->path, base_name(there)));
    TRY(add_links(root, links, stop, records));
    if (!is_link) {
      std::string absent =
          joined_path(opened->path, std::string_view(wanted).substr(folder.empty() ? 0 : folder.size() + 1));
      // This absence also permits a folder, because the server may create its own folders at any time.
      records.insert_or_assign(
          absent, is_state_path(absent) ? absence_of(absent) : observed_absence_of(absent, now_ns()));
      return Unit{};
    }
    Result<std::string> target = root.read_link(links.back());
    if (!target) return changed_while_read_error(path);
    std::optional<std::string> next = normalized_path(opened->path, *target);
    if (!next || target->starts_with('/')) return Unit{};
    wanted = joined_path(*next, std::string_view(wanted).substr(std::min(there.size() + 1, wanted.size())));
  }
  return Unit{};
}

}  // namespace

Result<std::vector<FileRecord>> absence_records(const Root& root, const std::vector<std::string>& paths,
                                                const std::stop_token& stop) {
  Records records;
  for (const std::string& path : paths) {
    TRY(add_absence(root, path, stop, records));
  }
  std::vector<FileRecord> sorted;
  sorted.reserve(records.size());
  for (auto& [path, record] : records) sorted.push_back(std::move(record));
  return sorted;
}

Result<Unit> record_absence(Workspace& workspace, Lease& lease, const std::vector<std::string>& paths,
                            const std::stop_token& stop) {
  if (paths.empty()) return Unit{};
  std::vector<FileRecord> records = TRY(absence_records(workspace.root(), paths, stop));
  return workspace.leases().add_touched(lease, {.records = std::move(records)});
}

std::vector<FileRecord> parents_that_may_appear(const Lease& lease, const std::vector<std::string>& made) {
  Records records;
  for (const std::string& path : made) {
    for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above)) {
      const std::optional<FileRecord> known = lease.touched(above);
      if (known && is_observed_absence(*known))
        records.insert_or_assign(std::string(above), absence_of(known->path));
    }
  }
  std::vector<FileRecord> relaxed;
  for (auto& [path, record] : records) relaxed.push_back(std::move(record));
  return relaxed;
}

}  // namespace snapgen::core
