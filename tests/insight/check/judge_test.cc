// The result of a command that ran: passed, failed or skipped, and its findings.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/insight/check/recorded.h"
#include "tools/insight/check/report.h"
#include "tools/insight/check/run/plan.h"

namespace snapgen::core {
namespace {

using End = ProgramResult::End;

CheckCommand command(Subsystem subsystem, OutputFormat format) {
  return {.subsystem = subsystem, .name = "prog", .argv = {"prog"}, .folder = {}, .format = format};
}

ProgramResult exited(int code, std::string output, std::string errors = {}) {
  ProgramResult outcome;
  outcome.end = End::exited;
  outcome.exit_code = code;
  outcome.output = std::move(output);
  outcome.errors = std::move(errors);
  return outcome;
}

TEST(CheckJudgeTest, AnUnknownProgramIsJudgedByItsExitStatus) {
  const CheckCommand lint = command(Subsystem::lint, OutputFormat::text);
  CheckReport report = report_of_outcome(lint, exited(0, "all is well\n"), shop.root);
  EXPECT_EQ(report.mark(Subsystem::lint), CheckMark::pass);
  EXPECT_EQ(report.error_count, 0);
  report = report_of_outcome(lint, exited(3, "looking\n", "it is ugly\n\n"), shop.root);
  EXPECT_EQ(report.mark(Subsystem::lint), CheckMark::fail);
  EXPECT_EQ(report.error_count, 1);
  EXPECT_EQ(report.findings[0].message, "prog ended with exit code 3: it is ugly");
}

TEST(CheckJudgeTest, AProgramThatCrashesHasItsSignalAndPlace) {
  const CheckCommand make = command(Subsystem::tests, OutputFormat::text);
  const auto finding = [&](const ProgramResult& outcome) {
    const CheckFinding found = report_of_outcome(make, outcome, shop.root).findings.at(0);
    return found.path + ":" + std::to_string(found.line) + " " + found.message;
  };
  ProgramResult crash =
      exited(0, ".",
             "Fatal Python error: Segmentation fault\n\nCurrent thread 0x0 (most recent call "
             "first):\n  File \"/usr/lib/python3/a.py\", line 3 in f\n"
             "  File \"/home/user/shop/test_x.py\", line 7 in test_b\n");
  crash.end = End::signaled;
  crash.signal = 11;
  EXPECT_EQ(finding(crash),
            "test_x.py:7 prog was ended by signal 11 (SIGSEGV): Fatal Python error: Segmentation fault");
  EXPECT_EQ(finding(exited(137, "\n  ✔ a\n", "Killed\n")),
            ":0 prog ended with exit code 137 (SIGKILL): Killed");
  EXPECT_EQ(finding(exited(2, "./t\n",
                           "t: t.c:3: main: Assertion `1 == 2' failed.\nmake: *** [Makefile:2: check] "
                           "Aborted\n")),
            "t.c:3 prog ended with exit code 2: t: t.c:3: main: Assertion `1 == 2' failed.; make: *** "
            "[Makefile:2: check] Aborted");
  EXPECT_EQ(finding(exited(1, "", "t.rb:2:in `f': no db (ArgumentError)\n\tfrom t.rb:4:in `<main>'\n")),
            "t.rb:2 prog ended with exit code 1: t.rb:2:in `f': no db (ArgumentError)");
  EXPECT_EQ(finding(exited(4, "",
                           "ImportError while loading conftest '/home/user/shop/tests/conftest.py'.\n"
                           "tests/conftest.py:2: in <module>\n    import nope\n"
                           "E   ModuleNotFoundError: No module named 'nope'\n")),
            "tests/conftest.py:2 prog ended with exit code 4: ImportError while loading conftest "
            "'/home/user/shop/tests/conftest.py'; E   ModuleNotFoundError: No module named 'nope'");
  EXPECT_EQ(finding(exited(2,
                           ".\n!!!!!!!! _pytest.outcomes.Exit: no database !!!!!!!!\n---------- generated "
                           "xml file: /tmp/0 ----------\n1 passed in 0.28s\n")),
            ":0 prog ended with exit code 2: _pytest.outcomes.Exit: no database");
  EXPECT_EQ(
      finding(exited(1, "",
                     "failed to load config from /home/user/shop/vitest.config.mjs\n"
                     "ReferenceError: tru is not defined\n    at file:///tmp/vitest.config.mjs:2:48\n")),
      "vitest.config.mjs:0 prog ended with exit code 1: failed to load config from "
      "/home/user/shop/vitest.config.mjs; ReferenceError: tru is not defined");
}

TEST(CheckJudgeTest, TestsThatEndEarlyProveNothingOrFail) {
  CheckCommand pytest = command(Subsystem::tests, OutputFormat::junit);
  pytest.name = "pytest";
  pytest.argv.emplace_back(report_placeholder);
  EXPECT_EQ(report_of_outcome(pytest, exited(5, "F"), shop.root).mark(Subsystem::tests), CheckMark::fail);
  const std::string early =
      " ended with exit code 0 before the summary of its tests, so a test may have ended it";
  CheckReport report = report_of_outcome(
      command(Subsystem::tests, OutputFormat::cargo),
      exited(0,
             "\nrunning 2 tests\n\nrunning 1 test\ntest a ... ok\n\n"
             "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"),
      shop.root);
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_EQ(report.skipped[0].reason, "prog" + early);
  CheckCommand mocha = command(Subsystem::tests, OutputFormat::text);
  mocha.script_text = "mocha t.js";
  report = report_of_outcome(mocha, exited(0, "\n\x1b[32m  ✔\x1b[0m a\n"), shop.root);
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_EQ(report.skipped[0].reason, "prog" + early);
}

TEST(CheckJudgeTest, ACommandHasTheNameOfTheProgramThatChecks) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(program_name({"/usr/bin/make", "test"}), "make");
  EXPECT_EQ(program_name({"env", "PYTHONPATH=src", "A=", "python3", "-m", "unittest", "discover"}),
            "python3 -m unittest");
  EXPECT_EQ(program_name({"/usr/bin/env", "/opt/python3.11", "-m", "pytest"}), "python3.11 -m pytest");
  EXPECT_EQ(program_name({"npx", "eslint", "."}), "eslint");
  EXPECT_EQ(program_name({"env", "CI=1", "uv", "run", "--", "pytest", "-q"}), "pytest");
  EXPECT_EQ(program_name({"poetry", "run", "python", "-m", "mypy"}), "python -m mypy");
  EXPECT_EQ(program_name({"npm", "exec", "--", "tsc"}), "tsc");
  // Either no other program runs, or the word that names the program is unknown.
  for (const Words& words : {Words{"env"}, Words{"env", "A=1"}, Words{"env", "-u", "A", "make"}})
    EXPECT_EQ(program_name(words), "env");
  for (const Words& words : {Words{"npm", "test"}, Words{"npm"}, Words{"npm", "exec"}})
    EXPECT_EQ(program_name(words), "npm");
  EXPECT_EQ(program_name({"python3", "-m"}), "python3");
}

TEST(CheckJudgeTest, TheCauseMayBeInTheOutputAndItsConsequenceInTheErrorOutput) {
  CheckCommand make = command(Subsystem::tests, OutputFormat::text);
  const CheckReport report = report_of_outcome(
      make, exited(2, "./a\nwrong price: 3\n", "make: *** [Makefile:2: check] Error 1\n"), shop.root);
  EXPECT_EQ(report.findings.at(0).message,
            "prog ended with exit code 2: wrong price: 3; make: *** [Makefile:2: check] Error 1");
}

TEST(CheckJudgeTest, ATargetOfMakeThatIsUpToDateProvesNothing) {
  CheckCommand make = command(Subsystem::tests, OutputFormat::text);
  make.name = "make test";
  const CheckReport report =
      report_of_outcome(make, exited(0, "make: Nothing to be done for 'test'.\n"), shop.root);
  EXPECT_EQ(report.mark(Subsystem::tests), CheckMark::skipped);
  EXPECT_EQ(report.skipped.at(0).reason, "make test had nothing to do");
}

TEST(CheckJudgeTest, AFailureIsReportedWithItsCause) {
  const auto cause = [](std::string errors) {
    const CheckReport report = report_of_outcome(command(Subsystem::lint, OutputFormat::exit),
                                                 exited(1, "", std::move(errors)), shop.root);
    const std::string& message = report.findings.at(0).message;
    return message.substr(message.find(": ") + 2);
  };
  EXPECT_EQ(cause("file:///shop/a.config.ts:3\n  throw new Error('boom')\n  ^\n\nError: boom\n    at async "
                  "load (node:internal)\n}\n\nNode.js v20.20.2\n"),
            "file:///shop/a.config.ts:3; Error: boom");
  EXPECT_EQ(
      cause("pyproject.toml: Expected ']' (at line 3)\nusage: mypy [options]\nmypy: error: Missing target "
            "module.\n"),
      "pyproject.toml: Expected ']' (at line 3); mypy: error: Missing target module.");
  EXPECT_EQ(cause("sh: 1: vitest: not found\n"), "sh: 1: vitest: not found");
  EXPECT_EQ(cause("make: *** [all] Error 1\n"), "make: *** [all] Error 1");
  EXPECT_EQ(
      cause("gen.sh: schema is missing\nmake[1]: *** [Makefile:3: gen] Error 3\nmake: *** [all] Error 2\n"),
      "gen.sh: schema is missing; make[1]: *** [Makefile:3: gen] Error 3");
}

TEST(CheckJudgeTest, OutputOfPassingTestsIsNotAnError) {
  const CheckReport report = report_of_outcome(
      command(Subsystem::tests, OutputFormat::text),
      exited(0, "a.c:1:2: error: expected\na.c:1:2: warning: expected\n  2 passing (5ms)\n"), shop.root);
  EXPECT_EQ(report.mark(Subsystem::tests), CheckMark::pass);
  EXPECT_EQ(report.error_count + report.warning_count, 0);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.tests.passed, 2);
}

