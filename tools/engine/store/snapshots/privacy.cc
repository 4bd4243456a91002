#include "tools/engine/store/snapshots/privacy.h"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::size_t paths_max = 4096;  // Maximum for each kind of private path in a note.

bool holds(const std::vector<std::string>& paths, std::string_view path) {
  const bool is_all = paths.size() == 1 && paths.front().empty();
  return is_all || std::binary_search(paths.begin(), paths.end(), path);
}

}  // namespace

std::uint32_t Privacy::allowed_permissions(std::string_view path) const {
  const auto at =
      std::lower_bound(exact.begin(), exact.end(), path,
                       [](const PathPermissions& one, std::string_view bound) { return one.path < bound; });
  if (at != exact.end() && at->path == path) return at->mode | exact_permissions_flag;
  if (holds(hidden_from_group, path)) return S_IRWXU;
  if (holds(hidden_from_others, path)) return S_IRWXU | S_IRWXG;
  return S_IRWXU | S_IRWXG | S_IRWXO;
}

void PrivacyCollector::add(std::string_view path, std::uint32_t mode) {
  if (S_ISLNK(mode)) return;
  ++added_count_;
  const std::uint32_t permissions = mode & 0777U;
  const bool is_usual = permissions == 0755 || (permissions == 0644 && S_ISREG(mode));
  if (detail_ == Detail::exact_permissions && !is_usual && found_.exact.size() < paths_max)
    found_.exact.push_back({.path = std::string(path), .mode = permissions});
  if ((mode & S_IRWXO) != 0) return;
  ((mode & S_IRWXG) != 0 ? found_.hidden_from_others : found_.hidden_from_group).emplace_back(path);
}

Privacy PrivacyCollector::finish() {
  for (std::vector<std::string>* paths : {&found_.hidden_from_group, &found_.hidden_from_others}) {
    const bool is_all = !paths->empty() && paths->size() == added_count_;
    if (is_all || paths->size() > paths_max) *paths = {""};
    std::sort(paths->begin(), paths->end());
  }
  std::sort(found_.exact.begin(), found_.exact.end(),
            [](const PathPermissions& a, const PathPermissions& b) { return a.path < b.path; });
  return std::move(found_);
}

FolderModes add_parent_folders(int root, std::span<const ManifestRow> rows, const FolderModes& known,
                               PrivacyCollector& survey) {
  FolderModes examined;
  std::string_view last;  // The folder of the previous row.
  for (const ManifestRow& row : rows) {
    const std::string_view folder = parent_path(row.path);
    for (std::string_view above = folder; !is_at_or_below_folder(last, above); above = parent_path(above)) {
      if (const auto found = known.find(above); found != known.end()) {
        survey.add(above, found->second);
        continue;
      }
      struct stat st;
      const std::string path(above);
      if (::fstatat(root, path.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
      survey.add(path, st.st_mode);
      examined.emplace(path, st.st_mode);
    }
    last = folder;
  }
  return examined;
}

}  // namespace snapgen::core
