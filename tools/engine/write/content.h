#pragma once
// Contents on their way: hashing what stands at a name, and making the staged files.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/patch/change.h"

namespace snapgen::core {

// The content of the file, or the target of the symlink, that `stat` tells of. Errors: repo_changed (it has
// become something else), unavailable.
Result<BlobId> blob_at(int folder, const std::string& name, const FileStat& stat, std::string_view path);

// What a new file takes over from the one that it replaces, or is a copy of.
struct InheritedMetadata {
  const FileStat* stat = nullptr;  // Permissions; null: as the umask says.
  int fd = -1;                     // Owner and extended attributes; -1: none.
};

// Permissions with which git would leave a file that had `before`: executable for those who may read it, or
// for nobody; never with setuid, setgid or sticky bits.
std::uint32_t permissions_after(std::uint32_t before, FileMode mode);

struct StagedContent {
  FileStat stat;
  BlobId blob;
};

// Where a file is made.
struct StagingLocation {
  int folder = -1;
  std::string name;
  // If it takes over none: the permissions that it may have at the most, or must have (exact_permissions).
  std::uint32_t mode = 0777;
  int goes_to =
      -1;  // The folder that it will go to, of which a new file takes over what it may; -1: none yet.
};

// Makes the file or symlink at `place` with the content of `write`: its bytes, or those of its source, which
// is read through `root` and must be what `write.source` says. `blob`: of the bytes; null: it is found out.
// Errors: repo_changed; unavailable (disk full); cancelled.
Result<StagedContent> stage(const Root& root, const TreeWrite& write, const StagingLocation& place,
                            const InheritedMetadata& inherited, const BlobId* blob,
                            const std::stop_token& stop);

// The error for a write that failed: a full disk has a sentence of its own.
Error write_error(int number, std::string_view path);

}  // namespace snapgen::core
