// The files that a change affects, and the documents that it makes outdated, in real repositories.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/capture.h"
#include "tools/insight/analysis/change_set.h"
#include "tools/insight/analysis/definition.h"
#include "tools/insight/analysis/documents.h"
#include "tools/insight/analysis/impact.h"
#include "tools/insight/analysis/import_graph_cache.h"

namespace snapgen::core {
namespace {

class AnalysisTest : public testing::Test {
 protected:
  void make(std::string_view script) { workspace_.emplace(script); }
  void run(std::string_view script) { workspace_->scratch.run(script); }
  Workspace& opened() { return *workspace_->opened; }

  ChangeSet changes(const Snapshot* before = nullptr, const std::vector<std::string>& paths = {}) {
    Result<ChangeSet> found = change_set_since(opened(), before, paths, {});
    EXPECT_TRUE(found) << found.error().message;
    return found ? *std::move(found) : ChangeSet();
  }

  static std::string shown(const ChangeSet& set) {
    std::string text;
    for (const ChangedFile& file : set.files) {
      text += file.path + (file.is_deleted ? " gone" : file.is_added ? " added" : "");
      for (const ChangedName& one : file.defined_names)
        text += " " + one.name + (one.is_deleted ? "(gone)" : "");
      text += "\n";
    }
    return text;
  }
  static std::string shown(const Result<DocumentReport>& report) {
    if (!report) return report.error().message;
    std::string text;
    for (const DocumentFinding& one : report->findings)
      text += one.document + ":" + std::to_string(one.line) + " " + one.name + " " + one.file +
              (one.is_deleted ? " gone" : "") + "\n";
    return text;
  }
  std::string behind() {
    LiveView view(opened(), false, {});
    return shown(outdated_documents(view, changes()));
  }

