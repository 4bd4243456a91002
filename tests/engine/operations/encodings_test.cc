// Files in other encodings than UTF-8 are read, searched, edited, patched, compared and written as text.
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/details.h"
#include "runtime/json/reader.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/edit_files.h"
#include "tools/engine/operations/read.h"
#include "tools/engine/operations/write_file.h"
#include "tools/engine/text/text_encodings.h"

namespace snapgen::core {
namespace {

// The bytes of a text with characters that all tested encodings have.
struct EncodedFile {
  std::string path;
  FileEncoding encoding;
  std::string line_end;

  std::string bytes_of(std::string_view text) const {
    std::string lines;
    for (const char byte : text) lines += byte == '\n' ? line_end : std::string(1, byte);
    return std::get<std::string>(encode_text(lines, encoding));
  }
};

// In Latin-1, these characters have no bytes of Windows-1252 alone, so that the encoding is recognized.
constexpr std::string_view text_before = "# größer\nname = 'Jürgen'\nlast\n";
constexpr std::string_view text_after = "# größer\nname = 'Jörg'\nlast\n";
// Makes Windows-1252 recognizable.
constexpr std::string_view quotes = "“quoted”\n";

class EncodingsTest : public testing::TestWithParam<EncodedFile> {
 protected:
  EncodingsTest() : workspace_("new; put plain.txt one; save") {}

  static std::string with_quotes(std::string_view text) {
    const bool is_special = GetParam().encoding.encoding == TextEncoding::windows1252;
    return (is_special ? std::string(quotes) : std::string()) + std::string(text);
  }
  static std::string shown(std::string_view text) {
    std::string lines;
    for (const char byte : with_quotes(text))
      lines += byte == '\n' ? GetParam().line_end : std::string(1, byte);
    return lines;
  }
  void put(std::string_view text) {
    workspace_.scratch.write(GetParam().path, GetParam().bytes_of(with_quotes(text)));
  }
  std::string bytes() { return bytes_of_file(workspace_.scratch.repo() + "/" + GetParam().path); }
  Result<ReadAnswer<FileAnswer>> read(FileQuery query, const ReadSource& source = {}) {
    query.path = GetParam().path;
    query.converts_text = true;
    return read_file(*workspace_.opened, source, query, {});
  }
  std::string patch(std::string_view added) const {
    return "--- a/" + GetParam().path + "\n+++ b/" + GetParam().path +
           "\n@@\n # größer\n-name = 'Jürgen'\n+" + std::string(added) + "\n last\n";
  }

