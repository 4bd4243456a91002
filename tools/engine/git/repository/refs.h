#pragma once
// Reads HEAD: the commit that is checked out; and packed references.
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/oid.h"
#include "tools/engine/git/repository/position.h"

namespace snapgen::core::git {

struct Head {
  std::optional<Oid> commit;            // nullopt if the branch is unborn.
  std::string branch;                   // "refs/heads/main"; empty when HEAD is detached
  std::string fallback_reason;          // Why the git program must decide; empty if it need not.
  std::vector<std::string> read_paths;  // Absolute paths that were read or missing, without packed-refs.
};

// PackedRefs caches the packed-refs file and reads it again if it changed. Thread-safe.
class PackedRefs {
 public:
  explicit PackedRefs(const std::string& common_dir) : path_(common_dir + "/packed-refs") {}

  struct Found {
    std::optional<Oid> oid;
    bool readable = true;
  };
  Found find(std::string_view name);
  // Returns the packed branches; nullopt if the file cannot be read.
  std::optional<Branches> branches();
  bool has_replace_refs();  // Also true if the file cannot be read.

 private:
  void refresh();

  const std::string path_;
  std::mutex mutex_;
  std::string bytes_;
  std::optional<FileStat> stat_;
  bool is_stable_ = false;
  bool readable_ = true;
  bool has_replace_refs_ = false;
};

// Checks the part of git's rule for reference names that confines a name to the git dir, and to one line.
bool is_safe_ref_name(std::string_view name);

// Reads HEAD of the work tree at `git_dir`; branches are in `common_dir`. Errors: unavailable (a file is too
// large).
Result<Head> read_head(const std::string& git_dir, const std::string& common_dir, PackedRefs& packed);

// Returns true if objects may be replaced (git-replace(1)): refs below refs/replace/ exist.
bool has_replace_refs(const std::string& common_dir, PackedRefs& packed);

}  // namespace snapgen::core::git