  std::optional<TestWorkspace> workspace_;
};

TEST(DefinedName, IsTheNameThatALineDefines) {
  const std::pair<std::string_view, std::string_view> lines[] = {
      {"export async function loadUser(id) {", "loadUser"},
      {"export default class Store {", "Store"},
      {"export const LIMIT = 3;", "LIMIT"},
      {"    def find_user(self, name):", "find_user"},
      {"pub(crate) const fn width() -> usize {", "width"},
      {"pub struct Frame {", "Frame"},
      {"func (s *Server) Serve(ctx context.Context) error {", "Serve"},
      {"enum class Color : int {", "Color"},
      {"Result<Unit> Root::open_file(std::string_view path) const {", "open_file"},
      {"static int *lookup(const char *name)", "lookup"},
      {"#define BUFFER_SIZE 512", "BUFFER_SIZE"},
      {"    return lookup(name);", ""},
      {"if (ready(x)) {", ""},
      {"int total = count(x);", ""},
      {"lookup(name);", ""},
      {"// nothing", ""},
      {"fn", ""},
      {"func (s *", ""},
      {"pub(", ""},
      {"", ""}};
  for (const auto& [line, name] : lines) EXPECT_EQ(defined_name(line, Language::none), name) << line;
}

TEST(DefinedName, AConstantIsNamedAndNeitherItsTypeNorALocalVariable) {
  EXPECT_EQ(defined_name("const double weight = 1;", Language::c), "weight");
  EXPECT_EQ(defined_name("static const Folder* open(int x) {", Language::c), "open");
  EXPECT_EQ(defined_name("  const names = [];", Language::javascript), "");
  EXPECT_EQ(defined_name("const names = [];", Language::javascript), "names");
  EXPECT_EQ(defined_name("    let total = 0;", Language::rust), "");
}

TEST(DefinedName, ConstantsAndMethodsAreNamed) {
  struct Line {
    Language language;
    std::string_view text, name;
  };
  const Line lines[] = {{Language::python, "DEFAULT_PORT = 80", "DEFAULT_PORT"},
                        {Language::python, "DEFAULT_PORT: int = 80", "DEFAULT_PORT"},
                        {Language::python, "OrderId = int", "OrderId"},
                        {Language::python, "    RED = 1", "RED"},
                        {Language::python, "        RED = 1", ""},
                        {Language::python, "    order_id = 1", ""},
                        {Language::python, "result = 1", ""},
                        {Language::python, "else: X_Y = 1", ""},
                        {Language::python, "DEBUG == 1", ""},
                        {Language::c, "inline constexpr int kLimit = 3;", "kLimit"},
                        {Language::c, "constexpr std::array<int, 2> kTable = {f(1), 2};", "kTable"},
                        {Language::c, "static const char* const kNames[] = {\"a\"};", "kNames"},
                        {Language::c, "  static constexpr double kTwice{2};", "kTwice"},
                        {Language::c, "constexpr int twice(int x) { return 2 * x; }", "twice"},
                        {Language::c, "  const std::string& name, int x) {", ""},
                        {Language::c, "  const int count = 3;", ""},
                        {Language::c, "  bool operator==(const Box&) const = default;", ""},
                        {Language::c, "  double area() const { return w * h; }", "area"},
                        {Language::c, "  static Box from(Point a, Point b) {", "from"},
                        {Language::c, "  void draw() override;", "draw"},
                        {Language::c, "  std::lock_guard lock(mutex_);", ""},
                        {Language::c, "  return read(x) {", ""},
                        {Language::c, "  if (ready(x)) {", ""},
                        {Language::javascript, "  balanceOf(id: string): number {", "balanceOf"},
                        {Language::javascript, "  async load<T>(id) {", "load"},
                        {Language::javascript, "  private static total(", "total"},
                        {Language::javascript, "  get size() {", "size"},
                        {Language::javascript, "  total(id: string): number;", "total"},
                        {Language::javascript, "  total(id);", ""},
                        {Language::javascript, "  total(id) : other;", ""},
                        {Language::javascript, "  describe('total', () => {", ""},
                        {Language::javascript, "  constructor(id) {", ""},
                        {Language::javascript, "  switch (id) {", ""},
                        {Language::javascript, "  async (id): Promise<void> => {", ""}};
  for (const auto& [language, text, name] : lines) EXPECT_EQ(defined_name(text, language), name) << text;
}

TEST_F(AnalysisTest, ConstantsAndMethodsThatNoSourceHasAreGone) {
  make(
      "new; put a.py 'DEFAULT_PORT = 80\nTIME_LIMIT = 1\nclass A:\n    RED = 1\n\ndef main():\n    HOST = "
      "1\n'; "
      "put b.h 'namespace b {\ninline constexpr int kLimit = 3;\nclass Box {\n  double area() const { return "
      "1; }\n  static constexpr int kSide = 4;\n};\ninline int f() {\n  static const int kLocal = 1;\n  "
      "return "
      "kLocal;\n}\n}\n'; "
      "put c.ts 'export class C {\n  balanceOf(id: string): number {\n    return 1;\n  }\n  sum(): number "
      "{\n   "
      " return 1;\n  }\n}\n'; put d.ts 'c.sum();\n'; "
      "put README.md '`DEFAULT_PORT` `TIME_LIMIT` `RED` `HOST`\n`kLimit` `area()` `kSide` "
      "`kLocal`\n`balanceOf` "
      "`sum`\n'; save; age; git status");
  run("sed -i 's/DEFAULT_PORT/PORT/; s/TIME_LIMIT = 1/TIME_LIMIT = 2/; s/RED/BLUE/; s/HOST/PLACE/' a.py; "
      "sed -i 's/kLimit/kMost/; s/area/size/; s/kSide/kEdge/; s/kLocal/kOwn/' b.h; "
      "sed -i 's/balanceOf/balance/; s/sum/add/' c.ts");
  EXPECT_EQ(behind(),
            "README.md:1 DEFAULT_PORT a.py gone\nREADME.md:1 RED a.py gone\nREADME.md:2 area b.h gone\n"
            "README.md:2 kLimit b.h gone\nREADME.md:2 kSide b.h gone\nREADME.md:3 balanceOf c.ts gone\n"
            "README.md:1 TIME_LIMIT a.py\n");
}

TEST_F(AnalysisTest, ALinkNamesItsFileOnce) {
  make(
      "new; put src/money.ts 1; put docs/guide.md '[money.ts](../src/money.ts) and `money.ts`\n'; save; "
      "rm src/money.ts");
  EXPECT_EQ(behind(), "docs/guide.md:1 money.ts src/money.ts gone\n");
}

TEST_F(AnalysisTest, ChangesHaveTheNamesThatChangedLinesDefine) {
  make(
      "new; put a.ts 'export function keep() {}\nexport function old() {}\nexport function moved(a) {}\n'; "
      "put gone.py 'def lost():\n  pass\n'; put notes.md 'function prose() {'; put z z; save; age; git "
      "status");
  EXPECT_EQ(shown(changes()), "");
  run("put a.ts 'export function keep() {}\nexport function moved(a, b) {}\nexport function fresh() {}\n'; "
      "rm gone.py; put new.ts 'function x() {}'; put notes.md 'other'");
  EXPECT_EQ(shown(changes()), "a.ts moved old(gone)\ngone.py gone lost(gone)\nnew.ts added\nnotes.md\n");
  EXPECT_EQ(shown(changes(nullptr, {"a.ts"})), "a.ts moved old(gone)\n");
}

TEST_F(AnalysisTest, AFileThatBecomesASymlinkOrBackDoesNotShiftOtherNames) {
  make(
      "new; put z z; ln -s z a.c; put b.c 'int first(int x) {\n'; put c.c 'int second(int x) {\n'; save; "
      "rm a.c; put a.c 'int came(int x) {\n'; put b.c 'int other(int x) {\n'; put c.c 'int another(int x) "
      "{\n'");
  EXPECT_EQ(shown(changes()), "a.c\nb.c first(gone)\nc.c second(gone)\n");
  run("git add .; git commit -qm kinds; rm a.c; ln -s z a.c; put b.c 'int third(int x) {\n'");
  EXPECT_EQ(shown(changes()), "a.c came(gone)\nb.c other(gone)\n");
}

TEST_F(AnalysisTest, ChangesSinceASnapshotAreThoseOfTheWorkTree) {
  make("new; put a.ts 'function one() {}\n'; save; put a.ts 'function two() {}\n'");
  Result<WorkspaceCapture> captured = capture_workspace(opened(), "", {});
  ASSERT_TRUE(captured);
  Result<std::shared_ptr<const Snapshot>> before = opened().snapshots().load(captured->snapshot_id);
  ASSERT_TRUE(before);
  EXPECT_EQ(shown(changes(before->get())), "");
  run("put a.ts 'function three() {}\n'");
  EXPECT_EQ(shown(changes(before->get())), "a.ts two(gone)\n");
}

TEST_F(AnalysisTest, DocumentsThatNameAChangedThingAreOutdated) {
  make(
      "new; put src/user.ts 'export function findUser() {}\nexport function list() {}\n'; "
      "put src/gone.ts 'export const x = 1;\n'; put src/same/index.ts ''; put other/index.ts ''; "
      "put README.md 'See src/user.ts and `list`.\n\nCall findUser(1), or list it.\n[gone](./src/gone.ts)\n"
      "index.ts stays.\n'; "
      "put src/notes.rst 'gone.ts; ../README.md; user.ts:12\n'; put docs/old.md '../src/user.ts\n'; "
      "put docs/new.md 'src/user.ts\n'; put code.ts '// src/user.ts'; save; age; git status");
  EXPECT_EQ(behind(), "");
  run("put src/user.ts 'export function list(all) {}\n'; rm src/gone.ts; put src/same/index.ts 'x'; "
      "put docs/new.md 'src/user.ts again\n'");
  EXPECT_EQ(behind(),
            "README.md:3 findUser src/user.ts gone\n"
            "README.md:4 ./src/gone.ts src/gone.ts gone\n"
            "src/notes.rst:1 gone.ts src/gone.ts gone\n"
            "README.md:1 list src/user.ts\n");
}

TEST_F(AnalysisTest, ALineThatNamesADeletedFileIsOutdatedUntilItIsChanged) {
  make(
      "new; put gone.ts 1; put a.md 'gone.ts\n\nmore\n'; put b.md 'gone.ts\n'; save; "
      "rm gone.ts; put a.md 'gone.ts\n\nother\n'; put b.md 'gone.ts is removed\n'");
  EXPECT_EQ(behind(), "a.md:1 gone.ts gone.ts gone\n");
  run("git add -A; git commit -qm gone");
  const auto history = [&] { return shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})); };
  EXPECT_EQ(history(), "a.md:1 gone.ts gone.ts gone\n");
  run("put c.md 'gone.ts'; put a.md 'gone.ts\n\nagain\n'");
  EXPECT_EQ(history(), "a.md:1 gone.ts gone.ts gone\n");
  run("put a.md 'gone.ts was removed\n'; save");
  EXPECT_EQ(history(), "");
}