  TestWorkspace workspace_;
};

TEST_P(EncodingsTest, IsReadAsText) {
  put(text_before);
  const auto whole = read({});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->value.content, shown(text_before));
  EXPECT_EQ(whole->value.encoding, GetParam().encoding.encoding);
  EXPECT_EQ(whole->value.size, static_cast<std::int64_t>(bytes().size()));
  EXPECT_EQ(whole->value.blob, blob_id_of(bytes()));
  const std::int64_t lines = *whole->value.total_lines;
  const auto range = read({.start_line = lines - 1, .end_line = lines - 1});
  ASSERT_TRUE(range);
  EXPECT_EQ(range->value.content, "name = 'Jürgen'" + GetParam().line_end);
  EXPECT_EQ(range->value.total_lines, lines);
  const auto cut = read({.bytes_max = 7});
  EXPECT_TRUE(cut && cut->value.truncated && json::valid_utf8(cut->value.content));
  // A snapshot has the same.
  const auto made = workspace_.create(std::vector<std::string>{""});
  ASSERT_TRUE(made);
  EXPECT_EQ(read({}, {.snapshot_id = made->id()})->value.content, shown(text_before));
}

TEST_P(EncodingsTest, IsSearchedAsText) {
  put(text_before);
  const auto made = workspace_.create(std::vector<std::string>{""});
  ASSERT_TRUE(made);
  // The second search may use what the first one has stored.
  for (int i = 0; i < 2; ++i) {
    const auto found = workspace_.search({.pattern = "J.rgen"});
    ASSERT_TRUE(found && found->value.matches.size() == 1);
    const GrepMatch& match = found->value.matches.front();
    EXPECT_EQ(match.text.substr(0, 16), "name = 'Jürgen'");
    EXPECT_EQ(match.column, 9);
    EXPECT_EQ(match.encoding, GetParam().encoding.encoding);
    EXPECT_EQ(found->value.skipped.binary, 0);
    workspace_.reopen();
  }
  const auto view = workspace_.view(made->id());
  EXPECT_EQ(grep(*view, {.pattern = "größer", .fixed = true})->matches.size(), 1U);
}

TEST_P(EncodingsTest, IsEditedInItsEncoding) {
  put(text_before);
  const auto edited =
      edit_files(*workspace_.opened, {},
                 {.edits = {TextEdit{.path = GetParam().path, .old_text = "Jürgen", .new_text = "Jörg"}},
                  .context_lines = 1},
                 {});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(bytes(), GetParam().bytes_of(with_quotes(text_after)));
  const EditedFile& file = edited->value.files.front();
  EXPECT_EQ(file.blob, blob_id_of(bytes()));
  EXPECT_EQ(file.encoding, GetParam().encoding.encoding);
  EXPECT_NE(file.shown.parts.front().text.find("name = 'Jörg'"), std::string::npos);
  // Lines are those of the blob, which is that of the bytes.
  const std::int64_t line = file.changed_lines.front().first;
  const LinesEdit lines{.path = GetParam().path,
                        .first_line = line,
                        .last_line = line,
                        .blob_prefix = file.blob->hex().substr(0, 10),
                        .new_text = "name = 'Jürgen'"};
  const PatternEdit pattern{.pattern = "gr(öß)er", .new_text = "$1", .expected_count = 1};
  const auto again = edit_files(*workspace_.opened, {}, {.edits = {lines, pattern}}, {});
  ASSERT_TRUE(again && again->value.is_applied);
  EXPECT_EQ(bytes(), GetParam().bytes_of(with_quotes("# öß\nname = 'Jürgen'\nlast\n")));
}

TEST_P(EncodingsTest, IsPatchedInItsEncoding) {
  put(text_before);
  const std::string snapshot = workspace_.create(std::vector<std::string>{""})->id();
  const auto patched = apply_patch(*workspace_.opened, {}, {.patch = patch("name = 'Jörg'")}, {});
  ASSERT_TRUE(patched && patched->value.is_applied);
  EXPECT_EQ(bytes(), GetParam().bytes_of(with_quotes(text_after)));
  EXPECT_EQ(patched->value.files.front().blob, blob_id_of(bytes()));
  EXPECT_EQ(patched->value.files.front().encoding, GetParam().encoding.encoding);
  const auto other = patch_snapshot(*workspace_.opened, *workspace_.opened->snapshots().load(snapshot),
                                    {.patch = patch("name = 'Jörg'")}, {});
  ASSERT_TRUE(other && other->snapshot);
  EXPECT_EQ(*workspace_.view(other->snapshot->id())->read(GetParam().path), bytes());
}

TEST_P(EncodingsTest, ACharacterThatItLacksStopsTheCall) {
  if (GetParam().encoding.has_utf16_bom) GTEST_SKIP() << "UTF-16 has all characters.";
  put(text_before);
  const std::string unchanged = bytes();
  const auto patched = apply_patch(*workspace_.opened, {}, {.patch = patch("name = '中'")}, {});
  ASSERT_TRUE(patched && patched->value.rejects.size() == 1);
  const Reject& reject = patched->value.rejects.front();
  EXPECT_EQ(reject.reason, RejectReason::encoding);
  EXPECT_EQ(reject.hunk_index, 0);
  EXPECT_NE(reject.message.find("\"中\" (U+4E2D)"), std::string::npos) << reject.message;
  // Only the rejected hunk must be sent again.
  EXPECT_FALSE(patched->value.patch_id.empty());
  const auto edited =
      edit_files(*workspace_.opened, {},
                 {.edits = {TextEdit{.path = "plain.txt", .old_text = "one", .new_text = "中"},
                            TextEdit{.path = GetParam().path, .old_text = "Jürgen", .new_text = "中"}}},
                 {});
  ASSERT_TRUE(edited && edited->value.faults.size() == 1);
  EXPECT_EQ(edited->value.faults.front().reason, EditFaultReason::encoding);
  EXPECT_EQ(edited->value.faults.front().edit, 1);
  const auto written = write_file(*workspace_.opened, {},
                                  {.path = GetParam().path, .content = "ä\n中\n", .is_text = true}, {});
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("line 2 has"), std::string::npos) << written.error().message;
  EXPECT_EQ(bytes(), unchanged);
}

