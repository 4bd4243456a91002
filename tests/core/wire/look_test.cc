// A check of a name that is none does not pass.
#include "tools/core/look/look.h"

#include <gtest/gtest.h>

#include "tests/core/workspace.h"
#include "tools/core/task/task_store.h"

namespace snapgen::core {
namespace {

class LookTest : public testing::Test {
 protected:
  LookTest()
      : workspace_("new; put src/greet.py g; put gone.txt x; save; rm gone.txt; put new.txt n; git status") {}

  // What is said of these; empty: nothing.
  std::string said(const std::vector<std::string>& files) {
    Result<CheckScope> scope = scope_of(*workspace_.substrate, {}, files, {});
    if (!scope) return scope.error().message;
    Result<Unit> named = check_named(*workspace_.substrate, *scope, {});
    return named ? "" : std::string(text(named.error().code)) + ": " + named.error().message;
  }

  Workspace workspace_;
};

TEST_F(LookTest, a_name_that_is_none_is_told_with_what_was_meant) {
  EXPECT_EQ(said({"src/gret.py"}), "NOT_FOUND: There is no src/gret.py; did you mean src/greet.py?");
  EXPECT_EQ(said({"new.txt", "nosuch"}), "NOT_FOUND: There is no nosuch.");
  EXPECT_TRUE(said({".git/config"}).starts_with("PERMISSION_DENIED: "));
}

TEST_F(LookTest, what_stands_there_or_did_in_head_or_when_the_task_began_may_be_named) {
  EXPECT_EQ(said({"src/greet.py", "src", ".", "new.txt", "gone.txt"}), "");
  EXPECT_EQ(said({}), "");
  Result<Created> made = workspace_.create(std::vector<std::string>{"new.txt"});
  ASSERT_TRUE(made);
  workspace_.scratch.run("rm new.txt");
  EXPECT_EQ(said({"new.txt"}), "NOT_FOUND: There is no new.txt.");
  ASSERT_TRUE(
      TaskStore(workspace_.scratch.repo()).begin({.title = "t", .snapshot_id = made->id(), .started_ms = 1}));
  EXPECT_EQ(said({"new.txt"}), "");
}

}  // namespace
}  // namespace snapgen::core
