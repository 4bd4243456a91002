#pragma once
// The caches of a Repository, and the inputs of one query. For use in git/ only.
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <unordered_map>

#include "runtime/base/fd.h"
#include "tools/engine/git/repository/branches.h"
#include "tools/engine/git/repository/config.h"
#include "tools/engine/git/repository/discover.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/objects.h"
#include "tools/engine/git/repository/refs.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/repository/settings.h"
#include "tools/engine/git/repository/write_tree.h"

namespace snapgen::core::git {

struct LoadedConfig {
  Config config;
  Settings settings;
  RepositoryFormat format;
  std::set<std::string, std::less<>>
      disabled_filters;  // Names (filters.h); empty if git listed the settings.
};

struct LoadedIndex {
  IndexPtr index;  // The index, with every path as a separate entry.
  // `index` with the folders of a sparse index, which its cached tree counts as one entry each.
  IndexPtr unexpanded_index;
  std::string git_listing_reason;  // Why git listed it; empty if our parser read it.
};

// Records whether a file has the content of an object; valid while the file's stat is unchanged.
struct ContentProof {
  Oid oid;
  FileStat stat;
  std::uint8_t line_ends = 0;  // How the content was cleaned.
  bool ident = false;
  bool same = false;

  bool has_same_key(const ContentProof& other) const {
    return oid == other.oid && stat == other.stat && line_ends == other.line_ends && ident == other.ident;
  }
};

}  // namespace snapgen::core::git

namespace snapgen::core {

struct Repository::State {
  git::RepositoryLayout layout;
  Environment environment;

  std::mutex mutex;  // Guards the members below; never locked during a walk.
  std::shared_ptr<const git::LoadedConfig> config;
  std::shared_ptr<const git::LoadedIndex> index;
  std::int64_t index_read_at_ns = 0;
  std::unique_ptr<git::PackedRefs> packed_refs;
  git::KnownBranches branches;
  std::map<git::Oid, git::Oid> tree_of_commit;  // Never outdated, because a commit is immutable.
  std::unordered_map<std::string, git::ContentProof> proofs;  // By path.
  std::map<std::string, std::shared_ptr<State>> submodules;   // By path.

  std::mutex objects_mutex;  // Guards the database, which is not thread-safe.
  std::optional<git::ObjectDatabase> object_database;
};

}  // namespace snapgen::core

namespace snapgen::core::git {

// Loads the current configuration. Errors: unavailable, cancelled, repo_changed (core.worktree changed).
Result<std::shared_ptr<const LoadedConfig>> load_config(Repository::State& state, std::stop_token stop);

// Opens the root of the work tree. Errors: unavailable.
Result<Fd> open_work_tree_root(const Repository::State& state);

// Loads the current index. If our parser cannot read it exactly, runs `git ls-files`. Errors: unavailable,
// cancelled.
Result<std::shared_ptr<const LoadedIndex>> load_index(Repository::State& state,
                                                      const RepositoryFormat& format, std::stop_token stop);

// Returns the repository's packed references, created on first use.
PackedRefs& packed_refs(Repository::State& state);

// Reads the current HEAD; runs git if our reader has a fallback reason.
Result<Head> load_head(Repository::State& state, const RepositoryFormat& format, std::stop_token stop);

// Reads an object; nullopt if it is missing or unreadable. Errors: unavailable.
Result<std::optional<ObjectDatabase::Object>> read_object(Repository::State& state, const Oid& oid);

// Returns an object's size in bytes; nullopt if it is missing. Errors: unavailable.
Result<std::optional<std::size_t>> size_of_object(Repository::State& state, const Oid& oid);

// StoredObjects checks objects for write_tree.h. In a partial clone, where git fetches missing objects, and
// with SHA-256, all objects count as present.
class StoredObjects final : public ObjectPresence {
 public:
  StoredObjects(Repository::State& state, const RepositoryFormat& format)
      : repository_state_(state), format_(format) {}
  Result<bool> contains(const Oid& oid) override;

 private:
  Repository::State& repository_state_;
  const RepositoryFormat& format_;
};

}  // namespace snapgen::core::git