TEST_P(EncodingsTest, IsReplacedInItsEncoding) {
  put(text_before);
  const std::string content = shown(text_after);
  const auto written =
      write_file(*workspace_.opened, {}, {.path = GetParam().path, .content = content, .is_text = true}, {});
  ASSERT_TRUE(written);
  EXPECT_EQ(bytes(), GetParam().bytes_of(with_quotes(text_after)));
  EXPECT_EQ(written->value.encoding, GetParam().encoding.encoding);
  EXPECT_EQ(written->value.blob, blob_id_of(bytes()));
  // The same content changes nothing.
  EXPECT_FALSE(
      write_file(*workspace_.opened, {}, {.path = GetParam().path, .content = content, .is_text = true}, {})
          ->value.was_changed);
  // Bytes are written as they are, which changes the encoding.
  ASSERT_TRUE(write_file(*workspace_.opened, {}, {.path = GetParam().path, .content = content}, {}));
  EXPECT_EQ(bytes(), content);
}

TEST_P(EncodingsTest, IsComparedAsText) {
  put(text_before);
  workspace_.scratch.run("save");
  const auto made = workspace_.create(std::vector<std::string>{""});
  ASSERT_TRUE(made);
  put(text_after);
  TextEncodings encodings(declarations_in(workspace_.opened->root()));
  const DiffQuery query{.encodings = &encodings};
  const auto snapshot = workspace_.opened->snapshots().load(made->id());
  const auto with_snapshot = read_worktree(*workspace_.opened, {}, {}, [&](LiveView& view) {
    return diff_live_with_snapshot(*workspace_.opened, **snapshot, view, query);
  });
  const auto with_head = read_worktree(*workspace_.opened, {}, {}, [&](LiveView& view) {
    return diff_live_with_git(*workspace_.opened, GitBase::head, view, query);
  });
  for (const auto* diff : {&with_snapshot, &with_head}) {
    ASSERT_TRUE(*diff);
    EXPECT_NE((*diff)->value.diff.find("-name = 'Jürgen'"), std::string::npos) << (*diff)->value.diff;
    EXPECT_NE((*diff)->value.diff.find("+name = 'Jörg'"), std::string::npos);
    EXPECT_EQ((*diff)->value.files.front().encoding, GetParam().encoding.encoding);
    EXPECT_FALSE((*diff)->value.files.front().binary);
  }
  // The diff can be applied as it is, and reversed by a patch that is made of it.
  put(text_before);
  const auto patched = apply_patch(*workspace_.opened, {}, {.patch = with_snapshot->value.diff}, {});
  ASSERT_TRUE(patched && patched->value.is_applied);
  EXPECT_EQ(bytes(), GetParam().bytes_of(with_quotes(text_after)));
}

TEST_P(EncodingsTest, AStaleLeaseShowsWhatChanged) {
  put(text_before);
  workspace_.scratch.run("save; age");
  ASSERT_TRUE(workspace_.create(std::vector<std::string>{""}));
  const auto read_before = read({});
  ASSERT_TRUE(read_before);
  put(text_after);
  const auto stale =
      edit_files(*workspace_.opened, read_before->lease->lease_id, {.edits = {DeleteEdit{"plain.txt"}}}, {});
  ASSERT_FALSE(stale);
  const std::string details = json::object_text(stale.error().details);
  EXPECT_NE(details.find("-name = 'Jürgen'"), std::string::npos) << details;
  EXPECT_NE(details.find("+name = 'Jörg'"), std::string::npos) << details;
}

INSTANTIATE_TEST_SUITE_P(
    Encodings, EncodingsTest,
    testing::Values(
        EncodedFile{"latin1.py", {.encoding = TextEncoding::latin1}, "\n"},
        EncodedFile{"latin1_crlf.txt", {.encoding = TextEncoding::latin1}, "\r\n"},
        EncodedFile{"windows.txt", {.encoding = TextEncoding::windows1252}, "\r\n"},
        EncodedFile{"utf16le.txt", {.encoding = TextEncoding::utf16le, .has_utf16_bom = true}, "\r\n"},
        EncodedFile{"utf16be.txt", {.encoding = TextEncoding::utf16be, .has_utf16_bom = true}, "\n"}),
    [](const auto& tested) { return tested.param.path.substr(0, tested.param.path.find('.')); });

// ---- Special cases

Result<ReadAnswer<FileAnswer>> read_text(TestWorkspace& workspace, std::string path) {
  return read_file(*workspace.opened, {}, {.path = std::move(path), .converts_text = true}, {});
}

