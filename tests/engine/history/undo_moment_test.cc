// Undo of one moment, turn or server's change, which retains what followed.
#include <gtest/gtest.h>

#include "tests/engine/history/history_workspace.h"
#include "tools/engine/operations/history/rewind.h"
#include "tools/engine/operations/write_file.h"

namespace snapgen::core {
namespace {

class UndoMomentTest : public testing::Test {
 protected:
  UndoMomentTest() : work_("new; printf '1\\n2\\n3\\n4\\n5\\n' > a; put b b; put run x; save") {
    work_.take();
  }

  // Undoes, and returns the conflicts such as "a:3-4 b", or the error.
  std::string undo(UndoMomentQuery query) {
    const Result<WithLease<UndoMomentAnswer>> done = work_.undo(std::move(query));
    if (!done) return done.error().message;
    last_ = done->value;
    std::string text;
    for (const UndoConflict& conflict : done->value.conflicts) {
      text += text.empty() ? "" : " ";
      text += conflict.path;
      for (const LineSpan& lines : conflict.lines)
        text += ":" + std::to_string(lines.first) + "-" + std::to_string(lines.last);
    }
    return text;
  }
  std::string undo(const std::string& target) { return undo(UndoMomentQuery{.target = target}); }
  std::string sh(const std::string& script) { return work_.scratch.answer(script).output; }