TEST(CheckJudgeTest, OutputThatReportsFailedOrSkippedTestsIsNotAPass) {
  const auto reason = [](const std::string& output) {
    const CheckReport report =
        report_of_outcome(command(Subsystem::tests, OutputFormat::text), exited(0, output), shop.root);
    EXPECT_EQ(report.mark(Subsystem::tests), CheckMark::skipped) << output;
    EXPECT_EQ(report.tests.passed, 0) << output;
    return report.skipped.empty() ? std::string() : report.skipped.front().reason;
  };
  EXPECT_EQ(reason("Test Suites: 1 failed, 1 total\nTests: 1 failed, 4 passed, 5 total\n"),
            "prog ended with exit code 0, but printed that 1 test failed");
  EXPECT_EQ(reason("=== 2 failed, 3 passed in 0.10s ===\n"),
            "prog ended with exit code 0, but printed that 2 tests failed");
  EXPECT_EQ(reason("=== 2 skipped in 0.10s ===\n"), "prog skipped all 2 tests");
  EXPECT_EQ(reason("TAP version 13\nok 1 - t # todo\n1..1\n"),
            "prog has only tests that cannot fail: 0 skipped, 1 todo");
}

TEST(CheckJudgeTest, ARunnerThatPrintsThatThereAreNoTestsDidNotPass) {
  const auto judged = [](const std::string& output) {
    return report_of_outcome(command(Subsystem::tests, OutputFormat::text), exited(0, output), shop.root);
  };
  for (const char* output :
       {"Ran 0 tests in 0.000s\n\nOK\n", "\n  0 passing (6ms)\n\n", "hi\nTAP version 13\n1..0\n# tests 0\n",
        "TAP version 13\n1..0\n", "ℹ tests 0\nℹ pass 0\nℹ fail 0\n", "No tests found, exiting with code 0\n",
        "\n RUN  v4.1.12 /shop\n\nNo test files found, exiting with code 0\n\n", "no tests ran in 0.01s\n",
        "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"}) {
    const CheckReport report = judged(output);
    EXPECT_EQ(report.overall(), CheckMark::skipped) << output;
    ASSERT_EQ(report.skipped.size(), 1U) << output;
    EXPECT_EQ(report.skipped[0].reason, "prog found no tests");
    EXPECT_EQ(report.checked_tools_text(), "");
  }
  for (const char* output :
       {"No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n",
        "\n RUN  v4.1.12 /shop\n\nNo test files found, exiting with code 1\n\n"}) {
    const CheckReport report =
        report_of_outcome(command(Subsystem::tests, OutputFormat::jest), exited(1, output), shop.root);
    ASSERT_EQ(report.skipped.size(), 1U) << output;
    EXPECT_EQ(report.skipped[0].reason, "prog found no tests");
  }
  EXPECT_EQ(judged("TAP version 13\n1..0\n\nRan 2 tests in 0.001s\n\nOK\n").tests.passed, 2);
  EXPECT_EQ(judged("all is well\n").notes,
            std::vector<std::string>{
                "prog ended with exit code 0, and printed no summary that the server recognizes."});
}

