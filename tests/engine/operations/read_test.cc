#include <map>
#include <random>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/engine/folder.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/search/matcher.h"

namespace snapgen::core {
namespace {

// Returns the entries of a listing in order: folders end in /, symlinks in @, sizes are in parentheses.
std::string shown_answer(const ListAnswer& answer) {
  std::string out;
  for (const ListEntry& entry : answer.entries) {
    out += entry.path;
    if (entry.kind == FileKind::folder) out += "/";
    if (entry.kind == FileKind::symlink) out += "@";
    if (entry.size) out += "(" + std::to_string(*entry.size) + ")";
    out += " ";
  }
  return out;
}

std::string shown_answer(const GrepAnswer& answer) {
  std::string out;
  for (const GrepMatch& match : answer.matches) {
    out += match.path + ":" + std::to_string(match.line) + ":" + std::to_string(match.column) + ":" +
           match.text + "\n";
  }
  return out;
}

// Runs each test on the live view and on a snapshot of the same files.
class ReadTest : public testing::TestWithParam<bool> {
 protected:
  void make(std::string_view script) {
    workspace_.emplace(script);
    if (!GetParam()) return;
    Result<CreatedSnapshot> created = workspace_->create(std::vector<std::string>{""});
    ASSERT_TRUE(created) << created.error().message;
    id_ = created->id();
  }
  bool live() const { return id_.empty(); }

  Result<FileAnswer> file(FileQuery query) {
    if (!live()) return read_file(*workspace_->view(id_), query);
    auto read =
        read_worktree(*workspace_->opened, {}, {}, [&](FileView& view) { return read_file(view, query); });
    return read ? Result<FileAnswer>(read->value) : Result<FileAnswer>(read.error());
  }
  Result<FileAnswer> whole(std::string path) {
    return file({.path = std::move(path), .start_line = {}, .end_line = {}});
  }
  Result<ListAnswer> list(const ListQuery& query) {
    if (!live()) return list_entries(*workspace_->view(id_), query);
    auto read = workspace_->list(query);
    return read ? Result<ListAnswer>(read->value) : Result<ListAnswer>(read.error());
  }
  Result<GrepAnswer> search(const GrepQuery& query) {
    if (!live()) return grep(*workspace_->view(id_), query);
    auto read = workspace_->search(query);
    return read ? Result<GrepAnswer>(read->value) : Result<GrepAnswer>(read.error());
  }
  template <class T>
  static std::string code(const Result<T>& result) {
    return result ? "ok" : std::string(text(result.error().code));
  }

  std::optional<TestWorkspace> workspace_;
  std::string id_;
};

INSTANTIATE_TEST_SUITE_P(Views, ReadTest, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "snapshot" : "worktree"; });

TEST_P(ReadTest, ReturnsAFileWithSizeHashAndLineCount) {
  make(
      "new; printf 'one\\ntwo\\nthree' > f; printf 'a\\r\\nb\\r\\n' > crlf; : > empty; printf '\\n' > "
      "newline; save");
  Result<FileAnswer> read = whole("f");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->content, "one\ntwo\nthree");
  EXPECT_EQ(read->size, 13);
  EXPECT_EQ(read->blob, blob_id_of("one\ntwo\nthree"));
  EXPECT_EQ(read->total_lines, 3);
  EXPECT_FALSE(read->truncated);
  EXPECT_EQ(whole("crlf")->content, "a\r\nb\r\n");
  EXPECT_EQ(whole("crlf")->total_lines, 2);
  EXPECT_EQ(whole("empty")->total_lines, 0);
  EXPECT_EQ(whole("empty")->content, "");
  EXPECT_EQ(whole("newline")->total_lines, 1);
  EXPECT_EQ(code(whole("none")), "NOT_FOUND");
}

TEST_P(ReadTest, SuggestsTheNearestPath) {
  make(
      "new; mkdir -p src/core src/ui; : > src/greet.py; : > src/core/list.cc; : > src/ui/list.cc; "
      "ln -s nowhere dangling; save");
  auto said = [&](std::string path) {
    const std::string message = whole(std::move(path)).error().message;
    const std::size_t proposed = message.find("; did you mean ");
    return proposed == std::string::npos ? "" : message.substr(proposed + 15);
  };
  EXPECT_EQ(said("src/gret.py"), "src/greet.py?");
  EXPECT_EQ(said("greet.py"), "src/greet.py?");
  EXPECT_EQ(said("scr"), "src?");
  EXPECT_EQ(said("list.cc"), "src/core/list.cc or src/ui/list.cc?");
  EXPECT_EQ(said("src/ui/lisp.cc"), "src/ui/list.cc?");
  EXPECT_EQ(said("SRC"), "src?");
  EXPECT_EQ(said("Src/UI"), "src/ui?");
  EXPECT_EQ(said("SRC/Core/list.cc"), "src/core/list.cc?");
  EXPECT_EQ(said("none/of/these"), "");
  EXPECT_EQ(said("dangling"), "");
}

