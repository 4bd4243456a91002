// One change as a unified diff, in the form V4A, and as edits: each gives the same bytes, and its inverse
// gives the original ones.
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/edit/memory_source.h"
#include "tests/engine/edit/random_change.h"
#include "tests/engine/patch/tree.h"
#include "tools/engine/edit/plan_edits.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {
namespace {

constexpr unsigned seeds = 300;

Tree file_tree(const std::string& content) { return {{"f.c", {FileMode::plain, content}}}; }

// Applies the patch to a tree with the content.
Tree tree_after_patch(const std::string& content, const std::string& patch) {
  const Tree tree = file_tree(content);
  TreeView view(tree);
  const Result<PatchPlan> plan = plan_patch(parse_patch(patch), view);
  EXPECT_TRUE(plan) << patch;
  if (!plan) return {};
  for (const Reject& reject : plan->rejects) ADD_FAILURE() << reject.message << "\n" << patch;
  return changed(tree, plan->changes);
}

Tree tree_after_edits(const std::string& content, const std::vector<Edit>& edits) {
  const Tree tree = file_tree(content);
  MemorySource source(tree);
  const Result<EditPlan> plan = plan_edits(edits, source);
  EXPECT_TRUE(plan);
  if (!plan) return {};
  for (const EditFault& fault : plan->faults) ADD_FAILURE() << fault.message;
  return changed(tree, plan->changes);
}

void expect_all_forms_make(const RandomChange& change) {
  const Tree after = file_tree(change.after());
  EXPECT_EQ(tree_after_patch(change.before(), change.unified("f.c")), after);
  EXPECT_EQ(tree_after_patch(change.before(), change.v4a("f.c")), after);
  EXPECT_EQ(tree_after_edits(change.before(), change.edits("f.c")), after);
}

TEST(EditForms, EveryFormMakesTheSameChangeAndItsInverseGivesTheOriginalBytes) {
  int changed_files = 0;
  for (unsigned seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomChange change(seed);
    if (change.before() == change.after()) continue;
    const RandomChange inverse = change.inverse();
    ASSERT_EQ(inverse.before(), change.after());
    ASSERT_EQ(inverse.after(), change.before());
    expect_all_forms_make(change);
    expect_all_forms_make(inverse);
    ++changed_files;
  }
  EXPECT_GT(changed_files, 200);
}

}  // namespace
}  // namespace snapgen::core
