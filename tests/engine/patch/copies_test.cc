// Hunks that are sent again, and hunks whose lines have copies: nothing is made twice or in the wrong place.
#include <gtest/gtest.h>

#include "tests/engine/patch/placed.h"

namespace snapgen::core {
namespace {

TEST(Place, NewLinesWithinTheOldOnesDoNotProveThatAHunkWasApplied) {
  const std::string file = "/*\n * the license\n * of the file\n */\nint x;\n";
  const std::string removal = "-/*\n  * the license\n  * of the file\n";
  EXPECT_EQ(applied(file, "@@ -2,3 +2,2 @@\n" + removal), " * the license\n * of the file\n */\nint x;\n");
  // After the hunk was applied, the file does not have the old lines any more.
  const std::string without = file.substr(3);
  EXPECT_NE(rejected(without, "@@ -1,3 +1,2 @@\n" + removal).message.find("already"), std::string::npos);
  // Elsewhere the new lines prove it, even if the old ones are in the file, too.
  EXPECT_NE(rejected(without + file, "@@ -1,3 +1,2 @@\n" + removal).message.find("already"),
            std::string::npos);
}

TEST(Place, AnAppliedHunkIsNotMovedToAnotherCopy) {
  const std::string changed = "    value = compute()\n    return -value\n";
  const std::string file = "head\n" + changed + "middle\n    value = compute()\n    return value\n";
  EXPECT_EQ(applied(file, "@@ -2,2 +2,2 @@\n" + in_function),
            "the file is already as the hunk would make it, from line 2 on, so leave the hunk out\n");
  const Reject present = rejected("head\n" + changed, "@@\n" + in_function);
  EXPECT_EQ(present.message,
            "the file is already as the hunk would make it, from line 2 on, so leave the hunk out");
  EXPECT_EQ(present.line, 2);
  EXPECT_FALSE(present.nearest) << "nothing is to be corrected";
}

TEST(Place, ATextThatIsAsAHunkWouldMakeAnotherOneDoesNotHideTheOther) {
  const std::string file =
      "    value = compute()\n    return -value\nmiddle\n    value  =  compute()\n"
      "    return value\n";
  const Reject reject = rejected(file, "@@\n" + in_function);
  EXPECT_NE(reject.message.find("the file is already as the hunk would make it, from line 1 on"),
            std::string::npos)
      << reject.message;
  ASSERT_TRUE(reject.nearest);
  EXPECT_EQ(reject.nearest->line, 4);
}

TEST(Place, TheEndOfAFileWithoutANewlineIsNotTakenForAnotherCopy) {
  const std::string file =
      "start\n    value = compute()\n    return value\nmiddle\n    value = compute()\n"
      "    return value";
  const Reject reject = rejected(file, "@@ -5,2 +5,2 @@\n" + in_function);
  EXPECT_EQ(reject.reason, RejectReason::eof_newline) << reject.message;
  EXPECT_EQ(applied(file, "@@ -2,2 +2,2 @@\n" + in_function),
            "start\n    value = compute()\n    return -value\nmiddle\n    value = compute()\n"
            "    return value");
}

const std::string twin_functions =
    "fn a(x: bool) -> Result<()> {\n    if x {\n        Err(one())\n    } else {\n        Ok(())\n    "
    "}\n}\n\n"
    "fn mid() {}\n\n"
    "fn b(y: bool) -> Result<()> {\n    if y {\n        Err(two())\n    } else {\n        Ok(())\n    }\n}\n";

TEST(Place, AHunkIsNotMovedOutOfTheBlockOfItsHeadingIntoATwin) {
  const std::string heading = "fn a(x: bool) -> Result<()> {";
  const std::string body = "\n     } else {\n+        // fine\n         Ok(())\n     }\n";
  const std::string once = replaced(twin_functions, "    } else {\n", "    } else {\n        // fine\n");
  const std::string changed = replaced(twin_functions, "Ok(())", "Result::Ok(())");
  const std::string v4a = "*** Begin Patch\n*** Update File: f\n@@ " + heading + body + "*** End Patch\n";
  for (const std::string& patch : {v4a, f_header + "@@ -3,3 +3,4 @@ " + heading + body}) {
    Tree tree{{"f", {FileMode::plain, once}}};
    PatchPlan plan = planned(patch, tree);
    ASSERT_EQ(plan.rejects.size(), 1U) << patch;
    EXPECT_EQ(plan.rejects.front().message,
              "the file is already as the hunk would make it, from line 4 on, so leave the hunk out");
    tree["f"].bytes = changed;
    plan = planned(patch, tree);
    ASSERT_EQ(plan.rejects.size(), 1U) << patch;
    EXPECT_EQ(
        plan.rejects.front().message,
        "the hunk fits at line 14, but its heading names the block at line 1, where the lines from 4 on "
        "are like its own: correct those, or the heading");
    ASSERT_TRUE(plan.rejects.front().nearest);
    EXPECT_EQ(plan.rejects.front().nearest->differences,
              (std::vector<LineDifference>{
                  {.line = 5, .expected = "        Ok(())", .found = "        Result::Ok(())"}}));
  }
}

TEST(Place, ABlankLineThatTheFileLacksIsADifferenceInWhiteSpace) {
  const Reject reject = rejected(twin_functions, "@@\n \n-    if y {\n+    if !y {\n         Err(two())\n");
  EXPECT_NE(reject.message.find("those from line 12 on differ only in white space"), std::string::npos)
      << reject.message;
  ASSERT_TRUE(reject.nearest);
  EXPECT_EQ(reject.nearest->differences,
            (std::vector<LineDifference>{{.line = 12, .expected = "", .found = std::nullopt}}));
}

TEST(Place, AnAdditionThatIsSentAgainIsNotMadeTwice) {
  const std::string present =
      "what the hunk adds is already in the file from line 3 on, so leave the hunk out; "
      "to add it again, show the lines on both sides\n";
  const std::string file = "fn a() {\n    if x {\n        trace();\n        one()\n";
  EXPECT_EQ(applied(file, "@@\n fn a() {\n-    if x {\n+    if x {\n+        trace();\n"), present);
  EXPECT_EQ(applied(file, "@@ -2,0 +3 @@\n+        trace();\n"), present);
  EXPECT_EQ(applied(file, "@@ -3,0 +4 @@\n+        trace();\n"), present);
}

TEST(Place, TheContextOfARemovalDoesNotShowThatItWasMade) {
  const std::string file =
      "    value  =  other()\n    value = compute()\n    return value\n    other (value)\n";
  const std::string context = "     value = compute()\n     return value\n";
  for (const std::string& hunk :
       {"@@\n-    value = other()\n" + context, "@@ -2,3 +2,2 @@\n" + context + "-    other(value)\n"}) {
    const Reject reject = rejected(file, hunk);
    EXPECT_EQ(reject.message.find("already"), std::string::npos) << reject.message;
    EXPECT_TRUE(reject.nearest) << hunk;
  }
}

TEST(Place, AnInsertionThatIsSentAgainIsPresentWhateverItsLine) {
  const std::string file = "int first() {\n  int further = compute();\n}\n";
  EXPECT_EQ(applied(file, "@@ -9 +9,2 @@\n+  int further = compute();\n }\n"),
            "what the hunk adds is already in the file from line 2 on, so leave the hunk out; to add it "
            "again, show the lines on both sides\n");
}

TEST(Place, LinesAreNotAddedASecondTime) {
  const std::string before = "import os\nimport sys\n\nmain()\n";
  const std::string after = "import os\nimport re\nimport sys\n\nmain()\n";
  for (const char* hunk : {"@@\n import os\n+import re\n", "@@ -1 +1,2 @@\n import os\n+import re\n",
                           "@@\n+import re\n import sys\n"}) {
    EXPECT_EQ(applied(before, hunk), after) << hunk;
    EXPECT_EQ(rejected(after, hunk).line, 2) << hunk;
  }
  // With the lines on both sides it is clear that they are to be added again.
  EXPECT_EQ(applied(after, "@@\n import os\n import re\n+import re\n import sys\n"),
            "import os\nimport re\nimport re\nimport sys\n\nmain()\n");
  EXPECT_EQ(rejected(before, "@@\n import os\n+import re\n@@\n+import re\n import sys\n").hunk_index, 1)
      << "two hunks add the same";
}

}  // namespace
}  // namespace snapgen::core