TEST_P(ReadTest, ReturnsExactBytesOfLineRanges) {
  make("new; printf 'l1\\nl2\\r\\nl3\\n\\nl5' > f; save");
  auto lines = [&](std::optional<std::int64_t> first, std::optional<std::int64_t> last) {
    Result<FileAnswer> read = file({.path = "f", .start_line = first, .end_line = last});
    return read ? read->content : std::string(text(read.error().code));
  };
  EXPECT_EQ(lines(1, 1), "l1\n");
  EXPECT_EQ(lines(2, 3), "l2\r\nl3\n");
  EXPECT_EQ(lines(4, 4), "\n");
  EXPECT_EQ(lines(5, {}), "l5");
  EXPECT_EQ(lines({}, 2), "l1\nl2\r\n");
  EXPECT_EQ(lines(4, 99), "\nl5");
  EXPECT_EQ(lines(6, 9), "");
  EXPECT_EQ(lines(3, 2), "INVALID_ARGUMENT");
  EXPECT_EQ(file({.path = "f", .start_line = 6, .end_line = {}})->total_lines, 5);
  EXPECT_FALSE(file({.path = "f", .start_line = 1, .end_line = 1})->truncated);
}

TEST_P(ReadTest, TruncatesOnACharacterBoundaryAndReportsIt) {
  make("new; put f 'ab\303\251cd'; save");
  auto cut = [&](std::size_t bytes_max) {
    return file({.path = "f", .start_line = {}, .end_line = {}, .bytes_max = bytes_max});
  };
  EXPECT_EQ(cut(3)->content, "ab");
  EXPECT_TRUE(cut(3)->truncated);
  EXPECT_EQ(cut(4)->content, "ab\303\251");
  EXPECT_TRUE(cut(5)->truncated);
  EXPECT_EQ(cut(6)->content, "ab\303\251cd");
  EXPECT_FALSE(cut(6)->truncated);
  EXPECT_EQ(cut(3)->size, 6) << "the size is that of the whole file";
  EXPECT_EQ(cut(3)->blob, blob_id_of("ab\303\251cd"));
}

TEST_P(ReadTest, ReturnsBinaryFilesWholeWithoutLines) {
  make("new; printf 'a\\000b\\nc\\n' > bin; printf '\\377\\376\\n' > latin; save");
  Result<FileAnswer> read = whole("bin");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->content, std::string("a\0b\nc\n", 6));
  EXPECT_FALSE(read->total_lines);
  EXPECT_EQ(code(file({.path = "bin", .start_line = 1, .end_line = {}})), "INVALID_ARGUMENT");
  EXPECT_EQ(whole("latin")->content, "\377\376\n");
  EXPECT_EQ(whole("latin")->total_lines, 1);
}

TEST_P(ReadTest, CountsLinesInLargeFiles) {
  make("new; yes 0123456789 | head -n 100000 > big; save");
  Result<FileAnswer> read = file({.path = "big", .start_line = 99999, .end_line = 100000});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->content, "0123456789\n0123456789\n");
  EXPECT_EQ(read->total_lines, 100000);
  EXPECT_EQ(read->size, 1100000);
}

TEST_P(ReadTest, FollowsSymlinksOnlyWithinTheRoot) {
  make(
      "new; put real/a A; ln -s real/a to_a; ln -s real dir; ln -s ../outside out; ln -s /etc/passwd abs; ln "
      "-s gone gone2;"
      "ln -s dir/a deep; mkdir s; ln -s ../to_a s/up; save");
  EXPECT_EQ(whole("to_a")->content, "A");
  EXPECT_EQ(whole("dir/a")->content, "A");
  EXPECT_EQ(whole("deep")->content, "A");
  EXPECT_EQ(whole("s/up")->content, "A");
  EXPECT_EQ(code(whole("out")), "PERMISSION_DENIED");
  EXPECT_EQ(code(whole("abs")), "PERMISSION_DENIED");
  EXPECT_EQ(code(whole("gone2")), "NOT_FOUND");
}