TEST(CheckJudgeTest, EslintThatLintsNoFileDidNotPass) {
  const CheckCommand lint = command(Subsystem::lint, OutputFormat::eslint);
  constexpr std::string_view ignored =
      R"([{"filePath":"/home/user/shop/a.js","messages":[{"ruleId":null,"severity":1,"message":)"
      R"("File ignored because of a matching ignore pattern."}]})";
  for (const std::string& output : {std::string("[]"), std::string(), std::string(ignored) + "]"}) {
    const CheckReport report = report_of_outcome(lint, exited(0, output), shop.root);
    EXPECT_EQ(report.overall(), CheckMark::skipped) << output;
    ASSERT_EQ(report.skipped.size(), 1U) << output;
    EXPECT_EQ(report.skipped[0].reason, "prog linted no file");
  }
  const std::string also_linted = R"(,{"filePath":"/home/user/shop/b.js","messages":[]}])";
  EXPECT_EQ(report_of_outcome(lint, exited(0, std::string(ignored) + also_linted), shop.root).overall(),
            CheckMark::pass);
  EXPECT_EQ(report_of_outcome(lint, exited(2, "", "Oops! Something went wrong!\n"), shop.root).overall(),
            CheckMark::fail);
}

TEST(CheckJudgeTest, AToolchainThatIsNotInstalledIsSkipped) {
  const auto reason = [](std::string errors) {
    const CheckReport report = report_of_outcome(command(Subsystem::build, OutputFormat::cargo),
                                                 exited(1, "", std::move(errors)), shop.root);
    return report.skipped.empty() ? "failed" : report.skipped[0].reason;
  };
  EXPECT_EQ(
      reason("error: rustup could not choose a version of cargo to run, because one wasn't specified "
             "explicitly, and no default is configured.\nhelp: run 'rustup default stable'\n"),
      "prog could not run: error: rustup could not choose a version of cargo to run, because one wasn't "
      "specified explicitly, and no default is configured");
  EXPECT_EQ(reason("error: toolchain '1.70' is not installed\n"),
            "prog could not run: error: toolchain '1.70' is not installed");
  EXPECT_EQ(reason("error: could not find `Cargo.toml`\n"), "failed");
}

