// The text form of answers, for each tool.
#include <gtest/gtest.h>

#include "tests/server/answers/rendered.h"
#include "tools/bridge/failures.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view blob = "sha256:451c46988121760b265d0cd07a92954571956fc7c1662f54709c2bb3b7fd312f";
constexpr std::string_view snapshot =
    "sha256:ab8e276bbdf315853db202f46bbea6427a77d47dbf08c407b2acff41a238b421";

// Inserts the members of every answer about the work tree before `members`.
std::string live(const std::string& members) {
  return R"({"cache_hint":"until_dirty","fingerprint":{"head_oid":"96b5","index_oid":"f065","status_hash":"e3b0"},)"
         R"("lease_id":"lease_4ui3dxo56tw7nuqm",)" +
         members + "}";
}

std::string kept(const std::string& members) { return R"({"cache_hint":"immutable",)" + members + "}"; }

std::string file(const std::string& members) {
  return live(R"("blob":")" + std::string(blob) + R"(","path":"src/greet.py",)" + members);
}

std::string read_text(const std::string& members, std::string_view arguments = R"({"path":"src/greet.py"})") {
  return shaped_text(text_host, "snapshot.file", arguments, file(members));
}

TEST(FileText, HasALineAboutTheFileAndThenItsLines) {
  EXPECT_EQ(
      read_text(
          R"("content":"def greet(name):\n    return \"good \" + name\n","size":43,"total_lines":2,"truncated":false)"),
      R"(src/greet.py 2 lines blob 451c469881 lease_4ui3dxo56tw7nuqm
def greet(name):
    return "good " + name
)");
  EXPECT_EQ(read_text(R"("content":"one line","size":8,"total_lines":1,"truncated":false)"),
            "src/greet.py 1 line blob 451c469881 lease_4ui3dxo56tw7nuqm\none line")
      << "a last line without a newline is shown without one";
  EXPECT_EQ(read_text(R"("content":"","size":0,"total_lines":0,"truncated":false)"),
            "src/greet.py 0 lines blob 451c469881 lease_4ui3dxo56tw7nuqm\n");
  EXPECT_EQ(
      shaped_text(text_host, "snapshot.file", R"({"path":"a\nb"})",
                  kept(R"("blob":")" + std::string(blob) +
                       R"(","content":"x\n","path":"a\nb","size":2,"total_lines":1,"truncated":false)")),
      "\"a\\nb\" 1 line blob 451c469881\nx\n")
      << "a file of a snapshot whose name needs quoting";
}

TEST(FileText, HasTheBlobIfTheClientHasTheLease) {
  EXPECT_EQ(read_text(R"("content":"x\n","size":2,"total_lines":1,"truncated":false)",
                      R"({"lease_id":"lease_4ui3dxo56tw7nuqm","path":"src/greet.py"})"),
            "src/greet.py 1 line blob 451c469881\nx\n");
  EXPECT_EQ(read_text(R"("content":"x\n","size":2,"total_lines":1,"truncated":false)",
                      R"({"lease_id":"lease_aaaaaaaaaaaaaaaa","path":"src/greet.py"})"),
            "src/greet.py 1 line blob 451c469881 lease_4ui3dxo56tw7nuqm (new: the lease of the call is "
            "unknown)\nx\n")
      << "the lease had expired, and a new one was issued";
}

TEST(FileText, NamesTheLineNumbersOfAPart) {
  const std::string_view from_10 = R"({"path":"src/greet.py","start_line":10})";
  EXPECT_EQ(read_text(R"("content":"j\nk\n","size":90,"total_lines":60,"truncated":false)", from_10),
            "src/greet.py lines 10-11 of 60 blob 451c469881 lease_4ui3dxo56tw7nuqm\nj\nk\n");
  EXPECT_EQ(read_text(R"("content":"","size":90,"total_lines":9,"truncated":false)", from_10),
            "src/greet.py has only 9 lines blob 451c469881 lease_4ui3dxo56tw7nuqm\n");
}

