#include "tools/engine/operations/planned_diff.h"

#include <optional>

#include "tools/engine/base/hash.h"
#include "tools/engine/files/file_mode.h"
#include "tools/engine/operations/diff/report.h"
#include "tools/engine/operations/diff/section.h"

namespace snapgen::core {
namespace {

using Kind = TreeChange::Kind;

// Returns what is at the path now.
Result<DiffSide> side_before(const std::string& path, FileTree& tree) {
  const TreeNode node = TRY(tree.node_at(path));
  DiffSide side;
  if (node.kind != TreeNode::Kind::file && node.kind != TreeNode::Kind::symlink) return side;
  side.mode = git_mode(mode_of(node));
  side.read = [&tree, path] { return tree.read(path); };
  return side;
}

// Returns what the change makes of its path.
DiffSide side_after(const TreeChange& change, FileTree& tree) {
  DiffSide side;
  if (change.kind == Kind::remove || change.kind == Kind::remove_folder) return side;
  side.mode = git_mode(change.mode);
  if (change.kind == Kind::write) {
    side.read = [&change]() -> Result<std::string> { return change.bytes; };
  } else {
    const std::string& source = change.kind == Kind::copy ? change.from : change.path;
    side.read = [&tree, &source] { return tree.read(source); };
  }
  return side;
}

}  // namespace

Result<PlannedDiff> planned_diff(const std::vector<TreeChange>& changes, FileTree& tree,
                                 TextEncodings* encodings) {
  PlannedDiff diff;
  for (const TreeChange& change : changes) {
    DiffPair pair{.path = change.path, .before = {}, .after = side_after(change, tree), .binary = {}};
    pair.before = TRY(side_before(change.path, tree));
    const SectionLimits limits{.text_bytes_max = planned_diff_bytes_max - diff.text.size()};
    const std::optional<DiffSection> section = TRY(section_of(pair, HashKind::sha1, limits, encodings));
    if (!section) continue;
    if (section->cut || section->too_large)
      ++diff.omitted_files;
    else
      diff.text += section->text;
  }
  return diff;
}

}  // namespace snapgen::core