TEST(CheckJudgeTest, FailedTestsWithoutANameAreOneFinding) {
  const auto report_of = [](const std::string& output) {
    return report_of_outcome(command(Subsystem::tests, OutputFormat::text), exited(1, output), shop.root);
  };
  CheckReport report = report_of("Error: x is not y\n=== 1 failed in 0.10s ===\n");
  EXPECT_EQ(report.error_count, 1);
  EXPECT_EQ(report.unstored_findings, 0);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].message,
            "prog: 1 failed test, name not recognized; first error printed: Error: x is not y");
  report = report_of("Ran 4 tests in 0.001s\n\nFAILED (failures=2)\n");
  EXPECT_EQ(report.error_count, 2);
  EXPECT_EQ(report.unstored_findings, 0);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].message, "prog: 2 failed tests, names not recognized");
}

TEST(CheckJudgeTest, TheCauseOfAFailureIsNotWhatARunnerPrintsAfterEachRun) {
  const auto cause = [](std::string output, std::string errors) {
    CheckCommand tests = command(Subsystem::tests, OutputFormat::jest);
    tests.argv.emplace_back("{report}");
    ProgramResult outcome = exited(1, std::move(output), std::move(errors));
    outcome.report = R"({"testResults":[{"name":"/home/user/shop/a.test.js","status":"passed","message":"",)"
                     R"("assertionResults":[{"status":"passed","fullName":"a"}]}]})";
    const CheckReport report = report_of_outcome(tests, outcome, shop.root);
    return report.findings.empty() ? std::string() : report.findings[0].message;
  };
  EXPECT_EQ(cause("",
                  "PASS ./a.test.js\n  ✓ a (130 ms)\n\nJest: Coverage for functions (0%) does not meet "
                  "\"global\" threshold (90%)\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 "
                  "total\nSnapshots:   0 total\nTime:        0.794 s\nRan all test suites.\n"
                  "Test results written to: ../../snapgen-check-x/0\n"),
            "Jest: Coverage for functions (0%) does not meet \"global\" threshold (90%)");
  EXPECT_EQ(cause("JSON report written to /tmp/snapgen-check-x/0\n",
                  "⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\nVitest caught 1 unhandled error during the test run.\n"
                  "This might cause false positive tests.\n\n⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯\nError: boom\n"
                  " ❯ a.test.mjs:1:113\n"),
            "outside of the tests: boom");
  EXPECT_EQ(cause("JSON report written to /tmp/snapgen-check-x/0\n", ""), "prog ended with exit code 1");
}

