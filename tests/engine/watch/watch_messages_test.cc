#include "tools/engine/watch/watch_messages.h"

#include <vector>

#include <gtest/gtest.h>

namespace snapgen::core::watch_messages {
namespace {

std::string text_of(const FolderEvent& event) {
  return std::string(event.folder) + ":" + std::string(event.name) + (event.is_folder ? "/" : "") +
         (event.is_name_change ? "!" : "");
}

TEST(WatchMessages, DecodeToTheEncodedValues) {
  const Tree tree{.device = 1, .inode = 2, .mounts_device = 3, .mounts_inode = 4, .root = "/r"};
  EXPECT_EQ(decode_hello(decode(encode_hello(tree))->body), tree);

  const std::string addition = encode_addition({AddResult::limit_reached, "too many"});
  const std::optional<WatchAddition> added = decode_addition(decode(addition)->body);
  ASSERT_TRUE(added);
  EXPECT_EQ(added->result, AddResult::limit_reached);
  EXPECT_EQ(added->refusal, "too many");

  ListWriter events(Kind::events);
  EXPECT_TRUE(events.add({.folder = "", .name = "n", .is_folder = true, .is_name_change = true}));
  EXPECT_TRUE(events.add({.folder = "a/b", .name = "", .is_folder = false, .is_name_change = false}));
  std::vector<std::string> texts;
  EXPECT_EQ(decode_events(decode(events.packet())->body,
                          [&](const FolderEvent& event) { texts.push_back(text_of(event)); }),
            false);
  EXPECT_EQ(texts, (std::vector<std::string>{":n/!", "a/b:"}));
}

TEST(WatchMessages, ContainAsManyFoldersAsAPacketHasSpaceFor) {
  const std::string folder(1000, 'f');
  std::size_t count = 0;
  ListWriter list(Kind::folder_list);
  while (list.add(folder)) ++count;
  EXPECT_GT(count, 20u);
  EXPECT_LE(list.packet().size(), bytes_max);
  std::size_t decoded = 0;
  EXPECT_EQ(decode_folders(decode(list.packet())->body, [&](std::string_view) { ++decoded; }), true);
  EXPECT_EQ(decoded, count);
}

TEST(WatchMessages, RejectPathsThatLeadOutside) {
  for (const std::string_view path : {"", "a", "a/b", ".git", "a/.git", "..a", "a/..b"})
    EXPECT_TRUE(is_folder_path(path)) << path;
  for (const std::string_view path : {"/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b"})
    EXPECT_FALSE(is_folder_path(path)) << path;
  EXPECT_FALSE(is_folder_path(std::string_view("a\0b", 3)));
  for (const std::string_view name : {"a/b", "..", "."}) {
    ListWriter events(Kind::events);
    EXPECT_TRUE(events.add({.folder = "a", .name = name, .is_folder = false, .is_name_change = false}));
    EXPECT_EQ(decode_events(decode(events.packet())->body, [](const FolderEvent&) {}), std::nullopt) << name;
  }
}

TEST(WatchMessages, RejectTruncatedLists) {
  ListWriter events(Kind::events);
  events.add({.folder = "folder", .name = "name", .is_folder = false, .is_name_change = false});
  for (std::size_t size = 3; size < events.packet().size(); ++size)
    EXPECT_EQ(decode_events(std::string_view(events.packet()).substr(1, size - 1), [](const FolderEvent&) {}),
              std::nullopt)
        << size;
  EXPECT_EQ(decode_events("", [](const FolderEvent&) {}), std::nullopt);
  EXPECT_EQ(decode_events("\2", [](const FolderEvent&) {}), std::nullopt);
  EXPECT_FALSE(decode(""));
}

}  // namespace
}  // namespace snapgen::core::watch_messages
