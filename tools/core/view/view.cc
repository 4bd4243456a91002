#include "tools/core/view/view.h"

#include <algorithm>

namespace snapgen::core {

void add(Skipped& sum, const Skipped& more) {
  sum.binary += more.binary;
  sum.ignored += more.ignored;
  sum.nested_repository += more.nested_repository;
  sum.not_a_file += more.not_a_file;
  sum.symlink += more.symlink;
  sum.too_large += more.too_large;
  sum.unreadable += more.unreadable;
}

std::pair<std::size_t, std::size_t> range_below(const Listing& listing, std::string_view path) {
  const std::vector<ViewFile>& files = listing.files;
  if (path.empty()) return {0, files.size()};
  auto by_path = [](const ViewFile& file, std::string_view bound) {
    return std::string_view(file.path) < bound;
  };
  auto at = std::lower_bound(files.begin(), files.end(), path, by_path);
  auto index = [&](auto it) { return static_cast<std::size_t>(it - files.begin()); };
  if (at != files.end() && at->path == path) return {index(at), index(at) + 1};
  std::string below = std::string(path) + "/";
  auto first = std::lower_bound(at, files.end(), std::string_view(below), by_path);
  below.back() = '/' + 1;
  auto last = std::lower_bound(first, files.end(), std::string_view(below), by_path);
  return {index(first), index(last)};
}

}  // namespace snapgen::core