TEST_P(ReadTest, ListsAFolderWithImpliedFolders) {
  make(
      "new; put foo/x 1; put foo/sub/y 22; put foo-bar 333; put foo.c 4444; put foo0 5; ln -s foo.c link; "
      "save");
  EXPECT_EQ(shown_answer(*list({.path = ""})), "foo/ foo-bar(3) foo.c(4) foo0(1) link@(5) ");
  EXPECT_EQ(shown_answer(*list({.path = "foo"})), "foo/sub/ foo/x(1) ");
  EXPECT_EQ(shown_answer(*list({.path = "", .recursive = true})),
            "foo/ foo-bar(3) foo.c(4) foo/sub/ foo/sub/y(2) foo/x(1) foo0(1) link@(5) ");
  EXPECT_EQ(shown_answer(*list({.path = "foo/x"})), "foo/x(1) ");
  EXPECT_EQ(code(list({.path = "none"})), "NOT_FOUND");
}

TEST_P(ReadTest, PagesJoinToTheWholeListing) {
  make("new; for d in a b c; do for f in 1 2 3; do put $d/$d$f x; put $d-$f y; done; done; save");
  for (bool recursive : {false, true}) {
    std::string all = shown_answer(*list({.path = "", .recursive = recursive}));
    for (std::size_t page : {1, 2, 5, 100}) {
      std::string joined;
      std::optional<std::string> cursor;
      do {
        Result<ListAnswer> answer =
            list({.path = "", .recursive = recursive, .entries_max = page, .cursor = cursor});
        ASSERT_TRUE(answer);
        EXPECT_LE(answer->entries.size(), page);
        joined += shown_answer(*answer);
        cursor = answer->next_cursor;
      } while (cursor);
      EXPECT_EQ(joined, all);
    }
  }
  EXPECT_EQ(code(list({.path = "", .cursor = "nonsense"})), "INVALID_ARGUMENT");
  EXPECT_EQ(code(list({.path = "", .cursor = ""})), "INVALID_ARGUMENT");
}

TEST_P(ReadTest, ReturnsMatchesSortedByPosition) {
  make("new; printf 'one two\\ntwo two\\n\\nthree' > b; printf 'x\\ntwo' > a; printf 'two\\0' > bin; save");
  Result<GrepAnswer> found = search({.pattern = "two"});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(shown_answer(*found), "a:2:1:two\nb:1:5:one two\nb:2:1:two two\n");
  EXPECT_EQ(found->files_searched, 2);
  EXPECT_EQ(found->skipped.binary, 1);
  EXPECT_FALSE(found->truncated);
  EXPECT_EQ(shown_answer(*search({.pattern = "^t.*e$"})), "b:4:1:three\n");
  EXPECT_EQ(shown_answer(*search({.pattern = "^$"})), "b:3:1:\n");
  EXPECT_EQ(shown_answer(*search({.pattern = "TWO", .ignore_case = true, .paths = {"a"}})), "a:2:1:two\n");
  EXPECT_EQ(shown_answer(*search({.pattern = "t.o", .fixed = true})), "");
  EXPECT_EQ(shown_answer(*search({.pattern = "T.O", .fixed = true, .ignore_case = true})), "");
  EXPECT_EQ(shown_answer(*search({.pattern = "o\\s*t", .paths = {"b"}})), "b:2:3:two two\n")
      << "a match does not extend beyond its line";
  EXPECT_EQ(code(search({.pattern = "("})), "INVALID_ARGUMENT");
  EXPECT_EQ(code(search({.pattern = "(?=x)"})), "INVALID_ARGUMENT");
  EXPECT_EQ(code(search({.pattern = "a\nb"})), "INVALID_ARGUMENT");
}

TEST_P(ReadTest, ReturnsTheColumnsOfAllMatchesInALine) {
  make("new; printf 'two one\\ntwo two, two\\naaaa\\n' > f; head -c 300 /dev/zero | tr '\\0' b > many; save");
  const auto columns = [&](GrepQuery query) {
    std::vector<std::vector<std::int64_t>> out;
    auto found = search(std::move(query));
    for (GrepMatch& match : found->matches) out.push_back(std::move(match.more_columns));
    return out;
  };
  using Columns = std::vector<std::vector<std::int64_t>>;
  EXPECT_EQ(columns({.pattern = "two", .fixed = true}), (Columns{{}, {5, 10}}));
  EXPECT_EQ(columns({.pattern = "t.o"}), (Columns{{}, {5, 10}}));
  EXPECT_EQ(columns({.pattern = "TWO", .ignore_case = true}), (Columns{{}, {5, 10}}));
  EXPECT_EQ(columns({.pattern = "^two"}), (Columns{{}, {}}));
  EXPECT_EQ(columns({.pattern = "\\btwo$"}), (Columns{{}})) << "the only match is the last word";
  EXPECT_EQ(columns({.pattern = "aa"}), (Columns{{3}})) << "matches do not overlap";
  EXPECT_EQ(columns({.pattern = "x*", .paths = {"f"}}), (Columns{{}, {}, {}})) << "empty matches";
  EXPECT_EQ(columns({.pattern = "b", .paths = {"many"}}).front().size(), columns_max - 1);
}

