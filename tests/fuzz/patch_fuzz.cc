// Any bytes as a patch: the parser must not crash, a rejected patch must change nothing, and an applied patch
// must give the same files as a simple implementation that applies hunks line by line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/target.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {
namespace {

const std::map<std::string, std::string, std::less<>> files = {
    {"f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n"},
    {"crlf", "a\r\nb\r\nc\r\n"},
    {"nonl", "x\ny"},
    {"empty", ""},
    {"d/x", "inside\n"},
    {"bin", std::string("\0\1\2\3\0\1\2\3", 8)},
};
const std::string link_name = "link";
const std::string link_target = "f";

class SmallTree final : public FileTree {
 public:
  Result<TreeNode> node_at(std::string_view path) override {
    if (path == link_name) return TreeNode{.kind = TreeNode::Kind::symlink};
    if (path == "d") return TreeNode{.kind = TreeNode::Kind::folder};
    auto file = files.find(path);
    if (file == files.end()) return TreeNode{};
    return TreeNode{.kind = TreeNode::Kind::file, .size = static_cast<std::int64_t>(file->second.size())};
  }
  Result<std::string> read(std::string_view path) override {
    if (path == link_name) return link_target;
    auto file = files.find(path);
    FUZZ_EXPECT(file != files.end());
    return file->second;
  }
  Result<std::vector<std::string>> names_in(std::string_view folder) override {
    FUZZ_EXPECT(folder == "d");
    return std::vector<std::string>{"x"};
  }
};

// Returns the lines with their newlines.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// A simple implementation of hunks. Returns nullopt if one does not apply.
std::optional<std::string> applied_plainly(std::string_view before, const std::vector<Hunk>& hunks) {
  const std::vector<std::string> lines = lines_of(before);
  std::string after;
  std::size_t at = 0;
  for (const Hunk& hunk : hunks) {
    const std::int64_t skipped = hunk.before.count == 0 ? hunk.before.first : hunk.before.first - 1;
    const std::size_t begin = static_cast<std::size_t>(skipped);
    for (; at < begin && at < lines.size(); ++at) after += lines[at];
    if (at != begin || (at > 0 && !lines[at - 1].ends_with('\n'))) return std::nullopt;
    HunkLine line;
    bool ends_file = false;
    for (std::string_view body = hunk.body; next_line(body, line);) {
      std::string text = std::string(line.text) + (line.has_newline ? "\n" : "");
      if (line.kind != '+' && (at == lines.size() || lines[at++] != text)) return std::nullopt;
      if (line.kind != '-') after += text;
      ends_file |= !line.has_newline;
    }
    if (ends_file && at != lines.size()) return std::nullopt;
  }
  for (; at < lines.size(); ++at) after += lines[at];
  return after;
}

void check_patch(std::string_view text) {
  const Patch patch = parse_patch(text);
  FUZZ_EXPECT(!patch.files.empty() || !patch.rejects.empty());
  for (const Reject& reject : patch.rejects) FUZZ_EXPECT(reject.patch_line >= 1 && !reject.message.empty());

  SmallTree tree;
  const Result<PatchPlan> planned =
      plan_patch(patch, tree, {.file_bytes_max = 1 << 16, .total_bytes_max = 1 << 18});
  FUZZ_EXPECT(planned);
  if (!planned->rejects.empty()) {
    FUZZ_EXPECT(planned->changes.empty());
    return;
  }
  std::map<std::string_view, const TreeChange*> changes;
  for (const TreeChange& change : planned->changes) FUZZ_EXPECT(changes.emplace(change.path, &change).second);
  for (const FilePatch& file : patch.files) {
    if (file.hunks.empty()) continue;
    std::string before;
    if (tree.node_at(file.old_path)->kind != TreeNode::Kind::missing) before = *tree.read(file.old_path);
    std::optional<std::string> after = applied_plainly(before, file.hunks);
    FUZZ_EXPECT(after);
    if (file.kind == FilePatch::Kind::remove) {
      FUZZ_EXPECT(after->empty());
      continue;
    }
    auto change = changes.find(file.new_path);
    bool same = file.kind == FilePatch::Kind::modify && *after == before;
    if (!same) {
      FUZZ_EXPECT(change != changes.end() && change->second->bytes == *after);
    }
  }
  FUZZ_EXPECT(plan_patch(patch, tree, {.allow_offset = true})->rejects.empty());
}

}  // namespace
}  // namespace snapgen::core

FUZZ_TARGET(patch) {
  snapgen::core::check_patch({reinterpret_cast<const char*>(data), size});
  return 0;
}