TEST(CheckJudgeTest, TestsOfMesonThatTimeOutOrPassUnexpectedlyFail) {
  CheckCommand tests = command(Subsystem::tests, OutputFormat::junit);
  tests.name = "meson test";
  tests.report_path = "testlog.junit.xml";
  ProgramResult outcome = exited(2,
                                 "1/3 shop:unit / u  UNEXPECTEDPASS   0.02s\n2/3 ok   OK   0.02s\n"
                                 "3/3 slow TIMEOUT 30.02s   killed by signal 15\n\nSummary of Failures:\n\n"
                                 "1/3 shop:unit / u  UNEXPECTEDPASS   0.02s\n\nOk: 1\nUnexpected Pass: 1\n");
  outcome.report =
      "<testsuites><testsuite name=\"shop\"><testcase name=\"u\"/><testcase name=\"ok\"/><testcase "
      "name=\"slow\"/></testsuite></testsuites>";
  const CheckReport report = report_of_outcome(tests, outcome, shop.root);
  EXPECT_EQ(report.tests.passed, 1);
  EXPECT_EQ(report.tests.failed, 2);
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].code, "shop:unit / u");
  EXPECT_EQ(report.findings[0].message, "passed, but should fail");
  EXPECT_EQ(report.findings[1].code, "slow");
  EXPECT_EQ(report.findings[1].message, "did not end in time");
}

TEST(CheckJudgeTest, ATestThatASignalEndedFailedBecauseOfIt) {
  CheckCommand tests = command(Subsystem::tests, OutputFormat::junit);
  tests.name = "meson test";
  tests.report_path = "testlog.junit.xml";
  const auto messages = [&](const std::string& output, const std::string& report) {
    ProgramResult outcome = exited(1, output);
    outcome.report = "<testsuites><testsuite name=\"shop\">" + report + "</testsuite></testsuites>";
    std::string text;
    for (const CheckFinding& each : report_of_outcome(tests, outcome, shop.root).findings)
      text += each.code + ": " + each.message + "\n";
    return text;
  };
  EXPECT_EQ(
      messages("1/5 shop:unit / trim  FAIL  0.02s   killed by signal 11 SIGSEGV\n"
               "2/5 shop:net / trim  FAIL  0.02s   killed by signal 6 SIGABRT\n"
               "3/5 silent  FAIL  0.02s   exit status 1\n4/5 says  FAIL  0.02s   exit status 1\n"
               "5/5 begins  FAIL  0.02s   killed by signal 11 SIGSEGV\n\nSummary of Failures:\n\n"
               "5/5 begins  FAIL  0.02s   killed by signal 11 SIGSEGV\n",
               "<testcase name=\"trim\"><failure/></testcase><testcase name=\"trim\"><failure/></testcase>"
               "<testcase name=\"silent\"><failure/></testcase>"
               "<testcase name=\"says\"><failure/><system-out>no</system-out></testcase>"
               "<testcase name=\"begins\"><failure/><system-out>sum of 2</system-out></testcase>"),
      "trim: killed by signal 11 SIGSEGV\ntrim: killed by signal 6 SIGABRT\nsilent: exit status 1\n"
      "says: no\nbegins: sum of 2 (killed by signal 11 SIGSEGV)\n");
  tests.name = "ctest";
  EXPECT_EQ(messages("1/2 Test #1: seg ....***Exception: SegFault  0.00 sec\n\nThe following tests FAILED:\n"
                     "\t  1 - seg (SEGFAULT)\n\t  2 - silent (Failed)\n",
                     "<testcase name=\"seg\" status=\"fail\"><failure message=\"\"/></testcase>"
                     "<testcase name=\"silent\" status=\"fail\"><failure message=\"\"/></testcase>"),
            "seg: SEGFAULT\nsilent: failed\n");
}