TEST(FileText, SaysHowToContinueATruncatedRead) {
  EXPECT_EQ(read_text(R"("content":"a\nb\nc","size":90,"total_lines":60,"truncated":true)"),
            "src/greet.py lines 1-2 of 60 blob 451c469881 lease_4ui3dxo56tw7nuqm, continue with start_line "
            "3\na\nb\n")
      << "an incomplete last line is omitted, because the next call begins with it";
  EXPECT_EQ(read_text(R"("content":"abc","size":90,"total_lines":60,"truncated":true)",
                      R"({"path":"src/greet.py","start_line":7})"),
            "src/greet.py line 7 of 60 blob 451c469881 lease_4ui3dxo56tw7nuqm, cut; call again with a larger "
            "max_bytes\nabc")
      << "a single line can be longer than an answer";
}

TEST(FileText, ShowsBytesAsBase64) {
  EXPECT_EQ(read_text(R"("content":"base64:AP8=","size":2,"truncated":false)"),
            "src/greet.py 2 bytes blob 451c469881 lease_4ui3dxo56tw7nuqm\nbase64:AP8=");
}

TEST(GrepText, HasALineForEachMatch) {
  EXPECT_EQ(
      shaped_text(
          text_host, "snapshot.grep", "{}",
          live(
              R"("files_searched":5,"matches":[{"col":5,"line":1,"path":"src/greet.py","text":"def greet(name):"},)"
              R"({"col":13,"line":6,"path":"src/greet.py","text":"    return [greet(name)]"}],)"
              R"("skipped":{"binary":1,"ignored":2},"truncated":false)")),
      R"(2 matches in 5 files searched lease_4ui3dxo56tw7nuqm
skipped 1 binary, 2 ignored
src/greet.py:1:def greet(name):
src/greet.py:6:    return [greet(name)]
)");
  EXPECT_EQ(shaped_text(text_host, "snapshot.grep", "{}",
                        kept(R"("files_searched":1,"matches":[{"col":1,"line":1,"path":"a","text":"x"}],)"
                             R"("skipped":{},"truncated":true)")),
            "at least 1 match in 1 file searched\n"
            "there are more; narrow the search with the pattern, paths or globs, or raise max_matches or "
            "max_files\n"
            "a:1:x\n");
}

TEST(GrepText, ShowsEachLineAroundMatchesOnce) {
  EXPECT_EQ(
      shaped_text(
          text_host, "snapshot.grep", "{}",
          kept(
              R"("files_searched":2,"matches":[)"
              R"({"after":["three","four"],"before":["one"],"col":1,"line":2,"path":"a","text":"two"},)"
              R"({"after":["five"],"before":["two","three"],"col":1,"line":4,"path":"a","text":"four"},)"
              R"({"after":[],"before":["eight"],"col":1,"line":9,"path":"a","text":"nine"},)"
              R"({"after":[],"before":[],"col":1,"line":1,"path":"b","text":"one"}],"skipped":{},"truncated":false)")),
      R"(4 matches in 2 files searched
a
1-one
2:two
3-three
4:four
5-five
--
8-eight
9:nine
--
b:1:one
)");
}

TEST(GrepText, ListsFilesOrTheirCounts) {
  EXPECT_EQ(shaped_text(text_host, "snapshot.grep", R"({"pattern":"x","output":"count"})",
                        kept(R"("files":[{"lines":3,"path":"a"},{"lines":1,"path":"b"}],"files_searched":9,)"
                             R"("matches":[],"skipped":{},"truncated":false)")),
            "2 files with a match, of 9 searched\na:3\nb:1\n");
  EXPECT_EQ(shaped_text(text_host, "snapshot.grep", R"({"pattern":"x","output":"files_without"})",
                        kept(R"("files":[{"path":"c"}],"files_searched":9,)"
                             R"("matches":[],"skipped":{},"truncated":false)")),
            "1 file without a match, of 9 searched\nc\n");
}

TEST(FileText, HasSeveralFilesOneAfterTheOther) {
  EXPECT_EQ(shaped_text(text_host, "snapshot.file", R"({"paths":["a","b","c"]})",
                        live(R"("files":[)"
                             R"({"blob":")" +
                             std::string(blob) +
                             R"(","content":"one","path":"a","size":3,"total_lines":1,"truncated":false},)"
                             R"({"content":"","path":"b","problem":"b does not exist.","truncated":false},)"
                             R"({"blob":")" +
                             std::string(blob) +
                             R"(","content":"x\n","path":"c","size":2,"total_lines":1,"truncated":false}])")),
            "a 1 line blob 451c469881 lease_4ui3dxo56tw7nuqm\none\nb: b does not exist.\nc 1 line blob "
            "451c469881\nx\n");
}

