// Random changes to a tree, step by step. After each step, the answers about the work tree and about
// snapshots are compared with a model in memory and with the output of git.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/engine/patch/gardener.h"
#include "tests/engine/patch/tree.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/diff.h"

namespace snapgen::core {
namespace {

constexpr std::string_view needle = "line 1";

std::string listed(const Tree& tree) {
  std::map<std::string, std::string> lines;
  for (const auto& [path, file] : tree) {
    lines[path] = (file.mode == FileMode::symlink ? "@" : "") + std::to_string(file.bytes.size());
    for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above))
      lines[std::string(above)] = "/";
  }
  std::string out;
  for (const auto& [path, what] : lines) out += path + " " + what + "\n";
  return out;
}

std::string listed(const ListAnswer& answer) {
  std::string out;
  for (const ListEntry& entry : answer.entries) {
    out += entry.path + " " + (entry.kind == FileKind::symlink ? "@" : "");
    out += (entry.kind == FileKind::folder ? "/" : std::to_string(entry.size.value_or(-1))) + "\n";
  }
  return out;
}

std::string changes_found(const Tree& tree) {
  std::string out;
  for (const auto& [path, file] : tree) {
    if (file.mode == FileMode::symlink || looks_binary(file.bytes)) continue;
    std::string_view rest = file.bytes;
    for (int line = 1; !rest.empty(); ++line) {
      std::string_view text = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(text.size() + 1, rest.size()));
      std::size_t at = text.find(needle);
      if (at == std::string_view::npos) continue;
      out += path + ":" + std::to_string(line) + ":" + std::to_string(at + 1) + ":" +
             shortened_line(text, static_cast<std::int64_t>(at + 1)) + "\n";
    }
  }
  return out;
}

std::string changes_found(const GrepAnswer& answer) {
  std::string out;
  for (const GrepMatch& match : answer.matches) {
    out += match.path + ":" + std::to_string(match.line) + ":" + std::to_string(match.column) + ":" +
           match.text + "\n";
  }
  return out;
}

std::string_view word(ChangeStatus status) {
  switch (status) {
    case ChangeStatus::added: return "added ";
    case ChangeStatus::deleted: return "deleted ";
    case ChangeStatus::modified: return "modified ";
    case ChangeStatus::mode_changed: return "mode ";
    case ChangeStatus::renamed: return "renamed ";
    case ChangeStatus::type_changed: return "type ";
  }
  return "";
}

std::string differing(const Tree& before, const Tree& after) {
  std::map<std::string, ChangeStatus> changes;
  for (const auto& [path, file] : before) {
    auto now = after.find(path);
    if (now == after.end()) {
      changes[path] = ChangeStatus::deleted;
    } else if ((file.mode == FileMode::symlink) != (now->second.mode == FileMode::symlink)) {
      changes[path] = ChangeStatus::type_changed;
    } else if (file.bytes != now->second.bytes) {
      changes[path] = ChangeStatus::modified;
    } else if (file.mode != now->second.mode) {
      changes[path] = ChangeStatus::mode_changed;
    }
  }
  for (const auto& [path, file] : after) {
    if (!before.contains(path)) changes[path] = ChangeStatus::added;
  }
  std::string out;
  for (const auto& [path, status] : changes) out += std::string(word(status)) + path + "\n";
  return out;
}

std::string differing(const ChangesAnswer& answer) {
  std::string out;
  for (const FileChange& change : answer.changes)
    out += std::string(word(change.status)) + change.path + "\n";
  return out;
}