TEST_F(AnalysisTest, AChangelogMayNameDeletedThings) {
  make("new; put gone.ts 1; put CHANGELOG.md 'gone.ts\n'; put docs/History.md 'gone.ts\n'; save; rm gone.ts");
  EXPECT_EQ(behind(), "");
}

TEST_F(AnalysisTest, OfAMovedFileOnlyThePathIsOutdated) {
  make("new; put a.py 'def total():\n  pass\n'; put a.md '`total` in a.py\n'; save; git mv a.py b.py");
  EXPECT_EQ(behind(), "a.md:1 a.py a.py gone\n");
}

TEST_F(AnalysisTest, AMovedDefinitionIsNamedWithItsFile) {
  make(
      "new; put a.py 'def total():\n  pass\n'; put c.py ''; put a.md '`total` in a.py\n'; save; "
      "put c.py 'def total():\n  pass\n'; put a.py 'x = 1\n'");
  LiveView view(opened(), false, {});
  const Result<DocumentReport> report = outdated_documents(view, changes());
  ASSERT_TRUE(report);
  ASSERT_EQ(report->findings.size(), 1u);
  EXPECT_EQ(report->findings[0].now_in, "c.py");
}

TEST_F(AnalysisTest, ANameThatTheFileStillDefinesIsNotGone) {
  make(
      "new; put a.py 'class A:\n  def factor(self):\n    pass\n  def factor(self, x):\n    pass\n'; "
      "put a.md '`factor` in a.py\n'; put CHANGELOG.md x; save; "
      "put a.py 'class A:\n  def factor(self):\n    pass\n'; put CHANGELOG.md y");
  EXPECT_EQ(behind(), "");
  LiveView view(opened(), false, {});
  EXPECT_EQ(outdated_documents(view, changes())->changed_document_count, 0);
}

