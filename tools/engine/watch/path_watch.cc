#include "tools/engine/watch/path_watch.h"

#include <string_view>

#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::size_t path_folders_max = 4096;

}  // namespace

Result<PathWatch> PathWatch::open(const std::vector<std::string>& roots, std::vector<std::string> paths) {
  FolderWatches watches = TRY(FolderWatches::open("", path_folders_max));
  std::set<std::string> folders;
  for (std::string& path : paths) {
    for (const std::string& root : roots)
      for (std::string_view at = path; !at.empty() && is_at_or_below_folder(at, root); at = parent_path(at))
        folders.emplace(at.substr(1));
    path.erase(0, 1);
  }
  PathWatch made(std::move(paths), std::move(folders), std::move(watches));
  made.watch_folders();
  return made;
}

// Skips files and missing folders, whose creation is reported by the watch of their parent.
void PathWatch::watch_folders() {
  for (const std::string& folder : folders_) watches_.add(folder);
}

std::vector<std::string> PathWatch::take_changed_paths() {
  std::vector<bool> touched(paths_.size(), false);
  std::vector<std::string> moved;
  const bool complete = watches_.drain([&](const FolderEvent& event) {
    const std::string location = joined_path(event.folder, event.name);
    if (event.is_name_change && folders_.contains(location)) moved.push_back(location);
    for (std::size_t i = 0; i < paths_.size(); ++i)
      if (is_at_or_below_folder(paths_[i], location) || event.folder == paths_[i]) touched[i] = true;
  });
  // The names of moved folders now refer to other folders or to none.
  for (const std::string& folder : moved) watches_.forget(folder);
  if (!complete) watches_.forget("");
  if (!complete || !moved.empty()) watch_folders();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < paths_.size(); ++i)
    if (touched[i] || !complete) out.push_back("/" + paths_[i]);
  return out;
}

}  // namespace snapgen::core
