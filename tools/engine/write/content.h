#pragma once
// Hashes files in the tree, and creates the staged files.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/patch/change.h"

namespace snapgen::core {

// The id of the content of the file, or of the target of the symlink, with this `stat`. Errors: repo_changed
// (it was replaced), unavailable.
Result<BlobId> blob_at(int folder, const std::string& name, const FileStat& stat, std::string_view path);

// Metadata that a new file inherits from the file that it replaces or copies.
struct InheritedMetadata {
  const FileStat* stat = nullptr;  // Has the permissions; null: the umask decides.
  int fd = -1;                     // Has the owner and extended attributes; -1: none.
};

// The permissions that git would give a file that had `before`: executable for all who may read it, or for no
// one; never setuid, setgid or sticky.
std::uint32_t permissions_for_mode(std::uint32_t before, FileMode mode);

struct StagedContent {
  FileStat stat;
  BlobId blob;
};

// The location at which a file is staged.
struct StagingLocation {
  int folder = -1;
  std::string name;
  // The maximum permissions if none are inherited or, with exact_permissions_flag, the exact ones.
  std::uint32_t mode = 0777;
  int destination_folder = -1;  // The destination folder, whose properties a new file inherits; -1: none yet.
};

// Creates the file or symlink at `place` with the content of `write`: its bytes, or those of its source,
// which is read through `root` and must match `write.source`. `blob`: the id of the bytes, or null to compute
// it. Errors: repo_changed; unavailable (disk full); cancelled.
Result<StagedContent> stage_file(const Root& root, const TreeWrite& write, const StagingLocation& location,
                                 const InheritedMetadata& inherited, const BlobId* blob,
                                 const std::stop_token& stop);

// The error for a file that another process has changed, so that nothing was written.
Error changed_meanwhile_error(std::string_view path);

// The error for a failed write; for a full disk it has a specific message.
Error write_error(int number, std::string_view path);

}  // namespace snapgen::core