TEST(ListText, HasAPathOnEachLine) {
  EXPECT_EQ(
      shaped_text(
          text_host, "snapshot.list", "{}",
          live(R"("entries":[{"path":"README.md","size":57,"type":"file"},)"
               R"({"path":"data","type":"folder"},{"path":"data/long.txt","size":300000,"type":"file"},)"
               R"({"path":"empty","type":"folder"},{"path":"link","size":3,"type":"symlink"}],)"
               R"("skipped":{},"truncated":false)")),
      R"(4 entries lease_4ui3dxo56tw7nuqm
README.md
data/long.txt (300000 bytes)
empty/
link (symlink)
)");
  EXPECT_EQ(
      shaped_text(text_host, "snapshot.list", "{}",
                  kept(R"("entries":[{"path":"a","size":1,"type":"file"}],"next_cursor":"MTph","skipped":{},)"
                       R"("truncated":true)")),
      "1 entry\nthere are more; continue with cursor MTph\na\n");
}

TEST(DiffText, ContainsTheDiff) {
  EXPECT_EQ(
      shaped_text(
          text_host, "snapshot.diff", "{}",
          live(R"("diff":"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n","files":[)"
               R"({"added":1,"binary":false,"path":"a","removed":1,"status":"modified"},)"
               R"({"added":900,"binary":false,"omitted":true,"path":"big","removed":3,"status":"modified"}],)"
               R"("skipped":{},"truncated":true,"untracked":2)")),
      R"(2 files changed lease_4ui3dxo56tw7nuqm
omitted big +900 -3
name only the omitted files with paths, or pass a larger max_bytes
2 untracked files not shown; untracked: true shows them
diff --git a/a b/a
--- a/a
+++ b/a
@@ -1 +1 @@
-1
+2
)");
}

TEST(ChangesText, HasAChangeOnEachLine) {
  EXPECT_EQ(
      shaped_text(
          text_host, "snapshot.changes", "{}",
          live(R"("changes":[{"path":"README.md","status":"modified"},)"
               R"({"from":"old","path":"new","status":"renamed"}],"skipped":{},"total":3,"truncated":true)")),
      R"(3 changes lease_4ui3dxo56tw7nuqm
first 2 shown; narrow with paths
modified README.md
renamed old -> new
)");
}

TEST(SnapshotText, NamesASnapshotByItsShortId) {
  const std::string at = R"("fingerprint":{"head_oid":"96b5","index_oid":"f065","status_hash":"e3b0"},)";
  const std::string made = R"("manifest_stats":{"bytes":22,"files":2},)";
  const std::string id = R"("snapshot_id":")" + std::string(snapshot) + R"(")";
  EXPECT_EQ(
      shaped_text(text_host, "snapshot.create", "{}", kept(at + made + R"("skipped":{"ignored":1},)" + id)),
      "snap_ab8e276bbd 2 files 22 bytes\nskipped 1 ignored\n");
  EXPECT_EQ(shaped_text(text_host, "snapshot.info", "{}", kept(at + made + id)),
            "snap_ab8e276bbd 2 files 22 bytes\nid " + std::string(snapshot) +
                "\nfingerprint head_oid=96b5, index_oid=f065, status_hash=e3b0\n");
  EXPECT_EQ(shaped_text(text_host, "snapshot.export", "{}",
                        kept(R"("bundle":{"blobs":{}},"bundle_sha256":"2790","format":"bundle")")),
            "bundle sha256 2790\n{\"blobs\":{}}");
  EXPECT_EQ(shaped_text(text_host, "snapshot.export", "{}",
                        kept(R"("bundle":"base64:UkVB","bundle_sha256":"2790","format":"tar")")),
            "tar sha256 2790\nbase64:UkVB");
}