TEST_P(ReadTest, ReturnsContextLinesAroundAMatch) {
  make("new; printf '1\\n2\\nx3\\n4\\nx5' > f; save");
  Result<GrepAnswer> found = search({.pattern = "x", .context = 2});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->matches.size(), 2u);
  EXPECT_EQ(found->matches[0].before, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(found->matches[0].after, (std::vector<std::string>{"4", "x5"}));
  EXPECT_EQ(found->matches[1].before, (std::vector<std::string>{"x3", "4"}));
  EXPECT_EQ(found->matches[1].after, (std::vector<std::string>{}));
}

TEST_P(ReadTest, AppliesLimitsAndReportsThem) {
  make("new; for i in 1 2 3 4 5; do printf 'm\\nm\\nm\\n' > f$i; done; save");
  Result<GrepAnswer> found = search({.pattern = "m", .matches_max = 4});
  EXPECT_EQ(shown_answer(*found), "f1:1:1:m\nf1:2:1:m\nf1:3:1:m\nf2:1:1:m\n");
  EXPECT_TRUE(found->truncated);
  EXPECT_EQ(found->files_searched, 2);
  found = search({.pattern = "m", .matches_max = 15});
  EXPECT_FALSE(found->truncated);
  found = search({.pattern = "m", .files_max = 2});
  EXPECT_EQ(found->matches.size(), 6u);
  EXPECT_TRUE(found->truncated);
  found = search({.pattern = "m", .files_max = 5});
  EXPECT_FALSE(found->truncated);
}

TEST_P(ReadTest, TruncatesAndMarksLongLines) {
  make("new; head -c 600 /dev/zero | tr '\\0' 'a' > long; printf '\\nend\\n' >> long; save");
  Result<GrepAnswer> found = search({.pattern = "aaa$"});
  ASSERT_EQ(found->matches.size(), 1u);
  EXPECT_EQ(found->matches[0].text, "[497 bytes+] …" + std::string(103, 'a'));
  EXPECT_EQ(found->matches[0].column, 598);
  EXPECT_EQ(search({.pattern = "aaa"})->matches[0].text, std::string(500, 'a') + "… [+100 bytes]");
  const std::string accents = std::string(499, 'a') + std::string(100, 'b') + "\303\251" +
                              std::string(99, 'c') + "needle" + std::string(600, 'd');
  EXPECT_EQ(shortened_line(accents, 701), "[599 bytes+] …\303\251" + std::string(99, 'c') + "needle" +
                                              std::string(393, 'd') + "… [+207 bytes]")
      << "the window begins on a character boundary";
  EXPECT_EQ(shortened_line(std::string(499, 'a') + "\303\251"), std::string(499, 'a') + "… [+2 bytes]");
  EXPECT_EQ(shortened_line(std::string(500, 'a')), std::string(500, 'a'));
}

TEST_P(ReadTest, SearchesReturnFilesOrCounts) {
  make("new; printf 'x\\ny\\nx\\n' > a; put b x; put c y; printf 'x\\0' > binary; save");
  const auto files = [&](GrepOutput output, std::size_t files_max = 10) {
    Result<GrepAnswer> found = search({.pattern = "x", .matches_max = files_max, .output = output});
    EXPECT_TRUE(found->matches.empty());
    std::string out;
    for (const GrepFile& file : found->files) out += file.path + ":" + std::to_string(file.line_count) + " ";
    return out + (found->truncated ? "and more" : "");
  };
  EXPECT_EQ(files(GrepOutput::count), "a:2 b:1 ");
  EXPECT_EQ(files(GrepOutput::files), "a:1 b:1 ");
  EXPECT_EQ(files(GrepOutput::files_without), "c:0 ");
  EXPECT_EQ(files(GrepOutput::files, 1), "a:1 and more");
  // Known contents are not read again, and give the same answers.
  EXPECT_EQ(files(GrepOutput::files_without), "c:0 ");
  EXPECT_EQ(files(GrepOutput::count), "a:2 b:1 ");
}

