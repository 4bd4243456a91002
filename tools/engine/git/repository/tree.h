#pragma once
// The files of a tree object, recursively.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/oid.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core {

// A file as git stores it. A submodule has mode 160000.
struct GitFile {
  std::uint32_t mode = 0;  // 0 if there is no file.
  git::Oid oid;

  bool operator==(const GitFile&) const = default;
};

struct NamedGitFile {
  std::string path;
  GitFile file;
};

// Returns the hash of the repository's object ids; without git, git's default. Errors: as read_status().
Result<HashKind> hash_kind_of(const Repository& repository, const std::stop_token& stop);

// Return a blob's content, or its size in bytes; nullopt if it is missing. SHA-1 repositories only. Errors:
// unavailable.
Result<std::optional<std::string>> read_blob(const Repository& repository, const git::Oid& oid);
Result<std::optional<std::size_t>> size_of_blob(const Repository& repository, const git::Oid& oid);

// Return the files of a commit or tree, sorted by the bytes of their paths; nullopt if one of its objects is
// missing. Errors: unavailable, cancelled.
Result<std::optional<std::vector<NamedGitFile>>> files_of_commit(const Repository& repository,
                                                                 const git::Oid& commit,
                                                                 const std::stop_token& stop);
Result<std::optional<std::vector<NamedGitFile>>> files_of_tree(const Repository& repository,
                                                               const git::Oid& tree,
                                                               const std::stop_token& stop);

// Returns the merged files of the index. Errors: as read_status().
Result<std::vector<NamedGitFile>> files_of_index(const Repository& repository, const std::stop_token& stop);

}  // namespace snapgen::core
