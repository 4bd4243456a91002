// Random trees and random edits. The diff must equal that of git byte for byte, and applying it as a patch
// must turn the older tree into the newer one.
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tests/engine/patch/gardener.h"
#include "tests/engine/patch/tree.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/git/status/text_diff.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/report.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {
namespace {

struct Seeds {
  std::uint32_t first = 1;
  std::uint32_t count;

  explicit Seeds(std::uint32_t usual) : count(usual) {
    const char* wanted = std::getenv("SNAPGEN_SEED");
    if (wanted == nullptr) return;
    first = static_cast<std::uint32_t>(std::atoll(wanted));
    count = 1;
  }
};

std::string lines_of(const std::vector<std::string>& lines, bool ends) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  if (!ends && !text.empty()) text.pop_back();
  return text;
}

// Source-like texts with many equal lines, moved and repeated blocks, and indentation, for which diff
// algorithms give different results.
class RandomTexts {
 public:
  explicit RandomTexts(std::uint32_t seed) : random_(seed) {}

  std::pair<std::string, std::string> pair() {
    std::vector<std::string> lines;
    for (int count = below(below(8) == 0 ? 400 : 60); count > 0; --count) lines.push_back(line());
    std::vector<std::string> edited = lines;
    for (int edits = below(12); edits >= 0; --edits) edit(edited);
    return {lines_of(lines, below(6) != 0), lines_of(edited, below(6) != 0)};
  }

  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }

 private:
  std::string line() {
    static constexpr const char* lines[] = {"",
                                            "{",
                                            "}",
                                            "  }",
                                            "    return x;",
                                            "  if (x) {",
                                            "\tcase:",
                                            "int main() {",
                                            "_name = 1;",
                                            "$var",
                                            "    }",
                                            "  // ...",
                                            "class A {  ",
                                            "\t\tbreak;\r",
                                            " indented"};
    if (below(4) == 0)
      return std::string(static_cast<std::size_t>(below(6)) * 2, ' ') + "line " + std::to_string(below(30));
    if (below(40) == 0) return "long_" + std::string(static_cast<std::size_t>(below(200)), 'x') + " \t";
    return lines[below(std::size(lines))];
  }

  void edit(std::vector<std::string>& lines) {
    auto place = [&] { return lines.begin() + below(static_cast<int>(lines.size()) + 1); };
    auto first = place();
    auto last = first + std::min<std::ptrdiff_t>(lines.end() - first, below(6));
    std::vector<std::string> block(first, last);
    switch (below(5)) {
      case 0: lines.erase(first, last); break;
      case 1: lines.insert(first, line()); break;
      case 2: lines.insert(place(), block.begin(), block.end()); break;
      case 3:
        lines.erase(first, last);
        lines.insert(place(), block.begin(), block.end());
        break;
      default:
        if (first != lines.end()) *first = line();
    }
  }

  std::mt19937 random_;
};

TEST(TextDiffs, OfRandomTextsEqualGitOutput) {
  Seeds seeds(12);
  constexpr int texts_per_seed = 60;
  for (std::uint32_t seed = seeds.first; seed < seeds.first + seeds.count && !testing::Test::HasFailure();
       ++seed) {
    SCOPED_TRACE("SNAPGEN_SEED=" + std::to_string(seed));
    RandomTexts texts(seed);
    Scratch scratch;
    std::string ours;
    std::uint32_t context = seed % 3 == 0 ? 0 : seed % 5 == 0 ? 7 : 3;
    scratch.run("new; mkdir -p ../before ../after");
    for (int i = 0; i < texts_per_seed; ++i) {
      auto [before, after] = texts.pair();
      std::string name = std::to_string(1000 + i);
      scratch.write("../before/" + name, before);
      scratch.write("../after/" + name, after);
      Result<TextDiff> diff = diff_texts(before, after, context, 1 << 20);
      ASSERT_TRUE(diff) << diff.error().message;
      if (!diff->text.empty()) ours += "+++ " + name + "\n" + diff->text;
    }
    std::string git =
        scratch
            .answer("cd ..; git diff --no-index --no-renames --no-prefix -U" + std::to_string(context) +
                    " before after | sed -e '/^diff --git/d; /^index /d; /^--- before/d; s/^+++ "
                    "after./+++ /'")
            .output;
    ASSERT_EQ(ours, git) << "context " << context;
  }
}