TEST(CheckJudgeTest, ErrorsThatAPassingLinterPrintsAreWarnings) {
  const CheckReport report = report_of_outcome(command(Subsystem::lint, OutputFormat::text),
                                               exited(0, "src/a.ts:3:1: error: bad\n"), shop.root);
  EXPECT_EQ(report.mark(Subsystem::lint), CheckMark::pass);
  EXPECT_EQ(report.error_count, 0);
  EXPECT_EQ(report.warning_count, 1);
}

TEST(CheckJudgeTest, ABuildThatCompiledNothingReportsIt) {
  const auto notes = [](const std::string& output) {
    return report_of_outcome(command(Subsystem::build, OutputFormat::text), exited(0, output), shop.root)
        .notes.size();
  };
  EXPECT_EQ(notes("ninja: no work to do.\n"), 1U);
  EXPECT_EQ(notes("[ 50%] Built target a\n[100%] Built target b\n"), 1U);
  EXPECT_EQ(notes("make: 'all' is up to date.\n"), 1U);
  EXPECT_EQ(notes("[ 50%] Building CXX object a.o\n[100%] Built target a\n"), 0U);
}

TEST(CheckJudgeTest, FailedTestsAreErrors) {
  ProgramResult outcome = exited(1, "dots");
  CheckCommand tests = command(Subsystem::tests, OutputFormat::junit);
  tests.argv.emplace_back("--xml={report}");
  outcome.report = recorded("pytest.xml");
  const CheckReport report = report_of_outcome(tests, outcome, shop.root);
  EXPECT_EQ(report.mark(Subsystem::tests), CheckMark::fail);
  EXPECT_EQ(report.error_count, 2);
  EXPECT_EQ(report.findings.size(), 2u);
}

TEST(CheckJudgeTest, AMissingReportIsReplacedByTheOutput) {
  CheckCommand tests = command(Subsystem::tests, OutputFormat::jest);
  tests.argv.emplace_back("{report}");
  const CheckReport report =
      report_of_outcome(tests, exited(1, "", "Error: no such configuration\n"), shop.root);
  EXPECT_EQ(report.error_count, 1);
  EXPECT_EQ(report.findings[0].message, "prog ended with exit code 1: Error: no such configuration");
}

TEST(CheckJudgeTest, AReportThatCannotBeReadIsNotOneWithoutTests) {
  CheckCommand tests = command(Subsystem::tests, OutputFormat::jest);
  tests.argv.emplace_back("{report}");
  ProgramResult outcome = exited(0, "");
  const auto reason = [&] { return report_of_outcome(tests, outcome, shop.root).skipped.at(0).reason; };
  EXPECT_EQ(reason(), "prog ended with exit code 0, but wrote no report");
  outcome.report = "{\"numTot";
  EXPECT_EQ(reason(), "prog ended with exit code 0, but its report cannot be read");
  outcome.output = "No tests found, exiting with code 0\n";
  EXPECT_EQ(reason(), "prog found no tests");
}

TEST(CheckJudgeTest, ATestThatEndsUnittestIsNotAPass) {
  CheckCommand tests = command(Subsystem::tests, OutputFormat::text);
  tests.name = "unittest";
  CheckReport report = report_of_outcome(tests, exited(0, ""), shop.root);
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_NE(report.skipped[0].reason.find("before its summary"), std::string::npos);
  report = report_of_outcome(tests, exited(0, "", "..\n----\nRan 2 tests in 0.001s\n\nOK\n"), shop.root);
  EXPECT_TRUE(report.skipped.empty());
  EXPECT_EQ(report.tests.passed, 2);
}