std::string bytes_at(TestWorkspace& workspace, const std::string& path) {
  return bytes_of_file(workspace.scratch.repo() + "/" + path);
}

TEST(Encodings, DeclarationsOfTheTreeDecide) {
  TestWorkspace workspace(
      "new; printf '[*.txt]\\ncharset = utf-16le\\n' > .editorconfig; printf 'a\\000\\n\\000' > a.txt; "
      "printf '\\200' > b.txt; printf '# coding: latin-1\\n\\200' > c.py; save");
  EXPECT_EQ(read_text(workspace, "a.txt")->value.content, "a\n");
  EXPECT_EQ(read_text(workspace, "a.txt")->value.encoding, TextEncoding::utf16le);
  // The bytes contradict the declaration.
  EXPECT_EQ(read_text(workspace, "b.txt")->value.encoding, TextEncoding::windows1252);
  EXPECT_EQ(read_text(workspace, "c.py")->value.encoding, TextEncoding::latin1);
  EXPECT_EQ(workspace.search({.pattern = "^a$"})->value.matches.size(), 1U);
}

TEST(Encodings, ANewDeclarationOverridesWhatASearchHasStored) {
  TestWorkspace workspace("new; printf 'a\\000b\\000\\n\\000' > a.txt; save; age");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(workspace.search({.pattern = "ab"})->value.skipped.binary, 1);
  workspace.scratch.run("printf '[*]\\ncharset = utf-16le\\n' > .editorconfig");
  EXPECT_EQ(workspace.search({.pattern = "ab"})->value.matches.size(), 1U);
}

TEST(Encodings, BinaryFilesRemainBytes) {
  TestWorkspace workspace(
      "new; printf '\\211PNG\\r\\n\\032\\n\\000\\344' > a.png; printf '\\377\\376\\000\\330' > b.txt; save");
  for (const std::string path : {"a.png", "b.txt"}) {
    const auto file = read_text(workspace, path);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->value.content, bytes_at(workspace, path));
    EXPECT_EQ(file->value.encoding, TextEncoding::utf8);
  }
  EXPECT_EQ(workspace.search({.pattern = "PNG"})->value.skipped.binary, 2);
}

TEST(Encodings, APatchOrEditOfBytesIsAppliedToBytes) {
  TestWorkspace workspace("new; printf 'J\\374rgen\\n' > a.txt; save");
  const auto patched = apply_patch(*workspace.opened, {},
                                   {.patch = "--- a/a.txt\n+++ b/a.txt\n@@\n-J\xfcrgen\n+J\xf6rg\n"}, {});
  ASSERT_TRUE(patched && patched->value.is_applied);
  EXPECT_EQ(bytes_at(workspace, "a.txt"), "J\xf6rg\n");
  const auto edited =
      edit_files(*workspace.opened, {},
                 {.edits = {TextEdit{.path = "a.txt", .old_text = "\xf6", .new_text = "\x80"}}}, {});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(bytes_at(workspace, "a.txt"), "J\x80rg\n");
}

TEST(Encodings, ADryRunShowsText) {
  TestWorkspace workspace("new; printf 'J\\374rgen\\n' > a.txt; save");
  const auto planned = edit_files(
      *workspace.opened, {},
      {.edits = {TextEdit{.path = "a.txt", .old_text = "ü", .new_text = "ö"}}, .dry_run = true}, {});
  ASSERT_TRUE(planned);
  EXPECT_NE(planned->value.diff.text.find("-Jürgen\n+Jörgen\n"), std::string::npos)
      << planned->value.diff.text;
  EXPECT_EQ(bytes_at(workspace, "a.txt"), "J\xfcrgen\n");
}

TEST(Encodings, AnAsciiFileGetsTheEncodingThatItDeclares) {
  TestWorkspace workspace("new; printf '# coding: latin-1\\nx\\n' > a.py; save");
  const auto edited = edit_files(*workspace.opened, {},
                                 {.edits = {TextEdit{.path = "a.py", .old_text = "x", .new_text = "ü"}}}, {});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(edited->value.files.front().encoding, TextEncoding::latin1);
  EXPECT_EQ(bytes_at(workspace, "a.py"), "# coding: latin-1\n\xfc\n");
}