TEST_P(ReadTest, ReadsSeveralFilesWithinOneLimit) {
  make("new; put a one; put b two; mkdir d; put d/c three; save");
  const FilesQuery query{.paths = {"a", "none", "d", "b", "d/c"}, .bytes_max = 9};
  Result<FilesAnswer> read = Error(ErrorCode::internal, "");
  if (live()) {
    auto answer =
        read_worktree(*workspace_->opened, {}, {}, [&](FileView& view) { return read_files(view, query); });
    ASSERT_TRUE(answer) << answer.error().message;
    read = std::move(answer->value);
  } else {
    read = read_files(*workspace_->view(id_), query);
  }
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 5U);
  EXPECT_EQ((*read)[0]->content, "one");
  EXPECT_EQ(code((*read)[1]), "NOT_FOUND");
  EXPECT_NE(code((*read)[2]), "ok");
  EXPECT_EQ((*read)[3]->content, "two");
  EXPECT_EQ((*read)[4]->content, "thr");
  EXPECT_TRUE((*read)[4]->truncated);
}

TEST_P(ReadTest, FindsFilesByTheirNames) {
  make("new; put a.c m; put src/a.h m; put src/deep/a.c m; put doc/b.md m; save");
  const auto found = [&](const std::string& path, const std::string& end) {
    return shown_answer(
        *list({.path = path, .selects = [&](std::string_view file) { return file.ends_with(end); }}));
  };
  EXPECT_EQ(found("", "a.c"), "a.c(1) src/deep/a.c(1) ");
  EXPECT_EQ(found("src", ".h"), "src/a.h(1) ");
  EXPECT_EQ(found("doc", ".c"), "");
}

// Snapshots have no ignored files.
TEST(IgnoredFiles, AreReadIfTheyAreNamed) {
  TestWorkspace workspace(
      "new; printf '/out/\\n*.log\\n' > .gitignore; put a.c needle; mkdir -p out/deep; put out/b.c needle; "
      "put out/deep/c.c needle; mkdir out/empty; put x.log needle; ln -s b.c out/link; save");
  const auto searched = [&](std::vector<std::string> paths, std::vector<std::string> globs = {}) {
    auto found =
        workspace.search({.pattern = "needle", .paths = std::move(paths), .globs = std::move(globs)});
    std::string out;
    for (const GrepMatch& match : found->value.matches) out += match.path + " ";
    return out;
  };
  EXPECT_EQ(searched({}), "a.c ");
  EXPECT_EQ(searched({"out"}), "out/b.c out/deep/c.c ");
  EXPECT_EQ(searched({"out/deep", "a.c"}), "a.c out/deep/c.c ");
  EXPECT_EQ(searched({"x.log"}), "x.log ");
  EXPECT_EQ(searched({"out"}, {"c.*"}), "out/deep/c.c ");
  const auto listed = [&](const std::string& path, bool recursive) {
    return shown_answer(workspace.list({.path = path, .recursive = recursive})->value);
  };
  EXPECT_EQ(listed("out", false), "out/b.c out/deep/ out/empty/ ");
  EXPECT_EQ(listed("out", true), "out/b.c out/deep/ out/deep/c.c ");
  EXPECT_EQ(listed("", false), ".gitignore(12) a.c(6) ");
}