TEST(CheckJudgeTest, AProgramWithoutOutputHasItsExitCodeAsReason) {
  const CheckReport report =
      report_of_outcome(command(Subsystem::types, OutputFormat::tsc), exited(127, ""), shop.root);
  EXPECT_EQ(report.skipped.at(0).reason, "prog could not run: exit code 127");
}

TEST(CheckJudgeTest, RunningNoTestsIsNeitherPassNorFailure) {
  CheckCommand tests = command(Subsystem::tests, OutputFormat::junit);
  tests.report_path = "report.xml";
  ProgramResult outcome = exited(5, "no tests ran");
  outcome.report = "<testsuites><testsuite tests=\"0\"/></testsuites>";
  tests.name = "pytest";
  CheckReport report = report_of_outcome(tests, outcome, shop.root);
  EXPECT_EQ(report.overall(), CheckMark::skipped);
  EXPECT_EQ(report.skipped[0].reason, "pytest found no tests");
  tests.name = "other";
  report = report_of_outcome(tests, outcome, shop.root);
  EXPECT_EQ(report.overall(), CheckMark::fail);
}

TEST(CheckJudgeTest, ACommandThatWasKilledHasFailed) {
  ProgramResult outcome = exited(0, "src/a.c:1:2: error: no\n");
  outcome.end = End::late;
  CheckReport report = report_of_outcome(command(Subsystem::build, OutputFormat::text), outcome, shop.root);
  EXPECT_EQ(report.error_count, 2);
  EXPECT_EQ(report.findings[1].message, "prog took too long and was ended: src/a.c:1:2: error: no");
  outcome = exited(0, "");
  outcome.end = End::signaled;
  outcome.signal = 11;
  report = report_of_outcome(command(Subsystem::build, OutputFormat::exit), outcome, shop.root);
  EXPECT_EQ(report.mark(Subsystem::build), CheckMark::fail);
  EXPECT_EQ(report.findings[0].message, "prog was ended by signal 11 (SIGSEGV)");
}

TEST(CheckJudgeTest, TruncatedOutputIsReported) {
  ProgramResult outcome = exited(0, "");
  outcome.was_cut = true;
  EXPECT_EQ(report_of_outcome(command(Subsystem::build, OutputFormat::text), outcome, shop.root).notes,
            std::vector<std::string>{"The output of prog was cut: there is more."});
}

TEST(CheckJudgeTest, ACommandThatDidNotRunIsSkippedWithItsReason) {
  ProgramResult outcome;
  outcome.reason = "prog waits for make";
  const CheckReport report =
      report_of_outcome(command(Subsystem::tests, OutputFormat::tap), outcome, shop.root);
  EXPECT_EQ(report.overall(), CheckMark::skipped);
  ASSERT_EQ(report.skipped.size(), 1u);
  EXPECT_EQ(report.skipped[0].reason, "prog waits for make");
}

TEST(CheckReportTest, FindingsAreSortedByErrorThenRequestedFilesThenLocation) {
  CheckReport report;
  const auto add = [&](std::string path, std::int64_t line, bool is_error) {
    report.findings.push_back({.path = std::move(path),
                               .line = line,
                               .column = 0,
                               .is_error = is_error,
                               .code = {},
                               .message = {}});
  };
  add("", 0, true);
  add("a.c", 9, false);
  add("b.c", 2, true);
  add("b.c", 1, true);
  add("z.c", 1, true);
  add("b.c", 1, true);
  report.error_count = 5;
  report.warning_count = 1;
  report.sort({"z.c"});
  EXPECT_EQ(report.error_count, 4) << "an error that two tools find counts once";
  EXPECT_EQ(report.warning_count, 1);
  std::string order;
  for (const CheckFinding& each : report.findings) order += each.path + ":" + std::to_string(each.line) + " ";
  EXPECT_EQ(order, "z.c:1 b.c:1 b.c:2 :0 a.c:9 ");
}

