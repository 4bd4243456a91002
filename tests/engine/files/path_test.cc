#include "tools/engine/files/path.h"

#include <gtest/gtest.h>

#include "tools/engine/base/encoding.h"

namespace snapgen::core {
namespace {

TEST(Path, DirectoryFormsAreNormalised) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {".", ""},          {"./", ""},         {"src", "src"},     {"src/", "src"},
      {"./src", "src"},   {"a//b", "a/b"},    {"a/./b/.", "a/b"}, {"a..b", "a..b"},
      {"..a/b", "..a/b"}, {"file~", "file~"}, {"a/~b", "a/~b"},   {"...", "..."},
      {" lead", " lead"}, {"-dash", "-dash"}, {"a\nb", "a\nb"},   {"caf\xc3\xa9", "caf\xc3\xa9"},
  };
  for (auto [text, path] : cases) {
    Result<std::string> got = path_from_text(text);
    ASSERT_TRUE(got) << text << ": " << got.error().message;
    EXPECT_EQ(*got, path) << text;
  }
}

TEST(Path, RejectsTheFormsOfAFolderWhereAFileIsExpected) {
  for (std::string_view text : {"newdir/", "a/b//", "a/.", "./a/./", "base64:YS8=" /* a/ */}) {
    Result<std::string> got = file_path_from_text(text);
    ASSERT_FALSE(got) << text << " was read as " << *got;
    EXPECT_EQ(got.error().code, ErrorCode::invalid_argument) << text;
  }
  EXPECT_EQ(
      file_path_from_text("newdir/").error().message,
      "The path newdir/ is rejected: a file's path does not end in /; folders are made by writing a file "
      "in them.");
  for (auto [text, path] :
       {std::pair("a//b", "a/b"), {"./a.", "a."}, {".", ""}, {"base64:L2E=", "refused"}}) {
    Result<std::string> got = file_path_from_text(text);
    EXPECT_EQ(got ? *got : "refused", path);
  }
}

TEST(Path, RejectsPathsThatLeaveTheRoot) {
  const std::string_view cases[] = {
      "",
      "/",
      "/etc/passwd",
      "..",
      "../x",
      "a/../b",
      "a/..",
      "a:b",
      "~",
      "~/x",
      "~root/x",
      "./~",
      "C:\\x",
      "C:/x",
      "c:",
      "a\\b",
      "\\\\server\\share",
      std::string_view("a\0b", 3),
      "base64:",
      "base64:!!!!",
      "base64:YQ",
      "base64:Li4vYQ==" /* ../a */,
      "base64:L2V0Yw==" /* /etc */,
      "base64:YQBi" /* a NUL b */,
  };
  for (std::string_view text : cases) {
    Result<std::string> got = path_from_text(text);
    ASSERT_FALSE(got) << text << " was read as " << *got;
    EXPECT_EQ(got.error().code, ErrorCode::invalid_argument) << text;
    EXPECT_EQ(got.error().message.find('\n'), std::string::npos) << text;
  }
}

TEST(Path, ErrorsShowThePathAsSent) {
  auto said = [](std::string_view text) { return path_from_text(text).error().message; };
  EXPECT_EQ(said("../x"),
            "The path ../x is rejected: it contains \"..\"; paths are relative to the workspace's root.");
  EXPECT_EQ(said("base64:!!!"), "The path base64:!!! is rejected: what follows base64: is not base64.");
  EXPECT_EQ(said("~a\nb"),
            "The path \"~a\\nb\" is rejected: it begins with ~; paths are relative to the workspace's root; "
            "to name such a file, write base64:fmEKYg==.");
  EXPECT_TRUE(said("\xff\\").starts_with("The path base64:/1w= is rejected: "));
  std::string long_path = "~";
  while (long_path.size() < 5000) long_path += "\xc3\xa9";
  const std::string message = said(long_path);
  EXPECT_LT(message.size(), 400U);
  EXPECT_NE(message.find("\xc3\xa9…\xc3\xa9"), std::string::npos) << message;
}

TEST(Path, EveryNameSurvivesConversionToTextAndBack) {
  const std::string_view names[] = {"",     "a",           "a/b",           "~tilde",     "back\\slash",
                                    "c:",   "\xff\xfe",    "dir/\xe9t\xe9", "base64:abc", "base64:YWJj",
                                    "a\nb", "\xed\xa0\x80"};
  for (std::string_view name : names) {
    Result<std::string> back = path_from_text(text_of_path(name));
    ASSERT_TRUE(back) << text_of_path(name);
    EXPECT_EQ(*back, name);
  }
  EXPECT_EQ(text_of_path(""), ".");
  EXPECT_EQ(text_of_path("src/a.ts"), "src/a.ts");
  EXPECT_EQ(text_of_path("\xff"), "base64:/w==");
}

TEST(Path, GitFoldersAndTheStoreAreReservedInEveryCase) {
  for (std::string_view path : {".git", ".GIT/config", "a/.Git/hooks", "nested/.git", ".snapback/store",
                                ".snapback/store/segments/x", ".Snapback/STORE"}) {
    EXPECT_TRUE(is_reserved_path(path)) << path;
  }
  for (std::string_view path : {"", ".gitignore", ".github/x", "git", "a.git", ".git2", ".snapback",
                                ".snapback/config.json", "a/.snapback/store", ".snapback/stores"}) {
    EXPECT_FALSE(is_reserved_path(path)) << path;
  }
}

TEST(Path, ComparesPrefixesByComponent) {
  EXPECT_TRUE(is_at_or_below_folder("src/a", "src"));
  EXPECT_TRUE(is_at_or_below_folder("src", "src"));
  EXPECT_TRUE(is_at_or_below_folder("src", ""));
  EXPECT_FALSE(is_at_or_below_folder("src-old/a", "src"));
  EXPECT_FALSE(is_at_or_below_folder("sr", "src"));
}

TEST(Encoding, BytesSurviveConversionToTextOrBase64AndBack) {
  for (std::string_view bytes :
       {std::string_view("plain"), std::string_view(""), std::string_view("\xff\x00", 2),
        std::string_view("base64:x"), std::string_view("base64:eA=="), std::string_view("\0", 1)}) {
    Result<std::string> back = bytes_of_text(text_of_bytes(bytes));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, bytes);
  }
  EXPECT_EQ(text_of_bytes("base64:x"), "base64:YmFzZTY0Ong=");
  EXPECT_FALSE(bytes_of_text("base64:a"));
}

}  // namespace
}  // namespace snapgen::core
