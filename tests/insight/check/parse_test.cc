// The results of the parsers for recorded output of real programs. Where a program was not available, the
// output follows its documented format.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/insight/check/recorded.h"
#include "tools/insight/check/read/collect.h"

namespace snapgen::core {
namespace {

TEST(CheckParseTest, ReadsTypeScriptWithAndWithoutColours) {
  const std::string expected =
      "4 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E src/app.ts:1:14 [TS2322] Type 'string' is not assignable to type 'number'.\n"
      "E src/app.ts:3:15 [TS2551] Property 'nam' does not exist on type '{ name: string; }'. Did you mean "
      "'name'?\n"
      "E src/app.ts:5:58 [TS2322] Type 'number' is not assignable to type 'string'.\n"
      "E src/app.ts:5:64 [TS2322] Type 'string' is not assignable to type 'number'.\n";
  EXPECT_EQ(parsed_text(OutputFormat::tsc, "tsc.out"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::tsc, "tsc_pretty.out"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::text, "tsc.out"), expected);
  EXPECT_EQ(parsed_text(parse_tsc("error TS5058: The specified path does not exist: 'x'.\n", shop)),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E :0:0 [TS5058] The specified path does not exist: 'x'.\n");
}

TEST(CheckParseTest, ReadsPytest) {
  EXPECT_EQ(parsed_text(OutputFormat::junit, "pytest.xml"),
            "0 errors, 0 warnings; 1 passed, 2 failed, 1 skipped\n"
            "E tests/test_app.py:10:0 [test_adds_wrongly] assert 2 == 3\n"
            "E tests/test_app.py:21:0 [test_needs_it] RuntimeError: no database\n");
  EXPECT_EQ(parsed_text(OutputFormat::text, "pytest.out"),
            "0 errors, 0 warnings; 1 passed, 2 failed, 1 skipped\n"
            "E tests/test_app.py:10:0 [test_adds_wrongly] assert 2 == 3\n"
            "E tests/test_app.py:21:0 [TestSum.test_needs_it] RuntimeError: no database\n");
}

TEST(CheckParseTest, ReadsCargo) {
  EXPECT_EQ(parsed_text(OutputFormat::cargo, "cargo_clippy.out"),
            "0 errors, 2 warnings; 0 passed, 0 failed, 0 skipped\n"
            "W src/lib.rs:2:9 [unused_variables] unused variable: `unused`\n"
            "W src/lib.rs:3:5 [clippy::needless_return] unneeded `return` statement\n");
  EXPECT_EQ(parsed_text(OutputFormat::clippy, "cargo_clippy.out"),
            "0 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
            "W src/lib.rs:3:5 [clippy::needless_return] unneeded `return` statement\n");
  EXPECT_EQ(parsed_text(OutputFormat::cargo, "cargo_test.out"),
            "0 errors, 1 warnings; 1 passed, 1 failed, 1 skipped\n"
            "W src/lib.rs:2:9 [unused_variables] unused variable: `unused`\n"
            "E src/lib.rs:13:9 [tests::adds_wrongly] assertion `left == right` failed (left: 2, right: 3)\n");
  const std::string broken =
      "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E src/lib.rs:2:5 [E0308] mismatched types\n";
  EXPECT_EQ(parsed_text(OutputFormat::cargo, "cargo_broken.out"), broken);
  EXPECT_EQ(parsed_text(OutputFormat::text, "cargo_text.out"), broken);
}

TEST(CheckParseTest, ReadsTheOutputOfGoVetAndGoTest) {
  EXPECT_EQ(parsed_text(OutputFormat::go, "go_vet.out"),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E main.go:6:2 [] fmt.Printf format %d has arg \"text\" of wrong type string\n");
  EXPECT_EQ(parsed_text(OutputFormat::go_test, "go_test.out"),
            "0 errors, 0 warnings; 2 passed, 1 failed, 1 skipped\n"
            "E sub/sum_test.go:8:0 [TestSum/small] Sum(1, 1) = 2\n");
  EXPECT_EQ(
      parsed_text(OutputFormat::go_test, "go_test_broken.out"),
      "3 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E main.go:3:8 [] imported and not used: \"os\"\n"
      "E main.go:6:14 [] cannot use \"x\" (untyped string constant) as int value in variable declaration\n"
      "E main.go:7:2 [] undefined: missing\n");
  // Newer versions report build errors in this form.
  constexpr std::string_view build_output =
      R"({"ImportPath":"example.com/shop","Action":"build-output","Output":"# example.com/shop\n"})"
      "\n"
      R"({"ImportPath":"example.com/shop","Action":"build-output","Output":"./main.go:7:2: undefined: missing\n"})"
      "\n"
      R"({"ImportPath":"example.com/shop","Action":"build-fail"})"
      "\n";
  EXPECT_EQ(parsed_text(parse_go_test(build_output, shop)),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\nE main.go:7:2 [] undefined: missing\n");
}

TEST(CheckParseTest, AMultipleDefinitionIsTheCauseOfAFailedLink) {
  EXPECT_EQ(
      parsed_text(parse_text("FAILED: t \n: && /usr/bin/cc t.c.o u.c.o -o t && :\n"
                             "/usr/bin/ld: u.c.o: in function `g':\n"
                             "u.c:(.text+0x0): multiple definition of `g'; t.c.o:t.c:(.text+0x0): first "
                             "defined here\ncollect2: error: ld returned 1 exit status\n",
                             {.root = "/home/user/shop", .base_folder = "build", .module = {}})),
      "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E :0:0 [] u.c: multiple definition of `g'; t.c.o:t.c:(.text+0x0): first defined here\n");
}

TEST(CheckParseTest, VitestAndJestPrintErrorsThatTheirReportsLack) {
  ParsedOutput parsed;
  add_errors_missing_in_jest_json(
      "⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  a.test.mjs > a\nAssertionError: expected 1 to be 2\n"
      "⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n\n⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\nVitest caught 2 unhandled errors.\n\n"
      "⎯⎯⎯⎯⎯ Uncaught Exception ⎯⎯⎯⎯⎯\nTypeError: late boom\n ❯ Timeout._onTimeout b.test.mjs:2:50\n\n"
      "⎯⎯⎯⎯⎯⎯ Unhandled Error ⎯⎯⎯⎯⎯⎯⎯\nError: [vitest-pool]: Worker forks emitted error.\n"
      " ❯ EventEmitter.emit node:events:524:28\n\nCaused by: Error: Worker exited unexpectedly\n"
      "⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯\n\n Test Files  1 failed (2)\n"
      "Jest: Coverage for lines (75%) does not meet \"global\" threshold (90%)\n",
      shop, parsed);
  EXPECT_EQ(parsed_text(parsed),
            "3 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E b.test.mjs:2:50 [] outside of the tests: TypeError: late boom\n"
            "E :0:0 [] outside of the tests: [vitest-pool]: Worker forks emitted error.; Worker exited "
            "unexpectedly\n"
            "E :0:0 [] Jest: Coverage for lines (75%) does not meet \"global\" threshold (90%)\n");
}

TEST(CheckParseTest, MochaListsNoTestsBelowASummaryThatATestPrinted) {
  EXPECT_EQ(parsed_text(parse_text("\n\n  5 passing (3ms)\n  2 failing\n  ✔ a\n  1) b\n\n  1 passing (10ms)\n"
                                   "  1 failing\n\n  1) b:\n\n      Error: broken\n      at t.js:3:22\n",
                                   shop)),
            "0 errors, 0 warnings; 1 passed, 1 failed, 0 skipped\n"
            "E t.js:3:22 [b] broken\n");
}

TEST(CheckParseTest, LinesInTheDiagnosticsOfTapAreNoResults) {
  EXPECT_EQ(
      parsed_text(parse_tap("TAP version 13\nnot ok 1 - fix \\#12 \\\\ done\n  ---\n  error: |-\n    lines:\n"
                            "    ...\n    not ok 7 - fake\n    ok 8 - fake\n  ...\nok 2 - b\n"
                            "not ok 3 adds # right\n  ---\n    operator: equal\n    expected: 2\n"
                            "    actual:   1\n  ...\n# Subtest: /home/user/shop/c.mjs\n"
                            "not ok 4 - /home/user/shop/c.mjs\n  ---\n  exitCode: ~\n  signal: 'SIGSEGV'\n"
                            "  error: 'test failed'\n  ...\nnot ok 5 - /home/user/shop/d.mjs\n  ---\n"
                            "  exitCode: 3\n  signal: ~\n  error: 'test failed'\n  ...\n1..9\n",
                            shop)),
      "1 errors, 0 warnings; 1 passed, 4 failed, 0 skipped\n"
      "E :0:0 [fix #12 \\ done] lines: ...\n"
      "E :0:0 [adds # right] expected: 2, actual: 1\n"
      "E c.mjs:0:0 [] test failed: ended by SIGSEGV\n"
      "E d.mjs:0:0 [] test failed: ended with exit code 3\n"
      "E :0:0 [] the output ended early: of 9 planned tests, 5 ran\n");
}

TEST(CheckParseTest, AFailedCommandOfNinjaHasItsOwnMessage) {
  EXPECT_EQ(
      parsed_text(parse_text("[1/3] Building C object a.o\nFAILED: a.o \ncc -c ../src/a.c\n"
                             "../src/a.c:3:5: error: no such name\n"
                             "[2/3] Generating gen.c\nFAILED: [code=3] gen.c /home/user/shop/build/gen.c\n"
                             "cd /home/user/shop && sh gen.sh\ngen.sh: schema.txt is missing\n"
                             "FAILED: b.txt\nsh b.sh\nsh: Error: no ink\ncleaning up\n"
                             "ninja: build stopped: cannot make progress due to previous errors.\n",
                             {.root = shop.root, .base_folder = "build", .module = {}})),
      "3 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E src/a.c:3:5 [] no such name\n"
      "E :0:0 [] gen.c: gen.sh: schema.txt is missing\n"
      "E :0:0 [] b.txt: sh: Error: no ink\n");
}

TEST(CheckParseTest, TimesAndUrlsAreNoLocations) {
  EXPECT_EQ(parsed_text(parse_text("see https://x/y:80: error: no\nhttp://localhost:8080: warning: no\n"
                                   "app[123]: 12:30:05: error: no\nBuild 12:30:05: error: no\n"
                                   "12:30:05: error: no\n2026-11-29T12:30:05.123: error: no\n",
                                   shop)),
            "0 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n");
  EXPECT_EQ(parsed_text(parse_text("file:///home/user/shop/a.mjs:3:5: error: no\n"
                                   "web: src/my file.c:3:5: error: no\n",
                                   shop)),
            "2 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E a.mjs:3:5 [] no\nE src/my file.c:3:5 [] no\n");
}

TEST(CheckParseTest, ReadsCompilersAndLinkers) {
  const std::string expected =
      "2 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E src/bad.c:6:18 [] ‘missing’ undeclared (first use in this function)\n"
      "W src/bad.c:3:7 [-Wunused-variable] unused variable ‘unused’\n"
      "E link.c:0:0 [] undefined reference to `f'\n";
  EXPECT_EQ(parsed_text(OutputFormat::text, "gcc.out"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::gcc_json, "gcc_json.out"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::text, "clang.out"),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E src/bad.c:6:18 [] use of undeclared identifier 'missing'\n");
  OutputPathResolver from_build = shop;
  from_build.base_folder = "build";
  EXPECT_EQ(parsed_text(parse_text(recorded("meson_compile.out"), from_build)),
            "0 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
            "W src/sum.c:3:7 [-Wunused-variable] unused variable ‘unused’\n");
}

TEST(CheckParseTest, ReadsCtestAndMeson) {
  const std::string expected =
      "0 errors, 0 warnings; 1 passed, 1 failed, 1 skipped\n"
      "E :0:0 [fails] sum of 2\n";
  EXPECT_EQ(parsed_text(OutputFormat::junit, "ctest.xml"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::junit, "meson_test.xml"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::text, "ctest.out"),
            "0 errors, 0 warnings; 2 passed, 1 failed, 0 skipped\nE :0:0 [fails] Failed\n");
}

TEST(CheckParseTest, ATestThatCtestCannotRunFailsAndOneThatIsSkippedDoesNot) {
  constexpr std::string_view output =
      R"(<testsuite><testcase name="t3" status="notrun"><skipped message="Unable to find executable"/>)"
      R"(<system-out>Unable to find executable: nope</system-out></testcase>)"
      R"(<testcase name="t4" status="disabled"><system-out>Disabled</system-out></testcase>)"
      R"(<testcase name="t5" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>)"
      R"(<testcase name="t6" status="notrun"><skipped message="Fixture dependency failed"/></testcase>)"
      R"(</testsuite>)";
  EXPECT_EQ(parsed_text(parse_junit(output, shop)),
            "0 errors, 0 warnings; 0 passed, 2 failed, 2 skipped\n"
            "E :0:0 [t3] Unable to find executable\n"
            "E :0:0 [t6] Fixture dependency failed\n");
}

TEST(CheckParseTest, ReadsJestAndVitest) {
  EXPECT_EQ(
      parsed_text(OutputFormat::jest, "jest.json"),
      "1 errors, 0 warnings; 1 passed, 1 failed, 1 skipped, 1 todo\n"
      "E j/sum.test.js:4:19 [sum adds wrongly] expect(received).toBe(expected) // Object.is equality "
      "(Expected: 3, Received: 2)\n"
      "E j/broken.test.js:0:0 [] SyntaxError: /home/user/shop/j/broken.test.js: Unexpected token (1:6)\n");
  EXPECT_EQ(
      parsed_text(OutputFormat::text, "jest.out"),
      "1 errors, 0 warnings; 1 passed, 1 failed, 1 skipped, 1 todo\n"
      "E j/sum.test.js:4:19 [sum adds wrongly] expect(received).toBe(expected) // Object.is equality "
      "(Expected: 3, Received: 2)\n"
      "E j/broken.test.js:0:0 [] SyntaxError: /home/user/shop/j/broken.test.js: Unexpected token (1:6)\n");
  EXPECT_EQ(
      parsed_text(OutputFormat::jest, "vitest.json"),
      "0 errors, 0 warnings; 1 passed, 1 failed, 1 skipped\n"
      "E v/sum.test.mjs:5:19 [sum adds wrongly] AssertionError: expected 2 to be 3 // Object.is equality\n");
  EXPECT_EQ(
      parsed_text(OutputFormat::text, "vitest.out"),
      "0 errors, 0 warnings; 1 passed, 1 failed, 1 skipped\n"
      "E sum.test.mjs:5:19 [sum adds wrongly] AssertionError: expected 2 to be 3 // Object.is equality\n");
}

TEST(CheckParseTest, MessagesOfVitestHaveNoColours) {
  constexpr std::string_view output =
      R"({"testResults":[{"name":"/home/user/shop/a.test.js","status":"failed","message":"","assertionResults":)"
      R"([{"status":"failed","fullName":"a","failureMessages":["Error: expected \u001b[32m1\u001b[39m to be 2, )"
      R"(not \\u001b[1m\n    at /home/user/shop/a.test.js:\u001B[33m3:5\u001B[39m"]}]}]})";
  EXPECT_EQ(parsed_text(parse_jest(output, shop)),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
            "E a.test.js:3:5 [a] expected 1 to be 2, not \\u001b[1m\n");
}

