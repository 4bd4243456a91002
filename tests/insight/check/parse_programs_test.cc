// The results of the parsers for what go and cargo print about programs of tests that failed or ended early.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/insight/check/recorded.h"
#include "tools/insight/check/read/collect.h"

namespace snapgen::core {
namespace {

// Returns an event of `go test -json` for each line of the output of a test.
std::string go_events(std::string_view package, std::string_view test, std::string_view output) {
  std::string events;
  const std::string of_test = test.empty() ? "" : R"(,"Test":")" + std::string(test) + "\"";
  const std::string begin = R"({"Package":")" + std::string(package) + "\"" + of_test + R"(,"Action":)";
  if (!test.empty()) events += begin + "\"run\"}\n";
  std::string_view line;
  while (next_line(output, line)) {
    std::string text;
    for (const char c : line) text += c == '\t' ? std::string("\\t") : std::string(1, c);
    events += begin + R"("output","Output":")" + text + "\\n\"}\n";
  }
  return events;
}

std::string go_result(std::string_view package, std::string_view test, std::string_view action) {
  return R"({"Package":")" + std::string(package) + R"(","Test":")" + std::string(test) + R"(","Action":")" +
         std::string(action) + "\"}\n";
}

TEST(ParseProgramsTest, APanicOfGoIsTheMessageOfItsTest) {
  OutputPathResolver places = shop;
  places.module = "example.com/shop";
  const std::string stack =
      "panic: assignment to entry in nil map [recovered]\n\tpanic: assignment to entry in nil map\n\n"
      "goroutine 18 [running]:\ntesting.tRunner.func1.2({0x5a})\n\t/usr/lib/go/src/testing/testing.go:1396 "
      "+0x24e\nexample.com/shop/a.TestMap(0x0?)\n\t/home/user/shop/a/a_test.go:7 +0x37\n";
  EXPECT_EQ(parsed_text(parse_go_test(go_events("example.com/shop/a", "TestMap",
                                                "=== RUN   TestMap\n--- FAIL: TestMap (0.00s)\n" + stack) +
                                          go_result("example.com/shop/a", "TestMap", "fail"),
                                      places)),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
            "E a/a_test.go:7:0 [TestMap] panic: assignment to entry in nil map\n");
}

TEST(ParseProgramsTest, APackageOfGoThatEndsEarlyHasFailedBesideOthers) {
  OutputPathResolver places = shop;
  places.module = "example.com/shop";
  const std::string bad = "example.com/shop/bad", crash = "example.com/shop/crash",
                    leave = "example.com/shop/leave", main = "example.com/shop/main",
                    broken = "example.com/shop/broken";
  const std::string events =
      go_events(bad, "TestBad", "=== RUN   TestBad\n    bad_test.go:5: bad value\n") +
      go_result(bad, "TestBad", "fail") + go_result(bad, "", "fail") +
      go_events(crash, "TestCrash",
                "=== RUN   TestCrash\npanic: in the background\n\ngoroutine 7 [running]:\n"
                "example.com/shop/crash.TestCrash.func1()\n\t/home/user/shop/crash/crash_test.go:9 +0x27\n") +
      go_result(crash, "", "fail") + go_events(leave, "TestLeave", "=== RUN   TestLeave\n") +
      go_events(leave, "", "exit status 1\nFAIL\texample.com/shop/leave\t0.003s\n") +
      go_result(leave, "", "fail") +
      go_events(main, "", "signal: killed\nFAIL\texample.com/shop/main\t0.003s\n") +
      go_result(main, "", "fail") + go_events(broken, "", "FAIL\texample.com/shop/broken [build failed]\n") +
      go_result(broken, "", "fail");
  EXPECT_EQ(parsed_text(parse_go_test(events, places)),
            "1 errors, 0 warnings; 0 passed, 3 failed, 0 skipped\n"
            "E bad/bad_test.go:5:0 [TestBad] bad value\n"
            "E crash/crash_test.go:9:0 [TestCrash] panic: in the background\n"
            "E :0:0 [TestLeave] exit status 1 in package example.com/shop/leave\n"
            "E :0:0 [] package example.com/shop/main failed: signal: killed\n");
}

