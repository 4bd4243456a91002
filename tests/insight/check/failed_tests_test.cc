// The failed tests that the parsers find in output that real versions of test runners printed.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/insight/check/recorded.h"
#include "tools/insight/check/read/collect.h"

namespace snapgen::core {
namespace {

TEST(FailedTestsTest, ReadsTheListOfNode) {
  const std::string expected =
      "0 errors, 0 warnings; 1 passed, 7 failed, 1 skipped, 1 todo\n"
      "E n/a.test.mjs:4:37 [adds wrongly] Expected values to be strictly equal: 2 !== 3\n"
      "E n/a.test.mjs:6:29 [inner] broken: inside\n"
      "E n/a.test.mjs:7:29 [deep] Expected values to be strictly deep-equal: + a: 1 - a: 2\n"
      "E n/a.test.mjs:10:69 [third (very) deep] not good\n"
      "E n/a.test.mjs:12:1 [rejects] a string\n"
      "E n/a.test.mjs:13:1 [timeout] test timed out after 10ms\n"
      "E n/b.test.mjs:0:0 [] Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/user/shop/n/gone.mjs' "
      "imported from /home/user/shop/n/b.test.mjs\n";
  EXPECT_EQ(parsed_text(OutputFormat::text, "node_spec_list.out"), expected);
  EXPECT_EQ(parsed_text(OutputFormat::text, "node_spec_26.out"), expected);
  // The reporter dot prints no locations of tests, and lists only the failed ones, so only these can be
  // counted.
  EXPECT_EQ(parsed_text(OutputFormat::text, "node_dot.out"),
            "0 errors, 0 warnings; 0 passed, 7 failed, 0 skipped\n"
            "E n/a.test.mjs:4:37 [adds wrongly] Expected values to be strictly equal: 2 !== 3\n"
            "E n/a.test.mjs:6:29 [inner] broken: inside\n"
            "E n/a.test.mjs:7:29 [deep] Expected values to be strictly deep-equal: + a: 1 - a: 2\n"
            "E n/a.test.mjs:10:69 [third (very) deep] not good\n"
            "E :0:0 [rejects] a string\n"
            "E :0:0 [timeout] test timed out after 10ms\n"
            "E n/b.test.mjs:0:0 [] test failed\n");
}

TEST(FailedTestsTest, TestsThatDidNotRunNameTheHookThatFailed) {
  EXPECT_EQ(parsed_text(OutputFormat::tap, "node_hook.tap"),
            "0 errors, 0 warnings; 0 passed, 4 failed, 0 skipped\n"
            "E n/hook.test.mjs:4:24 [reads] no db (in a hook of hooked)\n"
            "E n/hook.test.mjs:4:24 [writes] no db (in a hook of hooked)\n"
            "E n/hook.test.mjs:8:27 [deep] Expected values to be strictly deep-equal: + 2 - 3\n"
            "E n/hook.test.mjs:9:27 [list] Expected values to be strictly deep-equal: + 'cellar' - 'loft'\n");
}

TEST(FailedTestsTest, AnOutputMayHaveTheListsOfSeveralRunsOfNode) {
  const std::string once = recorded("node_spec.out");
  EXPECT_EQ(parsed_text(parse_text(once + once, shop)).substr(0, 60),
            "0 errors, 0 warnings; 2 passed, 4 failed, 2 skipped, 2 todo\n");
}

TEST(FailedTestsTest, ATestThatPrintsTheOutputOfARunnerIsNotAFailure) {
  EXPECT_EQ(parsed_text(parse_text("✖ 3 problems (2 errors)\n  ● not a test\n  1) no list\nℹ tests 1\nℹ pass "
                                   "1\nℹ fail 0\nℹ cancelled 0\n",
                                   shop)),
            "0 errors, 0 warnings; 1 passed, 0 failed, 0 skipped\n");
}

TEST(FailedTestsTest, ReadsMochaJestAndVitest) {
  EXPECT_EQ(
      parsed_text(OutputFormat::text, "mocha.out"),
      "0 errors, 0 warnings; 1 passed, 6 failed, 1 skipped\n"
      "E m/a.js:9:26 [top] not good\n"
      "E m/a.js:4:37 [sum adds wrongly] Expected values to be strictly equal: 2 !== 3\n"
      "E m/a.js:5:29 [sum deep] Expected values to be strictly deep-equal: + a: 1 - a: 2\n"
      "E m/a.js:7:56 [sum inner throws] TypeError: broken: inside\n"
      "E :0:0 [sum inner late] Timeout of 20ms exceeded. For async tests and hooks, ensure \"done()\" is "
      "called; if returning a Promise, ensure it resolves. (/home/user/shop/m/a.js)\n"
      "E m/a.js:10:61 [hooked \"before all\" hook: prepares for \"never\"] no database\n");
  EXPECT_EQ(parsed_text(OutputFormat::text, "jest_list.out"),
            "1 errors, 0 warnings; 1 passed, 4 failed, 0 skipped\n"
            "E a.test.js:5:50 [sum adds wrongly] expect(received).toBe(expected) // Object.is equality "
            "(Expected: 3, Received: 2)\n"
            "E a.test.js:6:39 [sum deep] expect(received).toEqual(expected) // deep equality: - \"a\": 2, + "
            "\"a\": 1,\n"
            "E lib.js:2:30 [sum throws] TypeError: broken: inside\n"
            "E a.test.js:9:31 [top] expect(received).toBe(expected) // Object.is equality (Expected: 2, "
            "Received: 1)\n"
            "E b.test.js:1:1 [] Cannot find module './gone' from 'b.test.js'\n");
  EXPECT_EQ(
      parsed_text(OutputFormat::text, "vitest_list.out"),
      "1 errors, 0 warnings; 1 passed, 4 failed, 0 skipped\n"
      "E v/b.test.mjs:1:1 [] Cannot find module './gone' imported from /home/user/shop/v/b.test.mjs\n"
      "E v/a.test.mjs:5:50 [sum adds wrongly] AssertionError: expected 2 to be 3 // Object.is equality\n"
      "E v/a.test.mjs:6:39 [sum deep] AssertionError: expected { a: 1 } to deeply equal { a: 2 }\n"
      "E v/lib.mjs:2:30 [sum throws] TypeError: broken: inside\n"
      "E v/a.test.mjs:9:31 [top] AssertionError: expected 1 to be 2 // Object.is equality\n");
}

TEST(FailedTestsTest, ReadsBun) {
  EXPECT_EQ(
      parsed_text(parse_text(
          "bun test v1.4.5 (a7733435c)\n\nsrc/door.test.ts:\n(pass) door > opens [0.14ms]\n"
          "4 |   test('locks twice', () => {\n5 |     expect(404).toBe(200);\n                    ^\n"
          "error: expect(received).toBe(expected)\n\nExpected: 200\nReceived: 404\n\n"
          "      at <anonymous> (/home/user/shop/src/door.test.ts:5:17)\n(fail) door > locks twice [1.37ms]\n"
          "TypeError: x is not a function\n      at f (/home/user/shop/src/door.ts:2:1)\n(fail) throws\n\n"
          "src/queue.test.ts:\n(pass) queue > keeps a (fail) job\n\nsrc/broken.test.ts:\n\n"
          "# Unhandled error between tests\n-------------------------------\n"
          "error: Cannot find module './nope' from '/home/user/shop/src/broken.test.ts'\n"
          "-------------------------------\n\n 2 pass\n 3 fail\n 1 error\n 3 expect() calls\n"
          "Ran 5 tests across 3 files. [49.00ms]\n",
          shop)),
      "0 errors, 0 warnings; 2 passed, 3 failed, 0 skipped\n"
      "E src/door.test.ts:5:17 [door locks twice] expect(received).toBe(expected) (Expected: 200, Received: "
      "404)\n"
      "E src/door.ts:2:1 [throws] TypeError: x is not a function\n"
      "E src/broken.test.ts:0:0 [] Cannot find module './nope' from '/home/user/shop/src/broken.test.ts'\n");
}

TEST(FailedTestsTest, OfVitestOnlyTheSummaryCounts) {
  EXPECT_EQ(
      parsed_text(parse_text(" RUN  v4.1.12 /home/user/shop\n\n ❯ test/broken.test.js (0 test)\n"
                             "stdout | test/ok.test.js > adds\nTests  7 failed (7)\n\n"
                             " ✓ test/ok.test.js (1 test) 6ms\n\n Test Files  1 failed | 1 passed (2)\n"
                             "      Tests  1 passed (1)\n\n⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯\n\n"
                             " FAIL  test/broken.test.js [ test/broken.test.js ]\n"
                             "Error: Cannot find module './nope.js' imported from test/broken.test.js\n"
                             " ❯ test/broken.test.js:1:1\n\n⎯⎯⎯⎯⎯⎯[1/1]⎯\n",
                             shop)),
      "1 errors, 0 warnings; 1 passed, 0 failed, 0 skipped\n"
      "E test/broken.test.js:1:1 [] Cannot find module './nope.js' imported from test/broken.test.js\n");
}

TEST(FailedTestsTest, ATestThatUnittestCouldNotPrepareDidNotPass) {
  const std::string rule(70, '-');
  EXPECT_EQ(parsed_text(parse_text(
                "E\n" + std::string(70, '=') + "\nERROR: setUpClass (test_a.A)\n" + rule +
                    "\nTraceback (most recent call last):\n  File \"/home/user/shop/test_a.py\", line "
                    "4, in setUpClass\nRuntimeError: x\n\n" +
                    rule + "\nRan 0 tests in 0.000s\n\nFAILED (errors=1)\n",
                shop)),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
            "E test_a.py:4:0 [setUpClass (test_a.A)] RuntimeError: x\n");
}

TEST(FailedTestsTest, APathMayHaveBlanksAndBrackets) {
  const auto located = [](std::string_view line) {
    const std::optional<OutputLocation> at = first_workspace_location(line, shop);
    return at ? shop.resolve(at->path) + ":" + std::to_string(at->line) : "";
  };
  EXPECT_EQ(located("  at f (file:///home/user/shop/my%20tests/%5Bid%5D.js:4:37)"), "my tests/[id].js:4");
  EXPECT_EQ(located("  at f (/home/user/shop/my tests/(group)/a.js:4:37)"), "my tests/(group)/a.js:4");
  EXPECT_EQ(located("  at f (src/(group)/[id]/a.js:4:37)"), "src/(group)/[id]/a.js:4");
  EXPECT_EQ(located("  at f (a.js:4:37) and (b.js:1:2)"), "a.js:4");
  const std::string report =
      R"(<testsuites><testsuite><testcase classname="t" name="test_a"><failure message="m">)"
      "def test_a():\n&gt;       assert 1 == 2\nE       assert 1 == 2\n\n"
      "my tests/test a.py:2: AssertionError</failure></testcase></testsuite></testsuites>";
  EXPECT_EQ(parsed_text(parse_junit(report, shop)),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\nE my tests/test a.py:2:0 [test_a] m\n");
}

TEST(FailedTestsTest, ReadsUnittest) {
  EXPECT_EQ(parsed_text(OutputFormat::text, "unittest.out"),
            "0 errors, 0 warnings; 1 passed, 1 failed, 1 skipped\n"
            "E ut.py:4:0 [test_b] AssertionError: 1 != 2\n");
  EXPECT_EQ(parsed_text(OutputFormat::text, "unittest_list.out"),
            "0 errors, 0 warnings; 1 passed, 10 failed, 0 skipped\n"
            "E test_a.py:25:0 [setUpClass (test_a.S)] RuntimeError: no database\n"
            "E test_a.py:22:0 [test_chain] ValueError: chained\n"
            "E shop/core.py:2:0 [test_d] ZeroDivisionError: division by zero\n"
            "E shop/bad.py:1:0 [test_bad] SyntaxError: '(' was never closed\n"
            "E test_gone.py:1:0 [test_gone] ModuleNotFoundError: No module named 'shop.gone'\n"
            "E test_a.py:7:0 [test_b] AssertionError: 1 != 2\n"
            "E test_a.py:9:0 [test_c] AssertionError: 'a\\nb' != 'a\\nc'\n"
            "E test_a.py:15:0 [test_sub (i=0)] AssertionError: 0 != 5 : not five\n"
            "E test_a.py:15:0 [test_sub (i=1)] AssertionError: 1 != 5 : not five\n"
            "E :0:0 [test_x] passed, but should fail\n");
}

TEST(FailedTestsTest, AFileThatPytestCannotLoadIsNamed) {
  EXPECT_EQ(
      parsed_text(parse_text("==== ERRORS ====\n____ ERROR collecting tests/test_bad.py ____\n"
                             "tests/test_bad.py:1: in <module>\n    import shop.bad\n"
                             "E     File \"/home/user/shop/shop/bad.py\", line 3\nE       def f(\n"
                             "E            ^\nE   SyntaxError: '(' was never closed\n"
                             "==== short test summary info ====\nERROR tests/test_bad.py\n"
                             "!!!! Interrupted: 1 error during collection !!!!\n==== 1 error in 0.05s ====\n",
                             shop)),
      "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
      "E shop/bad.py:3:0 [] SyntaxError: '(' was never closed\n");
}

TEST(FailedTestsTest, ReadsCtestAndMeson) {
  EXPECT_EQ(parsed_text(OutputFormat::text, "ctest_list.out"),
            "0 errors, 0 warnings; 1 passed, 3 failed, 0 skipped\n"
            "E t.c:4:0 [fails] t: t.c:4: main: Assertion `1==2' failed.\n"
            "E :0:0 [bad words] oops\n"
            "E :0:0 [late] did not end in time\n");
  EXPECT_EQ(parsed_text(OutputFormat::text, "meson_test.out"),
            "0 errors, 0 warnings; 1 passed, 3 failed, 0 skipped\n"
            "E :0:0 [shop:unit / fails] killed by signal 6 SIGABRT\n"
            "E :0:0 [shop / xp] passed, but should fail\n"
            "E :0:0 [shop / slow] did not end in time\n");
}

TEST(FailedTestsTest, TheReportOfCtestHasTheLocationThatTheProgramPrinted) {
  EXPECT_EQ(parsed_text(OutputFormat::junit, "ctest_list.xml"),
            "0 errors, 0 warnings; 1 passed, 3 failed, 0 skipped\n"
            "E t.c:4:0 [fails] t: t.c:4: main: Assertion `1==2' failed.\n"
            "E :0:0 [bad words] oops\n"
            "E :0:0 [late] failed\n");
  const std::string googletest =
      "<testsuite><testcase name=\"sums\" status=\"fail\"><failure message=\"\"/><system-out>"
      "[ RUN      ] Sum.adds\n/home/user/shop/sum_test.cc:8: Failure\nExpected equality of these values:\n"
      "  1 + 1\n    Which is: 2\n  3\n\n[  FAILED  ] Sum.adds (0 ms)\n\n 1 FAILED TEST\n"
      "</system-out></testcase></testsuite>";
  EXPECT_EQ(parsed_text(parse_junit(googletest, shop)),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
            "E sum_test.cc:8:0 [sums] Sum.adds: Expected equality of these values: 1 + 1 Which is: 2 3\n");
}

TEST(FailedTestsTest, PathsThatAProgramPrintsInABuildFolderAreRelativeToTheRoot) {
  const OutputPathResolver build{.root = "/shop", .base_folder = "build", .module = {}};
  const auto failed = [&](std::string_view streams) {
    const std::string text =
        parsed_text(parse_junit("<testsuite><testcase name=\"buffer\"><failure message=\"\"/>" +
                                    std::string(streams) + "</testcase></testsuite>",
                                build));
    return text.substr(text.find('\n') + 1);
  };
  const std::string expected = "E tests/a.c:15:0 [buffer] check failed: x == 0\n";
  EXPECT_EQ(failed("<system-err>../tests/a.c:15: check failed: x == 0</system-err>"), expected);
  EXPECT_EQ(failed("<system-out>1 of 2\nlast</system-out>"
                   "<system-err>../tests/a.c:15: check failed: x == 0\nsummary</system-err>"),
            expected);
  EXPECT_EQ(failed("<system-out>/shop/tests/a.c:15: check failed: x == 0\nlast</system-out>"
                   "<system-err>summary</system-err>"),
            expected);
  EXPECT_EQ(failed("<system-err>t: ../tests/a.c:15: main: Assertion `x' failed.</system-err>"),
            "E tests/a.c:15:0 [buffer] t: tests/a.c:15: main: Assertion `x' failed.\n");
  EXPECT_EQ(failed("<system-err>cannot connect to db.example:80: refused\n../../a.c:3: outside</system-err>"),
            "E :0:0 [buffer] ../../a.c:3: outside\n");
  constexpr std::string_view ctest =
      "1/1 Test #1: chk ....***Failed    0.01 sec\n../chk.c:2: check failed\ndone\n\n"
      "0% tests passed, 1 tests failed out of 1\n\nThe following tests FAILED:\n\t  1 - chk (Failed)\n";
  EXPECT_EQ(parsed_text(parse_text(ctest, build)),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\nE chk.c:2:0 [chk] check failed\n");
}

TEST(FailedTestsTest, ReadsCargoGoAndGoogleTest) {
  EXPECT_EQ(
      parsed_text(OutputFormat::text, "cargo_test_text.out"),
      "0 errors, 0 warnings; 1 passed, 4 failed, 0 skipped\n"
      "E src/lib.rs:11:32 [tests::no_panic] note: test did not panic as expected at src/lib.rs:11:32\n"
      "E src/lib.rs:9:26 [tests::plain] assertion failed: sum(1, 1) == 3\n"
      "E src/lib.rs:7:9 [tests::adds_wrongly] assertion `left == right` failed: for one (left: 2, right: "
      "3)\n"
      "E :0:0 [tests::result] Error: \"no\"\n");
  EXPECT_EQ(
      parsed_text(OutputFormat::text, "googletest.out"),
      "0 errors, 0 warnings; 2 passed, 2 failed, 0 skipped\n"
      "E g.cc:2:0 [Sum.Adds] Expected equality of these values: 1 + 1 Which is: 2 3 for one\n"
      "E g.cc:5:0 [All/P.Small/1, where GetParam() = 2] Expected: (GetParam()) < (2), actual: 2 vs 2\n");
  const std::string go =
      "0 errors, 0 warnings; 0 passed, 2 failed, 0 skipped\n"
      "E :0:0 [TestSum/small] sum_test.go:8: Sum(1, 1) = 2\n"
      "E :0:0 [TestPanic] panic: boom\n";
  EXPECT_EQ(
      parsed_text(parse_text("--- FAIL: TestSum (0.00s)\n    --- FAIL: TestSum/small (0.00s)\n"
                             "        sum_test.go:8: Sum(1, 1) = 2\n--- FAIL: TestPanic (0.00s)\n"
                             "panic: boom\n\ngoroutine 7 [running]:\nFAIL\texample.com/shop/sub\t0.003s\n",
                             shop)),
      go);
}

}  // namespace
}  // namespace snapgen::core
