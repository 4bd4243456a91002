// A check of an unknown path fails, and a check that inspected no file is skipped instead of passed.
#include "tools/work/static_checks/static_checks.h"

#include <gtest/gtest.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/capture.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/work/memory/memory.h"
#include "tools/work/static_checks/analyse.h"
#include "tools/work/static_checks/broken_imports.h"
#include "tools/work/task/task_store.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {
namespace {

constexpr SelectedFileChecks all_parts = {.conflicts = true, .patterns = true, .syntax = true};

class CheckFilesTest : public testing::Test {
 protected:
  CheckFilesTest()
      : workspace_("new; put src/greet.py g; put gone.txt x; save; rm gone.txt; put new.txt n; git status") {}

  // Checks these paths. Returns the error; empty if there is none.
  std::string said(const std::vector<std::string>& files) {
    Result<CheckScope> scope = check_scope_of(*workspace_.opened, {}, files, {});
    if (!scope) return scope.error().message;
    Result<Unit> named = check_named_files_exist(*workspace_.opened, *scope, {});
    return named ? "" : std::string(text(named.error().code)) + ": " + named.error().message;
  }

  WorkspaceServices services() { return {*workspace_.opened, memory_, imports_}; }
  // Returns the overall result of a report on uncommitted files, and that of lint: "pass/skipped".
  static std::string marks(const Result<CheckReport>& report) {
    if (!report) return report.error().message;
    const auto said = [](CheckMark mark) {
      return std::string(mark == CheckMark::skipped ? "skipped" : mark == CheckMark::pass ? "pass" : "fail");
    };
    return said(report->overall()) + "/" + said(report->mark(Subsystem::lint));
  }