TEST(CheckParseTest, AnErrorOutsideOfTheTestsOfAFileOfJestIsReported) {
  constexpr std::string_view output =
      R"({"testResults":[{"name":"/home/user/shop/a.test.js","status":"failed","message":)"
      R"("\n\n  ● Test suite failed to run\n\n    after boom\n\n    > 1 | test(\"a\",()=>{})\n\n)"
      R"(      at Object.<anonymous> (a.test.js:1:39)\n","assertionResults":)"
      R"([{"status":"passed","fullName":"a"}]}]})";
  EXPECT_EQ(parsed_text(parse_jest(output, shop)),
            "1 errors, 0 warnings; 1 passed, 0 failed, 0 skipped\nE a.test.js:1:39 [] after boom\n");
}

TEST(CheckParseTest, ReadsThreeReportersOfNode) {
  const std::string expected =
      "0 errors, 0 warnings; 1 passed, 2 failed, 1 skipped, 1 todo\n"
      "E n/a.test.mjs:6:12 [adds wrongly] Expected values to be strictly equal: 2 !== 3\n"
      "E n/a.test.mjs:11:39 [inner] broken: inside\n";
  EXPECT_EQ(parsed_text(OutputFormat::tap, "node.tap"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::text, "node.tap"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::junit, "node_junit.xml"),
            "0 errors, 0 warnings; 1 passed, 2 failed, 1 skipped, 1 todo\n"
            "E n/a.test.mjs:6:12 [adds wrongly] Expected values to be strictly equal:2 !== 3\n"
            "E n/a.test.mjs:11:11 [inner] broken: inside\n");
  // The summary of the spec reporter also counts the outer test as failed.
  EXPECT_EQ(parsed_text(OutputFormat::text, "node_spec.out"), expected);
}

