#pragma once
// The files of a tree object, all the way down.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/oid.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core {

// A file as git keeps it. A submodule is one of mode 160000.
struct GitFile {
  std::uint32_t mode = 0;  // 0: there is none
  git::Oid oid;

  bool operator==(const GitFile&) const = default;
};

struct NamedGitFile {
  std::string path;
  GitFile file;
};

// How the repository names its objects; without git as git does by default. Errors: as read_status().
Result<HashKind> hash_kind_of(const Repository& repository, const std::stop_token& stop);

// The contents of blobs, and their sizes in bytes; nothing where an object is missing. SHA-1 repositories
// only. Errors: unavailable.
Result<std::optional<std::string>> read_blob(const Repository& repository, const git::Oid& oid);
Result<std::optional<std::size_t>> size_of_blob(const Repository& repository, const git::Oid& oid);

// The files of a commit or tree, sorted by the bytes of their paths; nothing when an object of it is missing.
// Errors: unavailable, cancelled.
Result<std::optional<std::vector<NamedGitFile>>> files_of_commit(const Repository& repository,
                                                                 const git::Oid& commit,
                                                                 const std::stop_token& stop);
Result<std::optional<std::vector<NamedGitFile>>> files_of_tree(const Repository& repository,
                                                               const git::Oid& tree,
                                                               const std::stop_token& stop);

// The files that the index holds, merged ones alone. Errors: as read_status().
Result<std::vector<NamedGitFile>> files_of_index(const Repository& repository, const std::stop_token& stop);

}  // namespace snapgen::core