TEST_F(AnalysisTest, ACommitThatChangesOnlyTheModeOfAFileDoesNotChangeIt) {
  make("new; put a.ts 1; save; put a.ts 2; put README.md 'a.ts\n'; save; chmod +x a.ts; save");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})), "");
}

TEST_F(AnalysisTest, AWordInThePathOfAnotherFileIsNotAName) {
  make(
      "new; put tests/io.py 'def journal():\n  pass\n'; put src/journal.py 'x = 1\n'; "
      "put design.md '`Journal` of `src/journal.py`, and `journal.py`\n'; save; rm tests/io.py");
  EXPECT_EQ(behind(), "");
}

TEST_F(AnalysisTest, ANameThatAnotherFileDefinesNowIsNotGone) {
  make(
      "new; put a.ts 'export function findUser() {}\nexport function loadUser() {}\n'; put b.ts ''; "
      "put README.md 'Call findUser() and loadUser().\n'; put docs.md 'findUser() of a.ts\n'; save; age; git "
      "status");
  run("put a.ts ''; put b.ts 'export function findUser() {}\n'");
  EXPECT_EQ(behind(), "README.md:1 loadUser a.ts gone\ndocs.md:1 findUser a.ts gone\n");
}

TEST_F(AnalysisTest, WordsInCodeAreNamesButWordsInProseAreNot) {
  make(
      "new; put a.py 'def update():\n  pass\n'; "
      "put README.md 'We update it.\n```\nupdate\n```\nupdate again\n'; save; age; git status");
  run("put a.py 'def other():\n  pass\n'");
  EXPECT_EQ(behind(), "README.md:3 update a.py gone\n");
}

TEST_F(AnalysisTest, TheWordsOfACommandLineAreNoNames) {
  make(
      "new; put a.py 'def add():\n  pass\n'; "
      "put README.md 'Run `git add` and `npm run add`.\n```sh\ngit add\n```\n```\n$ git add\nadd\n```\n'; "
      "put call.md '`npm add x`, then `print add()`'; put keyword.md '`def add`'; put sign.md '`x = add`'; "
      "save; age; git status");
  run("put a.py 'def other():\n  pass\n'");
  EXPECT_EQ(behind(),
            "README.md:7 add a.py gone\ncall.md:1 add a.py gone\nkeyword.md:1 add a.py gone\n"
            "sign.md:1 add a.py gone\n");
}

