#pragma once
// Privacy: which captured files were not readable by everyone. A restore that creates a file again must not
// open it to more people than could read it. Privacy is not part of a snapshot's id, which like git records
// only the executable bit.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {

// Flag beside permission bits: set exactly these, regardless of the umask.
inline constexpr std::uint32_t exact_permissions_flag = 1U << 16;

struct PathPermissions {
  std::string path;
  std::uint32_t mode = 0;  // The nine permission bits.

  bool operator==(const PathPermissions&) const = default;
};

// The private files and their parent folders, as sorted paths; a single "" means all.
struct Privacy {
  std::vector<std::string> hidden_from_group;   // Neither the group nor others had access.
  std::vector<std::string> hidden_from_others;  // Others had no access, but the group had.
  // The exact permissions of files and folders whose permissions are not the usual ones (0644, 0755). Only
  // undo snapshots record them. Sorted by path.
  std::vector<PathPermissions> exact;

  // The widest permissions that a file or folder created at `path` may have. With exact_permissions_flag set,
  // the permissions that it must have.
  std::uint32_t allowed_permissions(std::string_view path) const;

  bool operator==(const Privacy&) const = default;
};

// Collects a Privacy, path by path.
class PrivacyCollector {
 public:
  enum class Detail : std::uint8_t { limits, exact_permissions };
  explicit PrivacyCollector(Detail detail = Detail::limits) : detail_(detail) {}

  // Adds a path with its `mode` from lstat(). Call it once for each path.
  void add(std::string_view path, std::uint32_t mode);
  // If there are very many private paths, all paths count as private: too closed is safer than too open.
  Privacy finish();

 private:
  Detail detail_;
  Privacy found_;
  std::size_t added_count_ = 0;
};

// The modes of folders from lstat(), by path.
using FolderModes = std::map<std::string, std::uint32_t, std::less<>>;

// Adds the modes of all folders above `rows`, which are sorted by path, to `survey`. Returns those that are
// not in `known`, which it examines. `root`: a descriptor of the workspace.
FolderModes add_parent_folders(int root, std::span<const ManifestRow> rows, const FolderModes& known,
                               PrivacyCollector& survey);

}  // namespace snapgen::core
