#include "tools/engine/git/status/head_diff.h"

#include <algorithm>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/git/repository/commit_tree.h"
#include "tools/engine/git/walk/folder.h"

namespace snapgen::core::git {
namespace {

constexpr int compared_depth_max = 2048;  // Nesting of folders; a deeper one cannot be on disk.

class Differ {
 public:
  Differ(Repository::State& state, const LoadedIndex& index, std::stop_token stop)
      : state_(state), index_(*index.index), stored_(*index.unexpanded_index), stop_(std::move(stop)) {}

  Result<IndexChanges> run(const std::optional<Oid>& commit) {
    const IndexRange all{0, index_.entries().size()};
    if (!commit) {
      added(all);
      return std::move(out_);
    }
    std::optional<Oid> tree = TRY(tree_of(*commit));
    if (!tree) {
      out_.fallback_reason = "HEAD's commit cannot be read";
      return std::move(out_);
    }
    TRY(folder(*tree, "", all, stored_.cached_tree(), 0));
    std::sort(out_.changes.begin(), out_.changes.end());
    return std::move(out_);
  }

 private:
  Result<std::optional<Oid>> tree_of(const Oid& commit) {
    {
      const std::lock_guard lock(state_.mutex);
      const auto known = state_.tree_of_commit.find(commit);
      if (known != state_.tree_of_commit.end()) return std::optional(known->second);
    }
    std::optional<Oid> tree = tree_of_commit(state_.layout.common_dir + "/objects", commit);
    if (!tree) {
      std::optional<ObjectDatabase::Object> object = TRY(read_object(state_, commit));
      if (!object || object->type != "commit") return std::optional<Oid>();
      tree = tree_of_commit_content(object->content);
    }
    if (tree) {
      const std::lock_guard lock(state_.mutex);
      state_.tree_of_commit[commit] = *tree;
    }
    return tree;
  }

  Result<Unit> folder(const Oid& tree, const std::string& prefix, IndexRange range, const CachedTree* cached,
                      int depth) {
    if (is_known(tree, prefix, range, cached)) return Unit{};
    if (stop_.stop_requested()) return cancelled_call_error();
    std::optional<ObjectDatabase::Object> object = TRY(read_object(state_, tree));
    std::optional<std::vector<TreeEntry>> entries;
    if (tree == empty_tree_) entries.emplace();
    if (object && object->type == "tree") entries = parse_tree(object->content, tree.size);
    if (!entries || depth > compared_depth_max) {
      out_.fallback_reason = "a tree of HEAD cannot be read";
      return Unit{};
    }
    const IndexFolder here(index_, range, prefix.size());
    for (const TreeEntry& entry : *entries) {
      const std::string path = prefix + entry.name;
      const std::uint32_t mode = canonical_mode(entry.mode);
      if (mode == mode_folder) {
        const CachedTree* const below = cached != nullptr ? cached->child(entry.name) : nullptr;
        TRY(folder(entry.oid, path + "/", here.folder(entry.name), below, depth + 1));
        continue;
      }
      compare(path, mode, entry.oid, here.file(entry.name));
    }
    // Entries that the tree does not have were added.
    std::sort(entries->begin(), entries->end(),
              [](const TreeEntry& a, const TreeEntry& b) { return a.name < b.name; });
    const auto held = [&](std::string_view name, bool as_folder) {
      const auto found = std::lower_bound(
          entries->begin(), entries->end(), name,
          [](const TreeEntry& entry, std::string_view wanted) { return entry.name < wanted; });
      return found != entries->end() && found->name == name &&
             ((found->mode & mode_type_mask) == mode_folder) == as_folder;
    };
    for (const IndexFolder::Child& child : here.folders()) {
      if (!held(child.name, true)) added(child.range);
    }
    for (const IndexFolder::Child& child : here.files()) {
      if (!held(child.name, false)) added(child.range);
    }
    return Unit{};
  }

  // Returns true if the index records that the folder has exactly this tree.
  bool is_known(const Oid& tree, const std::string& prefix, IndexRange range,
                const CachedTree* cached) const {
    if (stored_.has_sparse_folders()) {
      const IndexEntry* const closed = stored_.find(prefix);
      if (closed != nullptr && closed->oid == tree.bytes()) return true;
    }
    if (cached == nullptr || cached->entry_count < 0 || cached->oid != tree) return false;
    // A sparse index counts a collapsed folder as one entry.
    return stored_.has_sparse_folders() ||
           static_cast<std::size_t>(cached->entry_count) == range.end - range.begin;
  }

  void compare(const std::string& path, std::uint32_t mode, const Oid& oid, const IndexEntry* entry) {
    if (entry != nullptr && entry->stage != 0) return;
    IndexChange change{.path = path, .from = {}, .old_mode = mode, .old_oid = oid};
    if (entry == nullptr || entry->intent_to_add) {
      change.letter = 'D';
    } else {
      if (entry->mode == mode && entry->oid == oid.bytes()) return;
      change.letter = ((entry->mode ^ mode) & mode_type_mask) != 0 ? 'T' : 'M';
      change.new_mode = entry->mode;
      change.new_oid = Oid::from_bytes(entry->oid);
    }
    out_.changes.push_back(std::move(change));
  }

  void added(IndexRange range) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const IndexEntry& entry = index_.entries()[i];
      if (entry.stage != 0 || entry.intent_to_add) continue;
      out_.changes.push_back({.letter = 'A',
                              .path = std::string(entry.path),
                              .from = {},
                              .new_mode = entry.mode,
                              .new_oid = Oid::from_bytes(entry.oid)});
    }
  }

  Repository::State& state_;
  const Index& index_;
  const Index& stored_;  // `index_` with the collapsed folders of a sparse index.
  const std::stop_token stop_;
  const Oid empty_tree_ = empty_tree_oid(index_.kind());
  IndexChanges out_;
};

}  // namespace

Result<IndexChanges> diff_with_head(Repository::State& state, const LoadedIndex& index,
                                    const std::optional<Oid>& commit, std::stop_token stop) {
  return Differ(state, index, std::move(stop)).run(commit);
}

Result<std::vector<std::optional<Oid>>> head_blobs_of(const Repository& repository,
                                                      std::span<const std::string> paths,
                                                      const std::stop_token& stop) {
  std::vector<std::optional<Oid>> blobs(paths.size());
  Repository::State& state = repository.state();
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(state, stop));
  std::shared_ptr<const LoadedIndex> loaded = TRY(load_index(state, config->format, stop));
  const Head head = TRY(load_head(state, config->format, stop));
  const IndexChanges staged = TRY(diff_with_head(state, *loaded, head.commit, stop));
  if (!staged.fallback_reason.empty()) return blobs;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const IndexEntry* entry = loaded->index->find(paths[i]);
    if (entry == nullptr || entry->stage != 0 || entry->intent_to_add) continue;
    const auto change = std::ranges::find(staged.changes, paths[i], &IndexChange::path);
    if (change == staged.changes.end())
      blobs[i] = Oid::from_bytes(entry->oid);
    else if (change->letter == 'M')
      blobs[i] = change->old_oid;
  }
  return blobs;
}

}  // namespace snapgen::core::git