TEST(HistoryText, HasALineForEachMoment) {
  const std::string moments =
      R"({"oldest":"2026-11-28T13:00:00.000Z","turns":[{"began":"2026-11-28T14:02:11.000Z",)"
      R"("ended":"2026-11-28T14:03:21.000Z","host":"claude-code","prompt":"remove\nthe build","turn":"t13",)"
      R"("moments":[{"at":"2026-11-28T14:03:21.000Z","changes":[)"
      R"({"by":"server","change":"modified","path":"a.txt"},{"by":"server","change":"created","path":"b.txt"},)"
      R"({"by":"Bash: rm -rf c","change":"deleted","path":"c/d.txt"},)"
      R"({"by":"Bash: rm -rf c","change":"deleted","path":"c/e.txt"}],"moment":"m14"},)"
      R"({"at":"2026-11-28T14:02:11.000Z","changes":[{"by":"outside","change":"modified","path":"a.txt"}],)"
      R"("change_count":30,"head":{"branch":"main","commit":"96b5c0893a34"},"moment":"m13"}]}]})";
  const auto time = [](std::int64_t ms) { return core::local_time(ms); };
  const std::string latest = time(1795874601000).substr(11);
  const std::string earlier = time(1795874531000);
  EXPECT_EQ(shaped_text(text_host, "history.list", "{}", moments),
            "t13 " + earlier + " claude-code: remove the build\n" + "m14 " + latest +
                " 4 files: a.txt modified, b.txt created (server), c/d.txt deleted (Bash: rm -rf c), ...\n" +
                "m13 " + earlier.substr(11) +
                " 30 files: a.txt modified (outside), ..., HEAD is now main 96b5c0893a\n" + "oldest state " +
                time(1795870800000) + "\n");
  EXPECT_EQ(shaped_text(text_host, "history.list", "{}", R"({"turns":[]})"),
            "no state is recorded yet; call again in a second\n");
}