TEST_P(ReadTest, PathsAndGlobsSelectFiles) {
  make("new; put a.c m; put b.h m; put src/a.c m; put src/deep/c.h m; put doc/x.md m; ln -s a.c link; save");
  auto paths = [&](std::vector<std::string> wanted, std::vector<std::string> globs) {
    Result<GrepAnswer> found =
        search({.pattern = "m", .paths = std::move(wanted), .globs = std::move(globs)});
    if (!found) return code(found);
    std::string out;
    for (const GrepMatch& match : found->matches) out += match.path + " ";
    return out;
  };
  EXPECT_EQ(paths({}, {}), "a.c b.h doc/x.md src/a.c src/deep/c.h ");
  EXPECT_EQ(paths({"src", "a.c", "src/deep"}, {}), "a.c src/a.c src/deep/c.h ");
  EXPECT_EQ(paths({}, {"*.c"}), "a.c src/a.c ");
  EXPECT_EQ(paths({}, {"src/**/*.h"}), "src/deep/c.h ");
  EXPECT_EQ(paths({}, {"src/*"}), "src/a.c ");
  EXPECT_EQ(paths({}, {"!*.c"}), "b.h doc/x.md src/deep/c.h ");
  EXPECT_EQ(paths({}, {"*.[ch]", "!src/**"}), "a.c b.h ");
  EXPECT_EQ(paths({}, {"src/"}), "src/a.c src/deep/c.h ");
  EXPECT_EQ(paths({"src"}, {"/a.c"}), "");
  EXPECT_EQ(paths({"none"}, {}), "NOT_FOUND");
  EXPECT_EQ(paths({}, {""}), "INVALID_ARGUMENT");
  EXPECT_EQ(paths({}, {"*.{c,md}"}), "a.c doc/x.md src/a.c ");
  EXPECT_EQ(paths({}, {"{src,do{c,t}}/*.{[ch],m{d,}}"}), "doc/x.md src/a.c ");
  EXPECT_EQ(paths({}, {"*.c", "!{src/a.c,b.h}"}), "a.c ");
  EXPECT_EQ(paths({}, {"src"}), "src/a.c src/deep/c.h ");
  EXPECT_EQ(paths({}, {"src/deep"}), "src/deep/c.h ");
  EXPECT_EQ(paths({}, {"!deep", "!doc"}), "a.c b.h src/a.c ");
  EXPECT_EQ(paths({}, {"\\{a,b\\}.c"}), "");
  for (const char* wrong : {"{a,b", "{a,{b}", "[{", "{a,b}\\"})
    EXPECT_EQ(paths({}, {wrong}), "INVALID_ARGUMENT") << wrong;
  std::string many;
  for (int i = 0; i < 8; ++i) many += "{a,b}";
  EXPECT_EQ(paths({}, {many}), "");
  EXPECT_EQ(paths({}, {many, "{a,b}"}), "");
  EXPECT_EQ(paths({}, {many, "{a,b}", "{a,b}"}), "INVALID_ARGUMENT");
}

TEST_P(ReadTest, ExplainsInWhichArgumentAGlobBelongs) {
  make("new; put src/a.c m; save");
  EXPECT_NE(search({.pattern = "m", .paths = {"src/*.c"}}).error().message.find("globs"), std::string::npos);
  EXPECT_EQ(search({.pattern = "m", .paths = {"src/b.c"}}).error().message.find("globs"), std::string::npos);
}

TEST_P(ReadTest, ReportsMissingFilesAndFilesBehindSymlinks) {
  make("new; put src/deep/a.c m; ln -s src link; ln -s ../link src/loop; save");
  for (const char* path : {"link/deep/a.c", "link/deep", "src/loop/deep"}) {
    Result<GrepAnswer> found = search({.pattern = "m", .paths = {path}});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->matches.size(), 0u);
    EXPECT_EQ(found->skipped, (SkippedCounts{.symlink = 1})) << path;
    Result<ListAnswer> listed = list({.path = path});
    ASSERT_TRUE(listed) << listed.error().message;
    EXPECT_EQ(shown_answer(*listed), "");
    EXPECT_EQ(listed->skipped, (SkippedCounts{.symlink = 1})) << path;
  }
  EXPECT_EQ(search({.pattern = "m", .paths = {"link"}})->skipped, (SkippedCounts{.symlink = 1}));
  EXPECT_EQ(search({.pattern = "m", .paths = {"src"}})->skipped, (SkippedCounts{.symlink = 1}));
  for (const char* path : {"nowhere", "src/nowhere", "src/deep/a.c/x"}) {
    EXPECT_EQ(code(search({.pattern = "m", .paths = {path}})), "NOT_FOUND") << path;
    EXPECT_EQ(code(list({.path = path})), "NOT_FOUND") << path;
  }
  EXPECT_NE(list({.path = "src/deap"}).error().message.find("src/deep"), std::string::npos);
}

TEST_P(ReadTest, ListsAndFindsNonUtf8Names) {
  make(
      "new; printf m > \"$(printf 'x\\377y')\"; mkdir \"$(printf 'd\\377')\"; printf m > \"$(printf "
      "'d\\377/f')\"; save");
  EXPECT_EQ(shown_answer(*list({.path = "", .recursive = true})), "d\377/ d\377/f(1) x\377y(1) ");
  EXPECT_EQ(shown_answer(*search({.pattern = "m"})), "d\377/f:1:1:m\nx\377y:1:1:m\n");
  EXPECT_EQ(whole("d\377/f")->content, "m");
}

