// Edits of every kind, of trees in memory: what they make, and what is said of those that have a fault.
#include "tools/engine/edit/plan_edits.h"

#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/edit/memory_source.h"
#include "tests/engine/patch/tree.h"
#include "tools/engine/edit/pattern.h"
#include "tools/engine/files/path.h"
#include "tools/engine/patch/sides.h"

namespace snapgen::core {
namespace {

using Reason = EditFaultReason;

struct Planned {
  EditPlan plan;
  Tree tree;  // After the edits; as before if there are faults.
};

Planned planned(const Tree& tree, const std::vector<Edit>& edits, std::int64_t context_lines = 0) {
  MemorySource source(tree);
  Result<EditPlan> plan = plan_edits(edits, source, {.context_lines = context_lines});
  EXPECT_TRUE(plan) << plan.error().message;
  if (!plan) return {};
  Tree after = changed(tree, plan->changes);
  return {.plan = *std::move(plan), .tree = std::move(after)};
}

Tree tree_of(const std::string& content) { return {{"a.txt", {FileMode::plain, content}}}; }

TextEdit replace(std::string old_text, std::string new_text, std::string path = "a.txt") {
  return {.path = std::move(path), .old_text = std::move(old_text), .new_text = std::move(new_text)};
}

LinesEdit lines(const std::string& content, std::int64_t first, std::int64_t last, std::string new_text) {
  return {.path = "a.txt",
          .first_line = first,
          .last_line = last,
          .blob_prefix = blob_id_of(content).hex().substr(0, 10),
          .new_text = std::move(new_text)};
}

// Makes the edits of a.txt, which must have no fault, and returns its content.
std::string edited(const std::string& content, const std::vector<Edit>& edits) {
  const Planned done = planned(tree_of(content), edits);
  for (const EditFault& fault : done.plan.faults) ADD_FAILURE() << fault.message;
  const auto file = done.tree.find("a.txt");
  return file == done.tree.end() ? std::string() : file->second.bytes;
}

// Returns the only fault of the edits.
EditFault fault_of(const Tree& tree, const std::vector<Edit>& edits) {
  const Planned done = planned(tree, edits);
  EXPECT_EQ(done.tree, tree);
  EXPECT_EQ(done.plan.faults.size(), 1U);
  return done.plan.faults.empty() ? EditFault() : done.plan.faults.front();
}

// ---- Replacing a text

TEST(TextEdits, ReplaceTheOnlyOccurrence) {
  EXPECT_EQ(edited("one two three\n", {replace("two", "2")}), "one 2 three\n");
  EXPECT_EQ(edited("a\nb", {replace("b", "c")}), "a\nc");  // No newline at the end.
  EXPECT_EQ(edited("\xef\xbb\xbf"
                   "a\n",
                   {replace("a", "b")}),
            "\xef\xbb\xbf"
            "b\n");                                                              // A BOM.
  EXPECT_EQ(edited("a\r\nb\nc\r\n", {replace("b\n", "B\n")}), "a\r\nB\nc\r\n");  // Mixed line ends.
  EXPECT_EQ(edited(std::string("a\0b", 3), {replace(std::string("\0", 1), "-")}), "a-b");
}

TEST(TextEdits, SeeTheOnesBefore) {
  EXPECT_EQ(edited("one\n", {replace("one", "two"), replace("two", "three"), replace("three\n", "")}), "");
  EXPECT_EQ(edited("ab", {replace("a", "ba"), replace("bab", "x")}), "x");
}

TEST(TextEdits, ReplaceEveryOccurrenceWithAll) {
  TextEdit all = replace("aa", "b");
  all.all = true;
  EXPECT_EQ(edited("aaaa aaa\n", {all}), "bb ba\n");
  EXPECT_EQ(edited("x.\nx.\n", {TextEdit{.path = "a.txt", .old_text = "x", .new_text = "xx", .all = true}}),
            "xx.\nxx.\n");
}

TEST(TextEdits, OfAFileWithOnlyCrLfMayHaveLf) {
  const Planned done = planned(tree_of("a\r\nb\r\nc\r\n"), {replace("a\nb\n", "a\nx\nb\n")});
  EXPECT_EQ(done.tree.at("a.txt").bytes, "a\r\nx\r\nb\r\nc\r\n");
  ASSERT_EQ(done.plan.notes.size(), 1U);
  EXPECT_NE(done.plan.notes[0].message.find("CR LF"), std::string::npos);
}

TEST(TextEdits, DoNotAddLinesASecondTime) {
  const std::string after = "import os\nimport re\nmain()\n";
  for (const TextEdit& edit :
       {replace("import os\n", "import os\nimport re\n"), replace("import os", "import os\nimport re"),
        replace("main()", "import re\nmain()"), replace("\nmain()", "\nimport re\nmain()")}) {
    EXPECT_EQ(edited("import os\nmain()\n", {edit}), after) << edit.old_text;
    const EditFault fault = fault_of(tree_of(after), {edit});
    EXPECT_EQ(fault.reason, Reason::already_applied) << edit.old_text;
  }
  // Lines that only begin alike, and parts of lines, are added.
  EXPECT_EQ(edited("import os\nimport regex\n", {replace("import os\n", "import os\nimport re\n")}),
            "import os\nimport re\nimport regex\n");
  EXPECT_EQ(edited("import os\nimport re\nmain()\n",
                   {replace("import os\nimport re\nmain", "import os\nimport re\nimport re\nmain")}),
            "import os\nimport re\nimport re\nmain()\n");
}

TEST(TextEdits, DoNotAddAPartOfALineASecondTime) {
  TextEdit all = replace("foo", "foo_bar");
  all.all = true;
  PatternEdit pattern{.pattern = "fo+", .new_text = "$0_bar", .expected_count = 2};
  const std::string after = "if foo_bar && ok() { foo_bar; }\n";
  for (const Edit& edit : {Edit(all), Edit(pattern)}) {
    EXPECT_EQ(edited("if foo && ok() { foo; }\n", {edit}), after);
    EXPECT_EQ(fault_of(tree_of(after), {edit}).reason, Reason::already_applied);
    EXPECT_EQ(edited("if foo_bar && ok() { foo; }\n", {edit}), "if foo_bar_bar && ok() { foo_bar; }\n")
        << "what is asked for, if one place needs it";
  }
  EXPECT_EQ(fault_of(tree_of(after), {replace("if foo_bar", "if foo_bar && ok()")}).reason,
            Reason::already_applied);
  EXPECT_EQ(edited("import regex\n", {replace("import re", "import read")}), "import readgex\n");
  EXPECT_EQ(edited("}\nreturn value\n", {replace("return value\n", "}\nreturn value\n")}),
            "}\n}\nreturn value\n");
}

TEST(TextEdits, ADifferenceWithinALineIsNotOneOfIndentation) {
  const EditFault fault = fault_of(tree_of("fn mid() {}\n"), {replace("        mid() {}\n", "x\n")});
  EXPECT_EQ(fault.message,
            "old is not in the file, but line 1 differs only in white space. Send old as the file has it.");
}

TEST(TextEdits, AWordThatGoesOnIsNotAnotherWhiteSpace) {
  const EditFault fault =
      fault_of(tree_of("#define LIMIT 10000\n"), {replace("#define LIMIT 1000\n", "#define LIMIT 5000\n")});
  EXPECT_EQ(fault.message, "old is not in the file, but line 1 is similar. Send old as the file has it.");
}

TEST(TextEdits, NameTheLinesOfAnAmbiguousText) {
  const EditFault fault = fault_of(tree_of("x\ny\nx\n"), {replace("x", "z")});
  EXPECT_EQ(fault.reason, Reason::ambiguous);
  EXPECT_EQ(fault.lines, (std::vector<std::int64_t>{1, 3}));
  std::string many;
  for (int line = 0; line < 500; ++line) many += "same\n";
  const EditFault often = fault_of(tree_of(many), {replace("same", "other")});
  EXPECT_EQ(often.lines.size(), 20U);
  EXPECT_EQ(often.lines_total, 500);
}

TEST(TextEdits, ShowWhatDiffersFromTheNearestText) {
  struct Slip {
    std::string file, old_text, word;
    std::int64_t line;
  };
  const std::string code = "int f() {\n\treturn sum(\"a\", Name);\n}\n";
  for (const Slip& slip : std::vector<Slip>{
           {code, "    return sum(\"a\", Name);\n", "indentation", 2},
           {code, "return sum( \"a\", Name)", "white space", 2},
           {code, "return sum('a', Name)", "quotes", 2},
           {code, "return sum(\"a\", name)", "letter case", 2},
           {code, "return sum(\\\"a\\\", Name)", "escapes", 2},
           {code, "return sum(&quot;a&quot;, Name)", "escapes", 2},
           {code, "Return sum('a', Name)", "letter case and quotes", 2},
       }) {
    SCOPED_TRACE(slip.old_text);
    const EditFault fault = fault_of(tree_of(slip.file), {replace(slip.old_text, "other")});
    EXPECT_EQ(fault.reason, Reason::context_mismatch);
    EXPECT_NE(fault.message.find(slip.word), std::string::npos) << fault.message;
    EXPECT_EQ(fault.lines.empty() ? 0 : fault.lines.front(), slip.line);
    ASSERT_TRUE(fault.nearest);
    ASSERT_FALSE(fault.nearest->differences.empty());
    EXPECT_EQ(fault.nearest->differences.front().found.value_or(""), "\treturn sum(\"a\", Name);");
  }
  // One of several lines is wrong; and a word of a single line.
  const std::string four = "first line\nsecond line\nthird line\nfourth line\n";
  const EditFault line = fault_of(tree_of(four), {replace("second line\n3rd line\nfourth line\n", "x")});
  ASSERT_TRUE(line.nearest);
  EXPECT_EQ(line.nearest->differences.front().line, 3);
  const EditFault word = fault_of(tree_of(four), {replace("a fourth line", "x")});
  ASSERT_TRUE(word.nearest);
  EXPECT_EQ(word.nearest->line, 4);
  // A composed letter is not a letter and a combining character.
  EXPECT_EQ(fault_of(tree_of("caf\u00e9 au lait\n"), {replace("cafe\u0301 au lait", "x")}).lines.front(), 1);
}

TEST(TextEdits, TellThatAnEditIsAlreadyMade) {
  const EditFault fault = fault_of(tree_of("int count = 0;\n"), {replace("int n = 0;", "int count = 0;")});
  EXPECT_EQ(fault.reason, Reason::already_applied);
  EXPECT_EQ(fault.lines, std::vector<std::int64_t>{1});
}

TEST(TextEdits, ANewTextThatIsAPartOfTheOldOneDoesNotShowThatItWasMade) {
  const std::string file = "value = compute()\nreturn  value\n";
  const EditFault fault =
      fault_of(tree_of(file), {replace("value = compute()\nreturn value\n", "value = compute()\n")});
  EXPECT_EQ(fault.reason, Reason::context_mismatch);
  EXPECT_TRUE(fault.nearest);
}

TEST(TextEdits, RejectAnEmptyOldText) {
  const EditFault fault = fault_of(tree_of("a\n"), {replace("", "b")});
  EXPECT_EQ(fault.reason, Reason::malformed);
}

TEST(TextEdits, ThatCancelOutWriteNothing) {
  const Planned done = planned(tree_of("one\n"), {replace("one", "two"), replace("two", "one")});
  EXPECT_TRUE(done.plan.changes.empty());
  EXPECT_TRUE(done.plan.files.empty());
  ASSERT_EQ(done.plan.notes.size(), 1U);
  EXPECT_NE(done.plan.notes[0].message.find("cancel out"), std::string::npos);
}

// ---- Tolerance of white space

Edit tolerant(std::string old_text, std::string new_text) {
  TextEdit edit = replace(std::move(old_text), std::move(new_text));
  edit.tolerates_white_space = true;
  return edit;
}

TEST(WhiteSpace, IsToleratedOnRequest) {
  const std::string tabs = "if a:\n\tif b:\n\t\tcall()  \n";
  EXPECT_EQ(fault_of(tree_of(tabs), {replace("    if b:\n        call()\n", "x\n")}).reason,
            Reason::context_mismatch);
  const Planned done =
      planned(tree_of(tabs),
              {tolerant("    if b:\n        call()\n", "    if b:\n        if c:\n            call()\n")});
  EXPECT_EQ(done.tree.at("a.txt").bytes, "if a:\n\tif b:\n\t\tif c:\n\t\t\tcall()\n");
  ASSERT_EQ(done.plan.notes.size(), 1U);
  EXPECT_NE(done.plan.notes[0].message.find("2-3"), std::string::npos) << done.plan.notes[0].message;
}

TEST(WhiteSpace, NewLinesFollowTheIndentationOfTheFile) {
  // The author left out the indentation of all lines.
  EXPECT_EQ(
      edited("class A:\n    def f(self):\n        return one\n",
             {tolerant("def f(self):\n    return one\n", "def f(self):\n    two = one\n    return two\n")}),
      "class A:\n    def f(self):\n        two = one\n        return two\n");
}

TEST(WhiteSpace, IsToleratedAroundWholeLinesOnly) {
  const EditFault fault =
      fault_of(tree_of("if a:\n\tcall(first, second)\n"), {tolerant("    call(first,", "x")});
  EXPECT_NE(fault.message.find("whole lines"), std::string::npos) << fault.message;
}

TEST(WhiteSpace, IsNotGuessed) {
  // The same indentation has two translations, so that of the new line is unknown.
  EXPECT_EQ(fault_of(tree_of("    first line\n        second line\n"),
                     {tolerant("first line\nsecond line\n", "first line\nthird line\nsecond line\n")})
                .reason,
            Reason::context_mismatch);
  EXPECT_EQ(fault_of(tree_of("  same line\n    same line\n"), {tolerant("\tsame line\n", "x\n")}).reason,
            Reason::ambiguous);
}

// ---- Lines

TEST(LineEdits, ReplaceInsertAndDeleteWholeLines) {
  const std::string three = "1\n2\n3\n";
  EXPECT_EQ(edited(three, {lines(three, 2, 2, "two")}), "1\ntwo\n3\n");
  EXPECT_EQ(edited(three, {lines(three, 2, 3, "")}), "1\n");
  EXPECT_EQ(edited(three, {lines(three, 1, 0, "0\n")}), "0\n1\n2\n3\n");
  EXPECT_EQ(edited(three, {lines(three, 4, 3, "4")}), "1\n2\n3\n4\n");
  EXPECT_EQ(edited("", {lines("", 1, 0, "1\n")}), "1\n");
  const std::string open = "1\n2";
  EXPECT_EQ(edited(open, {lines(open, 2, 2, "two")}), "1\ntwo");
  EXPECT_EQ(edited(open, {lines(open, 3, 2, "3")}), "1\n2\n3");
  const std::string crlf = "1\r\n2\r\n";
  EXPECT_EQ(edited(crlf, {lines(crlf, 2, 2, "a\nb")}), "1\r\na\r\nb\r\n");
}

TEST(LineEdits, SayWhichLinesTheyReplaced) {
  const std::string code = "def f():\n    one()\n    two()\n    three()\n";
  const Planned done =
      planned(tree_of(code), {lines(code, 2, 3, "    pass\n"), lines(code, 4, 3, "    x()\n")});
  ASSERT_EQ(done.plan.notes.size(), 1U) << "an insertion replaces nothing";
  EXPECT_EQ(done.plan.notes[0].message, "replaced lines 2-3: `one()` to `two()`");
  EXPECT_EQ(planned(tree_of("\xff\n"), {lines("\xff\n", 1, 1, "x\n")}).plan.notes[0].message,
            "replaced line 1: bytes that are not UTF-8");
}

TEST(LineEdits, HaveTheNumbersOfTheirBlob) {
  const std::string four = "1\n2\n3\n4\n";
  EXPECT_EQ(
      edited(four, {lines(four, 1, 1, "a\nb\nc\n"), lines(four, 3, 3, "three\n"), lines(four, 4, 3, "x\n")}),
      "a\nb\nc\n2\nthree\nx\n4\n");
  EXPECT_EQ(fault_of(tree_of(four), {lines(four, 1, 2, "a\n"), lines(four, 2, 3, "b\n")}).reason,
            Reason::overlap);
  EXPECT_EQ(fault_of(tree_of(four), {lines(four, 4, 5, "a\n")}).reason, Reason::context_mismatch);
}

TEST(LineEdits, OfAnotherContentShowWhatHasChanged) {
  const Tree tree = tree_of("1\ntwo\n3\n");
  MemorySource source(tree);
  source.stored.emplace_back("1\n2\n3\n");
  const Result<EditPlan> known = plan_edits({lines("1\n2\n3\n", 2, 2, "x")}, source);
  ASSERT_TRUE(known && known->faults.size() == 1);
  EXPECT_EQ(known->faults[0].reason, Reason::changed);
  EXPECT_NE(known->faults[0].diff.find("-2\n+two\n"), std::string::npos) << known->faults[0].diff;
  const EditFault unknown = fault_of(tree, {lines("1\n2\n4\n", 2, 2, "x")});
  EXPECT_TRUE(unknown.diff.empty());
  EXPECT_NE(unknown.message.find("is not known"), std::string::npos);
}

TEST(LineEdits, ThatRepeatTheLineBesideThemSaySo) {
  const std::string file = "alpha\nbeta\ngamma\n";
  const auto note_of = [&](std::int64_t first, std::int64_t last, const std::string& text) {
    const Planned done = planned(tree_of(file), {lines(file, first, last, text)});
    return done.plan.notes.empty() ? std::string() : done.plan.notes[0].message;
  };
  EXPECT_EQ(note_of(2, 2, "alpha\nb\n"),
            "replaced line 2: `beta`; new begins with the line above it, which is there twice now");
  EXPECT_EQ(note_of(2, 2, "b\ngamma\n"),
            "replaced line 2: `beta`; new ends with the line below it, which is there twice now");
  EXPECT_EQ(note_of(2, 1, "new\nbeta\n"), "new ends with the line below it, which is there twice now");
  EXPECT_EQ(note_of(2, 1, "new\n"), "");
}

TEST(LineEdits, AreNotMadeASecondTime) {
  const std::string before = "1\n2\n3\n", after = "1\n2\n2b\n3\n";
  const Tree tree = tree_of(after);
  MemorySource source(tree);
  source.stored.push_back(before);
  const Result<EditPlan> again = plan_edits({lines(before, 3, 2, "2b\n")}, source);
  ASSERT_TRUE(again && again->faults.size() == 1);
  EXPECT_EQ(again->faults[0].reason, Reason::already_applied);
}

// ---- Files

TEST(FileEdits, CreateDeleteAndMove) {
  const Tree before = {{"a", {FileMode::plain, "A"}}, {"b", {FileMode::executable, "B"}}};
  const Planned done =
      planned(before, {CreateEdit{.path = "d/new", .content = "N", .executable = true}, DeleteEdit{"a"},
                       MoveEdit{.path = "b", .target = "d/b"}, replace("B", "BB", "d/b")});
  EXPECT_EQ(done.tree, (Tree{{"d/b", {FileMode::executable, "BB"}}, {"d/new", {FileMode::executable, "N"}}}));
  ASSERT_EQ(done.plan.files.size(), 3U);
  EXPECT_EQ(done.plan.files[0].status, EditedFile::Status::deleted);
  EXPECT_EQ(done.plan.files[1].status, EditedFile::Status::renamed);
  EXPECT_EQ(done.plan.files[1].from, "b");
  EXPECT_EQ(done.plan.files[1].blob, blob_id_of("BB"));
  EXPECT_EQ(done.plan.files[2].status, EditedFile::Status::added);
}

TEST(FileEdits, MoveInACircle) {
  const Tree before = {
      {"a", {FileMode::plain, "A"}}, {"b", {FileMode::plain, "B"}}, {"c", {FileMode::plain, "C"}}};
  const Planned done = planned(before, {MoveEdit{"c", "temporary"}, MoveEdit{"b", "c"}, MoveEdit{"a", "b"},
                                        MoveEdit{"temporary", "a"}});
  EXPECT_EQ(
      done.tree,
      (Tree{{"a", {FileMode::plain, "C"}}, {"b", {FileMode::plain, "A"}}, {"c", {FileMode::plain, "B"}}}));
  const Planned back = planned(before, {MoveEdit{"a", "x"}, MoveEdit{"x", "a"}});
  EXPECT_TRUE(back.plan.changes.empty());
}

TEST(FileEdits, MayChangeOnlyTheCaseOfAName) {
  EXPECT_TRUE(planned(tree_of("A"), {MoveEdit{"a.txt", "A.txt"}}).tree.contains("A.txt"));
}

TEST(FileEdits, RejectWhatIsInTheWay) {
  const Tree tree = {
      {"a", {FileMode::plain, "A"}}, {"d/b", {FileMode::plain, "B"}}, {"link", {FileMode::symlink, "a"}}};
  EXPECT_EQ(fault_of(tree, {CreateEdit{.path = "a", .content = ""}}).reason, Reason::exists);
  EXPECT_EQ(fault_of(tree, {MoveEdit{"a", "d/b"}}).reason, Reason::exists);
  EXPECT_EQ(fault_of(tree, {DeleteEdit{"d"}}).reason, Reason::wrong_kind);
  EXPECT_EQ(fault_of(tree, {DeleteEdit{"none"}}).reason, Reason::missing);
  EXPECT_EQ(fault_of(tree, {replace("x", "y", "link")}).reason, Reason::wrong_kind);
  EXPECT_EQ(fault_of(tree, {CreateEdit{.path = "protected", .content = ""}}).reason, Reason::forbidden_path);
  EXPECT_EQ(
      fault_of(tree, {CreateEdit{.path = "new", .content = ""}, CreateEdit{.path = "new/x", .content = ""}})
          .reason,
      Reason::wrong_kind);
  // A path is free once its file is deleted.
  EXPECT_EQ(planned(tree, {DeleteEdit{"a"}, MoveEdit{"d/b", "a"}}).tree.at("a").bytes, "B");
  EXPECT_EQ(planned(tree, {DeleteEdit{"a"}, CreateEdit{.path = "a/b", .content = "x"}}).tree.at("a/b").bytes,
            "x");
}

// ---- Patterns

PatternEdit pattern(std::string text, std::string new_text, std::optional<std::int64_t> expected) {
  return {.pattern = std::move(text), .new_text = std::move(new_text), .expected_count = expected};
}

TEST(PatternEdits, ReplaceInManyFiles) {
  const Tree tree = {{"a.py", {FileMode::plain, "foo(1) + foo(2)\nfood\n"}},
                     {"b.py", {FileMode::plain, "x = foo(3)\n"}},
                     {"c.js", {FileMode::plain, "foo(4)\n"}}};
  PatternEdit edit = pattern("foo\\((\\d)\\)", "bar[$1, $0]", 3);
  edit.globs = {"*.py"};
  const Planned done = planned(tree, {edit});
  EXPECT_EQ(done.tree.at("a.py").bytes, "bar[1, foo(1)] + bar[2, foo(2)]\nfood\n");
  EXPECT_EQ(done.tree.at("b.py").bytes, "x = bar[3, foo(3)]\n");
  EXPECT_EQ(done.tree.at("c.js").bytes, "foo(4)\n");
  PatternEdit word = pattern("foo", "$1", 4);
  word.fixed = word.word = true;
  EXPECT_EQ(planned(tree, {word}).tree.at("a.py").bytes, "$1(1) + $1(2)\nfood\n");
}

TEST(PatternEdits, CountMatchesOrLines) {
  const Tree tree = tree_of("x x\nx\n");
  EXPECT_EQ(planned(tree, {pattern("x", "y", 3)}).tree.at("a.txt").bytes, "y y\ny\n");
  EXPECT_EQ(planned(tree, {pattern("x", "y", 2)}).plan.notes.size(), 1U);
  const EditFault fault = fault_of(tree, {pattern("x", "y", 4)});
  EXPECT_EQ(fault.reason, Reason::count);
  EXPECT_EQ(fault.matches, (std::vector<MatchPlace>{{"a.txt", 1}, {"a.txt", 2}}));
  EXPECT_NE(fault.message.find("expect: 3"), std::string::npos) << fault.message;
  const EditFault without = fault_of(tree, {pattern("x", "y", {})});
  EXPECT_EQ(without.reason, Reason::count);
  EXPECT_EQ(without.matches_total, 2);
  EXPECT_NE(without.message.find("expect is missing"), std::string::npos) << without.message;
}

TEST(PatternEdits, SeeTheEditsBefore) {
  const Tree tree = tree_of("one\n");
  const Planned done = planned(tree, {CreateEdit{.path = "b.txt", .content = "one\n"},
                                      replace("one", "one one"), pattern("one", "two", 3)});
  EXPECT_EQ(done.tree.at("a.txt").bytes, "two two\n");
  EXPECT_EQ(done.tree.at("b.txt").bytes, "two\n");
}

TEST(PatternEdits, RejectWrongReferencesAndPatterns) {
  const Tree tree = tree_of("one\n");
  for (const PatternEdit& edit :
       {pattern("(o", "x", 1), pattern("(o)", "$2", 1), pattern("(o)", "\\1", 1), pattern("a\nb", "x", 1)})
    EXPECT_EQ(fault_of(tree, {edit}).reason, Reason::malformed) << edit.pattern;
  EXPECT_EQ(planned(tree, {pattern("(o)(x)?", "${1}0$2$$", 1)}).tree.at("a.txt").bytes, "o0$ne\n");
}

// ---- Many faults, and many edits

TEST(PlanEdits, ReturnsEveryFaultAndNoFalseOne) {
  const Planned done = planned(tree_of("alpha beta\n"),
                               {replace("gamma delta", "epsilon zeta"), replace("epsilon zeta", "eta"),
                                replace("alpha", "ALPHA"), replace("kappa iota", "x"), DeleteEdit{"none"},
                                InvalidEdit{.path = "m", .message = "bad"}, replace("x", "y", "m")});
  std::vector<std::int64_t> indexes;
  for (const EditFault& fault : done.plan.faults) indexes.push_back(fault.edit);
  EXPECT_EQ(indexes, (std::vector<std::int64_t>{0, 3, 4, 5}));
  EXPECT_TRUE(done.plan.changes.empty());
}

TEST(PlanEdits, ShowsTheLinesAroundChanges) {
  const Planned done = planned(tree_of("1\n2\n3\n4\n5\n"), {replace("3", "three")}, 1);
  ASSERT_EQ(done.plan.files.size(), 1U);
  ASSERT_EQ(done.plan.files[0].shown.parts.size(), 1U);
  EXPECT_EQ(done.plan.files[0].shown.parts[0].first_line, 2);
  EXPECT_EQ(done.plan.files[0].shown.parts[0].text, "2\nthree\n4\n");
}

// Whether the LF of a text that is sent stands for CR LF, because the file has no other line ends.
bool stands_for_crlf(const std::string& file, const std::string& sent) {
  const LineEndKinds in_file = line_ends_of(file), in_sent = line_ends_of(sent);
  return in_file.has_crlf && !in_file.has_lf && in_sent.has_lf && !in_sent.has_crlf;
}

TEST(PlanEdits, AnEditAndItsInverseGiveTheOriginalBytes) {
  std::mt19937 random(7);
  int checked = 0;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    std::string content;
    const std::size_t line_count = 1 + random() % 40;
    for (std::size_t line = 0; line < line_count; ++line) {
      content += "line " + std::to_string(random() % 1000) + "-" + std::to_string(line);
      content += random() % 3 == 0 ? "\r\n" : "\n";
    }
    std::vector<Edit> edits, inverse;
    std::string now = content;
    bool is_adapted = false;
    for (int i = 0; i < 5; ++i) {
      const std::size_t begin = random() % now.size();
      const std::size_t size = 1 + random() % std::min<std::size_t>(now.size() - begin, 60);
      const std::string old_text = now.substr(begin, size);
      const std::string new_text = "<" + std::to_string(i) + (random() % 2 == 0 ? "\n>" : ">");
      if (now.find(old_text) != now.rfind(old_text)) continue;
      const auto adapts = [&] { return stands_for_crlf(now, old_text) || stands_for_crlf(now, new_text); };
      is_adapted = is_adapted || adapts();
      now.replace(begin, size, new_text);
      is_adapted = is_adapted || adapts();
      edits.emplace_back(replace(old_text, new_text));
      inverse.insert(inverse.begin(), replace(new_text, old_text));
    }
    if (edits.empty() || is_adapted) continue;
    ++checked;
    ASSERT_EQ(edited(content, edits), now);
    ASSERT_EQ(edited(now, inverse), content);
  }
  EXPECT_GT(checked, 100);
}

TEST(PlanEdits, OneThousandEditsOfOneFile) {
  std::string content;
  for (int line = 0; line < 10'400; ++line) content += "line number " + std::to_string(line) + ";\n";
  std::vector<Edit> edits;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i * 10);
    edits.emplace_back(replace("line number " + number + ";", "LINE " + number + ";"));
  }
  const Planned done = planned(tree_of(content), edits);
  ASSERT_TRUE(done.plan.faults.empty()) << done.plan.faults[0].message;
  EXPECT_EQ(done.plan.files[0].changed_lines.size(), 1000U);
  EXPECT_NE(done.tree.at("a.txt").bytes.find("LINE 9990;"), std::string::npos);
}

}  // namespace
}  // namespace snapgen::core
