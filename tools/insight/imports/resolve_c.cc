#include <algorithm>

#include "tools/engine/files/path.h"
#include "tools/insight/imports/resolve.h"

namespace snapgen::core {
namespace {

// Returns the number of leading folders that two paths share.
std::size_t shared_folders(std::string_view a, std::string_view b) {
  std::size_t folders = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) folders += a[i] == '/' ? 1 : 0;
  return folders;
}

// Returns whether a header is in a folder of public headers. Only there does `<x.h>`, without a folder, mean
// a file of the tree rather than a system header.
bool is_public_header_folder(std::string_view path) {
  std::string_view folder = base_name(parent_path(path));
  return folder == "include" || folder == "inc" || folder == "includes";
}

}  // namespace

void Resolver::resolve_c(FileIndex from, const Import& import, std::vector<FileIndex>& out) const {
  const std::string& here = files_.path(from);
  if (import.kind != ImportKind::system) {
    std::optional<std::string> beside = normalized_path(parent_path(here), import.name);
    std::optional<FileIndex> found = beside ? files_.find(*beside) : std::nullopt;
    if (found) return out.push_back(*found);
  }
  std::optional<std::string> name = normalized_path("", import.name);
  if (!name) {
    // `../x.h` is relative to an unknown include folder, so only the end of the path is compared.
    std::string_view rest = import.name;
    while (rest.starts_with("../")) rest.remove_prefix(3);
    name = std::string(rest);
  }
  // Among the paths that end with the name, prefers the one that shares most folders with the including file,
  // then the one with the fewest folders.
  std::string ending = "/" + *name;
  std::optional<FileIndex> best;
  auto rank = [&](FileIndex index) {
    const std::string& path = files_.path(index);
    return std::pair(-static_cast<std::ptrdiff_t>(shared_folders(path, here)), std::ranges::count(path, '/'));
  };
  for (FileIndex index : files_.files_named(base_name(*name))) {
    const std::string& path = files_.path(index);
    if (path != *name && !path.ends_with(ending)) continue;
    if (import.kind == ImportKind::system && name->find('/') == std::string::npos &&
        !is_public_header_folder(path))
      continue;
    if (!best || rank(index) < rank(*best)) best = index;
  }
  if (best) out.push_back(*best);
}

}  // namespace snapgen::core
