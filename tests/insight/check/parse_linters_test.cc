// The results of the parsers for recorded output of linters and type checkers.
#include <string_view>

#include <gtest/gtest.h>

#include "tests/insight/check/recorded.h"

namespace snapgen::core {
namespace {

TEST(LinterParseTest, ReadsEslint) {
  EXPECT_EQ(parsed_text(OutputFormat::eslint, "eslint.json"),
            "4 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E src/broken.js:1:7 [] Parsing error: Unexpected token =\n"
            "W src/plain.js:1:7 [no-unused-vars] 'unused' is assigned a value but never used.\n"
            "E src/plain.js:2:5 [no-undef] 'missing' is not defined.\n"
            "E src/plain.js:2:13 [eqeqeq] Expected '===' and instead saw '=='.\n"
            "E src/plain.js:3:3 [no-undef] 'missing' is not defined.\n");
}

TEST(LinterParseTest, ReadsBiome) {
  EXPECT_EQ(
      parsed_text(OutputFormat::biome, "biome.out"),
      "6 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E biome.json:1:2 [format] Formatter would have printed the following content:\n"
      "E src/lint.ts:1:22 [lint/suspicious/noExplicitAny] Unexpected any. Specify a different type.\n"
      "E src/lint.ts:2:3 [lint/suspicious/noDebugger] This is an unexpected use of the debugger statement.\n"
      "E src/lint.ts:3:9 [lint/suspicious/noDoubleEquals] Use === instead of ==\n"
      "E src/lint.ts:1:2 [format] Formatter would have printed the following content:\n"
      "E src/app.ts:1:2 [format] Formatter would have printed the following content:\n");
  EXPECT_EQ(parsed_text(parse_biome(
                "::warning title=lint/x,file=a%2Cb.ts,line=3,col=5::100%25 sure%0Aand more\n", shop)),
            "0 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\nW a,b.ts:3:5 [lint/x] 100% sure\n");
}

TEST(LinterParseTest, ReadsRuff) {
  constexpr std::string_view output =
      R"([{"cell":null,"code":"F401","end_location":{"column":10,"row":1},"filename":"/home/user/shop/app.py","fix":null,)"
      R"("location":{"column":8,"row":1},"message":"`os` imported but unused","noqa_row":1,"url":"https://example.com"},)"
      R"({"cell":null,"code":null,"end_location":{"column":1,"row":4},"filename":"/home/user/shop/bad.py","fix":null,)"
      R"("location":{"column":5,"row":3},"message":"SyntaxError: Expected an expression","noqa_row":null,"url":null}])";
  EXPECT_EQ(parsed_text(parse_ruff(output, shop)),
            "2 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E app.py:1:8 [F401] `os` imported but unused\n"
            "E bad.py:3:5 [] SyntaxError: Expected an expression\n");
  EXPECT_EQ(parsed_text(parse_ruff("[]\n", shop)), "0 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n");
}

TEST(LinterParseTest, ReadsMypyInBothOfItsForms) {
  EXPECT_EQ(parsed_text(OutputFormat::mypy, "mypy.out"),
            "8 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E app.py:2:12 [return-value] Incompatible return value type (got \"str\", expected \"int\")\n"
            "E app.py:5:10 [assignment] Incompatible types in assignment (expression has type \"int\", "
            "variable has "
            "type \"str\")\n"
            "E app.py:6:1 [no-untyped-def] Function is missing a type annotation\n"
            "E tests/test_app.py:4:1 [no-untyped-def] Function is missing a return type annotation\n"
            "E tests/test_app.py:8:1 [no-untyped-def] Function is missing a return type annotation\n"
            "E tests/test_app.py:14:1 [no-untyped-def] Function is missing a return type annotation\n"
            "E tests/test_app.py:20:5 [no-untyped-def] Function is missing a return type annotation\n"
            "E tests/test_app.py:23:5 [no-untyped-def] Function is missing a type annotation\n");
  constexpr std::string_view lines =
      R"({"file": "app.py", "line": 2, "column": 11, "message": "Incompatible", "hint": null, "code": "return-value", )"
      R"("severity": "error"})"
      "\n"
      R"({"file": "app.py", "line": 2, "column": 11, "message": "more", "hint": null, "code": null, "severity": "note"})"
      "\n";
  EXPECT_EQ(
      parsed_text(parse_mypy(lines, shop)),
      "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\nE app.py:2:12 [return-value] Incompatible\n");
}

// mypy prints the first two with show_error_end, and bison and other GNU programs the rest.
TEST(LinterParseTest, ReadsPlacesThatAreRanges) {
  constexpr std::string_view mypy =
      "x.py:2:12:2:14: error: Incompatible return value type (got \"str\", expected \"int\")  "
      "[return-value]\n"
      "x.py:5:12:6:9: error: Too many arguments for \"f\"  [call-arg]\n";
  EXPECT_EQ(parsed_text(parse_mypy(mypy, shop)),
            "2 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E x.py:2:12 [return-value] Incompatible return value type (got \"str\", expected \"int\")\n"
            "E x.py:5:12 [call-arg] Too many arguments for \"f\"\n");
  constexpr std::string_view gnu =
      "calc.y:3.1-5: error: syntax error, unexpected identifier\n"
      "calc.y:4.1-5.8: warning: unused value: $2 [-Wother]\n"
      "calc.texi:6-7: warning: cross reference to nonexistent node\n"
      "calc.rst:8:1-9:4: error: inconsistent title\n"
      "calc.y:10.2: error: no digits after 1.5-2\n";
  EXPECT_EQ(parsed_text(parse_text(gnu, shop)),
            "3 errors, 2 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E calc.y:3:1 [] syntax error, unexpected identifier\n"
            "W calc.y:4:1 [-Wother] unused value: $2\n"
            "W calc.texi:6:0 [] cross reference to nonexistent node\n"
            "E calc.rst:8:1 [] inconsistent title\n"
            "E calc.y:10:2 [] no digits after 1.5-2\n");
}

TEST(LinterParseTest, ReadsFlake8AndPylint) {
  EXPECT_EQ(parsed_text(OutputFormat::text, "flake8.out"),
            "3 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E pkg/a.py:1:1 [F401] 'os' imported but unused\n"
            "E pkg/a.py:2:1 [E302] expected 2 blank lines, found 0\n"
            "E pkg/a.py:3:12 [F821] undefined name 'b'\n");
  EXPECT_EQ(parsed_text(OutputFormat::text, "pylint.out"),
            "3 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E pkg/a.py:3:0 [W0311] Bad indentation. Found 2 spaces, expected 4 (bad-indentation)\n"
            "E pkg/a.py:1:0 [C0114] Missing module docstring (missing-module-docstring)\n"
            "E pkg/a.py:3:11 [E0602] Undefined variable 'b' (undefined-variable)\n");
  EXPECT_EQ(parsed_text(parse_text("a.log:12: HTTP 500\na.py:3: X is 1\n10:30: E501 too late\n", shop)),
            "0 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n");
}

TEST(LinterParseTest, ErrorsAboutWholeFilesAndOfPluginsOfLintersAreRead) {
  EXPECT_EQ(
      parsed_text(parse_text("b/m.py: error: Duplicate module named \"m\" (also at \"./a/m.py\")\n"
                             "b/m.py: note: See the documentation\n"
                             "./plug.py:1:1: AAA01 no Act block\n./c.py:2:1: E800: Found commented code\n"
                             "Command line or configuration file:1:0: E0013: Plugin 'x' is impossible to "
                             "load (bad-plugin-value)\n10:30: Begin: A1 the day\n",
                             shop)),
      "4 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E b/m.py:0:0 [] Duplicate module named \"m\" (also at \"./a/m.py\")\n"
      "E plug.py:1:1 [AAA01] no Act block\n"
      "E c.py:2:1 [E800] Found commented code\n"
      "E :0:0 [E0013] Plugin 'x' is impossible to load (bad-plugin-value)\n");
}

}  // namespace
}  // namespace snapgen::core
