#pragma once
// The object database, read through libgit2 (loose objects, packs, alternates).
//
// libgit2 pulls in a dozen libraries that cost milliseconds to link, so it is loaded when the first object is
// asked for, never at start. Only its object database is used: it opens no repository, and so reads no
// configuration and checks no ownership (repository.h did). SHA-1 repositories only.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/oid.h"
#include "tools/engine/git/special_files.h"

struct git_odb;

namespace snapgen::core::git {

struct TreeEntry {
  std::uint32_t mode = 0;
  std::string name;
  Oid oid;
};

// The entries of a tree object's content. Nothing when it is malformed.
std::optional<std::vector<TreeEntry>> parse_tree(std::string_view content, std::size_t oid_bytes);

// Not thread-safe; one object serves one thread at a time.
class ObjectDatabase {
 public:
  // `folder`: `<common dir>/objects`. Errors: unavailable (libgit2 cannot be loaded, or a special file stands
  // in the place of one that it would read).
  static Result<ObjectDatabase> open(const std::string& folder);

  struct Object {
    std::string type;  // "commit", "tree", "blob", "tag"
    std::string content;
  };

  // Nothing when there is no such object, or it cannot be read.
  std::optional<Object> read(const Oid& oid);
  bool contains(const Oid& oid);
  // In bytes. Nothing when there is no such object.
  std::optional<std::size_t> size_of(const Oid& oid);
  // To be asked before each of these, which would wait for such a file (special_files.h).
  std::string special_file(const Oid& oid) { return folders_.special_file(oid); }

 private:
  explicit ObjectDatabase(const std::string& folder) : folders_(folder) {}

  struct Free {
    void operator()(git_odb* database) const;
  };
  std::unique_ptr<git_odb, Free> database_;
  ObjectFolders folders_;
};

}  // namespace snapgen::core::git
