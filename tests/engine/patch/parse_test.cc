// What the parser accepts as a patch, and its error for each kind of malformed patch.
#include <map>

#include <gtest/gtest.h>

#include "tests/engine/patch/numbers.h"
#include "tools/engine/patch/names.h"
#include "tools/engine/patch/names_in_patch.h"

namespace snapgen::core {
namespace {

struct Fault {
  const char* name;
  std::string patch;
  std::int64_t line;
  const char* message;
};

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, AreReportedWithTheirLine) {
  Patch patch = parse_patch(GetParam().patch);
  EXPECT_TRUE(patch.files.empty() || patch.files.front().hunks.empty());
  ASSERT_EQ(patch.rejects.size(), 1U);
  EXPECT_EQ(patch.rejects.front().message, GetParam().message);
  EXPECT_EQ(patch.rejects.front().patch_line, GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Faults,
    testing::Values(
        Fault{"AnEmptyPatch", "", 1, "the patch is empty"},
        Fault{"BlankLines", "\n\n", 1, "the patch is empty"},
        Fault{"ABareHeader", "diff --git a/f b/f\n", 1, "the patch changes nothing"},
        Fault{"AMerge", "diff --cc f\nindex 1,2..3\n", 1,
              "this is the diff of a merge, which cannot be applied"},
        Fault{"AHunkAlone", hunk_at(9), 1,
              "a hunk needs `--- a/PATH` and `+++ b/PATH` of its file in the lines before it"},
        Fault{"Prose", "Here is the patch:\n", 1,
              "this line is not part of a patch, which begins with `diff --git`, `--- a/PATH` or `*** Begin "
              "Patch`"},
        Fault{"OneSideAlone", "--- a/f\n" + hunk_at(9), 2, "expected a line that begins with +++"},
        Fault{"NoHunk", f_header, 3, "the --- and +++ lines are followed by no hunk"},
        Fault{"AHunkOfContextOnly", f_header + "@@ -9,2 +9,2 @@\n 9\n 10\n", 3, "the hunk changes nothing"},
        Fault{"AHunkWithoutLines", f_header + "@@ -9 +9 @@\n", 3, "the hunk changes nothing"},
        Fault{"ALineThatLostItsBlank", f_header + "@@ -9,9 +9,9 @@\n 9\n10\n-11\n+XI\n", 5,
              "this line of a hunk begins with neither a blank nor + nor -; a context line begins with a "
              "blank"},
        Fault{"AFenceThatLostItsBlank", f_header + "@@ -9,9 +9,9 @@\n-9\n+IX\n```\n+10\n", 6,
              "this line of a hunk begins with neither a blank nor + nor -; a context line begins with a "
              "blank"},
        Fault{"AHunkOfAMerge", f_header + "@@@ -9 -9 +9 @@@\n--9\n++IX\n", 3,
              "this is the diff of a merge, which cannot be applied"},
        Fault{"AnotherSystemsPath", "--- a\\d\\f\n+++ b\\d\\f\n" + hunk_at(9), 1,
              "the --- and +++ lines do not name the same file; / ends a folder's name, not \\"},
        Fault{"ALineBehindTheMarker",
              f_header + "@@ -1,2 +1,2 @@\n a\n\\ No newline at end of file\n-b\n+c\n", 6,
              "a line follows the one that is marked as the file's last without a newline"},
        Fault{"AMarkerAlone", f_header + "@@ -1,2 +1,2 @@\n\\ No newline at end of file\n a\n-b\n+c\n", 4,
              "a no-newline marker precedes the first line of its hunk"},
        Fault{"OldLinesOfANewFile", "--- /dev/null\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", 3,
              "the hunk shows old lines of a file that is created"},
        Fault{"LinesLeftInADeletedFile", "--- a/f\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", 3,
              "the hunk leaves lines in a file that is deleted"},
        Fault{"AbsenceOnBothSides", "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n", 1,
              "the --- and +++ lines do not name the same file"},
        Fault{
            "ASubmodule",
            "diff --git a/s b/s\nindex 1234567..2345678 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-S 1\n+S 2\n",
            1, "a submodule cannot be changed by a patch"},
        Fault{"ARenameWithoutItsEnd", "diff --git a/f b/g\nrename from f\n", 1,
              "rename from and rename to must be used together"},
        Fault{"AHeaderLineTwice", "diff --git a/f b/f\nold mode 100644\nold mode 100644\nnew mode 100755\n",
              3, "this header line is incomplete or repeated"},
        Fault{"AnUnknownMode", "diff --git a/f b/f\nold mode 100644\nnew mode 100600\n", 3,
              "this header line is incomplete or repeated"},
        Fault{"BrokenQuoting", "--- \"a/f\n+++ b/f\n", 1, "this line names no file"},
        Fault{"BinaryDataThatEnds",
              "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ000\n", 5,
              "this is not a line of base85 data"},
        Fault{"BinaryDataWithoutEnd",
              "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 3\nDcmZ00\n", 6,
              "the patch ends inside binary data, which a blank line ends"}),
    [](const auto& fault) { return std::string(fault.param.name); });

// Returns the paths of the valid parts, each with the number of its hunks.
std::map<std::string, std::size_t> hunks_of(const std::string& patch, std::string_view root = {}) {
  std::map<std::string, std::size_t> found;
  const Patch parsed = parse_patch(patch, root);
  for (const FilePatch& file : parsed.files) found[file.path()] = file.hunks.size();
  for (const Reject& reject : parsed.rejects) ADD_FAILURE() << reject.message;
  return found;
}

using Found = std::map<std::string, std::size_t>;

// The body of a hunk, and the numbers of its lines before and after the patch.
struct Body {
  std::string text;
  std::int64_t before = 0;
  std::int64_t after = 0;

  bool operator==(const Body&) const = default;
};

Body body_of(const std::string& hunk) {
  const std::string patch = f_header + hunk;
  const Patch parsed = parse_patch(patch);
  if (parsed.files.size() != 1 || parsed.files.front().hunks.size() != 1) return {};
  const Hunk& only = parsed.files.front().hunks.front();
  return {std::string(only.body), only.before_count, only.after_count};
}

TEST(Parse, TheBodyDecidesHowManyLinesAHunkHas) {
  const std::string body = " 9\n-10\n+TEN\n 11\n";
  for (const char* header :
       {"@@ -9,3 +9,3 @@\n", "@@ -9,4 +9,9 @@\n", "@@ -9,1 +9 @@\n", "@@ -0,0 +0,0 @@\n", "@@\n", "@@ @@\n",
        "@@ ... @@\n", "@@ ... @@ def f():\n", "@@ def f():\n", "@@ -9 +9\n",
        "@@ -99999999999999999999 +9 @@\n", "@@ -9,3 +9,3 @@ def f():\n"}) {
    EXPECT_EQ(body_of(header + body), (Body{body, 3, 3})) << header;
  }
}

TEST(Parse, AHeadingIsTheTextAtTheEndOfTheHeader) {
  for (const char* header :
       {"@@ -9,3 +9,3 @@ def f():", "@@ ... @@  def f(): ", "@@ def f():", "@@ @@ def f():\r"}) {
    const std::string patch = f_header + header + "\n-a\n+b\n";
    EXPECT_EQ(parse_patch(patch).files.front().hunks.front().headings.front(), "def f():") << header;
  }
}

TEST(Parse, AHunkEndsBeforeTheNextFileWhateverItsCounts) {
  const std::string first = f_header + "@@ -1,9 +1,9 @@\n-a\n+b\n";
  const std::string hunk = "@@ -1 +1 @@\n-a\n+b\n";
  const Found both{{"f", 1}, {"g", 1}};
  EXPECT_EQ(hunks_of(first + "--- a/g\n+++ b/g\n" + hunk), both);
  EXPECT_EQ(hunks_of(first + "diff --git a/g b/g\n--- a/g\n+++ b/g\n" + hunk), both);
  EXPECT_EQ(hunks_of(first + "\n\n--- a/g\n+++ b/g\n" + hunk), both);
  EXPECT_EQ(hunks_of(first + "--- /dev/null\n+++ b/g\n@@ -0,0 +1 @@\n+b\n"), both);
  EXPECT_EQ(hunks_of("--- a/f\n+++ b/f\n\n" + hunk), (Found{{"f", 1}})) << "a blank line below the header";
  EXPECT_EQ(hunks_of(first + "Index: g\n=====\n--- g\n+++ g\n" + hunk), both);
}

TEST(Parse, LinesLikeSideLinesAreContentIfTheCountsHaveRoomAndNoFileFollows) {
  const std::string sql = "--- old comment\n+++ new comment\n";
  EXPECT_EQ(body_of("@@ -1 +1 @@\n" + sql), (Body{sql, 1, 1}));
  EXPECT_EQ(body_of("@@ -1,2 +1,2 @@\n" + sql + " a\n"), (Body{sql + " a\n", 2, 2}));
  EXPECT_EQ(hunks_of(f_header + "@@ -1 +1 @@\n" + sql + "@@ -9 +9 @@\n-a\n+b\n"), (Found{{"f", 2}}));
  EXPECT_EQ(body_of("@@ -1,2 +1 @@\n--- a/g\n a\n"), (Body{"--- a/g\n a\n", 2, 1})) << "a removed line alone";
}

TEST(Parse, BlankLinesWithinABodyAreContext) {
  EXPECT_EQ(body_of("@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n"), (Body{"-a\n+A\n\n b\n", 3, 3}));
  EXPECT_EQ(body_of("@@\n-a\n+A\n\n\n b\n"), (Body{"-a\n+A\n\n\n b\n", 4, 4}));
}

TEST(Parse, BlankLinesAtTheEndAreContextIfTheCountsSaySo) {
  EXPECT_EQ(body_of("@@ -1 +1 @@\n-a\n+A\n\n\n"), (Body{"-a\n+A\n", 1, 1}));
  EXPECT_EQ(body_of("@@ -1,2 +1,2 @@\n-a\n+A\n\n\n"), (Body{"-a\n+A\n\n", 2, 2}));
  EXPECT_EQ(body_of("@@ -1,9 +1,9 @@\n-a\n+A\n\n"), (Body{"-a\n+A\n", 1, 1}));
  EXPECT_EQ(hunks_of(f_header + "@@ -1 +1 @@\n-a\n+A\n\n@@ -9 +9 @@\n-b\n+B\n"), (Found{{"f", 2}}));
}

TEST(Parse, TextAndFencesAroundThePartsAreIgnored) {
  const std::string hunk = "@@ -1,9 +1,9 @@\n-a\n+b\n";
  const Found one{{"f", 1}};
  EXPECT_EQ(hunks_of("```diff\n" + f_header + hunk + "```\n"), one);
  EXPECT_EQ(hunks_of("Here is the patch:\n\n```\n" + f_header + hunk + "```\n\nNotes:\n- one\n- two\n"), one);
  EXPECT_EQ(hunks_of(f_header + hunk + "That is all.\n"), one);
  EXPECT_EQ(hunks_of("From 1234 Mon Sep 17\nSubject: x\n---\n f | 2 +-\n\ndiff --git a/f b/f\n" + f_header +
                     "@@ -1 +1 @@\n-a\n+b\n-- \n2.39.2\n\n"),
            one);
  EXPECT_EQ(hunks_of(f_header + hunk + "```\n```diff\n--- a/g\n+++ b/g\n" + hunk + "```\n"),
            (Found{{"f", 1}, {"g", 1}}));
}

TEST(Parse, TheLastLineMayLackItsNewline) {
  EXPECT_EQ(body_of("@@ -1 +1 @@\n-a\n+b"), (Body{"-a\n+b", 1, 1}));
  const std::string text = "-a\n+b\n\\ No newline at end of file";
  EXPECT_EQ(body_of("@@ -1 +1 @@\n" + text), (Body{text, 1, 1}));
  EXPECT_EQ(hunks_of("diff --git a/f b/g\nrename from f\nrename to g"), (Found{{"g", 0}}));
}

TEST(Parse, HeaderLinesMayEndInCrLf) {
  const std::string patch =
      "diff --git a/f b/f\r\nindex 12..34 100644\r\n--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@ g\r\n-a\n+b\n";
  EXPECT_EQ(hunks_of(patch), (Found{{"f", 1}}));
  EXPECT_FALSE(parse_patch(patch).has_crlf_lines);
  EXPECT_TRUE(parse_patch("--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n").has_crlf_lines);
}

TEST(Parse, MergesPartsThatOnlyChangeLinesOfOneFile) {
  const std::string patch =
      f_header + hunk_at(9) + "--- a/g\n+++ b/g\n" + hunk_at(9) + f_header + hunk_at(2) + hunk_at(3);
  EXPECT_EQ(hunks_of(patch), (Found{{"f", 3}, {"g", 1}}));
  const Patch parsed = parse_patch(patch);
  const FilePatch& file = parsed.files.front();
  EXPECT_EQ(file.hunks.back().index, 2);
  EXPECT_EQ(file.merged_lines, (std::vector<std::int64_t>{15}));
  const std::string mode = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n";
  EXPECT_EQ(planned(f_header + hunk_at(9) + mode, {{"f", {FileMode::plain, numbers(1, 20)}}}).rejects.size(),
            1U);
}

TEST(Parse, AFileIsCreatedOrDeletedByDevNullAlone) {
  const Patch created = parse_patch("diff --git a/f b/f\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
  ASSERT_EQ(created.files.size(), 1U);
  EXPECT_EQ(created.files.front().kind, FilePatch::Kind::create);
  EXPECT_EQ(created.files.front().new_mode, FileMode::plain);
  const Patch deleted = parse_patch("diff --git a/f b/f\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
  ASSERT_EQ(deleted.files.size(), 1U);
  EXPECT_EQ(deleted.files.front().kind, FilePatch::Kind::remove);
}

TEST(Parse, AcceptsTheNamesThatModelsWrite) {
  const std::string hunk = "@@ -1 +1 @@\n-a\n+b\n";
  for (const char* header : {"--- a/d/f\n+++ b/d/f\n", "--- d/f\n+++ d/f\n", "--- ./d/f\n+++ ./d/f\n",
                             "--- a/./d/f\n+++ b/./d/f\n", "--- d/f\n+++ b/d/f\n", "--- a/d/f\n+++ d/f\n",
                             "--- \"a/d/f\"\n+++ \"b/d/f\"\n", "--- a/d/f\t\n+++ b/d/f\t\n",
                             "--- a/d/f\t2026-01-01 10:00:00\n+++ b/d/f\t2026-01-02 10:00:00\n",
                             "diff --git a/d/f b/d/f\n--- a/d/f\n+++ b/d/f\n", "--- /w/x/d/f\n+++ /w/x/d/f\n",
                             "--- a//w/x/d/f\n+++ b//w/x/d/f\n", "--- /w/x/d/f\n+++ b/d/f\n",
                             "diff --git /w/x/d/f /w/x/d/f\n--- /w/x/d/f\n+++ /w/x/d/f\n"}) {
    EXPECT_EQ(hunks_of(header + hunk, "/w/x"), (Found{{"d/f", 1}})) << header;
  }
}

TEST(Parse, RejectsAbsoluteNamesOutsideOfTheRoot) {
  const std::string hunk = "@@ -1 +1 @@\n-a\n+b\n";
  for (const char* path : {"/w/xy/f", "/w/x/../f", "/etc/passwd", "/w/x"}) {
    const Patch patch = parse_patch("--- " + std::string(path) + "\n+++ " + path + "\n" + hunk, "/w/x");
    ASSERT_EQ(patch.rejects.size(), 1U) << path;
    EXPECT_EQ(patch.rejects.front().reason, RejectReason::forbidden_path) << path;
  }
  const Patch patch = parse_patch("--- /etc/passwd\n+++ /etc/passwd\n" + hunk, "/w/x");
  EXPECT_EQ(patch.rejects.front().message,
            "the path of this file is rejected: it is outside of the workspace /w/x");
}

TEST(Parse, ReportsEveryInvalidHunkAndKeepsTheOthers) {
  const Patch patch =
      parse_patch(f_header + "@@ -1 +1 @@\n a\n@@ -3 +3 @@\n-c\n+C\n@@ -5 +5 @@\n-d\ne\n+f\n" +
                  "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n");
  ASSERT_EQ(patch.rejects.size(), 2U);
  EXPECT_EQ(patch.rejects[0].hunk_index, 0);
  EXPECT_EQ(patch.rejects[1].hunk_index, 2);
  ASSERT_EQ(patch.files.size(), 2U);
  EXPECT_TRUE(patch.files[0].has_faults);
  EXPECT_EQ(patch.files[0].hunks.size(), 1U);
  EXPECT_FALSE(patch.files[1].has_faults);
}

TEST(Parse, ReportsTheErrorsOfAllParts) {
  Patch patch = parse_patch(
      "diff --git a/one b/one\n--- a/one\n+++ b/one\n@@ -1 +1 @@\n a\n"
      "diff --git a/two b/two\nold mode 100644\nnew mode 100755\n"
      "diff --git a/../three b/../three\nold mode 100644\nnew mode 100755\n");
  ASSERT_EQ(patch.rejects.size(), 2U);
  EXPECT_EQ(patch.rejects[0].path, "../three");
  EXPECT_EQ(patch.rejects[0].reason, RejectReason::forbidden_path);
  EXPECT_EQ(patch.rejects[1].path, "one");
  EXPECT_EQ(patch.rejects[1].hunk_index, 0);
  ASSERT_EQ(patch.files.size(), 2U);
  EXPECT_EQ(patch.files[1].new_path, "two");
}

TEST(NamesInPatch, FindsTheNamesOfEveryForm) {
  using List = std::vector<std::string>;
  EXPECT_EQ(names_in_patch(f_header + hunk_at(9) + "--- /dev/null\n+++ b/d/g\n@@ -0,0 +1 @@\n+a\n"),
            (List{"f", "d/g"}));
  EXPECT_EQ(names_in_patch("diff --git a/f b/g\nrename from f\nrename to g\n"), (List{"f", "g"}));
  EXPECT_EQ(names_in_patch("--- /w/x/f\n+++ /w/x/f\n@@\n-a\n+b\n"), (List{"/w/x/f"}));
  EXPECT_EQ(names_in_patch(
                "*** Begin Patch\n*** Update File: d/f\n*** Move to: d/g\n@@\n-a\n+b\n*** Add File: h \n+c\n"
                "*** Delete File: /w/i\n*** Update File: d/f\n*** End Patch\n"),
            (List{"d/f", "d/g", "h", "/w/i"}));
  EXPECT_EQ(names_in_patch(f_header + "@@ -1 +1 @@\n--- a/no\n+++b/no\n"), (List{"f"})) << "lines of a hunk";
  EXPECT_EQ(names_in_patch(f_header + "@@ -1 +1 @@\n a\n"), (List{"f"})) << "an invalid hunk";
  EXPECT_EQ(names_in_patch("no patch\n"), (List{}));
}

TEST(Names, ReadsNamesQuotedByGit) {
  std::string_view text = R"("a\a\b\t\n\v\f\r\"\\\303\251" rest)";
  EXPECT_EQ(take_quoted(text), "a\a\b\t\n\v\f\r\"\\\xc3\xa9");
  EXPECT_EQ(text, " rest");
  for (std::string_view broken : {R"("open)", R"("\x")", R"("\8")", R"("\400")", R"("\12")", R"("\)"}) {
    EXPECT_EQ(take_quoted(broken), std::nullopt) << broken;
  }
}

TEST(Names, AnAmbiguousHeaderIsResolvedByTheOtherHeaderLines) {
  EXPECT_EQ(section_names("a/x b/x", {})->first, "x");
  EXPECT_EQ(section_names("a/x y b/x y", {})->first, "x y");
  EXPECT_EQ(section_names("x y x y", {})->first, "x y");
  EXPECT_EQ(section_names("a/x b/y", {}), std::nullopt);
  HeaderNames renamed{.from = "x b/x", .to = "y"};
  EXPECT_EQ(section_names("a/x b/x b/y", renamed)->second, "y");
}

TEST(Names, RejectsForbiddenPaths) {
  for (std::string_view path : std::initializer_list<std::string_view>{
           "", "/etc/passwd", "..", "a/../b", "a/..", "./a", "a//b", "a/", ".git", "a/.GIT/x",
           ".snapback/store/x", std::string_view("a\0b", 3)}) {
    EXPECT_FALSE(refusal_of_path(path).empty()) << path;
  }
  for (std::string_view path :
       {"a", "a/b", "a..b", "..a", "~a", ".gitignore", "back\\slash", "c:x", ".snapback/config.json"}) {
    EXPECT_EQ(refusal_of_path(path), "") << path;
  }
}

}  // namespace
}  // namespace snapgen::core
