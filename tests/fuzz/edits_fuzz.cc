// Any bytes as edits of a tree in memory. The first byte selects what the parts after it are, which are
// separated by the byte 0x1e:
// - `p`: a patch in the form V4A, and corrections of it, each of which continues the one before
// - `e`: edits, each with members that are separated by 0x1f
// - `d`: the old and the new text of a file
// A plan must be the same when it is made again, a rejected call must plan nothing, bytes outside of the
// reported lines must be unchanged, and a change followed by its inverse must give the original bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fuzz/target.h"
#include "tools/engine/edit/plan_edits.h"
#include "tools/engine/git/status/text_diff.h"
#include "tools/engine/patch/continue.h"
#include "tools/engine/patch/plan.h"
#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {
namespace {

using Contents = std::map<std::string, std::string, std::less<>>;

const Contents edited_files = {
    {"f", "one\ntwo\n\tthree\n  four()\n}\n\n  four()\n}\nfive = 'five'\nsix\nseven\n"},
    {"crlf", "alpha\r\nbeta\r\ngamma\r\n"},
    {"nonl", "class A:\n  def f():\n    pass\nclass B:\n  def f():\n    pass"},
    {"empty", ""},
    {"d/x", "inside\n"},
};

class MemoryFiles final : public FileTree {
 public:
  explicit MemoryFiles(const Contents& files) : files_(files) {}

  Result<TreeNode> node_at(std::string_view path) override {
    if (const auto file = files_.find(path); file != files_.end())
      return TreeNode{.kind = TreeNode::Kind::file, .size = static_cast<std::int64_t>(file->second.size())};
    return TreeNode{.kind = names_below(path).empty() ? TreeNode::Kind::missing : TreeNode::Kind::folder};
  }
  Result<std::string> read(std::string_view path) override {
    const auto file = files_.find(path);
    FUZZ_EXPECT(file != files_.end());
    return file->second;
  }
  Result<std::vector<std::string>> names_in(std::string_view folder) override { return names_below(folder); }

 private:
  std::vector<std::string> names_below(std::string_view folder) const {
    const std::string prefix = std::string(folder) + "/";
    std::vector<std::string> names;
    for (const auto& [path, content] : files_)
      if (path.starts_with(prefix)) names.push_back(path.substr(prefix.size()));
    return names;
  }

  const Contents& files_;
};

class MemoryEdits final : public EditSource {
 public:
  explicit MemoryEdits(const Contents& files) : files_(files), tree_(files) {}

  FileTree& tree() override { return tree_; }
  Result<std::string> real_path(std::string_view path, bool) override { return std::string(path); }
  Result<Unit> check_writable(std::string_view) override { return Unit{}; }
  Result<std::vector<std::string>> search(const PatternEdit&) override {
    std::vector<std::string> paths;
    for (const auto& [path, content] : files_) paths.push_back(path);
    return paths;
  }
  Result<bool> is_searched(const PatternEdit&, std::string_view) override { return true; }
  std::optional<std::string> stored_content(std::string_view, std::string_view) override {
    return std::nullopt;
  }