TEST(CheckParseTest, AFileThatNodeCannotLoadIsReportedWithTheReason) {
  constexpr std::string_view output =
      "TAP version 13\n# node:internal/modules/esm/resolve:283\n#     throw new ERR_MODULE_NOT_FOUND(\n"
      "# Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/shop/missing.js'\n# Node.js v20.20.2\n"
      "# Subtest: /shop/b.test.js\nnot ok 1 - /shop/b.test.js\n  ---\n  error: 'test failed'\n  ...\n1..1\n";
  EXPECT_EQ(parsed_text(parse_tap(output, {.root = "/shop", .base_folder = {}, .module = {}})),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
            "E b.test.js:0:0 [] Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/shop/missing.js'\n");
}

TEST(CheckParseTest, AFileThatNodeCannotLoadIsLocatedWhereTheErrorIs) {
  const std::string expected =
      "0 errors, 0 warnings; 0 passed, 9 failed, 0 skipped\n"
      "E test/cjs.test.cjs:1:11 [] Error: Cannot find module './nofile'\n"
      "E test/cjs2.test.cjs:1:0 [] SyntaxError: Unexpected token ';'\n"
      "E src/color.js:0:0 [] Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'chalk' imported from "
      "/home/user/shop/src/color.js\n"
      "E test/export.test.js:3:0 [] SyntaxError: The requested module '../src/price.js' does not provide an "
      "export named 'round'\n"
      "E src/r.js:1:0 [] SyntaxError: The requested module './price.js' does not provide an export named "
      "'round'\n"
      "E test/nofile.test.js:0:0 [] Error [ERR_MODULE_NOT_FOUND]: Cannot find module "
      "'/home/user/shop/src/nofile.js' imported from /home/user/shop/test/nofile.test.js\n"
      "E test/str.test.js:0:0 [] text\n"
      "E src/syntax.js:2:0 [] SyntaxError: Unexpected token ';'\n"
      "E src/discounts.js:7:26 [] TypeError: Cannot read properties of undefined (reading 'value')\n";
  EXPECT_EQ(parsed_text(OutputFormat::tap, "node_load_tap.out"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::text, "node_load_spec.out"), expected);
}