TEST(Encodings, TheFaultIsThatOfTheEditThatMakesTheFile) {
  TestWorkspace workspace(
      "new; printf '[*]\\ncharset = latin1\\n' > .editorconfig; printf 'a\\n' > z.txt; save");
  const auto made = edit_files(*workspace.opened, {},
                               {.edits = {CreateEdit{.path = "a.txt", .content = "中"},
                                          TextEdit{.path = "z.txt", .old_text = "a", .new_text = "b"}}},
                               {});
  ASSERT_TRUE(made && made->value.faults.size() == 1);
  EXPECT_EQ(made->value.faults.front().edit, 0);
  EXPECT_EQ(made->value.faults.front().path, "a.txt");
}

TEST(Encodings, ANewFileGetsTheEncodingThatIsDeclared) {
  TestWorkspace workspace("new; printf '[*]\\ncharset = latin1\\n' > .editorconfig; save");
  const auto made = edit_files(
      *workspace.opened, {},
      {.edits = {CreateEdit{.path = "a.txt", .content = "ü"}, CreateEdit{.path = "b.txt", .content = "a"},
                 TextEdit{.path = "b.txt", .old_text = "a", .new_text = "ß"},
                 CreateEdit{.path = "bytes.txt", .content = "ü", .is_text = false},
                 CreateEdit{"png", "\x89\0"}}},
      {});
  ASSERT_TRUE(made && made->value.is_applied);
  EXPECT_EQ(bytes_at(workspace, "a.txt"), "\xfc");
  EXPECT_EQ(bytes_at(workspace, "b.txt"), "\xdf");
  EXPECT_EQ(bytes_at(workspace, "bytes.txt"), "ü");
  EXPECT_EQ(bytes_at(workspace, "png"), "\x89");
  const auto patched =
      apply_patch(*workspace.opened, {}, {.patch = "--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+ä\n"}, {});
  ASSERT_TRUE(patched && patched->value.is_applied);
  EXPECT_EQ(bytes_at(workspace, "c.txt"), "\xe4\n");
  EXPECT_EQ(patched->value.files.front().encoding, TextEncoding::latin1);
  const auto written =
      write_file(*workspace.opened, {}, {.path = "d.txt", .content = "ö", .is_text = true}, {});
  ASSERT_TRUE(written);
  EXPECT_EQ(bytes_at(workspace, "d.txt"), "\xf6");
  EXPECT_EQ(written->value.encoding, TextEncoding::latin1);
  const auto rejected =
      apply_patch(*workspace.opened, {}, {.patch = "--- /dev/null\n+++ b/e.txt\n@@ -0,0 +1 @@\n+€\n"}, {});
  ASSERT_TRUE(rejected && rejected->value.rejects.size() == 1);
  EXPECT_EQ(rejected->value.rejects.front().reason, RejectReason::encoding);
}

TEST(Encodings, ARangeHasTheEncodingOfTheWholeFile) {
  // The UTF-8 of the first line is text of Windows-1252, because of the last byte.
  TestWorkspace workspace("new; printf '\\303\\244\\n\\n\\344' > a.txt; save");
  const auto range =
      read_file(*workspace.opened, {}, {.path = "a.txt", .end_line = 1, .converts_text = true}, {});
  ASSERT_TRUE(range);
  EXPECT_EQ(range->value.content, "Ã¤\n");
  EXPECT_EQ(range->value.encoding, TextEncoding::latin1);
}

