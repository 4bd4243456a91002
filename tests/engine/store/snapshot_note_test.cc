// The note that is stored with a snapshot, and the permissions that a restore takes from it.
#include "tools/engine/store/snapshots/snapshot_note.h"

#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace snapgen::core {
namespace {

constexpr std::uint32_t all = 0777, not_others = 0770, owner = 0700;

SnapshotCapture taking(const std::string& prefix, const std::string& tree, const std::string& closed) {
  return {.origin = {.prefix = prefix, .tree_id = tree},
          .scope = {},
          .privacy = {.hidden_from_group = {closed}, .hidden_from_others = {}}};
}

TEST(Privacy, IsRecordedForFilesWithoutAccessForOthers) {
  PrivacyCollector survey;
  survey.add("all", S_IFREG | 0644);
  survey.add("for/others", S_IFREG | 0604);
  survey.add("key", S_IFREG | 0600);
  survey.add("folder", S_IFDIR | 0700);
  survey.add("team", S_IFREG | 0640);
  survey.add("link", S_IFLNK | 0777);
  const Privacy found = survey.finish();
  EXPECT_EQ(found, (Privacy{.hidden_from_group = {"folder", "key"}, .hidden_from_others = {"team"}}));
  EXPECT_EQ(found.allowed_permissions("key"), owner);
  EXPECT_EQ(found.allowed_permissions("folder"), owner);
  EXPECT_EQ(found.allowed_permissions("team"), not_others);
  for (const char* path : {"all", "folder/in", "keys", "link", "", "never seen"})
    EXPECT_EQ(found.allowed_permissions(path), all) << path;
}

TEST(Privacy, SummarizesManyPrivateFiles) {
  PrivacyCollector everything;
  everything.add("a", S_IFREG | 0600);
  everything.add("b", S_IFDIR | 0700);
  EXPECT_EQ(everything.finish(), (Privacy{.hidden_from_group = {""}, .hidden_from_others = {}}));
  PrivacyCollector many;
  many.add("open", S_IFREG | 0644);
  for (int i = 0; i < 5000; ++i) many.add("f" + std::to_string(i), S_IFREG | 0640);
  const Privacy found = many.finish();
  EXPECT_EQ(found, (Privacy{.hidden_from_group = {}, .hidden_from_others = {""}}));
  EXPECT_EQ(found.allowed_permissions("open"), not_others);
}

TEST(SnapshotNote, IsReadBackUnchanged) {
  SnapshotNote note{.hex = "ab",
                    .message = "why \xff",
                    .created_ms = 1,
                    .latest_ms = 2,
                    .stats = {.file_count = 3, .bytes = 4},
                    .captures = {}};
  note.captures.push_back(
      {.origin = {.prefix = "p/", .tree_id = "t"},
       .scope = {.folders = {""}, .unknown_paths = {"\xff"}, .absent_paths = {"new"}, .taken_ms = 5},
       .privacy = {.hidden_from_group = {"key", "\xfe"}, .hidden_from_others = {"team"}}});
  const std::optional<SnapshotNote> read = parse_snapshot_note("ab", encoded_snapshot_note(note));
  ASSERT_TRUE(read);
  EXPECT_EQ(encoded_snapshot_note(*read), encoded_snapshot_note(note));
  EXPECT_EQ(read->message, note.message);
  EXPECT_EQ(read->captures.front().privacy, note.captures.front().privacy);
  EXPECT_EQ(read->captures.front().scope.unknown_paths, note.captures.front().scope.unknown_paths);
  EXPECT_EQ(read->captures.front().scope.absent_paths, note.captures.front().scope.absent_paths);
}

TEST(SnapshotNote, OlderUndoSnapshotsProveTheAbsenceOfCreatedFiles) {
  const std::optional<SnapshotNote> read = parse_snapshot_note(
      "ab",
      R"({"takings":[{"folders":["new"],"prefix":"","taken_ms":5,"tree":"t","unknown":[]}],"undo":true})");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->captures.front().scope.folders.empty());
  EXPECT_TRUE(read->captures.front().scope.proves_absence("new"));
}

TEST(SnapshotNote, OlderVersionsRecordNoPrivacy) {
  const std::optional<SnapshotNote> read = parse_snapshot_note(
      "ab", R"({"takings":[{"folders":[""],"prefix":"","taken_ms":5,"tree":"t","unknown":[]}]})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->privacy_at({.prefix = "", .tree_id = "t"}), Privacy());
  EXPECT_FALSE(parse_snapshot_note("ab", "{"));
  EXPECT_FALSE(parse_snapshot_note("ab", R"({"takings":[{"from_group":[1]}]})"));
}

TEST(SnapshotNote, PrivacyAppliesToTheSameWorkTreeOrFolder) {
  SnapshotNote note;
  note.captures = {taking("", "two", "b"), taking("", "one", "a"), taking("sub/", "three", "c")};
  EXPECT_EQ(note.privacy_at({.prefix = "", .tree_id = "one"}).hidden_from_group.front(), "a");
  EXPECT_EQ(note.privacy_at({.prefix = "", .tree_id = "another"}).hidden_from_group.front(), "b");
  EXPECT_EQ(note.privacy_at({.prefix = "sub/", .tree_id = "another"}).hidden_from_group.front(), "c");
  EXPECT_EQ(note.privacy_at({.prefix = "other/", .tree_id = "one"}), Privacy());
  // The latest entry counts, even if it captured no folder.
  add_capture(note.captures, taking("", "one", "d"));
  EXPECT_EQ(note.privacy_at({.prefix = "", .tree_id = "one"}).hidden_from_group.front(), "d");
}

}  // namespace
}  // namespace snapgen::core