TEST(ParseProgramsTest, APackageOfGoThatCrashesAfterAFailedTestHasBoth) {
  OutputPathResolver places = shop;
  places.module = "example.com/shop";
  const std::string a = "example.com/shop/a", deep = "example.com/shop/deep", port = "example.com/shop/port";
  const std::string events =
      go_events(a, "TestA", "    a_test.go:8: a is bad\n") + go_result(a, "TestA", "fail") +
      go_events(a, "",
                "FAIL\npanic: teardown broke\n\ngoroutine 1 [running]:\nexample.com/shop/a.TestMain(0x7f)\n"
                "\t/home/user/shop/a/a_test.go:13 +0x45\n") +
      go_result(a, "", "fail") +
      go_events(deep, "TestS",
                "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n"
                "goroutine 6 [running]:\nexample.com/shop/deep.rec(0x1)\n"
                "\t/home/user/shop/deep/s_test.go:7 +0x33 fp=0xc0\n") +
      go_result(deep, "TestS", "run") + go_result(deep, "", "fail") + go_result(port, "TestWaits", "run") +
      go_result(port, "TestWaits", "pause") + go_result(port, "TestOpens", "run") +
      go_result(port, "TestOpens", "pause") +
      go_events(port, "TestOpens", "=== CONT  TestOpens\n2026/11/29 10:00:12 cannot open port\n") +
      go_result(port, "", "fail");
  EXPECT_EQ(
      parsed_text(parse_go_test(events, places)),
      "1 errors, 0 warnings; 0 passed, 3 failed, 0 skipped\n"
      "E a/a_test.go:8:0 [TestA] a is bad\n"
      "E deep/s_test.go:7:0 [TestS] fatal error: stack overflow\n"
      "E :0:0 [TestOpens] did not end in package example.com/shop/port: 2026/11/29 10:00:12 cannot open "
      "port\n"
      "E a/a_test.go:13:0 [] panic: teardown broke\n");
}

TEST(ParseProgramsTest, WhatATestOfGoPrintsIsNotItsFailure) {
  OutputPathResolver places = shop;
  places.module = "example.com/shop";
  const std::string a = "example.com/shop/a";
  const std::string events =
      go_events(a, "TestA",
                "server.go:12:3: listening\n    a_test.go:8: starting\n    a_test.go:10: wrong port\n") +
      go_result(a, "TestA", "fail") +
      go_events(a, "ExampleF", "=== RUN   ExampleF\n--- FAIL: ExampleF (0.00s)\ngot:\n1\nwant:\n2\n") +
      go_result(a, "ExampleF", "fail");
  EXPECT_EQ(parsed_text(parse_go_test(events, places)),
            "0 errors, 0 warnings; 0 passed, 2 failed, 0 skipped\n"
            "E :0:0 [ExampleF] got: 1, want: 2\n"
            "E a/a_test.go:8:0 [TestA] starting; wrong port\n");
}

TEST(ParseProgramsTest, ErrorsOfGoHaveTheLinesThatContinueThem) {
  EXPECT_EQ(parsed_text(parse_go("package example.com/p/a\n\timports example.com/p/b\n"
                                 "\timports example.com/p/a: import cycle not allowed\n"
                                 "q.go:3:8: no required module provides package github.com/x/y; to add it:\n"
                                 "\tgo get github.com/x/y\ngo: errors parsing go.mod:\n"
                                 "/home/user/shop/go.mod:4: unknown directive: requir\n",
                                 shop)),
            "3 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E :0:0 [] package example.com/p/a imports example.com/p/b imports example.com/p/a: import cycle "
            "not allowed\n"
            "E q.go:3:8 [] no required module provides package github.com/x/y; to add it: go get "
            "github.com/x/y\n"
            "E go.mod:4:0 [] unknown directive: requir\n");
}

