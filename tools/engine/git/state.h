#pragma once
// What a Repository keeps between questions, and what one question works on. For this folder alone.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>

#include "runtime/base/fd.h"
#include "tools/engine/git/config.h"
#include "tools/engine/git/discover.h"
#include "tools/engine/git/disk.h"
#include "tools/engine/git/index.h"
#include "tools/engine/git/objects.h"
#include "tools/engine/git/refs.h"
#include "tools/engine/git/repository.h"
#include "tools/engine/git/settings.h"
#include "tools/engine/git/write_tree.h"

namespace snapgen::core::git {

struct LoadedConfig {
  Config config;
  Settings settings;
  Format format;
};

struct LoadedIndex {
  IndexPtr index;      // every path, one by one
  IndexPtr as_stored;  // the same, but with the folders of a sparse index: its cached tree counts them as one
  std::string by_git;  // why git had to list it; empty: we read it ourselves
};

// What reading a file told: whether it has the content of an object, as long as its stat stays.
struct ContentProof {
  Oid oid;
  FileStat stat;
  std::uint8_t line_ends = 0;  // how it was cleaned
  bool ident = false;
  bool same = false;

  bool is_about(const ContentProof& other) const {
    return oid == other.oid && stat == other.stat && line_ends == other.line_ends && ident == other.ident;
  }
};

}  // namespace snapgen::core::git

namespace snapgen::core {

struct Repository::State {
  git::Layout layout;
  Environment environment;

  std::mutex mutex;  // Guards everything below; held for moments, never across a walk.
  std::shared_ptr<const git::LoadedConfig> config;
  std::shared_ptr<const git::LoadedIndex> index;
  std::int64_t index_read_at_ns = 0;
  std::unique_ptr<git::PackedRefs> packed_refs;
  std::map<git::Oid, git::Oid> tree_of_commit;                // a commit never changes
  std::unordered_map<std::string, git::ContentProof> proofs;  // by path
  std::map<std::string, std::shared_ptr<State>> submodules;   // by path

  std::mutex objects_mutex;  // Guards the database, which serves one thread at a time.
  std::optional<git::ObjectDatabase> objects;
};

}  // namespace snapgen::core

namespace snapgen::core::git {

// The configuration as it stands. Errors: unavailable, cancelled, repo_changed (it names another work tree
// now).
Result<std::shared_ptr<const LoadedConfig>> load_config(Repository::State& state, std::stop_token stop);

// The root of the work tree; an invalid descriptor if it cannot be opened, which is then the error below.
Fd open_work_tree(const Repository::State& state);
Error no_work_tree();  // unavailable

// The index as it stands. What our own parser does not settle is listed by git. Errors: unavailable,
// cancelled.
Result<std::shared_ptr<const LoadedIndex>> load_index(Repository::State& state, const Format& format,
                                                      std::stop_token stop);

// The repository's packed references, which are read when first needed.
PackedRefs& packed_refs(Repository::State& state);

// HEAD as it stands; asks git where our own reading leaves a doubt.
Result<Head> load_head(Repository::State& state, const Format& format, std::stop_token stop);

// Reads an object; nothing when it is missing or unreadable. Errors: unavailable.
Result<std::optional<ObjectDatabase::Object>> read_object(Repository::State& state, const Oid& oid);

// Its size in bytes; nothing when it is missing. Errors: unavailable.
Result<std::optional<std::size_t>> size_of_object(Repository::State& state, const Oid& oid);

// Presence in the object database, as write_tree.h asks for it. Where git would fetch what is missing
// (partial clone), or the names are SHA-256, everything counts as present.
class StoredObjects final : public ObjectPresence {
 public:
  StoredObjects(Repository::State& state, const Format& format) : state_(state), format_(format) {}
  Result<bool> contains(const Oid& oid) override;

 private:
  Repository::State& state_;
  const Format& format_;
};

}  // namespace snapgen::core::git
