// Compares snapgen with `git apply` on every kind of patch.
#include "tests/engine/patch/situations.h"

#include <memory>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tests/engine/patch/tree.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {
namespace {

class Situations : public testing::TestWithParam<Situation> {
 protected:
  static void SetUpTestSuite() {
    shared = std::make_unique<Scratch>();
    shared->run(situation_tree);
  }
  static void TearDownTestSuite() { shared.reset(); }
  void SetUp() override { shared->run("git reset -q --hard; git clean -qfdx"); }

  static std::unique_ptr<Scratch> shared;
};

std::unique_ptr<Scratch> Situations::shared;

TEST_P(Situations, MatchGitApply) {
  const Situation& situation = GetParam();
  const Scratch& scratch = *shared;
  const std::string patch = scratch.answer(situation.script).output;
  SetUp();
  const Tree before = read_tree(scratch.repo());
  scratch.write("../patch", patch);
  const bool git_applies = scratch.answer("git apply ../patch").exit_code == 0;
  const Tree by_git = read_tree(scratch.repo());

  const bool expected_of_git =
      situation.verdict == Verdict::applied || situation.verdict == Verdict::stricter;
  EXPECT_EQ(git_applies, expected_of_git) << patch;
  if (!git_applies) {
    EXPECT_EQ(by_git, before);
  }
  TreeView view(before);
  for (const bool exact_lines : {true, false}) {
    SCOPED_TRACE(exact_lines ? "with exact_lines" : "by content");
    const bool is_same = exact_lines || situation.by_content == ByContent::same;
    Result<PatchPlan> planned = plan_patch(parse_patch(patch), view, {.exact_lines = exact_lines});
    ASSERT_TRUE(planned);
    const bool we_apply = planned->rejects.empty();
    const bool expected = is_same
                              ? situation.verdict == Verdict::applied || situation.verdict == Verdict::laxer
                              : situation.by_content == ByContent::applied;
    ASSERT_EQ(we_apply, expected) << patch << (we_apply ? "" : planned->rejects.front().message);
    if (we_apply) {
      const Tree by_us = changed(before, planned->changes);
      EXPECT_NE(by_us, before);
      if (git_applies) {
        EXPECT_EQ(by_us, by_git) << "ours:\n" << described(by_us) << "git's:\n" << described(by_git);
      }
    } else {
      const Reject& reject = planned->rejects.front();
      EXPECT_EQ(reject.reason, is_same ? situation.reason : situation.reason_by_content) << reject.message;
      EXPECT_FALSE(reject.message.empty());
      EXPECT_TRUE(planned->changes.empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Patches, Situations, testing::ValuesIn(situations()),
                         [](const auto& situation) { return std::string(situation.param.name); });

}  // namespace
}  // namespace snapgen::core