 private:
  const Contents& files_;
  MemoryFiles tree_;
};

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> line_views_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::int64_t first_line(const LineRange& range) { return range.first + (range.count == 0 ? 1 : 0); }

// Whether a line has a newline is no part of its text: an insertion below the last line may add it.
std::string_view text_of_line(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

// The lines above the first changed range and below the last one must be those of the file
// before the change.
void check_unchanged_lines(std::string_view before, std::string_view after,
                           const std::vector<LineRange>& changed_lines) {
  FUZZ_EXPECT(before == after || !changed_lines.empty());
  if (changed_lines.empty()) return;
  const std::vector<std::string_view> old_lines = line_views_of(before), new_lines = line_views_of(after);
  const auto above = static_cast<std::size_t>(first_line(changed_lines.front()) - 1);
  FUZZ_EXPECT(above <= old_lines.size() && above <= new_lines.size());
  for (std::size_t i = 0; i < above; ++i)
    FUZZ_EXPECT(text_of_line(old_lines[i]) == text_of_line(new_lines[i]));
  const LineRange& last = changed_lines.back();
  const auto end = static_cast<std::size_t>(first_line(last) + last.count - 1);
  FUZZ_EXPECT(end <= new_lines.size() && new_lines.size() - end <= old_lines.size());
  for (std::size_t below = new_lines.size() - end; below > 0; --below)
    FUZZ_EXPECT(text_of_line(old_lines[old_lines.size() - below]) ==
                text_of_line(new_lines[new_lines.size() - below]));
}

// Returns the content that a change writes at a path.
const std::string& written_content(const std::vector<TreeChange>& changes, std::string_view path) {
  const auto change = std::ranges::find(changes, path, &TreeChange::path);
  FUZZ_EXPECT(change != changes.end());
  return change->bytes;
}

bool are_equal(const std::vector<TreeChange>& a, const std::vector<TreeChange>& b) {
  return std::ranges::equal(a, b, [](const TreeChange& one, const TreeChange& other) {
    return one.kind == other.kind && one.path == other.path && one.bytes == other.bytes &&
           one.from == other.from && one.mode == other.mode;
  });
}

// ---- Patches

PatchPlan plan_of(const Patch& patch, const Contents& files) {
  MemoryFiles tree(files);
  const PatchPlanOptions options{.file_bytes_max = 1 << 16, .total_bytes_max = 1 << 18};
  const Result<PatchPlan> plan = plan_patch(patch, tree, options);
  const Result<PatchPlan> again = plan_patch(patch, tree, options);
  FUZZ_EXPECT(plan && again && are_equal(plan->changes, again->changes));
  FUZZ_EXPECT(plan->rejects.size() == again->rejects.size());
  FUZZ_EXPECT(plan->rejects.empty() || plan->changes.empty());
  for (const PatchedFile& file : plan->files) {
    if (!plan->rejects.empty() || !file.blob || file.kind != FilePatch::Kind::modify) continue;
    const auto before = files.find(file.path);
    if (before == files.end()) continue;
    const auto change = std::ranges::find(plan->changes, file.path, &TreeChange::path);
    check_unchanged_lines(before->second, change == plan->changes.end() ? before->second : change->bytes,
                          change == plan->changes.end() ? std::vector<LineRange>() : file.changed_lines);
  }
  return *plan;
}

void check_continued_patches(const std::vector<std::string>& texts) {
  OwnedPatch patch = parse_owned_patch(texts.front(), {});
  PatchPlan plan = plan_of(patch.patch, edited_files);
  for (std::size_t i = 1; i < texts.size() && can_be_continued(plan.rejects); ++i) {
    patch = continue_patch(patch, plan.rejects, parse_owned_patch(texts[i], {}));
    plan = plan_of(patch.patch, edited_files);
  }
}

// ---- Edits

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  for (const char c : text.substr(0, 4)) number = number * 10 + (c >= '0' && c <= '9' ? c - '0' : 0);
  return number;
}

// Members that are missing are empty.
Edit edit_of(std::string_view text) {
  std::vector<std::string> members = parts_of(text, '\x1f');
  members.resize(6);
  const char kind = members[0].empty() ? 't' : members[0].front();
  const std::string& path = members[1];
  if (kind == 'c') return CreateEdit{.path = path, .content = members[2], .executable = !members[3].empty()};
  if (kind == 'd') return DeleteEdit{.path = path};
  if (kind == 'm') return MoveEdit{.path = path, .target = members[2]};
  if (kind == 'p')
    return PatternEdit{.pattern = members[1],
                       .new_text = members[2],
                       .fixed = !members[4].empty(),
                       .word = !members[5].empty(),
                       .globs = {},
                       .paths = {},
                       .expected_count = number_of(members[3])};
  if (kind == 'l') {
    const auto file = edited_files.find(path);
    const std::string blob = blob_id_of(file == edited_files.end() ? "" : file->second).hex();
    return LinesEdit{.path = path,
                     .first_line = number_of(members[3]),
                     .last_line = number_of(members[4]),
                     .blob_prefix = blob.substr(0, 10),
                     .new_text = members[2]};
  }
  return TextEdit{.path = path,
                  .old_text = members[2],
                  .new_text = members[3],
                  .all = !members[4].empty(),
                  .tolerates_white_space = !members[5].empty()};
}

void check_edit_call(const std::vector<std::string>& texts) {
  std::vector<Edit> edits;
  for (const std::string& text : texts) edits.push_back(edit_of(text));
  MemoryEdits source(edited_files);
  const EditPlanOptions options{.context_lines = 2, .total_bytes_max = 1 << 18};
  const Result<EditPlan> plan = plan_edits(edits, source, options);
  const Result<EditPlan> again = plan_edits(edits, source, options);
  FUZZ_EXPECT(static_cast<bool>(plan) == static_cast<bool>(again));
  if (!plan) return;
  FUZZ_EXPECT(are_equal(plan->changes, again->changes) && plan->faults.size() == again->faults.size());
  FUZZ_EXPECT(plan->faults.empty() || (plan->changes.empty() && plan->files.empty()));
  for (const EditedFile& file : plan->files) {
    const auto before = edited_files.find(file.path);
    if (file.status == EditedFile::Status::modified && before != edited_files.end() && file.blob &&
        *file.blob != blob_id_of(before->second))
      check_unchanged_lines(before->second, written_content(plan->changes, file.path), file.changed_lines);
  }
}

// ---- A change and its inverse

// Applies the hunks to the content, which must give `wanted`. Without numbers they may be rejected.
void check_hunks(std::string_view hunks, const std::string& content, const std::string& wanted) {
  if (hunks.empty()) return;
  const Contents files{{"f", content}};
  const PatchPlan exact =
      plan_of(parse_owned_patch("--- a/f\n+++ b/f\n" + std::string(hunks), {}).patch, files);
  FUZZ_EXPECT(exact.rejects.empty() && written_content(exact.changes, "f") == wanted);
  std::string text = "*** Begin Patch\n*** Update File: f\n";
  for (const std::string_view line : line_views_of(hunks)) text += line.starts_with("@@") ? "@@\n" : line;
  const PatchPlan placed = plan_of(parse_owned_patch(text + "*** End Patch\n", {}).patch, files);
  FUZZ_EXPECT(!placed.rejects.empty() || written_content(placed.changes, "f") == wanted);
}

void check_inverse(const std::string& before, const std::string& after) {
  constexpr std::size_t text_bytes_max = 1 << 16;
  const Result<TextDiff> forward = diff_texts(before, after, 3, text_bytes_max);
  const Result<TextDiff> backward = diff_texts(after, before, 3, text_bytes_max);
  if (!forward || !backward || forward->cut || backward->cut) return;
  check_hunks(forward->text, before, after);
  check_hunks(backward->text, after, before);
}

void check_bytes(std::string_view data) {
  if (data.empty()) return;
  const std::vector<std::string> parts = parts_of(data.substr(1), '\x1e');
  if (data.front() == 'p') check_continued_patches(parts);
  if (data.front() == 'e') check_edit_call(parts);
  if (data.front() == 'd' && parts.size() == 2) check_inverse(parts[0], parts[1]);
}

}  // namespace
}  // namespace snapgen::core

FUZZ_TARGET(edits) {
  snapgen::core::check_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