TEST(CheckParseTest, AnErrorThatATestPrintsIsNotWhyNodeCouldNotLoadTheFile) {
  constexpr std::string_view output =
      "TAP version 13\n# TypeError: only logged\n#     at file:///shop/log.js:3:1\n# "
      "file:///shop/src/a.js:7\n"
      "# assert.equal(1, 2);\n#        ^\n# AssertionError [ERR_ASSERTION]: Expected values to be strictly "
      "equal:\n"
      "# 1 !== 2\n#     at file:///shop/src/a.js:7:8\n# Subtest: /shop/b.test.js\nnot ok 1 - "
      "/shop/b.test.js\n"
      "  ---\n  location: '/shop/b.test.js:1:1'\n  error: 'test failed'\n  ...\n"
      // The next file ends without an error.
      "# Subtest: /shop/c.test.js\nnot ok 2 - /shop/c.test.js\n  ---\n  location: '/shop/c.test.js:1:1'\n"
      "  error: 'test failed'\n  ...\n1..2\n";
  EXPECT_EQ(
      parsed_text(parse_tap(output, {.root = "/shop", .base_folder = {}, .module = {}})),
      "0 errors, 0 warnings; 0 passed, 2 failed, 0 skipped\n"
      "E src/a.js:7:8 [] AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1 !== 2\n"
      "E c.test.js:0:0 [] test failed\n");
}