TEST(HistoryText, SaysWhatARewindAndAnUndoChanged) {
  EXPECT_EQ(
      shaped_text(
          text_host, "history.rewind", R"({"target":"m14"})",
          live(
              R"("changes":[{"kind":"created","path":"c/d.txt"},{"kind":"deleted","path":"b.txt"}],)"
              R"("foreign_lines":[{"by":"outside","lines":["3-5","9"],"path":"a.txt"}],)"
              R"("spared":[{"path":"x.bin","reason":"older"}],)"
              R"("state":{"at":"2026-11-28T13:00:00.000Z","moment":"m13"},"undo_snapshot_id":"snap_4ui3dxo56tw7nuqm",)"
              R"("undo_with":"m15","unrecorded":["b.txt"])")),
      "rewound to the state after m13 " + core::local_time(1795870800000) +
          ": 2 files, undo with m15 lease_4ui3dxo56tw7nuqm\n"
          "created c/d.txt\ndeleted b.txt\ntakes away a.txt lines 3-5, 9 (outside)\n"
          "only snap_4ui3dxo56t has the content of b.txt\nunchanged x.bin (older)\n");
  std::string spared = R"({"path":".mcp.json","reason":"protected_file"})";
  for (int i = 0; i < 99; ++i)
    spared += R"(,{"path":"p)" + std::to_string(i) + R"(","reason":"not_captured"})";
  const std::string text =
      shaped_text(text_host, "history.rewind", R"({"target":"m14"})",
                  live(R"("changes":[],"spared":[)" + spared +
                       R"(],"spared_count":300,"state":{"at":"2026-11-28T13:00:00.000Z","moment":"m13"})"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 13) << text;
  EXPECT_TRUE(
      text.ends_with("\nunchanged p8 (not_captured)\nand 290 more unchanged files\n"
                     "only the user can restore protected files: snap rewind with the same target\n"))
      << text;
  const std::string conflict =
      R"("conflicts":[{"lines":["4"],"path":"a.txt","reason":"The line was changed again."}],)";
  EXPECT_EQ(shaped_text(text_host, "history.undo", R"({"target":"m14"})",
                        live(conflict + R"("done":false,"files":[{"kind":"replaced","path":"b.txt"}])")),
            "not undone: conflicts, nothing changed; partial: true undoes the rest lease_4ui3dxo56tw7nuqm\n"
            "conflict a.txt lines 4: The line was changed again.\n");
  EXPECT_EQ(
      shaped_text(text_host, "history.undo", R"({"target":"m14"})",
                  live(R"("done":true,"files":[{"kind":"replaced","path":"b.txt"}],"undo_with":"m15")")),
      "undone: 1 file, undo with m15 lease_4ui3dxo56tw7nuqm\nreplaced b.txt\n");
}

TEST(WriteText, NamesTheWrittenFileAndItsUndoSnapshot) {
  const std::string undo = R"(,"undo":")" + std::string(snapshot) + R"(")";
  const std::string written =
      R"("blob":")" + std::string(blob) + R"(","bytes":8,"path":"docs/notes.md","created":)";
  EXPECT_EQ(shaped_text(text_host, "workspace.write_file", "{}", live(written + "true")),
            "docs/notes.md created 8 bytes lease_4ui3dxo56tw7nuqm blob 451c469881\n");
  EXPECT_EQ(shaped_text(text_host, "workspace.write_file", "{}", live(written + "false" + undo)),
            "docs/notes.md written 8 bytes lease_4ui3dxo56tw7nuqm blob 451c469881 undo snap_ab8e276bbd\n");
  EXPECT_EQ(
      shaped_text(
          text_host, "workspace.delete", "{}",
          live(R"("deleted":["src","src/main.rs"],"kept":[{"path":"src/sub","reason":"nested_repository"}])" +
               undo + R"(,"undo_files":1)")),
      "deleted 2 paths lease_4ui3dxo56tw7nuqm undo snap_ab8e276bbd of 1 file\nsrc\nsrc/main.rs\n"
      "not deleted: src/sub (nested_repository)\n");
}

TEST(PatchText, SaysWhetherThePatchWasApplied) {
  EXPECT_EQ(
      shaped_text(
          text_host, "workspace.apply_patch", "{}",
          live(R"("applied":true,"files":[{"offsets":[{"hunk":1,"lines":3}],"path":"a","status":"modified"},)"
               R"({"from":"b","path":"c","status":"renamed"}],"rejects":[],"undo":")" +
               std::string(snapshot) + R"(")")),
      "applied lease_4ui3dxo56tw7nuqm undo snap_ab8e276bbd\nM a, hunk 1 at offset 3\nR b -> "
      "c\n");
  EXPECT_EQ(shaped_text(text_host, "workspace.apply_patch", "{}",
                        kept(R"("applied":true,"files":[],"rejects":[],"snapshot_id":")" +
                             std::string(snapshot) + R"(")")),
            "nothing to apply: the files already are as the patch makes them snap_ab8e276bbd\n");
  EXPECT_EQ(shaped_text(text_host, "workspace.apply_patch", "{}",
                        live(R"("applied":false,"files":[{"path":"a","status":"modified"}],"rejects":[])")),
            "not applied: dry run, the patch fits lease_4ui3dxo56tw7nuqm\nM a\n");
}

TEST(PatchText, ShowsEachReject) {
  EXPECT_EQ(
      shaped_text(
          text_host, "workspace.apply_patch", "{}",
          live(
              R"("applied":false,"files":[],"rejects":[{"hunks":[{"expected":"# Toy","found":"# Toy Repo","found_at":7,)"
              R"("index":0,"line":1,"message":"line 1 of the file is not what the hunk shows","number":1,"patch_line":3,)"
              R"("reason":"context_mismatch"},{"index":2,"message":"it ends","number":3,"reason":"eof_newline"}],"path":"README.md"},)"
              R"({"hunks":[],"message":"no file","reason":"malformed"}])")),
      R"(not applied: 3 rejects, nothing changed lease_4ui3dxo56tw7nuqm
README.md hunk 1: line 1 of the file is not what the hunk shows (context_mismatch, patch line 3)
  expected # Toy
  found    # Toy Repo
  fits at line 7
README.md hunk 3: it ends (eof_newline)
patch: no file (malformed)
)");
}

TEST(PatchText, ShowsWhatToSendInstead) {
  EXPECT_EQ(
      shaped_text(
          text_host, "workspace.apply_patch", "{}",
          live(
              R"("applied":false,"files":[],"patch_id":"patch_0123456789ab","rejects":[{"hunks":[{"expected":"a","found":"b",)"
              R"("header":"@@ -1,1 +1,1 @@","index":0,"message":"it differs","nearest":[{"expected":"\t\"a\"","found":"\"b\"","line":4},)"
              R"({"expected":"c","found":"c ","line":6}],"nearest_total":5,"number":1,"reason":"context_mismatch"},)"
              R"({"index":1,"message":"it repeats","number":2,"places":[3,9],"places_total":30,"reason":"ambiguous"}],"path":"a.txt"}])")),
      R"(not applied: 2 rejects, nothing changed lease_4ui3dxo56tw7nuqm
a.txt hunk 1: it differs (context_mismatch)
  most similar at line 4 (- the hunk, + the file):
  4 -	"a"
  4 +"b"
  6 -c
  6 +c 
  they differ in white space at the end: "" in the hunk, " " in the file
  and 3 more differences
  send     @@ -1,1 +1,1 @@
a.txt hunk 2: it repeats (ambiguous)
  fits at the lines 3, 9 and 28 more
Send only the corrected hunks with continue: "patch_0123456789ab", or an empty patch to leave the rejected ones out.
)");
}

