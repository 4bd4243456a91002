// The rows of the table of problem matchers, each with an output that a tool printed.
#include "tools/insight/check/read/problem_matchers.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/insight/check/recorded.h"

namespace snapgen::core {
namespace {

const OutputPathResolver shop_build{.root = "/home/user/shop", .base_folder = "build", .module = {}};

std::vector<std::string> recorded_texts() {
  std::vector<std::string> names;
  for (const auto& each : std::filesystem::directory_iterator(RECORDED_FOLDER))
    if (each.path().extension() == ".out") names.push_back(each.path().filename());
  return names;
}

TEST(ProblemMatchersTest, ARecordedOutputHasProblemsOfEachRow) {
  const std::vector<std::string> names = recorded_texts();
  for (const ProblemMatcher& row : problem_matchers()) {
    const auto only = compile_matchers([&](const ProblemMatcher& each) { return &each == &row; });
    ParsedOutput parsed;
    FindingCollector found(shop, parsed);
    for (const std::string& name : names) {
      const std::string text = sanitized_output(recorded(name));
      ProblemReader problems(*only, shop, found);
      std::string_view rest = text, line;
      while (next_line(rest, line)) problems.line(line);
      problems.end();
    }
    EXPECT_GT(parsed.error_count + parsed.warning_count, 0) << row.tool << ": " << row.line;
  }
}

TEST(ProblemMatchersTest, ReadsCMake) {
  EXPECT_EQ(
      parsed_text(parse_text(recorded("cmake.out"), shop_build)),
      "3 errors, 4 warnings; 0 passed, 0 failed, 0 skipped\n"
      "W sub/CMakeLists.txt:1:0 [] Old compilers are slow: use a new one\n"
      "W sub/CMakeLists.txt:2:0 [] A note for the authors\n"
      "W sub/CMakeLists.txt:3:0 [] This folder will go\n"
      "W CMakeLists.txt:5:0 [] By not providing \"FindNope.cmake\" in CMAKE_MODULE_PATH this project has\n"
      "E CMakeLists.txt:6:0 [] Cannot find source file: nope.c\n"
      "E CMakeLists.txt:6:0 [] No SOURCES given to target: shop\n"
      "E :0:0 [] The source directory \"/home/user/shop/nowhere\" does not exist.\n");
}

TEST(ProblemMatchersTest, ReadsAProblemOfCMakeWithoutALine) {
  EXPECT_EQ(parsed_text(
                parse_text("CMake Error in sub/CMakeLists.txt:\n  Target \"a\" is missing.\n\n", shop_build)),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E sub/CMakeLists.txt:0:0 [] Target \"a\" is missing.\n");
}

TEST(ProblemMatchersTest, ReadsAMessageBehindSeveralBlanks) {
  EXPECT_EQ(parsed_text(parse_text("x.js:1:1: error:  1 true\n", {})),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\nE x.js:1:1 [] 1 true\n");
}

TEST(ProblemMatchersTest, TakesNoTimeAndNoHostForAPath) {
  const auto read = [](std::string_view line) { return parsed_text(parse_text(line, {})); };
  for (const char* before : {"12:30:05 ", "[12:30:05] ", "2026-11-29T12:30:05Z ", "[1/2] "})
    EXPECT_EQ(read(std::string(before) + "src/a.c:3:5: error: x\n"),
              "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\nE src/a.c:3:5 [] x\n")
        << before;
  for (const char* line : {"localhost:3000: error: x\n", "user@host:22: error: x\n"})
    EXPECT_EQ(read(line), "0 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n") << line;
}

TEST(ProblemMatchersTest, ReadsLongLinesAndManyScriptsInTime) {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += "a.";
  text += "\n";
  for (int i = 0; i < 5000; ++i) text += "  1:1  error  x  y\n";
  for (int i = 0; i < 20'000; ++i) text += "p" + std::to_string(i) + " b$ c\n";
  for (int i = 0; i < 20'000; ++i) text += "zz\n";
  EXPECT_EQ(parse_text(text, {}).error_count, 0);  // The test's time limit is the assertion.
}

TEST(ProblemMatchersTest, ReadsLinkers) {
  EXPECT_EQ(parsed_text(OutputFormat::text, "ld.out"),
            "4 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E g.c:0:0 [] multiple definition of `g'; b/main.o:/home/user/shop/main.c:2: first defined here\n"
            "E main.c:4:0 [] undefined reference to `f'\n"
            "E :0:0 [] cannot find -lnope: No such file or directory\n"
            "E :0:0 [] undefined reference to `sin'\n");
}

TEST(ProblemMatchersTest, ReadsTheFormatStylishOfEslint) {
  EXPECT_EQ(parsed_text(OutputFormat::text, "eslint_stylish.out"),
            "4 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E src/a b.js:1:7 [no-unused-vars] 'unused' is assigned a value but never used\n"
            "E src/a b.js:2:1 [no-undef] 'missing' is not defined\n"
            "E src/a b.js:3:1 [no-undef] 'console' is not defined\n"
            "W src/a b.js:3:1 [no-console] Unexpected console statement\n"
            "E src/bad.js:1:7 [] Parsing error: Unexpected token =\n");
}

TEST(ProblemMatchersTest, ReadsGo) {
  EXPECT_EQ(
      parsed_text(OutputFormat::go, "go_build.out"),
      "5 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E :0:0 [] package example.com/shop/a imports example.com/shop/b imports example.com/shop/a: import "
      "cycle not allowed\n"
      "E q/q.go:2:8 [] no required module provides package github.com/x/y; to add it: go get github.com/x/y\n"
      "E q/q.go:2:8 [] no required module provides package github.com/x/y; to add it: go get github.com/x/y\n"
      "E t/t.go:8:11 [] cannot use (T literal) (value of type T) as I value in variable declaration: T does "
      "not implement I (wrong type for method F)\n"
      "E q/q.go:2:13 [] cannot use \"x\" (untyped string constant) as int value in variable declaration\n");
}

TEST(ProblemMatchersTest, ReadsRust) {
  EXPECT_EQ(parsed_text(OutputFormat::text, "rustc.out"),
            "2 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E src/lib.rs:2:1 [] first\n"
            "E src/lib.rs:3:21 [E0308] mismatched types\n"
            "W src/lib.rs:1:18 [] unused variable: `x`\n");
}

TEST(ProblemMatchersTest, ReadsProblemsOfNoLine) {
  EXPECT_EQ(parsed_text(OutputFormat::text, "pylint_configuration.out"),
            "4 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E :0:0 [E0013] Plugin 'nope' is impossible to load, is it installed ? ('No module named "
            "'nope'') (bad-plugin-value)\n"
            "E a.py:1:0 [C0114] Missing module docstring (missing-module-docstring)\n"
            "E a.py:1:0 [W0611] Unused import os (unused-import)\n"
            "E :0:0 [F0001] No module named nopkg (fatal)\n");
  EXPECT_EQ(parsed_text(OutputFormat::text, "mypy_duplicate.out"),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E y/p/__init__.py:0:0 [] Duplicate module named \"p\" (also at \"x/p/__init__.py\")\n");
}

// Returns the findings in the text, one a line, with the counts.
std::string problems_in(std::string_view text) { return parsed_text(parse_text(text, shop)); }

TEST(ProblemMatchersTest, ReadsPathsWithBlanksParenthesesAndBrackets) {
  EXPECT_EQ(problems_in("app/(group)/[id].tsx(3,5): error TS2322: No: f(x): y.\n"
                        "my app/[...all].ts:3:5 - error TS2322: No.\n"
                        "a - b/c.ts:3:5 - warning TS6133: No.\n"
                        "web: src/a.ts(3,5): error TS2322: No.\n"
                        "my app/(group)/a.cc:3:5: error: no 'x' in 'std::vector<int>' [-Wx]\n"
                        "my app/a.py:3:5: E501 line too long\n"
                        "my app/a.py: warning: not read\n"),
            "5 errors, 2 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E app/(group)/[id].tsx:3:5 [TS2322] No: f(x): y.\n"
            "E my app/[...all].ts:3:5 [TS2322] No.\n"
            "W a - b/c.ts:3:5 [TS6133] No.\n"
            "E src/a.ts:3:5 [TS2322] No.\n"
            "E my app/(group)/a.cc:3:5 [-Wx] no 'x' in 'std::vector<int>'\n"
            "E my app/a.py:3:5 [E501] line too long\n"
            "W my app/a.py:0:0 [] not read\n");
}

TEST(ProblemMatchersTest, OnlyAWordBehindABlankIsACode) {
  EXPECT_EQ(problems_in("a.c:3: error: no x[3]\n"
                        "a.c:3: warning: ignoring [[nodiscard]]\n"
                        "a.c:3: error: no: warning: [two words]\n"
                        "a.c:3: error: no [[x]] [-Wa,-Wb]\n"),
            "3 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E a.c:3:0 [] no x[3]\n"
            "W a.c:3:0 [] ignoring [[nodiscard]]\n"
            "E a.c:3:0 [] no: warning: [two words]\n"
            "E a.c:3:0 [-Wa,-Wb] no [[x]]\n");
}

TEST(ProblemMatchersTest, OtherTextIsNoProblem) {
  EXPECT_EQ(problems_in("a.c:3:5: note: expanded from here\n"
                        "a.c:3: note: error: no\n"
                        "a.c:3: see b.c:4:1: error: no\n"
                        "build.log:12: src/a.c:3:5: error: no\n"
                        "Received: \"a.c:3:5: error: no\"\n"
                        "expect(x).toBe(\"a.ts(3,5): error TS2322: no\")\n"
                        "docs: fix the undefined reference to f\n"
                        "build: cannot find x\n"
                        "a.c:3:5: error:\n"),
            "0 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n");
}

TEST(ProblemMatchersTest, APlaceOfANoteIsNotThatOfAnErrorBefore) {
  EXPECT_EQ(problems_in("error: could not compile `shop`\nnote: x\n --> src/a.rs:3:5\n"
                        "error[E0308]: mismatched types\n  --> src/my lib.rs:3:5\n   |\n"
                        "note: y\n --> src/b.rs:1:1\n"),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E src/my lib.rs:3:5 [E0308] mismatched types\n");
}

TEST(ProblemMatchersTest, AProblemThatTheNextLineEndsIsReported) {
  EXPECT_EQ(problems_in("CMake Error at a.cmake:6 (x):\n  Cannot find:\n\nb.c:3: error: no\n"
                        "CMake Error at a.cmake:7 (x):\n  Cannot find:\n"),
            "3 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E a.cmake:6:0 [] Cannot find:\n"
            "E b.c:3:0 [] no\n"
            "E a.cmake:7:0 [] Cannot find:\n");
  EXPECT_EQ(parsed_text(parse_go("a.go:3:5: no:\nb.go:4: no\n\tmore\npackage a\ntext\n", shop)),
            "2 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E a.go:3:5 [] no:\n"
            "E b.go:4:0 [] no\n");
}

TEST(ProblemMatchersTest, ProblemsBelowAPathMayBeIndentedByOneBlank) {
  EXPECT_EQ(
      problems_in("\nsrc/b.css\n 1:8  ✖  Unexpected  x  a/no-x\n 2:1  ⚠  Unexpected y\n\n 3:1  ✖  lost\n"),
      "1 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E src/b.css:1:8 [a/no-x] Unexpected  x\n"
      "W src/b.css:2:1 [] Unexpected y\n");
}

}  // namespace
}  // namespace snapgen::core
