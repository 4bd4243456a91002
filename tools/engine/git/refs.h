#pragma once
// What HEAD says: the commit that is checked out.
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/disk.h"
#include "tools/engine/git/oid.h"

namespace snapgen::core::git {

struct Head {
  std::optional<Oid> commit;       // nothing: unborn
  std::string branch;              // "refs/heads/main"; empty when HEAD is detached
  std::string doubt;               // why only git can tell; empty: it is settled
  std::vector<std::string> files;  // that were read or missed on the way, absolute; packed-refs apart
};

// The file of packed references, read again when it changed. Thread-safe.
class PackedRefs {
 public:
  explicit PackedRefs(const std::string& common_dir) : path_(common_dir + "/packed-refs") {}

  struct Found {
    std::optional<Oid> oid;
    bool readable = true;
  };
  Found find(std::string_view name);
  bool has_replacements();  // also when the file cannot be read

 private:
  void refresh();

  const std::string path_;
  std::mutex mutex_;
  std::string bytes_;
  std::optional<FileStat> stat_;
  bool is_stable_ = false;
  bool readable_ = true;
  bool replacements_ = false;
};

// Reads HEAD of the work tree at `git_dir`; branches are in `common_dir`.
Head read_head(const std::string& git_dir, const std::string& common_dir, PackedRefs& packed);

// Whether objects may be replaced (git-replace(1)): refs below refs/replace/ exist.
bool has_replacements(const std::string& common_dir, PackedRefs& packed);

}  // namespace snapgen::core::git