  TestWorkspace workspace_;
  LearningStore memory_{record_folders_of(*workspace_.opened)};
  ImportGraphCache imports_{*workspace_.opened};
};

TEST_F(CheckFilesTest, AnUnknownPathIsReportedWithASuggestion) {
  EXPECT_EQ(said({"src/gret.py"}),
            "NOT_FOUND: There is no file or folder src/gret.py; did you mean src/greet.py?");
  EXPECT_EQ(
      said({"new.txt", "nosuch"}),
      "NOT_FOUND: There is no file or folder nosuch. Search with globs, or list the files, to find it.");
  EXPECT_TRUE(said({".git/config"}).starts_with("PERMISSION_DENIED: "));
}

TEST_F(CheckFilesTest, PathsOfTheTreeOfHeadAndOfTheTasksSnapshotMayBeNamed) {
  EXPECT_EQ(said({"src/greet.py", "src", ".", "new.txt", "gone.txt"}), "");
  EXPECT_EQ(said({}), "");
  Result<CreatedSnapshot> made = workspace_.create(std::vector<std::string>{"new.txt"});
  ASSERT_TRUE(made);
  workspace_.scratch.run("rm new.txt");
  EXPECT_EQ(
      said({"new.txt"}),
      "NOT_FOUND: There is no file or folder new.txt. Search with globs, or list the files, to find it.");
  ASSERT_TRUE(TaskStore(record_folders_of(*workspace_.opened))
                  .begin_task({.title = "t", .snapshot_id = made->id(), .started_ms = 1}));
  EXPECT_EQ(said({"new.txt"}), "");
}

TEST_F(CheckFilesTest, ACheckThatExaminedNoFileIsSkipped) {
  EXPECT_EQ(marks(check_files(services(), {"src/greet.py"}, all_parts, {})), "pass/skipped");
  EXPECT_EQ(marks(check_files(services(), {}, all_parts, {})), "skipped/skipped");
  EXPECT_EQ(marks(check_files(services(), {"gone.txt"}, all_parts, {})), "skipped/skipped");
  EXPECT_EQ(marks(text_check_report(services(), "a.py", "x = 1\n", all_parts, {})), "pass/skipped");
  workspace_.scratch.run("printf '<<<<<<< a\n=======\n>>>>>>> b\n' > src/greet.py");
  EXPECT_EQ(marks(check_files(services(), {"src/greet.py"}, all_parts, {})), "fail/skipped");
}

TEST_F(CheckFilesTest, LintPassesOnlyIfAPromotedPatternHasADetector) {
  const SelectedFileChecks patterns{.conflicts = false, .patterns = true, .syntax = false};
  EXPECT_EQ(marks(check_files(services(), {"src/greet.py"}, patterns, {})), "skipped/skipped");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(memory_.record(Violation{.type = "no_detector", .file = "a.py"}));
  EXPECT_EQ(marks(check_files(services(), {"src/greet.py"}, patterns, {})), "skipped/skipped");
}

TEST_F(CheckFilesTest, SyntaxErrorsFailAndTheReportListsWhatWasChecked) {
  workspace_.scratch.run("put a.c 'int main( {'; put package.json '{broken'; put b.py 'def f(:'; put c.md c");
  const std::vector<std::string> files = {"a.c", "package.json", "b.py", "c.md"};
  const Result<CheckReport> report = check_files(services(), files, all_parts, {});
  EXPECT_EQ(marks(report), "fail/skipped");
  EXPECT_EQ(report->error_count, 3);
  EXPECT_EQ(
      report->checked_tools_text(),
      "conflict markers (4 files), C brackets and strings (1 file), Python brackets and strings (1 file), "
      "JSON syntax (1 file)");
  ASSERT_EQ(report->skipped.size(), 1u);
  EXPECT_EQ(report->skipped[0].reason, "1 file of a kind without a syntax check");
}

TEST_F(CheckFilesTest, AllFindingsOfAFileAreCounted) {
  workspace_.scratch.run("for i in $(seq 700); do echo '<<<<<<< a'; done > many.c");
  const Result<CheckReport> report = check_files(services(), {"many.c"}, all_parts, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->error_count, 700);
  EXPECT_EQ(report->findings.size(), stored_findings_max);
  EXPECT_EQ(report->unstored_findings, 200);
}

TEST_F(CheckFilesTest, APromotedPatternWithoutADetectorIsAReminderAndNotACheck) {
  const auto promote = [&](const std::string& type, const std::string& prevention) {
    for (std::int64_t i = 0; i < promotion_count_min; ++i)
      ASSERT_TRUE(memory_.record(Violation{.type = type, .description = "d", .prevention = prevention}));
  };
  const SelectedFileChecks patterns{.conflicts = false, .patterns = true, .syntax = false};
  const auto report = [&] { return check_files(services(), {"src/greet.py"}, patterns, {}); };
  promote("use_utc", "store times in UTC");
  EXPECT_EQ(marks(report()), "skipped/skipped");
  EXPECT_EQ(report()->reminder, "1 reminder, not checked: use_utc: store times in UTC.");
  EXPECT_EQ(text_check_report(services(), "a.py", "x = 1\n", patterns, {})->reminder, report()->reminder);
  promote("small_commits", "");
  promote("write_tests", "a test for each bug, and not only for the last one that a user reported");
  EXPECT_EQ(report()->reminder,
            "3 reminders, not checked: small_commits; use_utc: store times in UTC; and 1 more.");
  promote("silent_catch", "log it");
  EXPECT_EQ(marks(report()), "pass/pass");
  CheckReport all = *report();
  all.add(*report());
  EXPECT_EQ(all.reminder, report()->reminder);
}

TEST_F(CheckFilesTest, FindingsHaveThePreventionThatWasRecorded) {
  for (std::int64_t i = 0; i < promotion_count_min; ++i)
    ASSERT_TRUE(memory_.record(Violation{.type = "silent_catch",
                                         .file = "src/uses.py",
                                         .description = "d",
                                         .prevention = "log it,\n and throw"}));
  const std::string code = "try:\n  x()\nexcept ValueError:\n  pass\n";
  Result<CheckReport> patterns = text_check_report(services(), "a.py", code, all_parts, {});
  ASSERT_TRUE(patterns);
  ASSERT_EQ(patterns->findings.size(), 1U);
  EXPECT_EQ(patterns->findings[0].prevention, "log it, and throw");
  EXPECT_EQ(full_message(patterns->findings[0]), "(recorded: log it, and throw)");

  workspace_.scratch.run("put src/uses.py 'import greet\n'; put src/also.py 'import greet\n'");
  ASSERT_TRUE(
      memory_.record_learning({.trigger = "x1", .action = "it is generated", .files = {"src/also.py"}}));
  const CheckScope scope{.paths = {"src/greet.py"}, .is_named = true, .start_snapshot = nullptr};
  Result<CheckReport> impact = impact_report(services(), scope, false, {});
  ASSERT_TRUE(impact);
  ASSERT_EQ(impact->findings.size(), 2U);
  EXPECT_EQ(impact->findings[0].path + ": " + impact->findings[0].prevention, "src/also.py: it is generated");
  EXPECT_EQ(impact->findings[1].path + ": " + impact->findings[1].prevention,
            "src/uses.py: silent_catch: log it, and throw");

  CheckReport ran;
  ran.findings = {{.path = "a.ts", .code = "TS2322", .message = "Type 'a' is not assignable"},
                  {.path = "a.ts", .code = "TS1005", .message = "';' expected"}};
  ASSERT_TRUE(memory_.record_learning(
      {.trigger = "TS2322 after a change of the API", .action = "run the generator"}));
  add_preventions(memory_, ran, RecordedBy::code);
  EXPECT_EQ(full_message(ran.findings[0]), "Type 'a' is not assignable (recorded: run the generator)");
  EXPECT_EQ(full_message(ran.findings[1]), "';' expected");
}

TEST_F(CheckFilesTest, ImportsAndDocumentsDoNotCountAsLint) {
  CheckScope scope{.paths = {"src/greet.py"}, .is_named = true, .start_snapshot = nullptr};
  EXPECT_EQ(marks(cycle_report(services(), scope, {})), "pass/skipped");
  EXPECT_EQ(marks(impact_report(services(), scope, false, {})), "skipped/skipped")
      << "an impact report cannot fail";
  EXPECT_EQ(marks(impact_report(services(), scope, true, {})), "skipped/skipped");
  EXPECT_EQ(marks(document_report(services(), scope, {})), "pass/skipped");
  scope.paths = {"gone.txt"};
  EXPECT_EQ(marks(impact_report(services(), scope, false, {})), "skipped/skipped");
  workspace_.scratch.run(
      "rm src/greet.py; put README.md 'See src/greet.py\n'; put b.py 'import c\n'; put c.py 'import b\n'");
  scope.paths = {"b.py"};
  EXPECT_EQ(marks(cycle_report(services(), scope, {})), "fail/skipped");
  workspace_.scratch.run("rm b.py c.py");
  EXPECT_EQ(marks(cycle_report(services(), scope, {})), "skipped/skipped");
  scope = {.paths = {}, .is_named = false, .start_snapshot = nullptr};
  EXPECT_EQ(marks(document_report(services(), scope, {})), "pass/skipped");
  workspace_.scratch.run("rm *.txt README.md");
  EXPECT_EQ(marks(document_report(services(), scope, {})), "skipped/skipped");
}

TEST_F(CheckFilesTest, ImpactFindsTheImportersOfDeletedFiles) {
  workspace_.scratch.run(
      "put u.ts ''; put u.test.ts \"import './u'\"; put z.ts \"import './u'\"; put y.ts \"import './z'\"; "
      "save; "
      "rm u.ts");
  const auto impact = [&] {
    Result<CheckScope> scope = check_scope_of(*workspace_.opened, {}, {}, {});
    if (!scope) return scope.error().message;
    Result<CheckReport> report = impact_report(services(), *scope, false, {});
    if (!report) return report.error().message;
    std::string text;
    for (const std::string& note : report->notes) text += note + "\n";
    for (const CheckFinding& one : report->findings) text += one.path + " < " + one.message + "\n";
    return text;
  };
  EXPECT_EQ(impact(),
            "The absence of u.ts affects 3 other files, 2 directly.\nTests to run: u.test.ts.\n"
            "u.test.ts < u.ts\nz.ts < u.ts\ny.ts < z.ts\n");
  workspace_.scratch.run("rm u.test.ts; put z.ts \"import './u' // changed\"");
  EXPECT_EQ(impact(),
            "A change of 3 files affects 1 other file, 1 directly.\nu.test.ts, u.ts do not exist.\n"
            "y.ts < z.ts\n");
}

TEST_F(CheckFilesTest, ImpactBeforeAnEditCoversTheFilesOfTheTaskNearestFirst) {
  workspace_.scratch.run(
      "put u.ts ''; put z.ts \"import './u'\"; put a.ts \"import './z'\"; put src/b.ts \"import '../a'\"; "
      "save");
  const auto impact = [&](const std::optional<std::vector<std::string>>& files) {
    Result<CheckScope> scope = check_scope_of(*workspace_.opened, {}, files, {});
    if (!scope) return scope.error().message;
    Result<CheckReport> report = impact_report(services(), *scope, false, {});
    if (!report) return report.error().message;
    report->sort(scope->paths);
    std::string text = report->notes.front();
    for (const CheckFinding& one : report->findings) text += " " + one.path + "<" + one.message;
    return text;
  };
  const std::string found =
      "An edit of u.ts affects 3 other files, 1 directly. z.ts<u.ts a.ts<z.ts src/b.ts<a.ts";
  EXPECT_EQ(impact({}),
            "Nothing changed, and the task names no files. Pass files to see what an edit of them affects.");
  EXPECT_EQ(impact(std::vector<std::string>{"u.ts"}), found);
  EXPECT_EQ(impact(std::vector<std::string>{"new.txt"}),
            "Which files use new.txt is not known: imports of symlinks, of submodules and of files without "
            "source code are not analyzed.");
  Result<WorkspaceCapture> captured = capture_workspace(*workspace_.opened, "", {});
  ASSERT_TRUE(captured);
  ASSERT_TRUE(TaskStore(record_folders_of(*workspace_.opened))
                  .begin_task({.title = "t",
                               .files = {"u.ts", "absent.ts"},
                               .snapshot_id = captured->snapshot_id,
                               .started_ms = 1}));
  EXPECT_EQ(impact({}), found) << "no file has changed yet";
  EXPECT_EQ(impact(std::vector<std::string>{"src/b.ts"}),
            "An edit of src/b.ts affects no other file by imports.");
  workspace_.scratch.run("put z.ts \"import './u';\"");
  EXPECT_EQ(impact({}),
            "An edit of 2 files, of which 1 has not changed yet, affects 2 other files, 1 directly. "
            "a.ts<z.ts src/b.ts<a.ts");
}

TEST_F(CheckFilesTest, WhatWasNotExaminedForImportsIsNamed) {
  const auto report_of = [&](auto report, const char* file) {
    const CheckScope scope{.paths = {file}, .is_named = true, .start_snapshot = nullptr};
    Result<CheckReport> made = report(scope);
    EXPECT_TRUE(made);
    std::string text;
    for (const std::string& note : made->notes) text += note;
    for (const SkippedCheck& each : made->skipped) text += each.reason;
    return marks(made) + ": " + text;
  };
  workspace_.scratch.run(
      "put m.ts ''; put doc.mdx 'import \"./m\"'; put src/lib.rs 'mod a;'; put src/a.rs 'use crate::*;'");
  EXPECT_EQ(
      report_of([&](const CheckScope& scope) { return impact_report(services(), scope, false, {}); }, "m.ts"),
      "skipped/skipped: An edit of m.ts affects no other file by imports. Not examined: imports in files "
      "with the ending .mdx.");
  workspace_.scratch.run("rm doc.mdx; put n.ts 'import(name)'");
  EXPECT_EQ(
      report_of([&](const CheckScope& scope) { return impact_report(services(), scope, false, {}); }, "m.ts"),
      "skipped/skipped: An edit of m.ts affects no other file by imports. Not known: the computed imports of "
      "n.ts.");
  workspace_.scratch.run("rm m.ts n.ts; find . -name '*.py' -delete");
  EXPECT_EQ(
      report_of([&](const CheckScope& scope) { return cycle_report(services(), scope, {}); }, "src/a.rs"),
      "skipped/skipped: import cycles of 2 files of Rust, whose modules may import one another");
}

TEST_F(CheckFilesTest, DocumentsThatNameAFileThatACommitDeletedAreFoundWithAndWithoutATask) {
  workspace_.scratch.run(
      "git add -A; git commit -qm x; put README.md 'See src/old.py.\n'; put src/old.py o; save; "
      "git rm -q src/old.py; save");
  CheckScope scope;
  const auto findings = [&] {
    Result<CheckReport> report = document_report(services(), scope, {});
    std::string text = marks(report);
    for (const CheckFinding& one : report ? report->findings : std::vector<CheckFinding>())
      text += " " + one.path + ":" + std::to_string(one.line) + " " + one.code + " " + one.message;
    return text;
  };
  const std::string found = "fail/skipped README.md:1 names_gone src/old.py";
  EXPECT_EQ(findings(), found);
  Result<WorkspaceCapture> captured = capture_workspace(*workspace_.opened, "", {});
  ASSERT_TRUE(captured);
  Result<std::shared_ptr<const Snapshot>> before = workspace_.opened->snapshots().load(captured->snapshot_id);
  ASSERT_TRUE(before);
  scope.start_snapshot = *before;
  EXPECT_EQ(findings(), found) << "the task changed nothing";
  workspace_.scratch.run("put src/greet.py 'def greet():\n'");
  EXPECT_EQ(findings(), found) << "the task changed another file";
  workspace_.scratch.run("put README.md 'See src/greet.py.\n'");
  EXPECT_EQ(findings(), "pass/skipped");
}

class DeletedImportsTest : public testing::Test {
 protected:
  void make(std::string_view script) { workspace_.emplace(script); }
  // Runs a script in the repository, and returns a line for each import of a deleted file.
  std::string found_after(std::string_view script) {
    workspace_->scratch.run(script);
    ImportGraphCache imports(*workspace_->opened);
    LearningStore memory(record_folders_of(*workspace_->opened));
    const WorkspaceServices services{*workspace_->opened, memory, imports};
    const Result<CheckScope> scope = check_scope_of(*workspace_->opened, {}, {}, {});
    if (!scope) return scope.error().message;
    const Result<Unit> updated = imports.update({});
    if (!updated) return updated.error().message;
    const Result<CheckReport> report =
        deleted_imports_report(services, *scope, imports.missing_sources(scope->paths), {});
    if (!report) return report.error().message;
    std::string text;
    for (const CheckFinding& each : report->findings)
      text += each.path + ":" + std::to_string(each.line) + " " + each.message + "\n";
    return text;
  }

