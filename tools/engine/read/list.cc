#include "tools/engine/read/list.h"

#include <algorithm>
#include <limits>

#include "runtime/base/sentences.h"
#include "runtime/base/text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/nearest_path.h"

namespace snapgen::core {
namespace {

constexpr std::size_t folder_item = std::numeric_limits<std::size_t>::max();
constexpr std::string_view cursor_prefix = "1:";

Result<std::string> cursor_path(const std::string& cursor) {
  std::optional<std::string> decoded = base64_decoded(cursor);
  if (decoded && decoded->starts_with(cursor_prefix)) return decoded->substr(cursor_prefix.size());
  return Error(ErrorCode::invalid_argument, std::string(unknown_cursor_sentence));
}

struct Item {
  std::string_view path;
  std::size_t index = folder_item;  // The index in the listing.
};

// The entries of the folder (or at any depth below it) after `after`, sorted. `path_at(i)` is the path of the
// file at index i of a sorted list, in which those at or below the folder are [first, last).
template <class PathAt>
std::vector<Item> items_below(const PathAt& path_at, FileRange range, const ListQuery& query,
                              std::string_view after) {
  auto [first, last] = range;
  std::vector<Item> items;
  std::size_t skip = query.path.empty() ? 0 : query.path.size() + 1;
  std::string_view before;  // The previous file, whose folders are already listed.
  for (std::size_t i = first; i < last; ++i) {
    std::string_view path = path_at(i);
    if (query.selects && !query.selects(path)) continue;
    if (path == query.path || query.selects) {
      items.push_back(Item{.path = path, .index = i});
      continue;
    }
    std::size_t slash = path.find('/', skip);
    for (; slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
      std::string_view folder = path.substr(0, slash);
      if (!is_at_or_below_folder(before, folder)) items.push_back(Item{.path = folder});
      if (!query.recursive) break;
    }
    if (query.recursive || slash == std::string_view::npos) items.push_back(Item{.path = path, .index = i});
    before = path;
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.path < b.path; });
  auto begin = std::upper_bound(items.begin(), items.end(), after,
                                [](std::string_view bound, const Item& item) { return bound < item.path; });
  items.erase(items.begin(), begin);
  return items;
}

}  // namespace

// A cursor is the last returned path with a version mark, in base64 so that no client builds one by hand.
std::string cursor_after(std::string_view path) {
  return base64(std::string(cursor_prefix) + std::string(path));
}

Result<ListAnswer> list_entries(FileView& view, const ListQuery& query) {
  std::string after;
  if (query.cursor) {
    after = TRY(cursor_path(*query.cursor));
  }
  const Listing* listing = TRY(view.listing());
  ListAnswer answer;
  const auto listed_path = [&](std::size_t index) { return listing->path(index); };
  std::vector<Item> items = items_below(listed_path, range_below(*listing, query.path), query, after);
  Result<SkippedCounts> skipped = view.skipped_below(query.path, query.recursive || query.selects);
  if (!skipped) return with_suggested_path(view, query.path, std::move(skipped).error());
  answer.skipped = *skipped;
  // A folder that git ignores is listed if it is named. Its files are not in the listing.
  const std::vector<std::string> ignored =
      TRY(view.ignored_files(query.path, query.recursive || query.selects));
  if (!ignored.empty()) {
    const auto ignored_path = [&](std::size_t index) { return std::string_view(ignored[index]); };
    items = items_below(ignored_path, {.first = 0, .last = ignored.size()}, query, after);
    answer.skipped.ignored = 0;
  }
  if (items.size() > query.entries_max) {
    items.resize(query.entries_max);
    answer.next_cursor = cursor_after(items.back().path);
  }
  for (const Item& item : items) {
    ListEntry entry{.path = std::string(item.path), .kind = FileKind::folder, .size = {}};
    if (item.index != folder_item && !ignored.empty()) entry.kind = FileKind::file;
    if (item.index != folder_item && ignored.empty()) {
      entry.kind = listing->is_symlink(item.index) ? FileKind::symlink : FileKind::file;
      entry.size = view.size_of(item.index);
      view.mark_touched(item.index);
    }
    answer.entries.push_back(std::move(entry));
  }
  return answer;
}

}  // namespace snapgen::core