TEST(CheckParseTest, AModuleThatPytestCannotLoadIsAnErrorAndNoTest) {
  const ParsedOutput parsed = parse_junit(
      "<testsuites><testsuite errors=\"1\"><testcase name=\"tests.test_gone\"><error message=\"collection "
      "failure\">ImportError while importing\ntests/test_gone.py:1: in &lt;module&gt;\n    from shop.old "
      "import x\nE   ModuleNotFoundError: No module named "
      "'shop.old'</error></testcase></testsuite></testsuites>",
      shop);
  EXPECT_EQ(parsed_text(parsed),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E tests/test_gone.py:1:0 [tests.test_gone] ModuleNotFoundError: No module named 'shop.old'\n");
  EXPECT_EQ(parsed.unloaded_module_count, 1);
}

TEST(CheckParseTest, ASyntaxErrorIsLocatedInItsFileAndNotWhereThatIsImported) {
  const ParsedOutput parsed = parse_junit(
      "<testsuite><testcase name=\"tests.test_a\"><error message=\"collection failure\">shop/__init__.py:1: "
      "in "
      "&lt;module&gt;\n    from .core import x\nE     File \"/shop/shop/core.py\", line 9\nE       def f(\nE "
      "  "
      "SyntaxError: '(' was never closed</error></testcase></testsuite>",
      {.root = "/shop", .base_folder = {}, .module = {}});
  EXPECT_EQ(parsed_text(parsed),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E shop/core.py:9:0 [tests.test_a] SyntaxError: '(' was never closed\n");
}

TEST(CheckParseTest, InABuildFolderALinkerNamesNoFolder) {
  constexpr std::string_view line = "/usr/bin/ld: test_line.cc:(.text+0x9): undefined reference to `f()'\n";
  EXPECT_EQ(parsed_text(parse_text(line, {.root = "/shop", .base_folder = "build", .module = {}})),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E :0:0 [] test_line.cc: undefined reference to `f()'\n");
  EXPECT_EQ(parsed_text(parse_text(line, {.root = "/shop", .base_folder = {}, .module = {}})),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E test_line.cc:0:0 [] undefined reference to `f()'\n");
}

TEST(CheckParseTest, ReadsLinkerErrorsWithALocation) {
  const OutputPathResolver build{.root = "/shop", .base_folder = "build", .module = {}};
  EXPECT_EQ(
      parsed_text(parse_text("/usr/bin/ld: t.p/t.cc.o: in function `main':\n"
                             "/shop/build/../t.cc:2: undefined reference to `geo::length(int)'\n"
                             "/usr/bin/ld: ../u.cc:3: multiple definition of `f()'; first defined here\n"
                             "/usr/bin/ld: cannot find -lnope: No such file or directory\n"
                             "collect2: error: ld returned 1 exit status\n",
                             build)),
      "3 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
      "E t.cc:2:0 [] undefined reference to `geo::length(int)'\n"
      "E u.cc:3:0 [] multiple definition of `f()'; first defined here\n"
      "E :0:0 [] cannot find -lnope: No such file or directory\n");
}

TEST(CheckParseTest, ReadsErrorsOfMesonAndCMake) {
  const OutputPathResolver build{.root = "/shop", .base_folder = "build", .module = {}};
  EXPECT_EQ(parsed_text(parse_text("../meson.build:4:15: ERROR: Expecting rparen got eof.\n"
                                   "CMake Error at CMakeLists.txt:6 (add_executable):\n"
                                   "  Cannot find source file:\n\n    nope.c\n\n\n"
                                   "CMake Warning at /shop/sub/x.cmake:2 (message):\n  old\n\n"
                                   "CMake Error: Generator: execution of make failed.\n",
                                   build)),
            "3 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E meson.build:4:15 [] Expecting rparen got eof.\n"
            "E CMakeLists.txt:6:0 [] Cannot find source file: nope.c\n"
            "W sub/x.cmake:2:0 [] old\n"
            "E :0:0 [] Generator: execution of make failed.\n");
}

TEST(CheckParseTest, ReadsTheFormatStylishOfEslint) {
  EXPECT_EQ(parsed_text(parse_text("\n> eslint .\n\n/home/user/shop/src/a.js\n"
                                   "  3:5   error    'x' is not defined            no-undef\n"
                                   "  4:11  warning  Unexpected console statement  no-console\n\n"
                                   "src/b.js\n  1:7  error  Parsing error: Unexpected token =\n\n"
                                   "✖ 3 problems (2 errors, 1 warning)\n\n  1:30 at noon\n",
                                   shop)),
            "2 errors, 1 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E src/a.js:3:5 [no-undef] 'x' is not defined\n"
            "W src/a.js:4:11 [no-console] Unexpected console statement\n"
            "E src/b.js:1:7 [] Parsing error: Unexpected token =\n");
}

TEST(CheckParseTest, ATestThatCTestStoppedDidNotEndInTime) {
  ParsedOutput parsed = parse_junit(
      "<testsuite><testcase name=\"slow one\" status=\"fail\"><failure message=\"\"/><system-out>hi"
      "</system-out></testcase></testsuite>",
      shop);
  explain_failures_of_ctest("1/1 Test #1: slow one ..........***Timeout   1.01 sec\n", parsed);
  EXPECT_EQ(parsed_text(parsed),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\nE :0:0 [slow one] did not end in time\n");
}

TEST(CheckParseTest, AMessageThatEndsInAColonHasItsNextLine) {
  constexpr std::string_view output =
      "<testsuite><testcase name=\"a\"><failure message=\"Transform failed with 1 error:&#10;&#10;a.ts:2:4: "
      "ERROR: Expected &quot;)&quot;&#10;more\"/></testcase></testsuite>";
  EXPECT_EQ(parsed_text(parse_junit(output, shop)),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
            "E :0:0 [a] Transform failed with 1 error: a.ts:2:4: ERROR: Expected \")\"\n");
}

TEST(CheckParseTest, ReadsTapWithSubtestsDirectivesAndLocations) {
  constexpr std::string_view output =
      "TAP version 14\n1..4\nok 1 - plain\nnot ok 2 - broken\n  ---\n  message: \"it broke\"\n  at:\n    "
      "file: t/a.t\n"
      "    line: 7\n  ...\n# Subtest: parent\n    ok 1 - child\n    not ok 2 - other child\n    1..2\n"
      "not ok 3 - parent\nok 4 # skip no database\nBail out! disk full\n";
  EXPECT_EQ(parsed_text(parse_tap(output, shop)),
            "0 errors, 0 warnings; 2 passed, 3 failed, 1 skipped\n"
            "E t/a.t:7:0 [broken] it broke\n"
            "E :0:0 [other child] failed\n"
            "E :0:0 [] Bail out! disk full\n");
}

TEST(CheckParseTest, ReadsSummariesOfOtherRunners) {
  const auto tests = [](std::string_view text) {
    const TestCounts found = parse_text(text, shop).tests;
    return std::to_string(found.passed) + "/" + std::to_string(found.failed) + "/" +
           std::to_string(found.skipped);
  };
  EXPECT_EQ(tests(recorded("unittest.out")), "1/1/1");
  EXPECT_EQ(tests("Ran 3 tests in 0.001s\n\nOK\n"), "3/0/0");
  EXPECT_EQ(tests("  2 passing (5ms)\n  1 pending\n  3 failing\n"), "2/3/1");
  EXPECT_EQ(tests("[  PASSED  ] 3 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.b\n"), "3/1/0");
  EXPECT_EQ(tests("==== 5 passed in 0.01s ====\n"), "5/0/0");
  EXPECT_EQ(tests("[  SKIPPED ] 2 tests, listed below:\n[  PASSED  ] 0 tests.\n"), "0/0/2");
  EXPECT_EQ(tests("ℹ pass 1\nℹ fail 0\nℹ cancelled 1\n"), "1/1/0");
  EXPECT_EQ(tests("2 xpassed in 0.01s\n"), "2/0/0");
  EXPECT_EQ(tests("Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total\n"), "2/1/0");
  EXPECT_EQ(tests(" Test Files  1 passed (1)\n      Tests  1 passed (1)\n"), "1/0/0");
  EXPECT_EQ(tests("\n 2 pass\n 1 skip\n 1 fail\n 3 expect() calls\nRan 4 tests across 2 files. [49.00ms]\n"),
            "2/1/1");
  // One output may contain the summaries of several runners.
  EXPECT_EQ(tests("  2 passing (5ms)\n  4 pending\n\nRan 3 tests in 0.001s\n\nOK\n"), "5/0/4");
  EXPECT_EQ(tests("Ran 2 tests in 0.001s\n\nFAILED (unexpected successes=1)\nRan 1 test in 0.1s\n\nOK\n"),
            "2/1/0");
  EXPECT_EQ(tests("  1 passing (5ms)\n  1 failing\n\nTAP version 13\nok 1 - a\n1..1\n"), "2/1/0");
  // TAP output that ends early is a failure.
  EXPECT_EQ(tests("TAP version 13\nok 1 - a\nBail out! no database\n"), "1/1/0");
  EXPECT_EQ(tests("TAP version 13\nok 1 - a\n1..3\n"), "1/0/0");
  // These lines only resemble a summary.
  EXPECT_EQ(tests("  5 passing (5ms)\n  ✔ b\n  3 failing\n\n  1 passing (8ms)\n"), "1/0/0");
  EXPECT_EQ(tests("Ran 5 tests in 0.001s\nOK (skipped=2)\nRan 1 test in 0.1s\n\nFAILED (failures=1)\n"),
            "0/1/0");
  EXPECT_EQ(tests("---- Captured stdout call ----\n5 passed in 0.12s\n==== short ====\n1 failed in 0.04s\n"),
            "0/1/0");
  EXPECT_EQ(tests("running 1 test\ntest a ... FAILED\n\n---- a stdout ----\nrunning 7 tests\n"
                  "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured;\n\nfailures:\n    a\n\n"
                  "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured;\n"),
            "0/1/0");
  EXPECT_EQ(tests("stdout | a.test.js > adds\nTests  7 failed (7)\n\nTests: 3 failed, 3 total\n"), "0/0/0");
  EXPECT_EQ(tests("3 pass\n\nRan 3 tests across 2 files. [49.00ms]\n"), "0/0/0");
  EXPECT_EQ(tests("2 failed attempts\n3 passed\n"), "0/0/0");
  EXPECT_EQ(tests("2 failed attempts in 5s\n3 passed in the end\nTests: 5 passed\n"), "0/0/0");
  EXPECT_EQ(tests("Ran 3 tests in a row\ntest result: 4 passed\n"), "0/0/0");
  EXPECT_EQ(tests("5 passing grades\n3 failing\n  ✔ ok\n  3 failing\n\n  1 passing (8ms)\n"), "1/0/0");
  EXPECT_EQ(tests("  1 passing (2m)\n3 failing attempts\n  4 failing attempts\n"), "0/0/0");
}

TEST(CheckParseTest, PathsAreRelativeToTheRootWhereverTheProgramRan) {
  OutputPathResolver places = shop;
  places.base_folder = "web/app";
  EXPECT_EQ(places.resolve("src/a.ts"), "web/app/src/a.ts");
  EXPECT_EQ(places.resolve("./src/../a.ts"), "web/app/a.ts");
  EXPECT_EQ(places.resolve("../../lib/a.ts"), "lib/a.ts");
  EXPECT_EQ(places.resolve("/home/user/shop/lib/a.ts"), "lib/a.ts");
  EXPECT_EQ(places.resolve("file:///home/user/shop/lib/a.ts"), "lib/a.ts");
  EXPECT_EQ(places.resolve("/home/user/shopping/a.ts"), "/home/user/shopping/a.ts");
  EXPECT_EQ(places.resolve("../../../a.ts"), "../../../a.ts");
  const OutputPathResolver spaced{.root = "/home/user/my shop", .base_folder = "", .module = ""};
  EXPECT_EQ(spaced.resolve("file:///home/user/my%20shop/a.mjs"), "a.mjs");
  const auto place = first_workspace_location("  at x (file:///home/user/my%20shop/a.mjs:3:1)\n", spaced);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->line, 3);
}

TEST(CheckParseTest, OutputInAnotherFormatIsNotUnderstood) {
  for (OutputFormat format :
       {OutputFormat::eslint, OutputFormat::ruff, OutputFormat::jest, OutputFormat::junit, OutputFormat::tap})
    for (std::string_view text :
         {"", "Oops! Something went wrong", "{", "[{]", "<testsuites>", "null", "\xff\xfe"})
      EXPECT_FALSE(parse_output(format, text, shop).is_understood) << text;
  // Values of other types are ignored.
  EXPECT_EQ(
      parse_eslint(R"([1, {"messages": 2}, {"messages": [null, {"line": "x", "severity": 1e99}]}])", shop)
          .warning_count,
      1);
  EXPECT_EQ(parse_jest(R"({"testResults": [[], {"assertionResults": [{"status": 3}]}]})", shop).tests.all(),
            0);
}

TEST(CheckParseTest, FindingsBeyondTheLimitAreCounted) {
  std::string output;
  for (int i = 0; i < 2000; ++i) output += "a.c:1:2: error: no\n";
  const ParsedOutput parsed = parse_text(output, shop);
  EXPECT_EQ(parsed.error_count, 2000);
  EXPECT_EQ(parsed.findings.size(), stored_findings_max);
}

TEST(CheckParseTest, AnyBytesBecomeOneLineOfText) {
  const ParsedOutput parsed =
      parse_text("a\xff.c:1:2: error: \x1b[31mred\x1b[0m \xc3\x28 caf\xc3\xa9\tx\r\n", shop);
  ASSERT_EQ(parsed.findings.size(), 1u);
  EXPECT_EQ(parsed.findings[0].message, "red ?( café x");
}

}  // namespace
}  // namespace snapgen::core
