#include "tools/engine/git/repository/tree.h"

#include <algorithm>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/git/repository/commit_tree.h"
#include "tools/engine/git/repository/state.h"

namespace snapgen::core {
namespace {

using namespace git;

constexpr int listed_depth_max = 2048;  // Nesting of folders; a deeper one cannot be on disk.

using GitFiles = std::vector<NamedGitFile>;

// Adds the files below a tree. Returns false if an object is missing.
Result<bool> add_files(Repository::State& state, const Oid& tree, const std::string& prefix, int depth,
                       const std::stop_token& stop, GitFiles& out) {
  if (stop.stop_requested()) return cancelled_call_error();
  if (tree == empty_tree_oid(tree.size == 20 ? HashKind::sha1 : HashKind::sha256)) return true;
  std::optional<ObjectDatabase::Object> object = TRY(read_object(state, tree));
  if (!object || object->type != "tree" || depth > listed_depth_max) return false;
  std::optional<std::vector<TreeEntry>> entries = parse_tree(object->content, tree.size);
  if (!entries) return false;
  for (TreeEntry& entry : *entries) {
    const std::uint32_t mode = canonical_mode(entry.mode);
    if (mode != mode_folder) {
      out.push_back({.path = prefix + entry.name, .file = {.mode = mode, .oid = entry.oid}});
      continue;
    }
    const Result<bool> done = add_files(state, entry.oid, prefix + entry.name + "/", depth + 1, stop, out);
    if (!done || !*done) return done;
  }
  return true;
}

}  // namespace

Result<HashKind> hash_kind_of(const Repository& repository, const std::stop_token& stop) {
  if (!repository.is_git()) return HashKind::sha1;
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(repository.state(), stop));
  return config->format.kind;
}

Result<std::optional<std::string>> read_blob(const Repository& repository, const Oid& oid) {
  std::optional<ObjectDatabase::Object> object = TRY(read_object(repository.state(), oid));
  if (!object || object->type != "blob") return std::optional<std::string>();
  return std::optional(std::move(object->content));
}

Result<std::optional<std::size_t>> size_of_blob(const Repository& repository, const Oid& oid) {
  return size_of_object(repository.state(), oid);
}

Result<std::optional<GitFiles>> files_of_tree(const Repository& repository, const Oid& tree,
                                              const std::stop_token& stop) {
  GitFiles files;
  const bool whole = TRY(add_files(repository.state(), tree, "", 0, stop, files));
  if (!whole) return std::optional<GitFiles>();
  // Git sorts a folder as if its name ended in a slash, which is the order of whole paths.
  std::sort(files.begin(), files.end(),
            [](const NamedGitFile& a, const NamedGitFile& b) { return a.path < b.path; });
  return std::optional(std::move(files));
}

Result<std::optional<GitFiles>> files_of_commit(const Repository& repository, const Oid& commit,
                                                const std::stop_token& stop) {
  std::optional<ObjectDatabase::Object> object = TRY(read_object(repository.state(), commit));
  if (!object || object->type != "commit") return std::optional<GitFiles>();
  const std::optional<Oid> tree = tree_of_commit_content(object->content);
  if (!tree) return std::optional<GitFiles>();
  return files_of_tree(repository, *tree, stop);
}

Result<GitFiles> files_of_index(const Repository& repository, const std::stop_token& stop) {
  Repository::State& state = repository.state();
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(state, stop));
  std::shared_ptr<const LoadedIndex> index = TRY(load_index(state, config->format, stop));
  GitFiles files;
  for (const IndexEntry& entry : index->index->entries()) {
    if (entry.stage != 0 || entry.intent_to_add) continue;
    files.push_back(
        {.path = std::string(entry.path), .file = {.mode = entry.mode, .oid = Oid::from_bytes(entry.oid)}});
  }
  return files;
}

}  // namespace snapgen::core