// Compares matches with those of git grep, for patterns that have the same meaning in both.
TEST_P(ReadTest, GrepMatchesGitGrep) {
  make(R"(new
seed=7
next() { seed=$(( (seed * 1103515245 + 12345) % 2147483648 )); }
for i in $(seq 1 40); do
  f=d$((i % 5))/f$i; mkdir -p d$((i % 5)); : > $f
  for j in $(seq 1 30); do
    next; a=$((seed / 65536 % 7)); next; b=$((seed / 65536 % 5))
    case $a in 0) printf '\n' >> $f;; 1) printf 'word%d Word\r\n' $b >> $f;; 2) printf '\303\251t\303\251 %d\n' $b >> $f;;
      3) printf 'x%d' $b >> $f;; 4) printf '\377\001bytes%d\n' $b >> $f;; *) printf 'int f%d(void) { return %d; }\n' $b $a >> $f;; esac
  done
done
save)");
  struct Case {
    const char* pattern;
    const char* flags;
    GrepQuery query;
  };
  const Case cases[] = {
      {"word3", "-F", {.pattern = "word3", .fixed = true}},
      {"WORD1", "-iF", {.pattern = "WORD1", .fixed = true, .ignore_case = true}},
      {"f[0-2]\\(void\\)", "-E", {.pattern = "f[0-2]\\(void\\)"}},
      {"^int.*5; }$", "-E", {.pattern = "^int.*5; }$"}},
      {"x[0-9]+x", "-E", {.pattern = "x[0-9]+x"}},
      {"bytes", "-F", {.pattern = "bytes"}},
      {"return", "-w", {.pattern = "\\breturn\\b"}},
  };
  for (const Case& one : cases) {
    GrepQuery query = one.query;
    query.matches_max = 100000;
    Result<GrepAnswer> found = search(query);
    ASSERT_TRUE(found) << found.error().message;
    std::string expected = workspace_->scratch
                               .answer("git grep --untracked -I -n --column --no-color " +
                                       std::string(one.flags) + " -e '" + one.pattern + "' || true")
                               .output;
    EXPECT_EQ(shown_answer(*found), expected) << one.pattern;
    EXPECT_NE(expected, "") << one.pattern;
  }
  // git grep finds one more empty line after the last line feed; GNU grep does not.
  Result<GrepAnswer> empty = search({.pattern = "^$", .matches_max = 100000});
  ASSERT_TRUE(empty);
  std::string expected =
      workspace_->scratch.answer("grep -rn -I --exclude-dir=.git '^$' * | sort -t: -k1,1 -k2,2n").output;
  std::string found;
  for (const GrepMatch& match : empty->matches)
    found += match.path + ":" + std::to_string(match.line) + ":\n";
  EXPECT_EQ(found, expected);
}

TEST(Live, IgnoredFilesAreReadByNameOnly) {
  TestWorkspace workspace(
      "new; put .gitignore 'log/\n*.o\n'; put a.c x; save; put log/l x; put a.o x; mkfifo pipe");
  Result<WithLease<ListAnswer>> listed = workspace.list({.path = "", .recursive = true});
  EXPECT_EQ(shown_answer(listed->value), ".gitignore(9) a.c(1) ");
  EXPECT_EQ(listed->value.skipped, (SkippedCounts{.ignored = 2, .not_a_file = 1}));
  Result<WithLease<ListAnswer>> inside = workspace.list({.path = "log"});
  EXPECT_EQ(shown_answer(inside->value), "log/l ");
  EXPECT_EQ(inside->value.skipped, SkippedCounts());
  EXPECT_EQ(shown_answer(workspace.list({.path = "log/l"})->value), "log/l ");
  EXPECT_EQ(workspace.search({.pattern = "x", .paths = {"", "none"}}).error().code, ErrorCode::not_found);
  Result<WithLease<GrepAnswer>> found = workspace.search({.pattern = "x", .paths = {"a.o", "a.c"}});
  EXPECT_EQ(shown_answer(found->value), "a.c:1:1:x\na.o:1:1:x\n");
  EXPECT_EQ(found->value.skipped, SkippedCounts());
  EXPECT_EQ(workspace.file("log/l")->value.content, "x");
  EXPECT_EQ(workspace.file("pipe").error().code, ErrorCode::invalid_argument);
}