  std::optional<TestWorkspace> workspace_;
};

constexpr std::string_view shop_script =
    "put shop/__init__.py ''; put shop/app.py 'from .store import Store\nfrom . import store\n'; "
    "put shop/store/__init__.py ''; put shop/store/models.py ''; put shop/store/memory.py 'from "
    "shop.store.models "
    "import Order\n'; ";
constexpr std::string_view tests_script =
    "put tests/test_store.py 'import shop.store\nimport shop.store.models as m\nfrom shop.store import "
    "Store\nfrom shop.store.models import Order\nfrom shop import store, __name__\ntry:\n    import "
    "shop.store\nexcept ImportError:\n    pass\nimport other.store\n'; save; ";

TEST_F(DeletedImportsTest, EveryImportOfARenamedPackageIsReported) {
  const std::string in_tests =
      "tests/test_store.py:1 'shop.store' does not exist\n"
      "tests/test_store.py:2 'shop.store.models' does not exist\n"
      "tests/test_store.py:3 'shop.store' does not exist\n"
      "tests/test_store.py:4 'shop.store.models' does not exist\n"
      "tests/test_store.py:5 'shop.store' does not exist\n";
  const auto in_package = [](const std::string& folder, const std::string& storage) {
    return folder + "app.py:1 '.store' does not exist\n" + folder + "app.py:2 '.store' does not exist\n" +
           (storage.empty() ? "" : folder + storage + "memory.py:1 'shop.store.models' does not exist\n");
  };
  make("new; " + std::string(shop_script) + std::string(tests_script));
  EXPECT_EQ(found_after("git mv shop/store shop/storage"), in_package("shop/", "storage/") + in_tests);
  EXPECT_EQ(found_after("mkdir -p shop/store/__pycache__; touch shop/store/__pycache__/models.pyc"),
            in_package("shop/", "storage/") + in_tests);
  EXPECT_EQ(found_after("put shop/store/native.so x"),
            "shop/storage/memory.py:1 'shop.store.models' does not exist\n"
            "tests/test_store.py:2 'shop.store.models' does not exist\n"
            "tests/test_store.py:4 'shop.store.models' does not exist\n")
      << "a folder that has a file may be a package";

  make("new; put pyproject.toml ''; mkdir src; cd src; " + std::string(shop_script) + "cd ..; " +
       std::string(tests_script));
  EXPECT_EQ(found_after("git rm -qr src/shop/store"), in_package("src/shop/", "") + in_tests);
  EXPECT_EQ(found_after("git reset -q --hard; git mv src/shop shop"), "");
  EXPECT_EQ(found_after("git reset -q --hard; git clean -fdq; mkdir -p lib/shop; put pyproject.toml x; "
                        "put lib/pyproject.toml ''; put lib/shop/__init__.py ''; git mv src/shop/store "
                        "lib/shop/store"),
            in_package("src/shop/", ""))
      << "a second package has the name";
}

TEST_F(DeletedImportsTest, ANameThatAPackageMayDefineIsNotCalledADeletedModule) {
  make(
      "new; put shop/__init__.py 'from .items import all_items\n'; put shop/items.py ''; put shop/orders.py "
      "''; "
      "put run.py 'from shop import items, orders\nimport shop.orders\n'; put other.py 'from shop import (\n "
      " "
      "orders\n)\n'; save");
  EXPECT_EQ(found_after("git mv shop/orders.py shop/requests.py"),
            "other.py:1 'shop.orders' does not exist\nrun.py:1 'shop.orders' does not exist\n"
            "run.py:2 'shop.orders' does not exist\n");
  const std::string plain = "run.py:2 'shop.orders' does not exist\n";
  EXPECT_EQ(found_after("put shop/__init__.py 'orders = 1\n'"), plain);
  EXPECT_EQ(found_after("put shop/__init__.py 'from .requests import *\n'"), plain);
  EXPECT_EQ(found_after("put shop/__init__.py 'def __getattr__(name):\n  return 1\n'"), plain);
  EXPECT_EQ(found_after("put shop/__init__.py '__path__.append(1)\n'"), "");
  EXPECT_EQ(
      found_after("put shop/__init__.py ''; git rm -qf shop/items.py"),
      "other.py:1 'shop.orders' does not exist\nrun.py:1 'shop.items', 'shop.orders' do not exist\n" + plain);
  EXPECT_EQ(found_after("git rm -qf shop/__init__.py; rm -r shop"), "")
      << "an installed package may have the name";
}

TEST_F(DeletedImportsTest, AnImportIsReportedOnceAndOnlyIfItIsBroken) {
  make(
      "new; put a.js ''; put a.d.ts ''; put b.js ''; put c.js \"import './b.js'; import './a.js'; import "
      "'./a.css';\n\"; save");
  EXPECT_EQ(found_after("rm a.js a.d.ts"), "c.js:1 './a.js' does not exist\n");
  EXPECT_EQ(found_after("put a.ts ''"), "");
}

}  // namespace
}  // namespace snapgen::core