class ModelTest : public testing::Test {
 protected:
  // Writes only files that differ, so that most files keep their modification times.
  void bring_to(const Tree& after) {
    std::filesystem::path root = workspace_.scratch.repo();
    for (const auto& [path, file] : tree_) {
      auto now = after.find(path);
      if (now != after.end() && now->second == file) continue;
      std::filesystem::remove(root / path);
      std::error_code not_empty;
      for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above))
        std::filesystem::remove(root / above, not_empty);
    }
    Tree written;
    for (const auto& [path, file] : after) {
      auto old = tree_.find(path);
      if (old == tree_.end() || old->second != file) written.emplace(path, file);
    }
    write_tree(workspace_.scratch.repo(), written);
    tree_ = after;
  }

  std::shared_ptr<const Snapshot> captured() {
    Result<CreatedSnapshot> created = workspace_.create(std::vector<std::string>{""});
    EXPECT_TRUE(created) << created.error().message;
    return workspace_.made(created);
  }

  // Compares every answer of a view with the model.
  static void expect_view(FileView& view, const Tree& tree) {
    Result<ListAnswer> list =
        list_entries(view, {.path = "", .recursive = true, .entries_max = 10'000, .cursor = {}});
    ASSERT_TRUE(list) << list.error().message;
    EXPECT_EQ(listed(*list), listed(tree));
    Result<GrepAnswer> lines = grep(
        view,
        {.pattern = std::string(needle), .fixed = true, .paths = {}, .globs = {}, .matches_max = 10'000});
    ASSERT_TRUE(lines) << lines.error().message;
    EXPECT_EQ(changes_found(*lines), changes_found(tree));
    for (const auto& [path, file] : tree) {
      if (file.mode == FileMode::symlink) continue;
      Result<FileAnswer> read =
          read_file(view, {.path = path, .start_line = {}, .end_line = {}, .bytes_max = 1 << 24});
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(read->content, file.bytes);
      EXPECT_EQ(read->blob, blob_id_of(file.bytes));
    }
  }

  template <class Read>
  auto live(Read read) {
    auto answer = read_worktree(*workspace_.opened, {}, {}, read);
    EXPECT_TRUE(answer) << answer.error().message;
    return std::move(answer->value);
  }

  TestWorkspace workspace_{"new; git commit -q --allow-empty -m none"};
  Tree tree_;
};

TEST_F(ModelTest, ReadsMatchTheModelAndGit) {
  const char* wanted = std::getenv("SNAPGEN_SEED");
  std::uint32_t seed = wanted != nullptr ? static_cast<std::uint32_t>(std::atoll(wanted)) : 7;
  SCOPED_TRACE("SNAPGEN_SEED=" + std::to_string(seed));
  Gardener gardener(seed);
  struct Kept {
    std::shared_ptr<const Snapshot> snapshot;
    Tree tree;
  };
  std::vector<Kept> kept{{captured(), {}}};
  for (int step = 0; step < 25 && !HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    bring_to(tree_.empty() ? gardener.planted() : gardener.edited(tree_));
    switch (gardener.below(4)) {
      case 0: workspace_.scratch.run("git add -A -f . && git commit -q --allow-empty -m step"); break;
      case 1: workspace_.scratch.run("git add -A -f ."); break;
      case 2: workspace_.reopen(); break;
      default: break;
    }
    Workspace& now = *workspace_.opened;
    live([&](LiveView& view) {
      expect_view(view, tree_);
      return Result<Unit>(Unit{});
    });
    const Kept older = kept[static_cast<std::size_t>(gardener.below(static_cast<int>(kept.size())))];
    auto since = [&](LiveView& view) { return changes_since(now, *older.snapshot, view, {}); };
    EXPECT_EQ(differing(live(since)), differing(older.tree, tree_));
    DiffQuery query{.paths = {}, .show_untracked = true, .bytes_max = 16 << 20};
    std::string shown_live =
        live([&](LiveView& view) { return diff_live_with_snapshot(now, *older.snapshot, view, query); }).diff;
    std::string from_head =
        live([&](LiveView& view) { return diff_live_with_git(now, GitBase::head, view, query); }).diff;

    kept.push_back({captured(), tree_});
    const Kept& newest = kept.back();
    expect_view(*workspace_.view(newest.snapshot->id()), tree_);
    const Kept& base = kept[static_cast<std::size_t>(gardener.below(static_cast<int>(kept.size())))];
    EXPECT_EQ(differing(*changes_between(now, *base.snapshot, *newest.snapshot, {}, {})),
              differing(base.tree, tree_));
    Result<DiffAnswer> against_head = diff_snapshot_with_git(now, *newest.snapshot, GitBase::head, query, {});
    ASSERT_TRUE(against_head) << against_head.error().message;
    EXPECT_EQ(against_head->diff, from_head);
    // A temporary index contains the work tree, because the real index does not matter here.
    std::string git =
        workspace_.scratch
            .answer(
                "cp .git/index ../index 2>/dev/null; export GIT_INDEX_FILE=../index; git add -A -f . && git "
                "-c "
                "core.quotepath=true diff --cached --no-renames --no-ext-diff --no-textconv --abbrev=7 HEAD")
            .output;
    EXPECT_EQ(from_head, git);
    Result<DiffAnswer> between = diff_snapshots(now, *older.snapshot, *newest.snapshot, query, {});
    ASSERT_TRUE(between);
    EXPECT_EQ(between->diff, shown_live);
  }
}

}  // namespace
}  // namespace snapgen::core
