// Edits of the work tree: leases, symlinks, protected paths, undo snapshots, and edits by other processes.
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/edit/random_change.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/edit_files.h"

namespace snapgen::core {
namespace {

Result<ChangeResult<EditAnswer>> edit(TestWorkspace& workspace, std::vector<Edit> edits,
                                      const std::optional<std::string>& lease = {}, bool dry_run = false) {
  return edit_files(*workspace.opened, lease, {.edits = std::move(edits), .dry_run = dry_run}, {});
}

TextEdit replace(std::string path, std::string old_text, std::string new_text) {
  return {.path = std::move(path), .old_text = std::move(old_text), .new_text = std::move(new_text)};
}

std::string content(TestWorkspace& workspace, const std::string& path) {
  return workspace.scratch.answer("cat " + path).output;
}

// Returns the reason of the only fault.
EditFaultReason reason_of(const Result<ChangeResult<EditAnswer>>& edited) {
  EXPECT_TRUE(edited && edited->value.faults.size() == 1);
  if (!edited || edited->value.faults.empty()) return EditFaultReason::malformed;
  EXPECT_FALSE(edited->value.is_applied);
  return edited->value.faults.front().reason;
}

TEST(EditFiles, ChangesTheTreeAndKeepsWhatItReplaces) {
  TestWorkspace workspace(
      "new; put a.txt one; put b.txt two; mkdir d; put d/c.txt three; save; chmod 755 b.txt");
  const auto edited = edit(workspace, {replace("a.txt", "one", "1"), DeleteEdit{"d/c.txt"},
                                       MoveEdit{.path = "b.txt", .target = "e/b.txt"},
                                       CreateEdit{.path = "new.txt", .content = "new"}});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(workspace.scratch.answer("ls -R . | grep -v '^$'; stat -c %a e/b.txt").output,
            ".:\na.txt\ne\nnew.txt\n./e:\nb.txt\n755\n");
  EXPECT_EQ(content(workspace, "a.txt"), "1");
  ASSERT_TRUE(edited->undo);
  const std::shared_ptr<const Snapshot> undo = *workspace.opened->snapshots().load(edited->undo->snapshot_id);
  std::vector<std::string> paths;
  for (const ManifestEntry& entry : undo->entries) paths.push_back(entry.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"a.txt", "b.txt", "d/c.txt"}));
  // The lease of the answer knows the new state.
  EXPECT_TRUE(edit(workspace, {replace("a.txt", "1", "2")}, edited->lease.lease_id));
}

TEST(EditFiles, MakesTheSameChangeAndUndoSnapshotAsAPatch) {
  const std::string script = "new; printf 'one\\ntwo\\nthree\\n' > a.txt; save";
  TestWorkspace first(script);
  TestWorkspace second(script);
  const auto edited =
      edit(first, {replace("a.txt", "two", "2"), CreateEdit{.path = "b.txt", .content = "b\n"}});
  const auto patched =
      apply_patch(*second.opened, {},
                  {.patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
                            "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+b\n"},
                  {});
  ASSERT_TRUE(edited && patched && edited->value.is_applied && patched->value.is_applied);
  EXPECT_EQ(content(first, "a.txt b.txt"), content(second, "a.txt b.txt"));
  ASSERT_TRUE(edited->undo && patched->undo);
  EXPECT_EQ(edited->undo->snapshot_id, patched->undo->snapshot_id);
}

TEST(EditFiles, EveryFormOfAChangeHasTheSameResultAndUndoSnapshot) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomChange change(seed);
    TestWorkspace workspace("new; put f.c ''; save");
    std::set<std::string> undo_ids;
    for (const std::string form : {"unified", "v4a", "replace"}) {
      workspace.scratch.write("f.c", change.before());
      std::optional<UndoSnapshot> undo;
      if (form == "replace") {
        const auto done = edit(workspace, change.edits("f.c"));
        ASSERT_TRUE(done && done->value.is_applied);
        undo = done->undo;
      } else {
        const std::string patch = form == "v4a" ? change.v4a("f.c") : change.unified("f.c");
        const auto done = apply_patch(*workspace.opened, {}, {.patch = patch}, {});
        ASSERT_TRUE(done && done->value.is_applied);
        undo = done->undo;
      }
      EXPECT_EQ(bytes_of_file(workspace.scratch.repo() + "/f.c"), change.after()) << form;
      ASSERT_TRUE(undo);
      undo_ids.insert(undo->snapshot_id);
    }
    EXPECT_EQ(undo_ids.size(), 1U);
  }
}

