#include "tools/engine/read/nearest_path.h"

#include <optional>
#include <vector>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::size_t proposals_max = 3;

// Files with exactly this name in any folder. Empty if there are too many for a useful suggestion.
std::vector<std::string_view> of_that_name(const Listing& listing, std::string_view name,
                                           std::string_view but) {
  std::vector<std::string_view> found;
  for (std::size_t i = 0; i < listing.size() && found.size() <= proposals_max; ++i)
    if (const std::string_view path = listing.path(i); base_name(path) == name && path != but)
      found.push_back(path);
  if (found.size() > proposals_max) found.clear();
  return found;
}

// Files and folders whose path differs only in letter case. Empty if there are too many.
std::vector<std::string_view> in_other_letters(const Listing& listing, std::string_view path) {
  std::vector<std::string_view> found;
  for (std::size_t i = 0; i < listing.size() && found.size() <= proposals_max; ++i) {
    const std::string_view whole = listing.path(i);
    const bool is_long_enough =
        whole.size() == path.size() || (whole.size() > path.size() && whole[path.size()] == '/');
    const std::string_view begin = whole.substr(0, path.size());
    if (!is_long_enough || begin == path || !equal_ignoring_case(begin, path)) continue;
    if (found.empty() || found.back() != begin) found.push_back(begin);
  }
  if (found.size() > proposals_max) found.clear();
  return found;
}

// Names in a folder except `but`, because a dangling symlink must not be suggested for itself.
std::vector<std::string_view> sibling_names(const Listing& listing, std::string_view folder,
                                            std::string_view but) {
  const FileRange run = folder.empty() ? FileRange{0, listing.size()} : listing.below(folder);
  const std::size_t prefix = folder.empty() ? 0 : folder.size() + 1;
  std::vector<std::string_view> names;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const std::string_view below = listing.path(i).substr(prefix);
    const std::string_view name = below.substr(0, below.find('/'));
    if (name != but && (names.empty() || names.back() != name)) names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> similar_paths(FileView& view, std::string_view path) {
  const Result<const Listing*> found = view.listing();
  if (!found) return {};
  const Listing& listing = **found;
  auto copied = [](const std::vector<std::string_view>& paths) {
    return std::vector<std::string>(paths.begin(), paths.end());
  };
  if (const auto paths = in_other_letters(listing, path); !paths.empty()) return copied(paths);
  const std::string_view folder = parent_path(path);
  const std::vector<std::string_view> names = sibling_names(listing, folder, base_name(path));
  if (const std::optional<std::string_view> meant = nearest_name(base_name(path), names))
    return {(folder.empty() ? std::string() : std::string(folder) + "/") + std::string(*meant)};
  return copied(of_that_name(listing, base_name(path), path));
}

std::string did_you_mean(const std::vector<std::string>& paths) {
  std::string all;
  for (const std::string& each : paths) all += (all.empty() ? "" : " or ") + path_in_sentence(each);
  return "did you mean " + all + "?";
}

Error with_suggested_path(FileView& view, std::string_view path, Error error) {
  if (error.code != ErrorCode::not_found || !error.message.ends_with('.')) return error;
  if (view.is_not_checked_out(path)) {
    error.message = not_checked_out_sentence(path);
    return error;
  }
  if (!view.listing()) return error;
  const std::vector<std::string> paths = similar_paths(view, path);
  if (paths.empty())
    error.message += " Search with globs, or list the files, to find it.";
  else
    error.message = error.message.substr(0, error.message.size() - 1) + "; " + did_you_mean(paths);
  return error;
}

}  // namespace snapgen::core