// Creates a workspace whose repository has `before` as its commit and whose work tree contains `after`.
class RandomDiffs : public testing::Test {
 protected:
  void expect_makes(const std::string& diff, const std::vector<DiffedFile>& files, const Tree& before,
                    const Tree& after) {
    // A line `Binary files differ` has no content to apply.
    Tree wanted = after;
    std::string patch = diff;
    for (const DiffedFile& file : files) {
      if (!file.binary) continue;
      wanted.erase(file.path);
      auto old = before.find(file.path);
      if (old != before.end()) wanted.insert(*old);
      std::string header = section_header(file.path);
      std::size_t at;
      while ((at = patch.find(header)) != std::string::npos) {
        std::size_t end = patch.find("\ndiff --git ", at);
        patch.erase(at, end == std::string::npos ? std::string::npos : end + 1 - at);
      }
    }
    // The patch leaves a binary file unchanged. If the newer tree has a folder there, the patch cannot be
    // applied.
    for (const auto& [path, file] : wanted) {
      auto below = wanted.lower_bound(path + "/");
      if (below != wanted.end() && below->first.starts_with(path + "/")) return;
    }
    if (patch.empty()) return;
    TreeView view(before);
    Result<PatchPlan> planned = plan_patch(parse_patch(patch), view);
    ASSERT_TRUE(planned);
    for (const Reject& reject : planned->rejects)
      ADD_FAILURE() << reject.path << ": " << reject.message << "\n" << patch;
    if (!planned->rejects.empty()) return;
    EXPECT_EQ(described(changed(before, planned->changes)), described(wanted)) << patch;
  }
};

TEST_F(RandomDiffs, EqualGitOutputAndProduceTheNewerTree) {
  Seeds seeds(40);
  for (std::uint32_t seed = seeds.first; seed < seeds.first + seeds.count && !HasFailure(); ++seed) {
    SCOPED_TRACE("SNAPGEN_SEED=" + std::to_string(seed));
    Gardener gardener(seed);
    Tree before = gardener.planted();
    Tree after = gardener.edited(before);
    TestWorkspace workspace("new");
    const Scratch& scratch = workspace.scratch;
    write_tree(scratch.repo(), before);
    scratch.run("git add -A -f; git commit -q --allow-empty -m one");
    Result<CreatedSnapshot> older = workspace.create(std::vector<std::string>{""});
    ASSERT_TRUE(older) << older.error().message;
    scratch.run("find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +");
    write_tree(scratch.repo(), after);
    Result<CreatedSnapshot> newer = workspace.create(std::vector<std::string>{""});
    ASSERT_TRUE(newer) << newer.error().message;
    Workspace& opened = *workspace.opened;
    DiffQuery query{.paths = {}, .show_untracked = true, .bytes_max = 16 << 20};
    auto from_head = [&](LiveView& view) { return diff_live_with_git(opened, GitBase::head, view, query); };
    auto from_snapshot = [&](LiveView& view) {
      return diff_live_with_snapshot(opened, *workspace.made(older), view, query);
    };
    Result<WithLease<DiffAnswer>> live = read_worktree(opened, {}, {}, from_head);
    Result<WithLease<DiffAnswer>> live_old = read_worktree(opened, {}, {}, from_snapshot);
    Result<DiffAnswer> kept =
        diff_snapshots(opened, *workspace.made(older), *workspace.made(newer), query, {});
    Result<DiffAnswer> kept_head =
        diff_snapshot_with_git(opened, *workspace.made(newer), GitBase::head, query, {});
    ASSERT_TRUE(live && live_old && kept && kept_head);
    scratch.run("git add -A -f -N .");
    std::string git =
        scratch.answer("git -c core.quotepath=true diff --no-renames --no-ext-diff --no-textconv HEAD")
            .output;
    EXPECT_EQ(live->value.diff, git);
    EXPECT_EQ(live_old->value.diff, git);
    EXPECT_EQ(kept->diff, git);
    EXPECT_EQ(kept_head->diff, git);
    expect_makes(git, kept->files, before, after);
  }
}

}  // namespace
}  // namespace snapgen::core
