// Random patches on a work tree: the result must be the state that a git checkout produces, and git must
// report no other change.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tests/engine/patch/gardener.h"
#include "tests/engine/write/undo_folder.h"
#include "tests/soak/soak.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/write/inspected_worktree.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {
namespace {

TEST(Worktree, RandomPatchesMatchAGitCheckout) {
  const char* wanted = std::getenv("SNAPGEN_SEED");
  std::uint32_t first = wanted != nullptr ? static_cast<std::uint32_t>(std::atoll(wanted)) : 1000;
  std::uint32_t count = wanted != nullptr ? 1 : is_soak() ? 25 : 10;
  for (std::uint32_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("SNAPGEN_SEED=" + std::to_string(seed));
    Gardener gardener(seed);
    Tree before = gardener.planted();
    Tree after = gardener.edited(before);
    if (before == after) continue;
    Scratch scratch;
    write_tree(scratch.outside("after"), after);
    write_tree(scratch.repo(), before);
    scratch.run("new; save; mkdir -p ../after");
    const std::string patch =
        scratch
            .answer(
                "cd ../after; export GIT_DIR=../repo/.git GIT_WORK_TREE=. GIT_INDEX_FILE=../index\n"
                "git add -A .; git diff --cached --binary -M -C HEAD")
            .output;
    Result<Root> root = Root::open(scratch.repo());
    ASSERT_TRUE(root);
    UndoFolder undos(scratch.repo() + "/.git/snapgen/snapshots");
    Writer writer(*root, scratch.repo() + "/.git/snapgen/writes", undos);
    InspectedWorktree view(*root, {});
    Result<PatchPlan> planned = plan_patch(parse_patch(patch), view);
    ASSERT_TRUE(planned);
    ASSERT_TRUE(planned->rejects.empty()) << planned->rejects.front().message << patch;
    Result<std::vector<FileRecord>> written =
        writer.write(view.writes_of(std::move(planned->changes)), {.prune_empty_folders = true}, nullptr, {});
    ASSERT_TRUE(written) << written.error().message << patch;
    Tree found = read_tree(scratch.repo());
    EXPECT_EQ(found, after) << "found:\n" << described(found) << "wanted:\n" << described(after) << patch;
    // No empty folder may remain.
    EXPECT_EQ(scratch.answer("find . -path ./.git -prune -o -type d -empty -print").output, "");
  }
}

}  // namespace
}  // namespace snapgen::core