TEST(FacadeText, ContainsTheSummaryTheDataAndTheNextActions) {
  EXPECT_EQ(
      shaped_text(
          text_host, "snapback.snapshot_list", "{}",
          R"({"data":{"snapshots":[{"alias":"snap_ab8e276bbd","bytes":132,"created_at":"2026-11-24T15:17:37.313Z","files":8,)"
          R"("message":"task: fix the login","snapshot_id":")" +
              std::string(snapshot) +
              R"("}],"total":1},"next_actions":[{"args":{"dry_run":true},"condition":"before it","priority":0.4,)"
              R"("reason":"See what would change.","tool":"snapback_snapshot_restore"},{"args":{},"ask_user":["reason"],)"
              R"("priority":0.3,"reason":"The risk is high.","tool":"snapback_acknowledge_risk"}],"ok":true,)"
              R"("session":{"dirty":2},"timestamp":"2026-11-24T15:17:37.380Z"})",
          "1 snapshot kept."),
      R"(1 snapshot kept.
snapshots:
- bytes=132, created_at=2026-11-24T15:17:37.313Z, files=8, message=task: fix the login, snapshot_id=snap_ab8e276bbd
total: 1
next: snapback_snapshot_restore {"dry_run":true} (See what would change. When: before it.)
next: snapback_acknowledge_risk {} (The risk is high. Ask the user for: reason.)
)");
}

TEST(BridgeText, ContainsTheBrowsersAnswer) {
  EXPECT_EQ(
      shaped_text(
          text_host, "bridge.read_project", "{}",
          R"({"attempts":1,"message_id":"msg_001","payload":{"project":{"custom_blocks":["jump","reset"],)"
          R"("name":"My Game","sprites":[{"name":"Cat","position":{"x":0,"y":0},"visible":true}]}},)"
          R"("round_trip_ms":12,"session_id":"sess_xyz789","status":"success"})"),
      R"(session_id: sess_xyz789
project:
  custom_blocks: jump, reset
  name: My Game
  sprites:
  -
    name: Cat
    position: x=0, y=0
    visible: true
)");
}

TEST(PlainText, ContainsAllOfAnUnknownAnswer) {
  EXPECT_EQ(shaped_text(text_host, "shop.order", "{}",
                        R"({"empty":[],"lines":["a, b","c"],"note":"two\nlines","nothing":null,"total":3})"),
            R"(lines:
- a, b
- c
note:
  two
  lines
nothing: null
total: 3
)");
}

TEST(TextAnswers, TheTextOfWireToolsIsUnchanged) {
  const mcp::Tool tool = tool_of("snap");
  const std::string line = "🧢|S|id:task_nhtbw75k\n---\nTask started.";
  std::string members;
  HostRenderer(text_host, tool).append_text(line, members);
  EXPECT_EQ(only_text(members), line);
  EXPECT_EQ(text_of_error("snap", Error(ErrorCode::not_found, "Error: no task.")),
            "🧢|!|code:NO_TASK\n---\nError: no task.");
}

