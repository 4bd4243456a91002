#include "tools/core/snapshot/privacy.h"

#include <algorithm>
#include <utility>

#include <sys/stat.h>

namespace snapgen::core {
namespace {

constexpr std::size_t paths_max = 4096;  // Of each kind, in a snapshot's note.

bool holds(const std::vector<std::string>& paths, std::string_view path) {
  const bool is_all = paths.size() == 1 && paths.front().empty();
  return is_all || std::binary_search(paths.begin(), paths.end(), path);
}

}  // namespace

std::uint32_t Privacy::allowed(std::string_view path) const {
  if (holds(from_group, path)) return S_IRWXU;
  if (holds(from_others, path)) return S_IRWXU | S_IRWXG;
  return S_IRWXU | S_IRWXG | S_IRWXO;
}

void PrivacySurvey::look(std::string_view path, std::uint32_t mode) {
  if (S_ISLNK(mode)) return;
  ++looked_at_;
  if ((mode & S_IRWXO) != 0) return;
  ((mode & S_IRWXG) != 0 ? found_.from_others : found_.from_group).emplace_back(path);
}

Privacy PrivacySurvey::finish() {
  for (std::vector<std::string>* paths : {&found_.from_group, &found_.from_others}) {
    const bool is_all = !paths->empty() && paths->size() == looked_at_;
    if (is_all || paths->size() > paths_max) *paths = {""};
    std::sort(paths->begin(), paths->end());
  }
  return std::move(found_);
}

}  // namespace snapgen::core