TEST(ParseProgramsTest, AProgramOfCargoThatEndsEarlyIsAnErrorBesideOthers) {
  const std::string output =
      "\nrunning 1 test\ntest tests::a ... FAILED\n\nfailures:\n\n---- tests::a stdout ----\n\n"
      "thread 'tests::a' (7) panicked at src/lib.rs:6:14:\nbroken\n\n\nfailures:\n    tests::a\n\n"
      "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.09s\n\n"
      "\nrunning 1 test\n\nrunning 0 tests\n\n"
      "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
      "     Running unittests src/lib.rs (target/debug/deps/shop-50)\n"
      "error: test failed, to rerun pass `--lib`\n     Running tests/it.rs (target/debug/deps/it-d6)\n"
      "error: test failed, to rerun pass `--test it`\n\nCaused by:\n  process didn't exit successfully: "
      "`/home/user/shop/target/debug/deps/it-d6` (signal: 11, SIGSEGV: invalid memory reference)\n";
  const ParsedOutput parsed = parse_cargo(output, shop, false);
  EXPECT_EQ(parsed_text(parsed),
            "1 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
            "E src/lib.rs:6:14 [tests::a] broken\n"
            "E tests/it.rs:0:0 [] the tests of --test it ended early: signal: 11, SIGSEGV: invalid memory "
            "reference\n");
  EXPECT_TRUE(parsed.ended_early);
}

TEST(ParseProgramsTest, AFailedBuildScriptOfCargoHasItsOwnMessage) {
  const std::string error =
      "error: failed to run custom build command for `shop v0.1.0 (/home/user/shop)`\n\nCaused by:\n"
      "  process didn't exit successfully: `/home/user/shop/target/debug/build/shop-d0/build-script-build` "
      "(exit status: 101)\n";
  EXPECT_EQ(parsed_text(parse_cargo(error + "  --- stderr\n\n  thread 'main' (25) panicked at build.rs:2:5:\n"
                                            "  set SHOP_KEY first\n  stack backtrace:\n     0: main\n",
                                    shop, false)),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E build.rs:2:5 [] the build script of shop v0.1.0 failed: set SHOP_KEY first\n");
  EXPECT_EQ(parsed_text(parse_cargo(error + "  --- stdout\n  cargo:warning=needs libfoo\n\n  --- stderr\n"
                                            "  libfoo 2.0 is missing\n",
                                    shop, false)),
            "1 errors, 0 warnings; 0 passed, 0 failed, 0 skipped\n"
            "E :0:0 [] the build script of shop v0.1.0 failed: libfoo 2.0 is missing\n");
}

TEST(ParseProgramsTest, TestsOfCargoInDocumentationAndWithoutTheirPanicHavePlaces) {
  EXPECT_EQ(
      parsed_text(parse_cargo("running 2 tests\ntest tests::a - should panic ... FAILED\n"
                              "test src/lib.rs - f (line 1) ... FAILED\n\nfailures:\n\n"
                              "---- tests::a stdout ----\n"
                              "note: test did not panic as expected at src/lib.rs:7:8\n"
                              "---- src/lib.rs - f (line 1) stdout ----\n"
                              "Test executable failed (exit status: 101).\n\nstderr:\n\n"
                              "thread 'main' (29) panicked at src/lib.rs:5:1:\n"
                              "assertion `left == right` failed\n  left: 1\n right: 2\n\nfailures:\n"
                              "test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered\n",
                              shop, false)),
      "0 errors, 0 warnings; 0 passed, 2 failed, 0 skipped\n"
      "E src/lib.rs:7:8 [tests::a] note: test did not panic as expected at src/lib.rs:7:8\n"
      "E src/lib.rs:1:0 [src/lib.rs - f (line 1)] assertion `left == right` failed (left: 1, right: 2)\n");
}

TEST(ParseProgramsTest, AMessageOfTestifyHasSeveralLines) {
  OutputPathResolver places = shop;
  places.module = "example.com/shop";
  const std::string output =
      "=== RUN   TestSum\n    a_test.go:6: \n        \tError Trace:\ta_test.go:6\n        \tError:      "
      "\tNot equal: "
      "\n        \t            \texpected: 1\n        \t            \tactual  : 2\n        \tTest:       "
      "\tTestSum\n"
      "--- FAIL: TestSum (0.00s)\n";
  EXPECT_EQ(parsed_text(parse_go_test(go_events("example.com/shop/a", "TestSum", output) +
                                          go_result("example.com/shop/a", "TestSum", "fail"),
                                      places)),
            "0 errors, 0 warnings; 0 passed, 1 failed, 0 skipped\n"
            "E a/a_test.go:6:0 [TestSum] Not equal: expected: 1 actual  : 2\n");
}

}  // namespace
}  // namespace snapgen::core