TEST(EditFiles, NeverOverwritesAnEditByAnotherProcess) {
  TestWorkspace workspace("new; put a.txt one; save; age");
  const std::string lease = workspace.file("a.txt")->lease.lease_id;
  workspace.scratch.run("put a.txt theirs");
  const auto stale = edit(workspace, {replace("a.txt", "theirs", "ours")}, lease);
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().code, ErrorCode::stale_lease);
  // Without a lease, the old text is the proof.
  EXPECT_EQ(reason_of(edit(workspace, {replace("a.txt", "one", "ours")})), EditFaultReason::context_mismatch);
  EXPECT_EQ(content(workspace, "a.txt"), "theirs");
}

TEST(EditFiles, ADryRunAndAFaultChangeNothing) {
  TestWorkspace workspace("new; put a.txt one; save");
  const auto planned = edit(workspace, {replace("a.txt", "one", "two")}, {}, true);
  ASSERT_TRUE(planned && !planned->value.is_applied && planned->value.faults.empty());
  EXPECT_EQ(planned->value.files.size(), 1U);
  EXPECT_EQ(reason_of(edit(workspace, {replace("a.txt", "one", "two"), DeleteEdit{"none"}})),
            EditFaultReason::missing);
  EXPECT_EQ(content(workspace, "a.txt"), "one");
}

TEST(EditFiles, FollowsSymlinksAsAWriteDoes) {
  TestWorkspace workspace(
      "new; mkdir real; put real/a.txt one; ln -s real linked; ln -s real/a.txt link; save");
  const auto edited =
      edit(workspace, {replace("linked/a.txt", "one", "two"), replace("link", "two", "three")});
  ASSERT_TRUE(edited && edited->value.is_applied);
  ASSERT_EQ(edited->value.files.size(), 1U);
  EXPECT_EQ(edited->value.files[0].path, "real/a.txt");
  EXPECT_EQ(content(workspace, "real/a.txt"), "three");
  // A symlink itself is deleted and moved.
  ASSERT_TRUE(edit(workspace, {DeleteEdit{"linked"}, MoveEdit{.path = "link", .target = "moved"}}));
  EXPECT_EQ(workspace.scratch.answer("readlink moved; ls").output, "real/a.txt\nmoved\nreal\n");
}

TEST(EditFiles, RejectsWhatNoToolMayWrite) {
  TestWorkspace workspace("new; put a.txt one; ln -s /tmp outside; save");
  for (const std::string path : {".git/hooks/x", ".mcp.json", "outside/x", ".snapback/config.json"})
    EXPECT_EQ(reason_of(edit(workspace, {CreateEdit{.path = path, .content = "x"}})),
              EditFaultReason::forbidden_path)
        << path;
}

TEST(EditFiles, MovesInACircleAndChangesTheCaseOfAName) {
  TestWorkspace workspace("new; put a A; put b B; put c C; save");
  const auto edited = edit(workspace, {MoveEdit{"c", "t"}, MoveEdit{"b", "c"}, MoveEdit{"a", "b"},
                                       MoveEdit{"t", "a"}, MoveEdit{"b", "B"}});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(workspace.scratch.answer("ls; cat a B c").output, "B\na\nc\nCAB");
}

