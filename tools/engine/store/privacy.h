#pragma once
// Privacy: what of the captured was kept from others, so that a restore does not open what it makes anew to
// more people than could read it. No part of a snapshot's id, where of all permissions only a file's
// executable bit counts, as with git.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/manifest.h"

namespace snapgen::core {

// Added to permission bits: set exactly these, whatever the umask says.
inline constexpr std::uint32_t exact_permissions = 1U << 16;

struct PathPermissions {
  std::string path;
  std::uint32_t mode = 0;  // The nine permission bits.

  bool operator==(const PathPermissions&) const = default;
};

// Paths of files and of the folders above them, sorted; "" alone: of all.
struct Privacy {
  std::vector<std::string> from_group;   // Nor can others do anything with them.
  std::vector<std::string> from_others;  // The group can.
  // The exact permissions of files and folders whose permissions are not the usual ones (0644, 0755). Only
  // undo snapshots record them. Sorted by path.
  std::vector<PathPermissions> exact;

  // The permissions that a file or folder created at `path` may have at the most; with exact_permissions, the
  // ones that it must have.
  std::uint32_t allowed(std::string_view path) const;

  bool operator==(const Privacy&) const = default;
};

// Finds it out, path by path.
class PrivacySurvey {
 public:
  enum class Detail : std::uint8_t { limits, exact };
  explicit PrivacySurvey(Detail detail = Detail::limits) : detail_(detail) {}

  // `mode` as lstat() says. A path is looked at once.
  void look(std::string_view path, std::uint32_t mode);
  // Where there are very many, all are taken for such: rather too closed than open.
  Privacy finish();

 private:
  Detail detail_;
  Privacy found_;
  std::size_t looked_at_ = 0;
};

// Adds every folder above `rows`, which are sorted by path. `root`: a handle of the workspace's folder.
void look_at_folders(int root, std::span<const ManifestRow> rows, PrivacySurvey& survey);

}  // namespace snapgen::core
