#include "tools/engine/workspace/work_trees.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/walk/files.h"
#include "tools/engine/write/staging_folder.h"
#include "tools/engine/write/steps.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {
namespace {

constexpr std::string_view place_name = "place";
constexpr std::uint64_t place_bytes_max = 64 << 10;
constexpr std::string_view main_tree_name = "main";

std::string encoded_place(const WorkspaceLocation& location) {
  return JsonObject()
      .add("git_dir", text_of_bytes(location.git_dir))
      .add("mark", location.folder_identity)
      .add("prefix", text_of_bytes(location.prefix))
      .add("root", text_of_bytes(location.root))
      .finish();
}

std::optional<WorkspaceLocation> place_in(const std::string& tree) {
  Result<std::string> text = read_whole_file(tree + "/" + std::string(place_name), place_bytes_max);
  if (!text || !json::valid_utf8(*text)) return std::nullopt;
  WorkspaceLocation location;
  json::Reader in(*text);
  std::string_view key;
  bool good = in.begin_object();
  while (good && in.next_key(key)) {
    std::string* const member = key == "git_dir"  ? &location.git_dir
                                : key == "mark"   ? &location.folder_identity
                                : key == "prefix" ? &location.prefix
                                : key == "root"   ? &location.root
                                                  : nullptr;
    good = member != nullptr && read_encoded_bytes(in, *member);
  }
  in.end();
  if (!good || !in.ok() || !location.root.starts_with('/')) return std::nullopt;
  return location;
}

// The folders of a store's workspaces, sorted by name.
std::vector<std::string> trees_in(const std::string& store) {
  std::vector<std::string> trees;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(store + "/trees", failed))
    if (entry.symlink_status(failed).type() == std::filesystem::file_type::directory)
      trees.push_back(entry.path().string());
  std::sort(trees.begin(), trees.end());
  return trees;
}

using Locations = std::map<std::string, WorkspaceLocation, std::less<>>;

// The recorded locations by SnapshotOrigin::tree_id.
Locations locations_in(const std::string& store) {
  Locations found;
  for (const std::string& tree : trees_in(store))
    if (std::optional<WorkspaceLocation> location = place_in(tree))
      found.emplace(base_name(tree), *std::move(location));
  return found;
}