  HistoryWorkspace work_;
  UndoMomentAnswer last_;
};

TEST_F(UndoMomentTest, RetainsLaterChanges) {
  work_.change("sed -i 's/2/two/' a; put b bb; put new 1");
  work_.change("sed -i 's/5/five/' a; put other 1");
  EXPECT_EQ(undo("m1"), "");
  EXPECT_EQ(sh("cat a b; ls"), "1\n2\n3\n4\nfive\nba\nb\nother\nrun\n");
  ASSERT_TRUE(last_.undo_with);
  EXPECT_EQ(undo("m" + std::to_string(*last_.undo_with)), "");
  EXPECT_EQ(sh("cat a b new"), "1\ntwo\n3\n4\nfive\nbb1");
}

TEST_F(UndoMomentTest, RestoresDeletedFiles) {
  work_.change("rm a; chmod 600 b; chmod 755 run");
  EXPECT_EQ(undo("m1"), "");
  EXPECT_EQ(sh("cat a; stat -c %a b run"), "1\n2\n3\n4\n5\n644\n644\n");
}

TEST_F(UndoMomentTest, RefusesConflictsAsAWhole) {
  work_.change("sed -i 's/2/two/' a; put b bb");
  work_.change("sed -i 's/two/2!/' a");
  const std::string before = work_.files();
  EXPECT_EQ(undo("m1"), "a:2-2");
  EXPECT_FALSE(last_.is_done);
  EXPECT_EQ(work_.files(), before);
  EXPECT_EQ(undo(UndoMomentQuery{.target = "m1", .partial = true}), "a:2-2");
  EXPECT_TRUE(last_.is_done);
  EXPECT_EQ(sh("cat b"), "b");
}

TEST_F(UndoMomentTest, RefusesToDeleteAFileThatWasChangedSince) {
  work_.change("put new 1");
  work_.change("put new 2");
  EXPECT_EQ(undo("m1"), "new");
  EXPECT_EQ(sh("cat new"), "2");
}

TEST_F(UndoMomentTest, UndoesTheNamedPathsAndLines) {
  work_.change("sed -i 's/2/two/; s/5/five/' a; put b bb");
  EXPECT_EQ(undo(UndoMomentQuery{.target = "m1",
                                 .paths = {{.path = "a", .lines = LineSpan{.first = 5, .last = 5}}}}),
            "");
  EXPECT_EQ(sh("cat a b"), "1\ntwo\n3\n4\n5\nbb");
  EXPECT_EQ(undo(UndoMomentQuery{.target = "m1", .paths = {{.path = "b", .lines = {}}}}), "");
  EXPECT_EQ(sh("cat a b"), "1\ntwo\n3\n4\n5\nb");
  EXPECT_NE(
      undo(UndoMomentQuery{.target = "m1", .paths = {{.path = "run", .lines = {}}}}).find("of m1 has no run"),
      std::string::npos);
}

TEST_F(UndoMomentTest, ChangesNothingInADryRun) {
  work_.change("put b bb");
  EXPECT_EQ(undo(UndoMomentQuery{.target = "m1", .dry_run = true}), "");
  EXPECT_FALSE(last_.is_done);
  ASSERT_EQ(last_.files.size(), 1U);
  EXPECT_EQ(sh("cat b"), "bb");
}

TEST_F(UndoMomentTest, UndoesATurn) {
  const auto prompt = [&](std::int64_t at_ms) {
    ASSERT_TRUE(work_.taker->log().append({encoded_event(
        {.kind = HostEventKind::prompt, .at_ms = at_ms, .host = "claude", .detail = "change a"})}));
  };
  work_.change("put b 0");
  prompt(work_.opened->now() / 1'000'000);
  work_.clock_offset_ns += 1'000'000'000;
  work_.change("sed -i 's/2/two/' a");
  work_.change("sed -i 's/3/three/' a; put new 1");
  prompt(work_.opened->now() / 1'000'000);
  work_.clock_offset_ns += 1'000'000'000;
  work_.change("sed -i 's/5/five/' a");
  EXPECT_EQ(undo("t2"), "");
  EXPECT_EQ(sh("cat a b; ls new 2>/dev/null"), "1\n2\n3\n4\nfive\n0");
}

TEST_F(UndoMomentTest, UndoesTheChangeOfAnUndoSnapshot) {
  const Result<ChangeResult<WrittenFile>> written =
      write_file(*work_.opened, {}, {.path = "b", .content = "bb", .executable = {}, .expected = {}}, {});
  ASSERT_TRUE(written && written->undo);
  work_.take();
  work_.change("sed -i 's/5/five/' a");
  EXPECT_EQ(undo(written->undo->snapshot_id), "");
  EXPECT_EQ(sh("cat b"), "b");
  EXPECT_NE(undo("0 minutes ago").find("A time is no change"), std::string::npos);
}

TEST_F(UndoMomentTest, UndoesFilesThatBecameFoldersAndTheReverse) {
  work_.change("mkdir -p d/e; put d/e/f f; put d/g g");
  const std::string before = work_.files();
  work_.change("rm a; mkdir -p a/deep; put a/deep/1 1; put a/2 2; rm -r d; put d file");
  EXPECT_EQ(undo("m2"), "");
  EXPECT_EQ(work_.files(), before);
  EXPECT_EQ(undo("m" + std::to_string(*last_.undo_with)), "");
  EXPECT_EQ(sh("cat a/deep/1 a/2 d"), "12file");
  work_.change("put a/3 later");
  EXPECT_EQ(undo("m2"), "a") << "a later file occupies the folder";
  EXPECT_EQ(sh("cat a/3 a/2"), "later2");
}

TEST_F(UndoMomentTest, UndoesAFormatterLineByLine) {
  work_.change("sed -i 's/$/ ;/' a");
  work_.change("sed -i '3s/.*/three ;/' a");
  EXPECT_EQ(undo("m1"), "a:3-3");
  EXPECT_EQ(undo(UndoMomentQuery{.target = "m1", .partial = true}), "a:3-3");
  EXPECT_EQ(sh("cat a"), "1\n2\nthree ;\n4\n5\n");
}

TEST_F(UndoMomentTest, RefusesOtherKindsOfFiles) {
  work_.change("put b bb");
  work_.change("rm b; mkdir b");
  EXPECT_EQ(undo("m1"), "b");
  work_.change("rmdir b; ln -s a b");
  EXPECT_EQ(undo("m1"), "b");
  work_.change("mkdir d; put d/x 1");
  work_.change("put d/x 2");
  work_.change("mv d e; ln -s e d");
  EXPECT_NE(undo("m5"), "");
  EXPECT_EQ(sh("cat e/x"), "2");
}

}  // namespace
}  // namespace snapgen::core