TEST(EditFiles, APatternSearchesWhatASearchSearches) {
  TestWorkspace workspace(
      "new; put .gitignore '*.log'; put a.txt word; put b.log word; printf 'word\\0' > c.bin; "
      "mkdir d; put d/e.txt 'word word'; save; put untracked.txt word");
  PatternEdit everywhere{.pattern = "word", .new_text = "other", .expected_count = 4};
  const auto edited = edit(workspace, {everywhere});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(workspace.scratch.answer("cat a.txt b.log d/e.txt untracked.txt").output,
            "otherwordother otherother");
  PatternEdit below{.pattern = "other", .new_text = "x", .paths = {"d"}, .expected_count = 2};
  ASSERT_TRUE(edit(workspace, {below}));
  EXPECT_EQ(content(workspace, "d/e.txt"), "x x");
  PatternEdit nowhere{.pattern = "x", .new_text = "y", .paths = {"none"}, .expected_count = 1};
  EXPECT_EQ(reason_of(edit(workspace, {nowhere})), EditFaultReason::missing);
}

TEST(EditFiles, APatternSearchesChangedFilesAsItSearchesThoseOnDisk) {
  TestWorkspace workspace(
      "new; put .gitignore '*.log'; put a.txt word; put tracked.log word; git add -f tracked.log; save; "
      "put ignored.log word");
  const TextEdit tracked{.path = "tracked.log", .old_text = "word", .new_text = "word word"};
  const TextEdit ignored{.path = "ignored.log", .old_text = "word", .new_text = "word word"};
  PatternEdit everywhere{.pattern = "word", .new_text = "x", .expected_count = 3};
  const auto edited = edit(workspace, {tracked, ignored, everywhere});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(content(workspace, "a.txt") + content(workspace, "tracked.log"), "xx x");
  EXPECT_EQ(content(workspace, "ignored.log"), "word word");
  const TextEdit again{.path = "ignored.log", .old_text = "word word", .new_text = "word"};
  PatternEdit named{.pattern = "word", .new_text = "x", .paths = {"ignored.log"}, .expected_count = 1};
  ASSERT_TRUE(edit(workspace, {again, named})->value.is_applied);
  EXPECT_EQ(content(workspace, "ignored.log"), "x");
}

TEST(EditFiles, ShowsWhatHasChangedSinceAStoredContent) {
  TestWorkspace workspace("new; put a.txt one; save");
  const std::string before = blob_id_of("one").hex().substr(0, 10);
  ASSERT_TRUE(edit(workspace, {replace("a.txt", "one", "two")}));
  const auto edited = edit(
      workspace,
      {LinesEdit{.path = "a.txt", .first_line = 1, .last_line = 1, .blob_prefix = before, .new_text = "x"}});
  EXPECT_EQ(reason_of(edited), EditFaultReason::changed);
  EXPECT_NE(edited->value.faults[0].diff.find("-one"), std::string::npos);
}

TEST(EditFiles, ShowsWhatHasChangedSinceTheClientReadOrWroteTheFile) {
  TestWorkspace workspace("new; put a.txt one; save");
  const std::string read = workspace.file("a.txt")->value.blob.hex().substr(0, 10);
  const auto first = edit(workspace, {replace("a.txt", "one", "two")});
  ASSERT_TRUE(first && first->value.is_applied);
  const std::string written = first->value.files[0].blob->hex().substr(0, 10);
  workspace.scratch.run("put a.txt three");
  for (const auto& [blob, line] : {std::pair(read, "-one"), std::pair(written, "-two")}) {
    const auto edited = edit(
        workspace,
        {LinesEdit{.path = "a.txt", .first_line = 1, .last_line = 1, .blob_prefix = blob, .new_text = "x"}});
    ASSERT_EQ(reason_of(edited), EditFaultReason::changed);
    EXPECT_NE(edited->value.faults[0].diff.find(line), std::string::npos) << edited->value.faults[0].diff;
  }
}

TEST(EditFiles, EditsThatCancelOutWriteNothing) {
  TestWorkspace workspace("new; put a.txt one; save");
  const auto edited = edit(workspace, {replace("a.txt", "one", "two"), replace("a.txt", "two", "one")});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_TRUE(edited->value.files.empty());
  EXPECT_FALSE(edited->undo);
  EXPECT_EQ(edited->value.notes.size(), 1U);
}

}  // namespace
}  // namespace snapgen::core