bool is_missing(const std::string& path) {
  struct stat st;
  return ::lstat(path.c_str(), &st) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool has_same_mark(const WorkspaceLocation& a, const WorkspaceLocation& b) {
  return !a.folder_identity.empty() && a.folder_identity == b.folder_identity;
}

bool has_other_mark(const WorkspaceLocation& a, const WorkspaceLocation& b) {
  return !a.folder_identity.empty() && !b.folder_identity.empty() && a.folder_identity != b.folder_identity;
}

bool is_same_within(const WorkspaceLocation& a, const WorkspaceLocation& b) {
  return a.git_dir == b.git_dir && a.prefix == b.prefix;
}

bool is_one_folder(const std::string& a, const std::string& b) {
  struct stat of_a;
  struct stat of_b;
  return ::stat(a.c_str(), &of_a) == 0 && ::stat(b.c_str(), &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

// Whether `place` is the location of the workspace `own`, at any path. Two existing folders with the same
// mark are file system snapshots of each other, not one folder.
bool is_seen_again(const WorkspaceLocation& location, const WorkspaceLocation& own) {
  return has_same_mark(location, own) &&
         (is_one_folder(location.root, own.root) || folder_identity_of(location.root) != own.folder_identity);
}

// The stop token for a lock that must not wait: its holder is alive and recovers its own writes.
std::stop_token already_stopped() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

std::string tree_name(const std::string& root) { return sha256_hex(root).substr(0, 16); }

bool is_unfinished(const std::string& tree) {
  const Result<bool> unfinished = StagingFolder::has_unfinished_change(tree + "/writes");
  return unfinished && *unfinished;
}

}  // namespace

std::string folder_identity_of(const std::string& folder) {
  constexpr unsigned wanted = STATX_INO | STATX_BTIME;
  struct statx st;
  const bool is_known = ::statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, wanted, &st) == 0 &&
                        (st.stx_mask & wanted) == wanted && st.stx_btime.tv_sec != 0;
  if (!is_known) return {};
  return std::to_string(st.stx_ino) + "-" + std::to_string(st.stx_btime.tv_sec) + "." +
         std::to_string(st.stx_btime.tv_nsec);
}

std::string workspace_prefix(const Repository& repository, const std::string& root) {
  const std::string above = repository.root() == "/" ? std::string() : repository.root();
  if (root == repository.root() || !is_at_or_below_folder(root, above)) return {};
  return root.substr(above.size() + 1) + "/";
}

WorkspaceLocation workspace_location(const Repository& repository, const std::string& root,
                                     const std::string& store) {
  WorkspaceLocation location{
      .root = root, .git_dir = {}, .prefix = {}, .folder_identity = folder_identity_of(root)};
  if (store == own_store_path(root)) return location;
  location.prefix = workspace_prefix(repository, root);
  const std::string& common = repository.common_dir();
  if (is_at_or_below_folder(repository.git_dir(), common) && repository.git_dir() != common)
    location.git_dir = repository.git_dir().substr(common.size() + 1);
  return location;
}

std::string tree_folder(const std::string& store, const WorkspaceLocation& own) {
  std::string marked, named;
  std::vector<std::string> others;
  for (const std::string& tree : trees_in(store)) {
    const std::optional<WorkspaceLocation> location = place_in(tree);
    if (!location) continue;
    const bool is_named = location->root == own.root && location->git_dir == own.git_dir;
    if (is_seen_again(*location, own)) {
      if (marked.empty()) marked = tree;
    } else if (is_named) {
      if (named.empty()) named = tree;
    } else {
      others.push_back(tree);
    }
  }
  if (!marked.empty()) return marked;
  if (!named.empty()) return named;
  // A workspace that was at this path before may have moved and taken its folder's name.
  const std::string trees = store + "/trees/";
  std::string tree = trees + tree_name(own.root);
  for (int i = 1; std::find(others.begin(), others.end(), tree) != others.end(); ++i)
    tree = trees + tree_name(own.root + '\0' + std::to_string(i));
  return tree;
}

SnapshotOrigin snapshot_origin_of(const WorkspaceLocation& location, const std::string& tree_folder) {
  return {.prefix = location.prefix, .tree_id = tree_folder.substr(tree_folder.rfind('/') + 1)};
}

std::string own_store_path(const std::string& root) { return root + "/.snapback/store"; }

std::string store_folder_of(const Repository& repository, const std::string& root) {
  std::string own = own_store_path(root);
  if (!repository.is_git()) return own;
  // A folder that became a repository retains its store, also while git's index is unreadable. A store that
  // is one of the repository's tracked files is not used.
  struct stat st;
  if (::lstat(own.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) {
    const Result<bool> tracked =
        is_tracked(repository, workspace_prefix(repository, root) + ".snapback/store");
    if (!tracked || !*tracked) return own;
  }
  return repository.common_dir() + "/snapgen";
}

std::string own_store_sentence(const std::string& store, const std::string& root) {
  const std::string own = own_store_path(root);
  if (store == own) return {};
  const WorkspaceLocation here{
      .root = root, .git_dir = {}, .prefix = {}, .folder_identity = folder_identity_of(root)};
  for (const std::string& tree : trees_in(own)) {
    const std::optional<WorkspaceLocation> location = place_in(tree);
    if (location && (location->root == root || has_same_mark(*location, here)))
      return "Snapshots that were made here are in .snapback/store, which is not used because git tracks it: "
             "git rm -r -q --cached .snapback/store and restart to use them.";
  }
  return {};
}

std::string work_tree_name(const WorkspaceLocation& location) {
  if (location.git_dir.empty()) return std::string(main_tree_name);
  const std::string_view name = base_name(location.git_dir);
  // A linked work tree may have the name of the main one.
  return name == main_tree_name ? location.git_dir : std::string(name);
}

std::vector<std::optional<OtherTree>> other_trees_of(const std::string& store, const SnapshotOrigin& own,
                                                     const std::string& own_name,
                                                     const std::vector<SnapshotNote>& notes) {
  std::optional<Locations> places;
  // An unknown location is a former one of a workspace that was moved (adopt_folder_of_moved_workspace()).
  const auto location_of = [&](const std::string& tree_id) -> const WorkspaceLocation* {
    if (!places) places = locations_in(store);
    const auto entry = places->find(tree_id);
    return entry == places->end() ? nullptr : &entry->second;
  };
  std::vector<std::optional<OtherTree>> found;
  for (const SnapshotNote& note : notes) {
    std::optional<OtherTree>& other = found.emplace_back();
    for (const auto& [origin, scope, privacy] : note.captures) {
      if (origin.prefix != own.prefix) continue;
      const WorkspaceLocation* const location = origin == own ? nullptr : location_of(origin.tree_id);
      // A repository that was copied or moved has the same names.
      if (location == nullptr || work_tree_name(*location) == own_name) {
        other.reset();
        break;
      }
      if (!other) other = {.name = work_tree_name(*location), .root = location->root};
    }
  }
  return found;
}

std::vector<std::string> unrestored_files(const std::string& tree_folder) {
  std::vector<std::string> paths;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(tree_folder + "/writes", failed))
    if (entry.path().filename().string().starts_with(set_aside_prefix))
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<UnfinishedWrite> unfinished_writes(const std::string& store, const WorkspaceLocation& own) {
  const std::string own_folder = tree_folder(store, own);
  std::vector<UnfinishedWrite> found;
  for (const std::string& tree : trees_in(store)) {
    if (tree == own_folder || !is_unfinished(tree)) continue;
    const std::optional<WorkspaceLocation> location = place_in(tree);
    found.push_back({.root = location ? location->root : std::string(), .tree_folder = tree});
  }
  return found;
}

std::map<std::string, std::string, std::less<>> WorkTrees::other_roots(const Environment& environment) const {
  std::map<std::string, std::string, std::less<>> found;
  for (const auto& [id, location] : locations_in(store_))
    if (location.prefix == own_.prefix && location.git_dir != own_.git_dir && exists(location, environment))
      found.emplace(work_tree_name(location), location.root);
  return found;
}

Result<Unit> WorkTrees::record_location() const {
  if (place_in(folder_) == own_) return Unit{};
  TRY(make_folders(folder_));
  return replace_file(folder_, place_name, encoded_place(own_), Durability::process_crash);
}

void WorkTrees::adopt_folder_of_moved_workspace() const {
  if (!is_missing(folder_)) return;
  for (const std::string& tree : trees_in(store_)) {
    const std::optional<WorkspaceLocation> location = place_in(tree);
    // An unfinished write may be that of a copy, whose files are not identified like the own ones.
    if (!location || !is_same_within(*location, own_) || !is_missing(location->root) || is_unfinished(tree))
      continue;
    if (::rename(tree.c_str(), folder_.c_str()) == 0) return;
  }
}

void WorkTrees::recover_others(const Environment& environment, const Root& root, UndoStore& undos) const {
  for (const std::string& tree : trees_in(store_)) {
    if (tree == folder_ || !is_unfinished(tree)) continue;
    const std::optional<WorkspaceLocation> location = place_in(tree);
    if (!location) continue;
    Result<Root> other = Root::open(location->root);
    if (other && exists(*location, environment))
      static_cast<void>(Writer(*other, tree + "/writes", undos).recover(already_stopped()));
    else if (is_same_within(*location, own_) && is_abandoned(*location, environment))
      recover_into(tree, root, undos);
  }
}

// Whether the workspace that was recorded as `place` still exists there.
bool WorkTrees::exists(const WorkspaceLocation& location, const Environment& environment) const {
  Result<Repository> repository = Repository::open(location.root, environment);
  if (!repository) return false;
  const std::string store = store_folder_of(*repository, location.root);
  const WorkspaceLocation now = workspace_location(*repository, location.root, store);
  return is_one_folder(store, store_) && is_same_within(now, location) && !has_other_mark(now, location);
}

// Whether nothing exists at `place` any more, or a workspace with another store. An unreadable folder may
// exist.
bool WorkTrees::is_abandoned(const WorkspaceLocation& location, const Environment& environment) const {
  if (is_missing(location.root)) return true;
  Result<Repository> repository = Repository::open(location.root, environment);
  return repository && !is_one_folder(store_folder_of(*repository, location.root), store_);
}

void WorkTrees::recover_into(const std::string& tree, const Root& root, UndoStore& undos) const {
  // Locks the own folder, so that no write to the own workspace happens meanwhile.
  Result<StagingFolder> own = StagingFolder::open(folder_ + "/writes", undos);
  if (!own || !own->lock(already_stopped())) return;
  static_cast<void>(Writer(root, tree + "/writes", undos).recover_copy(already_stopped()));
}

}  // namespace snapgen::core