TEST_F(AnalysisTest, HistoryFindsDocumentsOlderThanTheFilesTheyName) {
  make(
      "new; put a.ts 1; put b.ts 1; put README.md 'a.ts b.ts\n'; save; "
      "put late.md 'a.ts'; put a.ts 2; git add -A; GIT_COMMITTER_DATE=2030-01-01T00:00:00Z git commit -qm x");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})), "README.md:1 a.ts a.ts\n");
  // An uncommitted edit is newer than all commits.
  run("put b.ts 2");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})),
            "README.md:1 a.ts a.ts\nREADME.md:1 b.ts b.ts\n");
  run("put README.md 'a.ts b.ts!\n'; touch -d 2031-01-01T00:00:00Z README.md");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})), "");
}

TEST_F(AnalysisTest, AFileThatIsOnlyAddedAfterItsDocumentHasNotChanged) {
  make("new; put README.md 'a.ts\n'; save; put a.ts 1; save");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})), "");
  run("put a.ts 2; save");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})), "README.md:1 a.ts a.ts\n");
}

TEST_F(AnalysisTest, HistoryFindsFilesThatALaterCommitDeleted) {
  make(
      "new; put src/old.ts 1; put conf/app.yaml 1; put docs/guide.md x; put a/same.ts 1; put b/same.ts 1; "
      "put kept.ts 1; put .gitignore ignored.ts; put ignored.ts 1; git add -f ignored.ts; "
      "put README.md 'src/old.ts conf/app.yaml docs/guide.md same.ts kept.ts ignored.ts\nold.ts:3\n'; save; "
      "git rm -qr src conf docs a; git rm -q --cached ignored.ts; save");
  const std::string deleted =
      "README.md:1 conf/app.yaml conf/app.yaml gone\n"
      "README.md:1 docs/guide.md docs/guide.md gone\n"
      "README.md:1 src/old.ts src/old.ts gone\n"
      "README.md:2 old.ts src/old.ts gone\n";
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})), deleted);
  run("put kept.ts 2; save");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})),
            deleted + "README.md:1 kept.ts kept.ts\n");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::deleted, {})), deleted);
  run("put late.md src/old.ts; save");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::deleted, {})), deleted)
      << "a document of a later commit is up to date";
  run("put src/old.ts 3; put conf/app.yaml 3; put docs/guide.md y");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::deleted, {})), "");
}

TEST_F(AnalysisTest, ADeletionThatIsNotCommittedIsLaterThanEveryCommit) {
  make("new; put a.ts 1; put docs/b.md 1; put README.md 'a.ts docs/b.md'; save; rm a.ts docs/b.md");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::deleted, {})),
            "README.md:1 a.ts a.ts gone\nREADME.md:1 docs/b.md docs/b.md gone\n");
  EXPECT_EQ(behind(), "README.md:1 a.ts a.ts gone\nREADME.md:1 docs/b.md docs/b.md gone\n");
  run("put README.md 'a.ts is deleted, and docs/b.md'");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::deleted, {})), "");
}

TEST_F(AnalysisTest, WithoutGitTheTimesOfFilesAreCompared) {
  make(
      "put a.ts 1; put b.ts 1; put README.md 'a.ts b.ts'; touch -d 2020-01-01T00:00:00Z b.ts; "
      "touch -d 2021-01-01T00:00:00Z README.md; touch -d 2022-01-01T00:00:00Z a.ts");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})), "README.md:1 a.ts a.ts\n");
}

TEST_F(AnalysisTest, ARepositoryWithoutCommitsHasNoHistory) {
  make("new; put a.ts 1; put README.md 'a.ts'; touch -d 2022-01-01T00:00:00Z a.ts README.md");
  EXPECT_EQ(shown(outdated_documents_by_history(opened(), HistoryFiles::all, {})), "");
  EXPECT_EQ(behind(), "");
}

