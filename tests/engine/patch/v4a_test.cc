// Patches in the form V4A: what is accepted, where hunks apply, and the errors.
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/patch/numbers.h"
#include "tests/engine/patch/tree.h"

namespace snapgen::core {
namespace {

std::string enveloped(const std::string& parts) { return "*** Begin Patch\n" + parts + "*** End Patch\n"; }

std::string update_of_f(const std::string& hunks) { return enveloped("*** Update File: f\n" + hunks); }

// Returns the file f after the patch, or the messages of all rejects.
std::string updated(const std::string& file, const std::string& patch) {
  const Tree tree = {{"f", {FileMode::plain, file}}};
  const PatchPlan plan = planned(patch, tree);
  std::string messages;
  for (const Reject& reject : plan.rejects) messages += reject.message + "\n";
  return messages.empty() ? changed(tree, plan.changes)["f"].bytes : messages;
}

const std::string ten_hunk = " 9\n-10\n+TEN\n 11\n";
const std::string with_ten = numbers(1, 9) + "TEN\n" + numbers(11, 20);
const std::string methods =
    "class A:\n    def run(self):\n        x = 1\n        return x\n\n    def stop(self):\n        x = 1\n"
    "        return x\n\nclass B:\n    def run(self):\n        x = 1\n        return x\n";
const std::string in_method = "         x = 1\n-        return x\n+        return -x\n";

TEST(V4a, OnePatchAddsDeletesUpdatesAndMovesFiles) {
  const Tree before = {{"f", {FileMode::plain, numbers(1, 20)}},
                       {"old", {FileMode::executable, "a\nb\n"}},
                       {"gone", {FileMode::plain, "not shown\n"}},
                       {"whole", {FileMode::plain, "same\n"}}};
  const std::string patch = enveloped(
      "*** Add File: d/new\n+one\n+\n+three\n*** Add File: empty\n\n*** Delete File: gone\n"
      "*** Update File: f\n@@\n" +
      ten_hunk +
      "\n*** Update File: old\n*** Move to: d/moved\n@@\n a\n-b\n+B\n*** Update File: whole\n*** Move "
      "to: d/whole\n*** Update File: f\n@@\n-2\n+II\n");
  const PatchPlan plan = planned(patch, before);
  EXPECT_TRUE(plan.rejects.empty()) << plan.rejects.front().message;
  const Tree after = {{"f", {FileMode::plain, "1\nII\n" + numbers(3, 9) + "TEN\n" + numbers(11, 20)}},
                      {"d/new", {FileMode::plain, "one\n\nthree\n"}},
                      {"empty", {FileMode::plain, ""}},
                      {"d/moved", {FileMode::executable, "a\nB\n"}},
                      {"d/whole", {FileMode::plain, "same\n"}}};
  EXPECT_EQ(changed(before, plan.changes), after);
}

TEST(V4a, TextAroundThePatchIsIgnored) {
  const std::string hunks = "*** Update File: f\n@@\n" + ten_hunk;
  for (const std::string& patch :
       {enveloped(hunks), "Here it is:\n```diff\n" + enveloped(hunks) + "```\nThat is all.\n",
        "<<'EOF'\n" + enveloped(hunks) + "EOF\n", "*** Begin Patch \n" + hunks + "*** End Patch ",
        "*** Begin Patch\n\n" + hunks, "```\n*** Begin Patch\n" + hunks + "```\n",
        "*** Begin Patch\n*** Update File: f \n" + ten_hunk.substr(0, ten_hunk.size() - 1),
        enveloped("*** Update File: ./f\n\n@@ -7,1 +7,9 @@\n" + ten_hunk + "\n")})
    EXPECT_EQ(updated(numbers(1, 20), patch), with_ten) << patch;
  EXPECT_EQ(updated(numbers(1, 20),
                    "*** Begin Patch\r\n*** Update File: f\r\n@@\r\n-10\r\n+TEN\r\n*** End Patch\r\n"),
            with_ten);
}

TEST(V4a, HeadingsNarrowTheLocation) {
  const std::string ambiguous =
      "the hunk fits more than once, first at the lines 3 and 7, so give it more context, or a heading: @@ "
      "def f():\n";
  const std::string undecided =
      "the hunk fits more than once, first at the lines 3 and 7, so give it more context, or a further "
      "heading\n";
  const std::string unknown =
      "the hunk fits more than once, first at the lines 3 and 7; its heading is not exactly once in the "
      "file, "
      "so give it another, or more context\n";
  auto changed_at = [](int nth) {
    std::string after = methods;
    std::size_t at = 0;
    for (int i = 0; i < nth; ++i) at = after.find("return x", at + 1);
    return after.insert(at + 7, "-");
  };
  EXPECT_EQ(updated(methods, update_of_f("@@\n" + in_method)), ambiguous);
  EXPECT_EQ(updated(methods, update_of_f("@@ class A\n" + in_method)), undecided) << "two methods of A fit";
  EXPECT_EQ(updated(methods, update_of_f("@@ def run\n" + in_method)), unknown) << "two classes have it";
  EXPECT_EQ(updated(methods, update_of_f("@@ def none\n" + in_method)), unknown);
  EXPECT_EQ(updated(methods, update_of_f("@@ def stop(self):\n" + in_method)), changed_at(2));
  EXPECT_EQ(updated(methods, update_of_f("@@ class A:\n@@ \tdef run(self):\n" + in_method)), changed_at(1));
  EXPECT_EQ(updated(methods, update_of_f("@@ class A:\n@@     def stop(self):\n" + in_method)),
            changed_at(2));
  EXPECT_EQ(updated(methods, update_of_f("@@ class B:\n@@ def run(self):\n" + in_method)), changed_at(3));
}

TEST(V4a, ABlockMayBeginWithABracket) {
  const std::string file =
      "int f()\n{\n  go();\n}\n\nint g(int x,\n      int y\n) {\n  go();\n}\n\nint h() {\n  go();\n}\n";
  EXPECT_EQ(updated(file, update_of_f("@@ int f()\n-  go();\n+  stay();\n")).find("stay"), file.find("go"));
  const std::string g = updated(file, update_of_f("@@ int g(\n-  go();\n+  stay();\n"));
  EXPECT_EQ(g.find("stay"), file.find("go", file.find("int g")));
}

TEST(V4a, TheEndOfTheFileIsALocation) {
  const std::string twice = "a\nb\n\na\nb\n";
  EXPECT_EQ(updated(twice, update_of_f("@@\n a\n-b\n+c\n*** End of File\n")), "a\nb\n\na\nc\n");
  EXPECT_EQ(updated("a\nb", update_of_f("@@\n a\n-b\n+c\n*** End of File\n")), "a\nc")
      << "the file decides about its final newline";
  EXPECT_EQ(updated("a\nb", update_of_f("@@\n-b\n\\ No newline at end of file\n+b\n*** End of File\n")),
            "a\nb\n");
  EXPECT_EQ(updated("a\n", update_of_f("@@\n+b\n*** End of File\n")), "a\nb\n");
  EXPECT_EQ(updated("a", update_of_f("@@\n+b\n*** End of File\n")),
            "line 1 of the file has no newline, so no line can follow it\n");
  EXPECT_EQ(updated("a\n\n", update_of_f("@@\n-a\n+b\n\n*** End of File\n")), "b\n\n");
  EXPECT_NE(updated("alpha\nbeta\nc\n", update_of_f("@@\n-alpha\n beta\n*** End of File\n"))
                .find("the hunk's last line must be the last one of the file, but the file has more lines"),
            std::string::npos);
  EXPECT_NE(updated("alpha\nbeta", update_of_f("@@\n-beta\n+gamma\n")).find("ends without a newline"),
            std::string::npos)
      << "without the line, the newline must be right";
}

TEST(V4a, LinesOfAHunkMayLookLikeHeaders) {
  const std::string file = "-- a/x\n@@ -1 +1 @@\n*** End Patch\n```\ndiff --git\n";
  EXPECT_EQ(
      updated(file, update_of_f("@@\n--- a/x\n+++ b/x\n @@ -1 +1 @@\n-*** End Patch\n+*** End\n ```\n")),
      "++ b/x\n@@ -1 +1 @@\n*** End\n```\ndiff --git\n");
}

TEST(V4a, EachFaultIsReportedWithItsLine) {
  struct Fault {
    const char* parts;
    std::int64_t line;
    const char* message;
  };
  const std::string lost_blank =
      "this line of a hunk begins with neither a blank nor + nor -; a context line begins with a blank";
  for (const auto& [parts, line, message] : {
           Fault{"*** End Patch\n", 1, "the patch changes nothing"},
           Fault{"*** Update File: f\n", 3, "the header of this file is followed by no hunk"},
           Fault{"*** Update File: f\n@@\n", 3, "the hunk changes nothing"},
           Fault{"*** Update File: f\n@@\n 9\n", 3, "the hunk changes nothing"},
           Fault{"*** Update File:\n@@\n-9\n", 2, "this line names no file"},
           Fault{"*** Update File: f\n@@\n-9\n10\n", 5, lost_blank.c_str()},
           Fault{"*** Update File: f\n@@\n-9\n```\n+10\n", 5, lost_blank.c_str()},
           Fault{"*** Update File: f\n*** Upd", 3,
                 "this line is neither a header of a file nor part of a hunk"},
           Fault{"*** Update File: f\n*** Move to: g\n", 4,
                 "the patch ends here without `*** End Patch`, so it may have been cut off: send all of it"},
           Fault{"*** Add File: g\n", 3,
                 "the patch ends here without `*** End Patch`, so it may have been cut off: send all of it"},
           Fault{"*** Add File: g\none\n", 3, "each line of a new file begins with +"},
           Fault{"*** Add File: g\n+one\n\n+two\n", 3, "each line of a new file begins with +"},
           Fault{"*** Delete File: f\n-1\n", 3, "a deletion has no lines below its header"},
           Fault{
               "--- a/f\n+++ b/f\n", 2,
               "expected `*** Add File: PATH`, `*** Delete File: PATH`, `*** Update File: PATH` or `*** End "
               "Patch`"},
           Fault{"*** Delete File: ../f\n", 2, "the path of this file is rejected: it contains \"..\""},
       }) {
    const Patch patch = parse_patch("*** Begin Patch\n" + std::string(parts));
    ASSERT_EQ(patch.rejects.size(), 1U) << parts;
    EXPECT_EQ(patch.rejects.front().message, message);
    EXPECT_EQ(patch.rejects.front().patch_line, line) << parts;
  }
}

TEST(V4a, AllFaultsAreReported) {
  const Patch patch = parse_patch(enveloped(
      "*** Update File: f\n@@\n 1\n@@\n-2\n+II\n@@\n-3\nIII\n*** Add File: g\nx\n*** Update File: f\n"
      "@@\n-4\n+IV\n*** Delete File: h\n"));
  ASSERT_EQ(patch.rejects.size(), 3U);
  EXPECT_EQ(patch.rejects[0].hunk_index, 0);
  EXPECT_EQ(patch.rejects[1].hunk_index, 2);
  EXPECT_EQ(patch.rejects[2].path, "g");
  ASSERT_EQ(patch.files.size(), 2U);
  ASSERT_EQ(patch.files[0].hunks.size(), 2U);
  EXPECT_EQ(patch.files[0].hunks[1].index, 3) << "the second part for the same file is merged";
  EXPECT_EQ(patch.files[1].old_path, "h");
}

}  // namespace
}  // namespace snapgen::core