TEST(TextAnswers, AProgramsOutputIsAnOutline) {
  const mcp::Tool tool = tool_of("shop.order");
  std::string members;
  HostRenderer(text_host, tool).append_structured(R"({"note":"two\nlines","total":3})", members);
  EXPECT_EQ(only_text(members), "note:\n  two\n  lines\ntotal: 3\n");
}

TEST(ErrorText, HasACodeAndASentence) {
  EXPECT_EQ(text_of_error("snapshot.file",
                          Error(ErrorCode::not_found, "There is no src/gret.py; did you mean src/greet.py?")),
            "NOT_FOUND: There is no src/gret.py; did you mean src/greet.py?");
  EXPECT_EQ(text_of_error("snapshot.file",
                          Error(ErrorCode::invalid_argument,
                                "The arguments do not fit the tool's schema: path is required.",
                                ErrorDetails().add_json(
                                    "violations", R"([{"keyword":"required","message":"m","pointer":""}])"))),
            "INVALID_ARGUMENT: The arguments do not fit the tool's schema: path is required.")
      << "the sentence includes the violations";
  EXPECT_EQ(text_of_error("snapshot.file", Error(ErrorCode::unavailable, "The disk is full.")),
            "INTERNAL: The disk is full.")
      << "the substrate has no code for this";
  EXPECT_EQ(text_of_error("shop.order", Error(ErrorCode::unavailable, "The shop is closed.",
                                              ErrorDetails().add_number("until", 9))),
            "UNAVAILABLE: The shop is closed.\nuntil: 9")
      << "a program's family has the codes of the server";
}

TEST(ErrorText, ContainsDetailsThatALaterCallNeeds) {
  EXPECT_EQ(
      text_of_error(
          "snapshot.grep",
          Error(ErrorCode::stale_lease, "The work tree changed. Read again without lease_id.",
                ErrorDetails()
                    .add_json("changed_paths", R"(["src/greet.py"])")
                    .add("diff", "--- a/src/greet.py\n+++ b/src/greet.py\n@@ -1 +1 @@\n-a\n+\"b\"\n")
                    .add_json("diff_truncated", "true")
                    .add_json("fingerprint", R"({"head_oid":"c116","index_oid":"f065","status_hash":"ac0d"})")
                    .add("lease_id", "lease_4ui3dxo56tw7nuqm")
                    .add_json("read_paths", R"(["src/greet.py"])"))),
      R"(STALE_LEASE: The work tree changed. Read again without lease_id.
changed_paths: src/greet.py
--- a/src/greet.py
+++ b/src/greet.py
@@ -1 +1 @@
-a
+"b"
(more lines differ))");
  EXPECT_EQ(
      text_of_error(
          "snapback.session",
          Error(ErrorCode::unavailable, "snapback.session may be called 5 times a minute.",
                ErrorDetails()
                    .add("code", "RATE_LIMITED")
                    .add("hint", "Call again after 5 ms.")
                    .add_number("retry_after_ms", 5)
                    .add("correlation_id", "call_1")
                    .add_json("next_actions",
                              R"([{"args":{ },"priority":0.5,)"
                              R"("reason":"See which tools can be called.","tool":"snapback_meta"}])"))),
      R"(RATE_LIMITED: snapback.session may be called 5 times a minute. Call again after 5 ms.
correlation_id: call_1
retry_after_ms: 5
next: snapback_meta {} (See which tools can be called.))");
  EXPECT_EQ(text_of_error("bridge.batch",
                          bridge::failure(BridgeFailureCode::sprite_not_found, "There is no sprite Dog.",
                                          R"({"available_sprites":["Stage","Cat"]})",
                                          {"Use one of the existing sprites, or create it."})),
            R"(SPRITE_NOT_FOUND: There is no sprite Dog.
available_sprites: Stage, Cat
recovery_suggestions:
- Use one of the existing sprites, or create it.)");
  EXPECT_EQ(text_of_error("bridge.batch", Error(ErrorCode::permission_denied, "Not permitted.",
                                                ErrorDetails().add_json("missing", R"(["control"])"))),
            "PERMISSION_DENIED: Not permitted.\nmissing: control");
}

}  // namespace
}  // namespace snapgen::tools