TEST(Live, SkippedFilesAreCountedByFolder) {
  TestWorkspace workspace(
      "new; put .gitignore '*.o'; put a/x x; put a/b/y y; put c/z z; save; put a/1.o o; put a/b/2.o o; put "
      "c/3.o o; put 4.o o;"
      "mkfifo a/pipe; mkdir c/repo; (cd c/repo; new; put x x; save)");
  auto skipped = [&](std::string path, bool recursive) {
    return workspace.list({.path = std::move(path), .recursive = recursive})->value.skipped;
  };
  EXPECT_EQ(skipped("", false), (SkippedCounts{.ignored = 1}));
  EXPECT_EQ(skipped("", true), (SkippedCounts{.ignored = 4, .nested_repository = 1, .not_a_file = 1}));
  EXPECT_EQ(skipped("a", false), (SkippedCounts{.ignored = 1, .not_a_file = 1}));
  EXPECT_EQ(skipped("a", true), (SkippedCounts{.ignored = 2, .not_a_file = 1}));
  EXPECT_EQ(skipped("a/x", false), SkippedCounts{});
  EXPECT_EQ(workspace.search({.pattern = "o", .paths = {"a", "a/b", "c"}})->value.skipped,
            (SkippedCounts{.ignored = 3, .nested_repository = 1, .not_a_file = 1}));
  EXPECT_EQ(workspace.create(std::vector<std::string>{"a/b", "a"})->skipped,
            (SkippedCounts{.ignored = 2, .not_a_file = 1}));
}

TEST(Live, ASearchTracksTheFilesItSearched) {
  TestWorkspace workspace("new; for i in 1 2 3 4 5; do put f$i m; done; printf 'm\\0' > bin; save");
  Result<WithLease<GrepAnswer>> all = workspace.search({.pattern = "nothing"});
  EXPECT_EQ(paths_of(workspace.create(std::nullopt, all->lease.lease_id)->rows), "f1\nf2\nf3\nf4\nf5\n");
  Result<WithLease<GrepAnswer>> two = workspace.search({.pattern = "m", .files_max = 2});
  EXPECT_EQ(paths_of(workspace.create(std::nullopt, two->lease.lease_id)->rows), "f1\nf2\n");
  Result<WithLease<ListAnswer>> page = workspace.list({.path = "", .entries_max = 2});
  EXPECT_EQ(paths_of(workspace.create(std::nullopt, page->lease.lease_id)->rows), "bin\nf1\n");
}

TEST(Live, UnreadableFilesAreCounted) {
  TestWorkspace workspace("new; put a m; put b m; save; put c m; chmod 0 c");
  workspace.scratch.run(
      "git config --global --add safe.directory '*'; chmod 755 .. ../home; chmod 644 ../home/.gitconfig");
  if (::geteuid() == 0) workspace.scratch.run("chown -R 65534 .");
  GrepAnswer answer;
  {
    Unprivileged unprivileged;
    workspace.reopen();
    Result<WithLease<GrepAnswer>> found = workspace.search({.pattern = "m"});
    ASSERT_TRUE(found) << found.error().message << found.error().cause;
    answer = found->value;
    Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{""});
    ASSERT_TRUE(created) << created.error().message;
    EXPECT_EQ(paths_of(created->rows), "a\nb\n");
    EXPECT_EQ(created->skipped, (SkippedCounts{.unreadable = 1}));
    EXPECT_EQ(workspace.file("c").error().code, ErrorCode::permission_denied);
  }
  EXPECT_EQ(shown_answer(answer), "a:1:1:m\nb:1:1:m\n");
  EXPECT_EQ(answer.skipped, (SkippedCounts{.unreadable = 1}));
}

TEST(Live, ReopensResourcesThatItFreedWhenIdle) {
  TestWorkspace workspace("new; put a one; put b two; put sub/c three; save; age");
  workspace.opened->allow_watching({.log_line = {}, .ends_with_process = false});
  Result<WithLease<GrepAnswer>> before = workspace.search({.pattern = "o"});
  ASSERT_TRUE(before && workspace.opened->live_tree().wait_for_watch());
  Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{""});
  ASSERT_TRUE(created) << created.error().message;
  for (int round = 0; round < 2; ++round) {
    workspace.opened->release_memory();
    Result<WithLease<GrepAnswer>> again = workspace.search({.pattern = "o"}, before->lease.lease_id);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(shown_answer(again->value), shown_answer(before->value));
    Result<CreatedSnapshot> same = workspace.create(std::vector<std::string>{""});
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_EQ(same->hex, created->hex);
  }
  workspace.opened->release_memory();
  workspace.scratch.run("put b more");
  Result<WithLease<FileAnswer>> changed = workspace.file("b", before->lease.lease_id);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::stale_lease);
}

}  // namespace
}  // namespace snapgen::core