TEST_F(AnalysisTest, ImpactFollowsImports) {
  make(
      "new; put a.ts 'export const a = 1'; put b.ts \"import './a'\"; put c.ts \"import './b'\"; "
      "put tests/b.test.ts \"import '../b'\"; put latest.ts ''; save");
  ImportGraphCache imports(opened());
  ASSERT_TRUE(imports.update({}));
  const Impact impact =
      imports.with_graph([](const ImportGraph& graph) { return impact_of(graph, {"a.ts", "README.md"}); });
  EXPECT_EQ(impact.changed, std::vector<std::string>{"a.ts"});
  EXPECT_EQ(impact.direct_count, 1);
  ASSERT_EQ(impact.reached.size(), 3U);
  EXPECT_EQ(impact.reached[0].path, "b.ts");
  EXPECT_EQ(impact.reached[1].path, "c.ts");
  EXPECT_EQ(impact.reached[1].via, "b.ts");
  EXPECT_EQ(impact.tests, std::vector<std::string>{"tests/b.test.ts"});
  EXPECT_EQ(imports.count_dependents("a.ts"), 3);
  EXPECT_EQ(imports.count_dependents("latest.ts"), 0);
  EXPECT_EQ(imports.count_dependents("README.md"), std::nullopt);
  EXPECT_FALSE(is_test_file("latest.ts"));

  const Impact folder = imports.with_graph(
      [](const ImportGraph& graph) { return impact_of(graph, {"tests", "a.ts", "tests/b.test.ts"}); });
  EXPECT_EQ(folder.changed, (std::vector<std::string>{"a.ts", "tests/b.test.ts"}));
  EXPECT_EQ(folder.reached.size(), 2U);
  EXPECT_EQ(folder.tests, std::vector<std::string>{"tests/b.test.ts"});

  run("rm c.ts; put d.ts \"import './a'\"");
  ASSERT_TRUE(imports.update({}));
  EXPECT_EQ(imports.count_dependents("a.ts"), 3);
  EXPECT_EQ(imports.count_dependents("c.ts"), std::nullopt);
}

TEST_F(AnalysisTest, TestsToRunAreNeitherHeadersNorHelpersNorData) {
  make(
      "new; put src/box.h ''; put tests/check.h '#include \"../src/box.h\"\n'; "
      "put tests/shapes.cc '#include \"check.h\"\n'; put tests/data.json '{}'; "
      "put unit/tests/__init__.py ''; put unit/tests/helper.py ''; put unit/tests/test_a.py 'from . import "
      "helper\n'; put unit/tests/orders.py ''; put unit/tests/test_b.py ''; put unit/conftest.py ''; put "
      "test_c.py ''; save");
  ImportGraphCache imports(opened());
  ASSERT_TRUE(imports.update({}));
  const auto tests_of = [&](const std::string& path) {
    std::string all;
    const Impact impact =
        imports.with_graph([&](const ImportGraph& graph) { return impact_of(graph, {path}); });
    for (const std::string& each : impact.tests) all += each + " ";
    return all;
  };
  EXPECT_EQ(tests_of("src/box.h"), "tests/shapes.cc ");
  EXPECT_EQ(tests_of("tests/check.h"), "tests/shapes.cc ");
  EXPECT_EQ(tests_of("tests/data.json"), "");
  EXPECT_EQ(tests_of("unit/tests/helper.py"), "unit/tests/test_a.py ");
  const std::string unit = "unit/tests/orders.py unit/tests/test_a.py unit/tests/test_b.py ";
  EXPECT_EQ(tests_of("unit/tests/__init__.py"), unit);
  EXPECT_EQ(tests_of("unit/conftest.py"), unit);
}

TEST_F(AnalysisTest, ScannedImportsAreCachedForTheNextServer) {
  make("new; put a.ts 'export const a = 1'; put b.ts \"import './a'\"; save; age");
  workspace_->wait_for_watch();
  ASSERT_TRUE(ImportGraphCache(opened()).update({}));
  const std::string kept = opened().tree_folder() + "/imports";
  EXPECT_TRUE(std::filesystem::exists(kept)) << kept;
  workspace_->reopen();
  // A file is read only if the cache does not know it.
  LiveView view(opened(), false, {});
  Result<const Listing*> listing = view.listing();
  ASSERT_TRUE(listing);
  for (std::size_t i = 0; i < (*listing)->size(); ++i)
    EXPECT_NE(view.known_blob(i), std::nullopt) << (*listing)->path(i);
}

}  // namespace
}  // namespace snapgen::core
