// Any bytes as a patch: the parser must not crash, a rejected patch must change nothing, and an applied patch
// must give the same files as a simple implementation that applies hunks line by line, at the lines of the
// plan.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fuzz/target.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/place.h"
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

// A hunk, and the number of lines of the file above it.
struct PlacedAt {
  const Hunk* hunk = nullptr;
  std::int64_t lines_above = 0;
};

// A simple implementation of hunks, which are in the order of the file. Returns nullopt if one does not
// apply.
std::optional<std::string> applied_plainly(std::string_view before, const std::vector<PlacedAt>& hunks) {
  const std::vector<std::string> lines = lines_of(before);
  std::string after;
  std::size_t at = 0;
  for (const auto& [hunk, lines_above] : hunks) {
    const std::size_t begin = static_cast<std::size_t>(lines_above);
    for (; at < begin && at < lines.size(); ++at) after += lines[at];
    if (at != begin || (at > 0 && !lines[at - 1].ends_with('\n'))) return std::nullopt;
    HunkLine line;
    bool ends_file = false;
    for (std::string_view body = hunk->body; next_line(body, line);) {
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

// Returns the hunks at the lines where the plan has applied them, or nullopt if the plan has adapted them.
std::optional<std::vector<PlacedAt>> placed_hunks(const FilePatch& file, const PatchPlan& plan) {
  std::vector<PlacedAt> placed;
  for (const Hunk& hunk : file.hunks) {
    if (hunk.separator_bytes > 0 || hunk.is_at_end_of_file) return std::nullopt;
    placed.push_back({.hunk = &hunk, .lines_above = stated_line_of(hunk).value_or(1) - 1});
  }
  for (const PatchedFile& done : plan.files) {
    if (done.path != file.path()) continue;
    if (done.line_ends != LineEnds::unchanged) return std::nullopt;
    for (const MovedHunk& moved : done.moved_hunks)
      for (PlacedAt& each : placed)
        if (each.hunk->index == moved.hunk_index) each.lines_above = moved.line - 1;
  }
  std::ranges::stable_sort(placed, {}, [](const PlacedAt& each) {
    return std::pair(each.lines_above, each.hunk->before_count > 0);
  });
  return placed;
}

void check_plan(const Patch& patch, const PatchPlan& plan, SmallTree& tree) {
  if (!plan.rejects.empty()) {
    FUZZ_EXPECT(plan.changes.empty());
    return;
  }
  std::map<std::string_view, const TreeChange*> changes;
  for (const TreeChange& change : plan.changes) FUZZ_EXPECT(changes.emplace(change.path, &change).second);
  for (const FilePatch& file : patch.files) {
    if (file.hunks.empty()) continue;
    std::string before;
    if (tree.node_at(file.old_path)->kind != TreeNode::Kind::missing) before = *tree.read(file.old_path);
    const std::optional<std::vector<PlacedAt>> placed = placed_hunks(file, plan);
    if (!placed) continue;
    std::optional<std::string> after = applied_plainly(before, *placed);
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
}

void check_patch(std::string_view text) {
  const Patch patch = parse_patch(text);
  FUZZ_EXPECT(!patch.files.empty() || !patch.rejects.empty());
  for (const Reject& reject : patch.rejects) FUZZ_EXPECT(reject.patch_line >= 1 && !reject.message.empty());

  SmallTree tree;
  PatchPlanOptions options{.exact_lines = true, .file_bytes_max = 1 << 16, .total_bytes_max = 1 << 18};
  const Result<PatchPlan> exact = plan_patch(patch, tree, options);
  FUZZ_EXPECT(exact);
  check_plan(patch, *exact, tree);
  options.exact_lines = false;
  const Result<PatchPlan> by_content = plan_patch(patch, tree, options);
  FUZZ_EXPECT(by_content);
  check_plan(patch, *by_content, tree);
  // What applies at its stated lines applies there by content, too.
  if (exact->rejects.empty()) FUZZ_EXPECT(by_content->rejects.empty());
}

}  // namespace
}  // namespace snapgen::core

FUZZ_TARGET(patch) {
  snapgen::core::check_patch({reinterpret_cast<const char*>(data), size});
  return 0;
}