TEST(Encodings, ALargeFileIsCheckedToItsEnd) {
  TestWorkspace workspace("new; save");
  // Characters of three bytes, so that reads end inside of them.
  std::string text;
  for (int i = 0; i < 500'000; ++i) text += i % 20 == 0 ? "\n" : "€";
  workspace.scratch.write("utf8.txt", text);
  workspace.scratch.write("other.txt", text + "\xe4");
  workspace.scratch.write("cut.txt", text + "\xe2\x82");
  const auto encoding = [&](const std::string& path) {
    return read_file(*workspace.opened, {}, {.path = path, .end_line = 2, .converts_text = true}, {})
        ->value.encoding;
  };
  EXPECT_EQ(encoding("utf8.txt"), TextEncoding::utf8);
  EXPECT_EQ(encoding("other.txt"), TextEncoding::windows1252);
  EXPECT_EQ(encoding("cut.txt"), TextEncoding::windows1252);
}

TEST(Encodings, AnEmptyFileWithAByteOrderMarkIsText) {
  TestWorkspace workspace("new; printf '\\377\\376' > a.txt; save");
  EXPECT_EQ(read_text(workspace, "a.txt")->value.content, "");
  EXPECT_EQ(read_text(workspace, "a.txt")->value.encoding, TextEncoding::utf16le);
  ASSERT_TRUE(write_file(*workspace.opened, {}, {.path = "a.txt", .content = "ä", .is_text = true}, {}));
  EXPECT_EQ(bytes_at(workspace, "a.txt"), "\xff\xfe\xe4" + std::string(1, '\0'));
}

TEST(Encodings, AMovedFileKeepsItsEncoding) {
  TestWorkspace workspace("new; printf 'J\\374rgen\\nlast\\n' > a.txt; cp a.txt b.txt; save");
  const auto edited =
      edit_files(*workspace.opened, {},
                 {.edits = {MoveEdit{.path = "a.txt", .target = "c.txt"},
                            TextEdit{.path = "c.txt", .old_text = "Jürgen", .new_text = "Jörg"}}},
                 {});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(bytes_at(workspace, "c.txt"), "J\xf6rg\nlast\n");
  const auto patched =
      apply_patch(*workspace.opened, {},
                  {.patch = "diff --git a/b.txt b/d.txt\nrename from b.txt\nrename to d.txt\n"
                            "--- a/b.txt\n+++ b/d.txt\n@@\n-Jürgen\n+Jörg\n last\n"},
                  {});
  ASSERT_TRUE(patched && patched->value.is_applied);
  EXPECT_EQ(bytes_at(workspace, "d.txt"), "J\xf6rg\nlast\n");
}

TEST(Encodings, AChangedDeclarationOfAPythonSourceChangesItsEncoding) {
  TestWorkspace workspace("new; printf '# coding: latin-1\\nx = \"\\374\"\\n' > a.py; save");
  const auto edited =
      edit_files(*workspace.opened, {},
                 {.edits = {TextEdit{.path = "a.py", .old_text = "latin-1", .new_text = "utf-8"},
                            TextEdit{.path = "a.py", .old_text = "ü", .new_text = "ü €"}}},
                 {});
  ASSERT_TRUE(edited && edited->value.is_applied);
  EXPECT_EQ(bytes_at(workspace, "a.py"), "# coding: utf-8\nx = \"ü €\"\n");
}

TEST(Encodings, SpecialFilesDeclareNothing) {
  TestWorkspace workspace(
      "new; mkfifo .editorconfig; ln -s /etc/hostname .gitattributes; printf '\\344' > a.txt; save");
  EXPECT_EQ(read_text(workspace, "a.txt")->value.encoding, TextEncoding::latin1);
}

TEST(Encodings, FilesThatGitConvertsAreComparedAsText) {
  TestWorkspace workspace(
      "new; printf '*.txt working-tree-encoding=UTF-16LE\\n' > .gitattributes; printf "
      "'a\\000\\344\\000\\n\\000' "
      "> a.txt; printf '\\344\\n' > b; save; printf 'a\\000\\366\\000\\n\\000' > a.txt; printf '\\366\\n' > "
      "b");
  TextEncodings encodings(declarations_in(workspace.opened->root()));
  const DiffQuery query{.encodings = &encodings};
  const auto diff = read_worktree(*workspace.opened, {}, {}, [&](LiveView& view) {
    return diff_live_with_git(*workspace.opened, GitBase::head, view, query);
  });
  ASSERT_TRUE(diff);
  EXPECT_NE(diff->value.diff.find("-aä\n+aö\n"), std::string::npos) << diff->value.diff;
  EXPECT_NE(diff->value.diff.find("-ä\n+ö\n"), std::string::npos) << diff->value.diff;
}

TEST(Encodings, ADiffOfEncodingsAloneHasBytes) {
  TestWorkspace workspace("new; printf 'J\\374rgen\\n' > a.txt; save; printf 'J\\303\\274rgen\\n' > a.txt");
  TextEncodings encodings(declarations_in(workspace.opened->root()));
  const DiffQuery query{.encodings = &encodings};
  const auto diff = read_worktree(*workspace.opened, {}, {}, [&](LiveView& view) {
    return diff_live_with_git(*workspace.opened, GitBase::head, view, query);
  });
  ASSERT_TRUE(diff);
  EXPECT_NE(diff->value.diff.find("-J\xfcrgen\n+J\xc3\xbcrgen\n"), std::string::npos);
}

}  // namespace
}  // namespace snapgen::core
