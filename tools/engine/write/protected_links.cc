#include "tools/engine/write/protected_links.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "tools/engine/files/path.h"
#include "tools/engine/git/disk.h"
#include "tools/engine/write/protected_paths.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

constexpr int depth_max = 6;
constexpr std::size_t links_max = 1000;
constexpr std::size_t cached_folders_max = 256;

// Folders in those of hosts that have very many files, none of which a host obeys.
bool is_skipped(const std::string& name) { return name == "node_modules" || name == "worktrees"; }

// Returns the path with all symlinks resolved, as far as it exists. A symlink to a file that does not exist
// yet is resolved, too.
std::string resolved(const std::string& path) {
  constexpr int links_followed_max = 40;
  std::error_code error;
  fs::path at = path;
  for (int i = 0; i < links_followed_max; ++i) {
    at = fs::weakly_canonical(at.parent_path(), error) / at.filename();
    const fs::path target = fs::read_symlink(at, error);
    if (error) break;
    at = (target.is_absolute() ? target : at.parent_path() / target).lexically_normal();
  }
  return at.string();
}

// Returns `path` relative to `root`, without a slash at its end; nullopt if it is outside.
std::optional<std::string> path_below(const std::string& path, const std::string& root) {
  if (!is_at_or_below_folder(path, root)) return std::nullopt;
  std::string below = path.substr(root.size());
  below.erase(0, below.find_first_not_of('/'));
  while (below.ends_with('/')) below.pop_back();
  return below;
}

}  // namespace

ProtectedLinks::ProtectedLinks(const Root& root, const Repository& repository, std::string prefix,
                               const std::vector<std::string>& outside)
    : root_(root), repository_(repository), prefix_(std::move(prefix)) {
  for (const std::string& each : outside)
    for (const std::string& path : {fs::path(each).lexically_normal().string(), resolved(each)}) {
      if (std::optional<std::string> below = path_below(path, root_.folder()))
        outside_.emplace(*std::move(below), each);
      else if (is_at_or_below_folder(root_.folder(), path))
        outside_.emplace("", each);
    }
}

std::string ProtectedLinks::setting_at(std::string_view path) const {
  for (const auto& [at, setting] : outside_)
    if (at.empty() || is_at_or_below_folder(path, at)) return setting;
  const std::lock_guard lock(mutex_);
  std::vector<Link> links = tracked_links();
  for (std::string folder(path); !folder.empty();) {
    folder = parent_path(folder);
    const std::vector<Link> more = links_in(folder);
    links.insert(links.end(), more.begin(), more.end());
  }
  const auto found = std::ranges::find_if(links, [&](const Link& each) { return leads_to(each, path); });
  return found == links.end() ? std::string() : found->name;
}

std::vector<ProtectedLinks::Link> ProtectedLinks::links_in(const std::string& folder) const {
  const auto cached = found_.find(folder);
  const auto is_unchanged = [](const Folder& each) { return git::lstat_of(each.path) == each.stat; };
  if (cached != found_.end() && std::ranges::all_of(cached->second.folders, is_unchanged))
    return cached->second.links;
  Found found = search(folder);
  std::vector<Link> links = found.links;
  if (found_.size() >= cached_folders_max) found_.clear();
  found_.erase(folder);
  if (found.is_lasting) found_.emplace(folder, std::move(found));
  return links;
}

ProtectedLinks::Found ProtectedLinks::search(const std::string& folder) const {
  const std::int64_t now_ns = git::file_clock_ns();
  Found found;
  const std::string path = joined_path(root_.folder(), folder);
  add_folder(path, found);
  for (const std::string_view name : protected_top_names())
    add({.name = joined_path(folder, name), .path = joined_path(path, name)}, depth_max, found);
  found.is_lasting = std::ranges::all_of(
      found.folders, [&](const Folder& each) { return git::stat_proves_content(each.stat, now_ns); });
  return found;
}

void ProtectedLinks::add_folder(const std::string& path, Found& found) const {
  if (const std::optional<FileStat> stat = git::lstat_of(path)) found.folders.push_back({path, *stat});
}

// Adds `link` if it is a symlink, and those in it if it is a folder or leads to one.
void ProtectedLinks::add(const Link& link, int depth, Found& found) const {
  const std::optional<FileStat> stat = git::lstat_of(link.path);
  if (!stat || depth == 0 || found.links.size() >= links_max) return;
  std::string folder = link.path;
  if (kind_of(*stat) == FileKind::symlink) {
    found.links.push_back(link);
    folder = resolved(link.path);
    if (!is_at_or_below_folder(folder, root_.folder()) || folder == root_.folder()) return;
  } else if (kind_of(*stat) != FileKind::folder) {
    return;
  }
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  if (error) return;
  add_folder(folder, found);
  for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    const bool matters = entry->is_symlink(ignored) || entry->is_directory(ignored);
    if (matters && !is_skipped(name))
      add({.name = joined_path(link.name, name), .path = entry->path().string()}, depth - 1, found);
  }
}

bool ProtectedLinks::leads_to(const Link& link, std::string_view path) const {
  const std::optional<std::string> target = path_below(resolved(link.path), root_.folder());
  if (!target || target->empty() || !is_at_or_below_folder(path, *target)) return false;
  return is_protected_path(link.name + std::string(path.substr(target->size())));
}

std::vector<ProtectedLinks::Link> ProtectedLinks::tracked_links() const {
  git::update(tracked_, repository_);
  std::vector<Link> links;
  for (const std::string& each : tracked_.paths) {
    if (!each.starts_with(prefix_)) continue;
    const std::string name = each.substr(prefix_.size());
    if (is_protected_path(name) || is_above_protected(name))
      links.push_back({.name = name, .path = joined_path(root_.folder(), name)});
  }
  return links;
}

}  // namespace snapgen::core