TEST(CheckReportTest, TestsThatFailForOneReasonAreOneFindingAndSyntaxErrorsAreFirst) {
  CheckReport report;
  for (const char* name : {"test_a", "test_b", "test_c"})
    report.count_finding(
        {.path = "a.py", .line = 4, .code = name, .message = "ImportError: x", .is_test = true});
  report.count_finding(
      {.path = "b.py", .line = 9, .code = std::string(syntax_code), .message = "'[' is never closed"});
  report.sort({});
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].code, syntax_code);
  EXPECT_EQ(report.findings[1].code, "test_a, test_b, test_c");
  EXPECT_EQ(report.error_count, 4);
}

TEST(CheckReportTest, AffectedFilesAreListedByDistance) {
  CheckReport report;
  const auto add = [&](std::string path, std::int64_t distance) {
    report.findings.push_back({.path = std::move(path), .is_error = false, .distance = distance});
  };
  add("a.c", 3);
  add("b.c", 1);
  add("z.c", 2);
  add("c.c", 1);
  report.sort({"z.c"});
  std::string order;
  for (const CheckFinding& each : report.findings) order += each.path + " ";
  EXPECT_EQ(order, "b.c c.c z.c a.c ");
}

TEST(CheckJudgeTest, ACommandThatRanIsListedAsCheckedAndOneWithoutTestsIsNot) {
  CheckCommand lint = command(Subsystem::lint, OutputFormat::text);
  lint.file_count = 2;
  EXPECT_EQ(report_of_outcome(lint, exited(0, ""), shop.root).checked_tools_text(), "prog (2 files)");
  EXPECT_EQ(report_of_outcome(lint, exited(3, ""), shop.root).checked_tools_text(), "prog (2 files)");
  CheckCommand tests = command(Subsystem::tests, OutputFormat::junit);
  tests.report_path = "report.xml";
  ProgramResult outcome = exited(0, "");
  outcome.report = "<testsuites><testsuite tests=\"0\"/></testsuites>";
  EXPECT_EQ(report_of_outcome(tests, outcome, shop.root).checked_tools_text(), "");
  EXPECT_EQ(report_of_outcome(tests, ProgramResult(), shop.root).checked_tools_text(), "");
}

TEST(CheckJudgeTest, AllErrorsAreCountedAndThoseBeyondTheLimitAreNotStored) {
  std::string output;
  for (int i = 1; i <= 700; ++i) output += "a.c:" + std::to_string(i) + ":1: error: wrong\n";
  CheckReport report =
      report_of_outcome(command(Subsystem::build, OutputFormat::text), exited(1, output), shop.root);
  EXPECT_EQ(report.error_count, 700);
  EXPECT_EQ(report.findings.size(), stored_findings_max);
  EXPECT_EQ(report.unstored_findings, 200);
  report.add(report_of_outcome(command(Subsystem::build, OutputFormat::text),
                               exited(1, "b.c:1:1: error: wrong\n"), shop.root));
  report.sort({});
  EXPECT_EQ(report.error_count, 701);
  EXPECT_EQ(report.findings.size(), stored_findings_max);
  EXPECT_EQ(report.unstored_findings, 201);
}

TEST(CheckReportTest, TheFilesOfOneToolAddUp) {
  CheckReport report, other;
  report.add_checked({.tool = "JSON syntax", .file_count = 1});
  other.add_checked({.tool = "JSON syntax", .file_count = 2});
  other.add_checked({.tool = "tsc"});
  report.add(other);
  EXPECT_EQ(report.checked_tools_text(), "JSON syntax (3 files), tsc");
}

TEST(CheckReportTest, ReportsOfPartsAddUpAndAFailureRemains) {
  CheckReport report, other;
  report.add_mark(Subsystem::lint, CheckMark::fail);
  other.add_mark(Subsystem::lint, CheckMark::pass);
  other.add_mark(Subsystem::tests, CheckMark::pass);
  other.error_count = 2;
  other.tests.passed = 3;
  report.add(other);
  report.add(other);
  EXPECT_EQ(report.mark(Subsystem::lint), CheckMark::fail);
  EXPECT_EQ(report.mark(Subsystem::tests), CheckMark::pass);
  EXPECT_EQ(report.mark(Subsystem::types), CheckMark::skipped);
  EXPECT_EQ(report.error_count, 4);
  EXPECT_EQ(report.tests.all(), 6);
}

}  // namespace
}  // namespace snapgen::core
