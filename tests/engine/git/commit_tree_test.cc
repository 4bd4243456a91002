#include "tools/engine/git/repository/commit_tree.h"

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"

namespace snapgen::core::git {
namespace {

// The commit and tree of HEAD, as the git program reports them.
struct Named {
  Oid commit;
  std::string tree;
};

Named head_of(const Scratch& scratch) {
  const std::string out = scratch.answer("git rev-parse HEAD HEAD^{tree}").output;
  EXPECT_EQ(out.size(), 82u);
  return {.commit = Oid::from_hex(out.substr(0, 40)).value_or(Oid{}), .tree = out.substr(41, 40)};
}

std::string files_in_commit(const Scratch& scratch, const Oid& commit) {
  const std::optional<Oid> tree = tree_of_commit(scratch.repo() + "/.git/objects", commit);
  return tree ? tree->hex() : "nothing";
}

constexpr const char* two_commits =
    "git init -q -b main; echo a > a; git add a; git commit -qm one; echo b > b; git add b; git commit -qm "
    "two";

TEST(TreeOfCommit, IsFoundInALooseObject) {
  const Scratch scratch;
  scratch.run(two_commits);
  const Named head = head_of(scratch);
  EXPECT_EQ(files_in_commit(scratch, head.commit), head.tree);
}

TEST(TreeOfCommit, IsFoundInAPack) {
  const Scratch scratch;
  scratch.run(two_commits);
  scratch.run("for n in $(seq 40); do git commit -q --allow-empty -m $n; done; git repack -adq --depth=0");
  ASSERT_EQ(scratch.answer("find .git/objects -name '[0-9a-f][0-9a-f]' | wc -l").output, "0\n");
  const Named head = head_of(scratch);
  EXPECT_EQ(files_in_commit(scratch, head.commit), head.tree);
}

TEST(TreeOfCommit, IsEmptyForAnythingButACommit) {
  const Scratch scratch;
  scratch.run(two_commits);
  EXPECT_EQ(files_in_commit(scratch, Oid{}), "nothing");
  const std::string tree = head_of(scratch).tree;
  EXPECT_EQ(files_in_commit(scratch, *Oid::from_hex(tree)), "nothing");
  scratch.run("git repack -adq");
  EXPECT_EQ(files_in_commit(scratch, *Oid::from_hex(tree)), "nothing");
  EXPECT_EQ(files_in_commit(scratch, Oid{}), "nothing");
}

// A damaged object or pack gives no tree or the correct one, never another tree.
TEST(TreeOfCommit, DamageNeverGivesAnotherTree) {
  const Scratch scratch;
  scratch.run(two_commits);
  const Named head = head_of(scratch);
  const std::string hex = head.commit.hex();
  const std::string loose = ".git/objects/" + hex.substr(0, 2) + "/" + hex.substr(2);
  const auto damage = [&](const std::string& path) {
    scratch.run("chmod u+w " + path);
    std::string bytes = scratch.answer("cat " + path).output;
    for (std::size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 97) {
      std::string other = bytes;
      other[i] = static_cast<char>(other[i] ^ 0x15);
      scratch.write(path, other);
      const std::string got = files_in_commit(scratch, head.commit);
      EXPECT_TRUE(got == "nothing" || got == head.tree) << path << " at " << i << ": " << got;
      scratch.write(path, bytes.substr(0, i));
      const std::string cut = files_in_commit(scratch, head.commit);
      EXPECT_TRUE(cut == "nothing" || cut == head.tree) << path << " cut at " << i << ": " << cut;
    }
    scratch.write(path, bytes);
  };
  damage(loose);
  scratch.run("git repack -adq --depth=0");
  for (const char* name : {"idx", "pack"}) {
    std::string path = scratch.answer("ls .git/objects/pack/*." + std::string(name)).output;
    path.pop_back();
    damage(path);
  }
  EXPECT_EQ(files_in_commit(scratch, head.commit), head.tree);
}

}  // namespace
}  // namespace snapgen::core::git
