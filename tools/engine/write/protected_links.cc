#include "tools/engine/write/protected_links.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/write/protected_paths.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

constexpr int depth_max = 6;
constexpr std::size_t links_max = 1000;
constexpr std::size_t cached_folders_max = 256;

// Folders in those of hosts that have very many files, none of which a host obeys.
bool is_skipped(const std::string& name) { return name == "node_modules" || name == "worktrees"; }

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
                               std::vector<std::string> outside)
    : root_(root), repository_(repository), prefix_(std::move(prefix)), outside_(std::move(outside)) {}

// Follows the path component by component. Components that do not exist are taken as they are.
ProtectedLinks::Way ProtectedLinks::way_of(const std::string& path) {
  constexpr int symlinks_max = 40;  // As the kernel.
  Way way;
  std::string rest = fs::path(path).lexically_normal().string();
  while (!rest.empty()) {
    const std::size_t from = rest.find_first_not_of('/');
    if (from == std::string::npos) break;
    const std::size_t end = std::min(rest.find('/', from), rest.size());
    const std::string at = way.end + "/" + rest.substr(from, end - from);
    rest.erase(0, end);
    std::error_code error;
    const fs::path target = fs::read_symlink(at, error);
    if (error || way.symlinks.size() == symlinks_max) {
      way.end = at;
      continue;
    }
    way.symlinks.push_back(at);
    const fs::path next = target.is_absolute() ? target : fs::path(way.end) / target;
    rest =
        (next / rest.substr(std::min(rest.find_first_not_of('/'), rest.size()))).lexically_normal().string();
    way.end.clear();
  }
  return way;
}

// Finds the paths outside that lead into the workspace. Most servers have none.
void ProtectedLinks::find_relevant() const {
  if (!obeyed_.update(repository_) && is_relevant_known_) return;
  is_relevant_known_ = true;
  relevant_.clear();
  const auto is_inside = [&](const std::string& path) {
    const std::optional<std::string> below = path_below(path, root_.folder());
    return below && !is_reserved_path(*below);
  };
  for (const std::vector<std::string>* paths : {&outside_, &obeyed_.paths()})
    for (const std::string& each : *paths) {
      const Way way = way_of(each);
      const bool matters = is_inside(way.end) || std::ranges::any_of(way.symlinks, is_inside) ||
                           is_at_or_below_folder(root_.folder(), way.end);
      if (matters) relevant_.push_back(each);
    }
}

// Returns what may guard any path: the links that git tracks, and paths outside.
std::vector<ProtectedLinks::Guarded> ProtectedLinks::guarded_everywhere() const {
  std::vector<Guarded> guarded;
  const std::lock_guard lock(mutex_);
  find_relevant();
  for (const std::string& each : relevant_)
    guarded.push_back({.setting = each, .is_link = false, .way = way_of(each)});
  for (const Link& each : tracked_links())
    guarded.push_back({.setting = each.name, .is_link = true, .way = way_of(each.path)});
  return guarded;
}

std::vector<ProtectedLinks::Guarded> ProtectedLinks::guarded_by_links_in(const std::string& folder) const {
  std::vector<Guarded> guarded;
  const std::lock_guard lock(mutex_);
  for (const Link& each : links_in(folder))
    guarded.push_back({.setting = each.name, .is_link = true, .way = way_of(each.path)});
  return guarded;
}

// Returns what may guard `path`: what guards any path, and the links in the folders above it.
const std::vector<ProtectedLinks::Guarded>& ProtectedLinks::Moment::guarded_near(std::string_view path) {
  std::string folder(parent_path(path));
  if (const auto known = near_.find(folder); known != near_.end()) return known->second;
  if (!everywhere_) everywhere_ = links_.guarded_everywhere();
  std::vector<Guarded> guarded = folder.empty() ? *everywhere_ : guarded_near(folder);
  for (Guarded& each : links_.guarded_by_links_in(folder)) guarded.push_back(std::move(each));
  return near_.emplace(std::move(folder), std::move(guarded)).first->second;
}

std::string ProtectedLinks::Moment::setting_at(std::string_view path) {
  const std::string absolute =
      path.empty() ? links_.root_.folder() : joined_path(links_.root_.folder(), path);
  for (const Guarded& each : guarded_near(path)) {
    if (std::ranges::find(each.way.symlinks, absolute) != each.way.symlinks.end()) return each.setting;
    if (!is_at_or_below_folder(absolute, each.way.end)) continue;
    // What a folder of a host contains has the name that the link gives it.
    const std::string name = each.setting + absolute.substr(each.way.end.size());
    if (!each.is_link || is_protected_path(name)) return each.setting;
  }
  return {};
}

std::string ProtectedLinks::Moment::setting_below(std::string_view path) {
  const std::string absolute = joined_path(links_.root_.folder(), path);
  for (const Guarded& each : guarded_near(path)) {
    const auto is_below = [&](const std::string& one) {
      return one != absolute && is_at_or_below_folder(one, absolute);
    };
    const bool is_hosts_folder = each.is_link && each.way.end == absolute && is_above_protected(each.setting);
    if (is_hosts_folder || is_below(each.way.end) || std::ranges::any_of(each.way.symlinks, is_below))
      return each.setting;
  }
  return {};
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
    folder = way_of(link.path).end;
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
