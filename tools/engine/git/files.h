#pragma once
// The files of a work tree that listing and searching see: tracked ones that are there, and untracked ones
// that no ignore rule hides. Nested repositories and submodules are not entered, `.git` is never named.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core {

struct WorktreeFile {
  std::string path;
  bool symlink = false;  // else a regular file
  bool tracked = false;
  bool other_names = false;  // it has more names than this one (hard links)
  FileStat stat;
};

// Why something in a work tree is not among its files.
enum class SkipReason : std::uint8_t {
  ignored,            // by a rule; a folder as a whole
  nested_repository,  // and submodules; as a whole
  not_a_file,         // a FIFO, socket or device
  unreadable,         // a folder that cannot be opened, a name that cannot be examined
};

struct SkippedPath {
  std::string path;  // without a final slash
  SkipReason reason = SkipReason::ignored;
};

struct FileListing {
  std::vector<WorktreeFile> files;  // sorted by the bytes of whole paths
  std::vector<SkippedPath> skipped;
};

// Errors as read_status().
Result<FileListing> list_files(const Repository& repository, std::stop_token stop = {});

// Whether the index has something at `path`, below it, or in the place of a folder above it.
Result<bool> is_tracked(const Repository& repository, std::string_view path);

// Whether git would ignore `path` (relative to the root, no final slash) if it were untracked; as
// `git check-ignore --no-index` answers. An excluded parent folder decides for what is below it.
Result<bool> is_ignored(const Repository& repository, std::string_view path, bool is_directory);

}  // namespace snapgen::core
