#include "tools/app/snapshot_page.h"

#include <algorithm>
#include <map>

#include "runtime/base/sentences.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::tools {

Result<SnapshotPage> snapshot_page(core::Workspace& workspace, const SnapshotPageRequest& request) {
  core::SnapshotNotes notes = TRY(snapshots_of(workspace).list());
  SnapshotPage page;
  page.has_any = !notes.empty();
  if (request.contains)
    std::erase_if(
        notes, [&](const auto& each) { return each->message.find(*request.contains) == std::string::npos; });
  page.total = static_cast<std::int64_t>(notes.size());
  // The cursor is the id of the last snapshot on the page before, so newer snapshots do not make it invalid.
  auto first = notes.begin();
  if (request.cursor) {
    first = std::find_if(notes.begin(), notes.end(), [&](const auto& each) {
      return core::short_snapshot_id(each->hex) == *request.cursor;
    });
    if (first == notes.end()) return Error(ErrorCode::invalid_argument, std::string(unknown_cursor_sentence));
    ++first;
  }
  const auto rest = static_cast<std::size_t>(notes.end() - first);
  const std::size_t size = std::min(rest, request.limit);
  for (std::size_t i = 0; i < size; ++i) page.notes.push_back(**first++);
  page.other_trees = other_trees_of(workspace, page.notes);
  page.left_out = static_cast<std::int64_t>(rest - size);
  if (page.left_out > 0 && !page.notes.empty())
    page.next_cursor = core::short_snapshot_id(page.notes.back().hex);
  return page;
}

std::optional<std::size_t> first_of_this_tree(const SnapshotPage& page) {
  for (std::size_t i = 0; i < page.notes.size(); ++i)
    if (!page.other_trees[i]) return i;
  return std::nullopt;
}

std::string other_trees_sentence(const SnapshotPage& page) {
  std::map<std::string, std::string> ids_by_tree;
  for (std::size_t i = 0; i < page.notes.size(); ++i) {
    if (!page.other_trees[i]) continue;
    std::string& ids = ids_by_tree[page.other_trees[i]->name];
    ids += (ids.empty() ? "" : ", ") + core::short_snapshot_id(page.notes[i].hex);
  }
  std::string text;
  for (const auto& [tree, ids] : ids_by_tree)
    text += " Of the work tree " + core::path_in_sentence(tree) + ": " + ids + ".";
  return text;
}

std::string shown_snapshots_sentence(const SnapshotPage& page) {
  return " " + std::to_string(page.notes.size()) + (page.notes.size() == 1 ? " is" : " are") +
         " shown, older undo snapshots last.";
}

}  // namespace snapgen::tools
