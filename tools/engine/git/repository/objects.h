#pragma once
// The object database, read through libgit2 (loose objects, packs, alternates). SHA-1 repositories only.
//
// libgit2 is started for the first object, not with the server, because that takes milliseconds. Only its
// object database is used: it opens no repository, so it reads no configuration and checks no ownership
// (repository.h did).
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/file_checks.h"
#include "tools/engine/git/repository/oid.h"

struct git_odb;

namespace snapgen::core::git {

struct TreeEntry {
  std::uint32_t mode = 0;
  std::string name;
  Oid oid;
};

// Returns the entries of a tree object's content, or nullopt if it is malformed.
std::optional<std::vector<TreeEntry>> parse_tree(std::string_view content, std::size_t oid_bytes);

// Not thread-safe.
class ObjectDatabase {
 public:
  // `folder` is `<common dir>/objects`. Errors: unavailable (libgit2 cannot be started, or as for
  // check_files()).
  static Result<ObjectDatabase> open(const std::string& folder);

  struct Object {
    std::string type;  // "commit", "tree", "blob", "tag"
    std::string content;
  };

  // Reads an object. Returns nullopt if it is missing or unreadable.
  std::optional<Object> read(const Oid& oid);
  bool contains(const Oid& oid);
  // Returns the size in bytes, or nullopt if the object is missing.
  std::optional<std::size_t> size_of(const Oid& oid);
  // Checks the files that a read of the object would open. Call it before each read, because libgit2 would
  // block on a FIFO (file_checks.h). Errors: unavailable.
  Result<Unit> check_files(const Oid& oid) { return checks_.check(oid); }

 private:
  explicit ObjectDatabase(const std::string& folder) : checks_(folder) {}

  struct Free {
    void operator()(git_odb* database) const;
  };
  std::unique_ptr<git_odb, Free> database_;
  ObjectFileChecks checks_;
};

}  // namespace snapgen::core::git
