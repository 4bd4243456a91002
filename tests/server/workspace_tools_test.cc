// The tools that write, as a host uses them: over stdio, on real repositories.
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "runtime/json/writer.h"
#include "tests/engine/git/scratch.h"
#include "tests/server/host.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"

namespace snapgen::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view toy_repository = R"(new
put src/main.rs 'fn main() {}
'
put README.md '# Toy
line
last
'
put .gitignore '*.log
'
save; age; git status -s)";

std::string blob_of(std::string_view bytes) { return "sha256:" + core::sha256_hex(bytes); }

// Returns an object of string members. A value that begins with `=` is inserted as JSON.
std::string object(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  std::string text = "{";
  for (const auto& [name, value] : members) {
    if (value.empty()) continue;
    if (text.size() > 1) text += ',';
    text += json::quoted(name) + ":" +
            (value.starts_with('=') ? std::string(value.substr(1)) : json::quoted(value));
  }
  return text + "}";
}

class WorkspaceTools : public testing::Test {
 protected:
  void make(std::string_view script = toy_repository) { scratch_.run(script); }
  Host& host() {
    if (!host_) {
      host_.emplace(
          Start{.arguments = {"--stdio", "--workspace", scratch_.repo()}, .folder = "/", .variables = {}});
      host_->initialize();
    }
    return *host_;
  }
  Answer call(std::string_view tool, const std::string& arguments) { return host().call(tool, arguments); }
  Answer write(std::string_view path, std::string_view content, std::string_view lease = {}) {
    return call("workspace_write_file",
                object({{"path", path}, {"content", "=" + json::quoted(content)}, {"lease_id", lease}}));
  }
  Answer remove(std::string_view path, std::string_view lease = {}, bool recursive = false) {
    return call("workspace_delete",
                object({{"path", path}, {"lease_id", lease}, {"recursive", recursive ? "=true" : ""}}));
  }
  Answer patch(std::string_view text, std::string_view lease = {}, std::string_view more_name = {},
               std::string_view more = {}) {
    return call("workspace_apply_patch",
                object({{"patch", core::text_of_bytes(text)}, {"lease_id", lease}, {more_name, more}}));
  }
  Answer read(std::string_view path, std::string_view lease = {}) {
    return call("snapshot_file", object({{"path", path}, {"lease_id", lease}}));
  }
  std::string content(std::string_view path) const {
    return scratch_.answer("cat '" + std::string(path) + "'").output;
  }
  std::string status() const { return scratch_.truth().status; }
  // Expects that the fingerprint of an answer equals that of git.
  void expect_true(const Answer& answer) const {
    core::Scratch::Truth truth = scratch_.truth();
    EXPECT_EQ(answer.string("fingerprint/status_hash"), core::sha256_hex(truth.status));
    EXPECT_EQ(answer.string("fingerprint/index_oid"), truth.index_oid);
    EXPECT_EQ(answer.string("fingerprint/head_oid"), truth.head_oid);
  }

  core::Scratch scratch_;
  std::optional<Host> host_;
};

TEST_F(WorkspaceTools, ALeaseRemainsValidOverItsOwnWrites) {
  make();
  std::string lease = read("README.md").string("lease_id");
  Answer made = write("docs/deep/new.md", "new\n", lease);
  EXPECT_EQ(made.string("lease_id"), lease);
  EXPECT_EQ(made.string("blob"), blob_of("new\n"));
  EXPECT_EQ(made.integer("bytes"), 4);
  EXPECT_TRUE(made.at("created").boolean);
  expect_true(made);
  Answer replaced = write("README.md", "# Game\n", lease);
  EXPECT_FALSE(replaced.at("created").boolean);
  expect_true(replaced);
  Answer patched =
      patch("--- a/src/main.rs\n+++ b/src/main.rs\n@@ -1 +1,2 @@\n fn main() {}\n+// end\n", lease);
  EXPECT_TRUE(patched.at("applied").boolean);
  EXPECT_EQ(patched.string("lease_id"), lease);
  expect_true(patched);
  EXPECT_EQ(read("README.md", lease).string("content"), "# Game\n");
  EXPECT_EQ(read("src/main.rs", lease).string("content"), "fn main() {}\n// end\n");
  Answer removed = remove("docs", lease, true);
  EXPECT_EQ(removed.at("deleted").items.size(), 3u);
  EXPECT_EQ(removed.string("deleted/0"), "docs");
  EXPECT_EQ(removed.string("deleted/2"), "docs/deep/new.md");
  expect_true(removed);
  EXPECT_EQ(read("README.md", lease).code(), "ok");
  EXPECT_EQ(call("snapshot_create", object({{"lease_id", lease}})).integer("manifest_stats/files"), 2);
  host_.reset();
  EXPECT_EQ(read("README.md", lease).code(), "ok") << "the lease is valid after a restart";
  // Another process edits the file.
  scratch_.run("put README.md other");
  Answer stale = write("src/main.rs", "lost", lease);
  EXPECT_EQ(stale.code(), "STALE_LEASE");
  EXPECT_EQ(stale.string("error/details/changed_paths/0"), "README.md");
  EXPECT_EQ(remove("src/main.rs", lease).code(), "STALE_LEASE");
  EXPECT_EQ(
      patch("--- a/src/main.rs\n+++ b/src/main.rs\n@@ -1 +1,2 @@\n fn main() {}\n+// end\n", lease).code(),
      "STALE_LEASE");
  EXPECT_EQ(content("src/main.rs"), "fn main() {}\n// end\n");
}

TEST_F(WorkspaceTools, OtherLeasesAreStaleAfterAWrite) {
  make();
  std::string mine = read("README.md").string("lease_id");
  std::string other = read("README.md").string("lease_id");
  EXPECT_EQ(write("README.md", "mine", mine).code(), "ok");
  EXPECT_EQ(read("README.md", other).code(), "STALE_LEASE");
  EXPECT_EQ(read("README.md", mine).code(), "ok");
}

TEST_F(WorkspaceTools, AnUnknownLeaseWritesNothing) {
  make();
  for (std::string_view lease : {"lease_aaaaaaaaaaaaaaaa", "nonsense"}) {
    EXPECT_EQ(write("new", "x", lease).code(), "NOT_FOUND");
    EXPECT_EQ(remove("README.md", lease).code(), "NOT_FOUND");
    EXPECT_EQ(patch("--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n", lease).code(), "NOT_FOUND");
  }
  EXPECT_EQ(status(), "");
}

TEST_F(WorkspaceTools, WithoutALeaseANewOneIsIssued) {
  make();
  for (const Answer& answer :
       {write("a", "a"), patch("--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+x\n"), remove("a")})
    EXPECT_TRUE(answer.string("lease_id").starts_with("lease_")) << answer.text;
  Answer last = write("c", "c");
  EXPECT_EQ(read("c", last.string("lease_id")).string("content"), "c");
  scratch_.run("put c other");
  EXPECT_EQ(read("a.gone", last.string("lease_id")).code(), "STALE_LEASE")
      << "the lease covers the written file";
}

TEST_F(WorkspaceTools, ADifferentExpectedBlobIsRejectedAndTheActualOneReported) {
  make();
  std::string right = blob_of("# Toy\nline\nlast\n");
  std::string wrong = blob_of("else");
  auto attempt = [&](std::string_view path, std::string_view expected) {
    return call("workspace_write_file",
                object({{"path", path}, {"content", "new"}, {"expected_blob", expected}}));
  };
  Answer refused = attempt("README.md", wrong);
  EXPECT_EQ(refused.code(), "REPO_CHANGED");
  EXPECT_EQ(refused.string("error/details/found_blob"), right);
  EXPECT_EQ(refused.string("error/details/expected_blob"), wrong);
  EXPECT_EQ(attempt("README.md", "absent").code(), "REPO_CHANGED");
  EXPECT_TRUE(attempt("none", right).at("error/details/found_blob").is(json::Kind::null));
  EXPECT_EQ(status(), "");
  const std::string digits = right.substr(right.find(':') + 1);
  std::string other = digits.substr(0, 10);
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_EQ(attempt("README.md", other).code(), "REPO_CHANGED");
  EXPECT_EQ(attempt("README.md", digits.substr(0, 9)).code(), "INVALID_ARGUMENT")
      << "the blob id has too few digits";
  EXPECT_EQ(attempt("README.md", digits.substr(0, 10)).code(), "ok");
  EXPECT_EQ(attempt("README.md", blob_of("new")).code(), "ok");
  EXPECT_EQ(attempt("none", "absent").code(), "ok");
  EXPECT_EQ(attempt("none", "sha256:abc").code(), "INVALID_ARGUMENT");
}

TEST_F(WorkspaceTools, ModesOwnersAndUnchangedFilesArePreserved) {
  make("new; put run.sh 'a\n'; chmod 750 run.sh; put plain 'b\n'; chmod 600 plain; save; age");
  auto stat = [&](const std::string& path) { return scratch_.answer("stat -c '%a %i %y' " + path).output; };
  std::string before = stat("plain");
  EXPECT_EQ(write("plain", "b\n").code(), "ok");
  EXPECT_EQ(stat("plain"), before) << "a write of the same content does not change the file";
  EXPECT_EQ(write("run.sh", "new\n").code(), "ok");
  EXPECT_EQ(stat("run.sh").substr(0, 3), "750");
  auto executable = [&](std::string_view path, std::string_view content, std::string_view value) {
    return call("workspace_write_file", object({{"path", path}, {"content", content}, {"executable", value}}))
        .code();
  };
  EXPECT_EQ(executable("run.sh", "new\n", "=false"), "ok");
  EXPECT_EQ(stat("run.sh").substr(0, 3), "640");
  EXPECT_EQ(executable("plain", "c\n", "=true"), "ok");
  EXPECT_EQ(stat("plain").substr(0, 3), "700");
  EXPECT_EQ(executable("made", "#!/bin/sh\n", "=true"), "ok");
  EXPECT_EQ(scratch_.answer("test -x made && test ! -x run.sh && echo yes").output, "yes\n");
}

TEST_F(WorkspaceTools, BytesThatAreNotUtf8AreSentAsBase64) {
  make();
  std::string bytes("\x00\xff\r\nbase64", 10);
  Answer made = write("bin", core::text_of_bytes(bytes));
  EXPECT_EQ(made.string("blob"), blob_of(bytes));
  EXPECT_EQ(content("bin"), bytes);
  EXPECT_EQ(write("prefix", core::text_of_bytes("base64:text")).code(), "ok");
  EXPECT_EQ(content("prefix"), "base64:text");
  EXPECT_EQ(write("bad", "base64:***").code(), "INVALID_ARGUMENT");
  std::string name = core::text_of_bytes("\xfe\xff name");
  EXPECT_EQ(write(name, "x").string("path"), name);
  EXPECT_EQ(remove(name).string("deleted/0"), name);
  EXPECT_EQ(write("empty", "").integer("bytes"), 0);
  EXPECT_EQ(write("crlf", "a\r\nb").code(), "ok");
  EXPECT_EQ(content("crlf"), "a\r\nb");
  EXPECT_FALSE(fs::exists(scratch_.repo() + "/bad"));
}

TEST_F(WorkspaceTools, NothingIsWrittenOutsideTheWorkspaceOrInGitFolders) {
  make(
      "new; put a a; put ../outside/secret s; mkdir in; ln -s ../outside out; ln -s ../../outside/secret "
      "in/leak; "
      "ln -s in inside; ln -s nowhere dangling; mkfifo pipe; save");
  for (std::string_view path : {"..", "../x", "/etc/x", "a/../../x", "~/x", "C:\\x", "", "a\\b"}) {
    EXPECT_EQ(write(path, "x").code(), "INVALID_ARGUMENT") << path;
    EXPECT_EQ(remove(path).code(), "INVALID_ARGUMENT") << path;
  }
  for (std::string_view path : {".git/config", ".git/hooks/post-commit", ".GIT/config", "in/.git", ".git",
                                "out/secret", "out/new", "in/leak"}) {
    EXPECT_EQ(write(path, "x").code(), "PERMISSION_DENIED") << path;
  }
  for (std::string_view path : {".git", ".git/config", "out/secret", ".git/hooks"}) {
    EXPECT_EQ(remove(path, {}, true).code(), "PERMISSION_DENIED") << path;
  }
  EXPECT_EQ(write(".", "x").code(), "INVALID_ARGUMENT");
  EXPECT_EQ(remove(".", {}, true).code(), "INVALID_ARGUMENT");
  EXPECT_EQ(write("in", "x").code(), "INVALID_ARGUMENT");
  EXPECT_EQ(write("inside", "x").code(), "INVALID_ARGUMENT");
  EXPECT_EQ(write("a/b", "x").code(), "INVALID_ARGUMENT");
  EXPECT_EQ(write("pipe", "x").code(), "INVALID_ARGUMENT");
  EXPECT_EQ(write("dangling", "x").code(), "NOT_FOUND");
  EXPECT_EQ(write("dangling/x", "x").code(), "NOT_FOUND");
  EXPECT_EQ(remove("none").code(), "NOT_FOUND");
  EXPECT_EQ(remove("none/none").code(), "NOT_FOUND");
  EXPECT_EQ(remove("in").code(), "INVALID_ARGUMENT") << "the folder is not empty";
  for (std::string_view name : {"../x", "/etc/x", ".git/config", "out/x", "in/leak"}) {
    Answer refused = patch("--- /dev/null\n+++ b/" + std::string(name) + "\n@@ -0,0 +1 @@\n+x\n");
    EXPECT_FALSE(refused.at("applied").boolean) << name;
  }
  EXPECT_EQ(scratch_.answer("cat ../outside/secret; ls ../outside").output, "ssecret\n");
  EXPECT_EQ(status(), "") << "git does not report a FIFO";
  // Symlinks within the workspace are followed; deleting one deletes the link.
  EXPECT_EQ(write("inside/new", "x").string("path"), "in/new");
  EXPECT_EQ(remove("inside").string("deleted/0"), "inside");
  EXPECT_EQ(remove("dangling").string("deleted/0"), "dangling");
  EXPECT_EQ(remove("pipe").string("deleted/0"), "pipe");
  EXPECT_EQ(content("in/new"), "x");
}

TEST_F(WorkspaceTools, InvalidArgumentsAreReported) {
  make();
  struct Wrong {
    const char* tool;
    const char* arguments;
  };
  for (Wrong wrong :
       {Wrong{"workspace_write_file", R"({"path":"a"})"},
        {"workspace_write_file", R"({"content":"a"})"},
        {"workspace_write_file", R"({"path":"a","content":1})"},
        {"workspace_write_file", R"({"path":"a","content":"a","mode":"worktree"})"},
        {"workspace_write_file", R"({"path":"a","content":"a","executable":"yes"})"},
        {"workspace_delete", R"({})"},
        {"workspace_delete", R"({"path":"a","recursive":1})"},
        {"workspace_delete", R"({"path":["a"]})"},
        {"workspace_apply_patch", R"({})"},
        {"workspace_apply_patch", R"({"patch":1})"},
        {"workspace_apply_patch", R"({"patch":"base64:*"})"},
        {"workspace_apply_patch", R"({"patch":"x","mode":"snapshot"})"},
        {"workspace_apply_patch", R"({"patch":"x","mode":"other"})"},
        {"workspace_apply_patch", R"({"patch":"x","mode":"worktree","snapshot_id":"snap_aa"})"},
        {"workspace_apply_patch", R"({"patch":"x","lease_id":"lease_a","snapshot_id":"snap_aa"})"},
        {"workspace_apply_patch", R"({"patch":"x","dryrun":true})"}}) {
    EXPECT_EQ(call(wrong.tool, wrong.arguments).code(), "INVALID_ARGUMENT") << wrong.arguments;
  }
  EXPECT_EQ(call("workspace_apply_patch", R"({"patch":"x","snapshot_id":"snap_aaaaaaaaaa"})").code(),
            "NOT_FOUND");
  EXPECT_EQ(status(), "");
}

TEST_F(WorkspaceTools, AllRejectsAreListedAndNothingChanges) {
  make();
  std::string lease = read("README.md").string("lease_id");
  Answer refused = patch(
      "--- a/src/main.rs\n+++ b/src/main.rs\n@@ -1 +1,2 @@\n fn main() {}\n+fine\n"
      "--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,2 @@\n-# Game\n+# Play\n line\n@@ -3 +3,2 @@\n lost\n+x\n"
      "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n",
      lease);
  EXPECT_FALSE(refused.at("applied").boolean);
  EXPECT_EQ(refused.string("lease_id"), lease);
  // The answer has the form of the specification: one entry per path, whose hunks are sorted by their index.
  ASSERT_EQ(refused.at("rejects").items.size(), 2u) << refused.text;
  EXPECT_EQ(refused.string("rejects/0/path"), "README.md");
  EXPECT_EQ(refused.at("rejects/0").find("reason"), nullptr);
  ASSERT_EQ(refused.at("rejects/0/hunks").items.size(), 2u) << refused.text;
  EXPECT_EQ(refused.integer("rejects/0/hunks/0/index"), 0);
  EXPECT_EQ(refused.string("rejects/0/hunks/0/reason"), "context_mismatch");
  EXPECT_EQ(refused.string("rejects/0/hunks/0/expected"), "# Game");
  EXPECT_EQ(refused.string("rejects/0/hunks/0/found"), "# Toy");
  EXPECT_EQ(refused.integer("rejects/0/hunks/1/index"), 1);
  EXPECT_EQ(refused.string("rejects/1/path"), "none");
  EXPECT_EQ(refused.string("rejects/1/reason"), "missing");
  EXPECT_TRUE(refused.at("rejects/1/hunks").items.empty());
  EXPECT_TRUE(refused.at("files").items.empty()) << "no file is modified";
  EXPECT_EQ(status(), "");
  // The lines are at another position: with exact_lines the answer has found_at; without, the patch applies.
  std::string moved = "--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,2 @@\n line\n-last\n+end\n";
  EXPECT_EQ(patch(moved, lease, "exact_lines", "=true").integer("rejects/0/hunks/0/found_at"), 2);
  Answer tried =
      call("workspace_apply_patch", object({{"patch", moved}, {"lease_id", lease}, {"dry_run", "=true"}}));
  EXPECT_FALSE(tried.at("applied").boolean);
  EXPECT_TRUE(tried.at("rejects").items.empty());
  EXPECT_EQ(tried.integer("files/0/offsets/0/lines"), 1);
  EXPECT_EQ(status(), "") << "dry_run";
  EXPECT_TRUE(patch(moved, lease).at("applied").boolean);
  EXPECT_EQ(content("README.md"), "# Toy\nline\nend\n");
  Answer garbage = patch("this is no patch");
  EXPECT_EQ(garbage.string("rejects/0/reason"), "malformed");
  EXPECT_EQ(garbage.at("rejects/0").find("path"), nullptr);
  EXPECT_TRUE(garbage.at("rejects/0/hunks").items.empty());
}

TEST_F(WorkspaceTools, EveryKindOfPatchAppliesEquallyToTheWorkTreeAndASnapshot) {
  make(R"sh(new
put 'quoted "name".txt' 'q
'
printf 'a\r\nb\r\n' > crlf; put tail 'no newline'; put exec 'x
'; put gone 'g
'; put moved 'm1
m2
m3
m4
'; put deep/file 'd
'; ln -s tail link; printf 'a\000b' > bin; put kind 'k
'
save; git branch base; printf 'a\r\nB\r\n' > crlf; put tail 'still none'; chmod +x exec; rm gone; mv moved renamed
cp renamed copied; echo m5 >> renamed; rm -r deep; ln -snf crlf link; printf 'a\000c\000d' > bin; rm kind; ln -s tail kind
put 'quoted "name".txt' 'Q
'; put "$(printf 'tab\there')" t; put new/deep/er 'n
'
git add -A; git diff --cached --binary -M -C --find-copies-harder > ../patch; git stash -q; git stash show -p >/dev/null; git status -s)sh");
  Answer captured = call("snapshot_create", R"({"paths":["."]})");
  std::string text = scratch_.answer("cat ../patch").output;
  Answer tried = patch(text, {}, "dry_run", "=true");
  EXPECT_TRUE(tried.at("rejects").items.empty()) << tried.text;
  EXPECT_EQ(status(), "");
  Answer in_snapshot =
      call("workspace_apply_patch",
           object({{"patch", core::text_of_bytes(text)}, {"snapshot_id", captured.string("snapshot_id")}}));
  ASSERT_TRUE(in_snapshot.at("applied").boolean) << in_snapshot.text;
  EXPECT_EQ(status(), "") << "patching a snapshot does not change the work tree";
  Answer live = patch(text);
  ASSERT_TRUE(live.at("applied").boolean) << live.text;
  expect_true(live);
  EXPECT_TRUE(json::equal(live.at("files"), in_snapshot.at("files")));
  EXPECT_EQ(scratch_.answer("git add -A; git diff --cached --stat 'stash@{0}'").output, "");
  EXPECT_FALSE(fs::exists(scratch_.repo() + "/deep"));
  // Both snapshots have the same files; their ids differ only because of the fingerprint.
  std::string paths =
      R"({"snapshot_id":)" + json::quoted(in_snapshot.string("snapshot_id")) + R"(,"recursive":true})";
  Answer listed = call("snapshot_list", paths);
  Answer found = call("snapshot_list", R"({"recursive":true})");
  EXPECT_TRUE(json::equal(listed.at("entries"), found.at("entries"))) << listed.text << found.text;
  for (const json::Node& entry : found.at("entries").items) {
    if (entry.find("type")->text != "file") continue;
    std::string path = entry.find("path")->text;
    Answer there =
        call("snapshot_file", object({{"path", path}, {"snapshot_id", in_snapshot.string("snapshot_id")}}));
    EXPECT_EQ(there.string("blob"), read(path).string("blob")) << path;
  }
  Answer again = call("workspace_apply_patch", object({{"patch", core::text_of_bytes(text)},
                                                       {"snapshot_id", in_snapshot.string("snapshot_id")}}));
  EXPECT_FALSE(again.at("applied").boolean);
  EXPECT_EQ(again.body.find("snapshot_id"), nullptr);
}

TEST_F(WorkspaceTools, DeleteKeepsNestedRepositoriesAndReportsThem) {
  make(
      "new; put a/b/c c; put a/d d; put a/x.log ignored; printf '*.log' > .gitignore; save; "
      "git init -q a/nested; put a/nested/f f; mkdir -p a/sub; echo 'gitdir: ../nested/.git' > a/sub/.git; "
      "put a/sub/g g; "
      "mkdir a/empty; mkfifo a/pipe; ln -s nested a/link");
  std::string lease = call("snapshot_list", R"({"recursive":true})").string("lease_id");
  Answer removed = remove("a", lease, true);
  ASSERT_EQ(removed.code(), "ok") << removed.text;
  std::string gone;
  for (const json::Node& path : removed.at("deleted").items) gone += path.text + " ";
  EXPECT_EQ(gone, "a/b a/b/c a/d a/empty a/link a/pipe a/x.log ");
  ASSERT_EQ(removed.at("kept").items.size(), 2u);
  EXPECT_EQ(removed.string("kept/0/path"), "a/nested");
  EXPECT_EQ(removed.string("kept/0/reason"), "nested_repository");
  EXPECT_EQ(removed.string("kept/1/path"), "a/sub");
  expect_true(removed);
  EXPECT_EQ(scratch_.answer("cat a/nested/f a/sub/g; ls a").output, "fgnested\nsub\n");
  EXPECT_EQ(remove("a/nested", {}, true).code(), "PERMISSION_DENIED");
  EXPECT_EQ(remove("a/sub", {}, true).code(), "PERMISSION_DENIED");
  EXPECT_EQ(read("a/nested/f", lease).code(), "ok");
}

TEST_F(WorkspaceTools, TheStoreOfAFolderWithoutGitIsKept) {
  // The server writes logs in a separate thread at any time. It hides them from git only in a folder that it
  // has created.
  make("rm -rf .git; mkdir -p .snapback/logs; put .snapback/.gitignore '*'; put a a");
  EXPECT_EQ(write("b", "b").code(), "ok");
  EXPECT_EQ(call("snapshot_create", R"({"paths":["."]})").integer("manifest_stats/files"), 2);
  EXPECT_EQ(write(".snapback/store/x", "x").code(), "PERMISSION_DENIED");
  EXPECT_EQ(remove(".snapback/store", {}, true).code(), "PERMISSION_DENIED");
  Answer removed = remove(".snapback", {}, true);
  const char* kept[] = {".snapback/.gitignore", ".snapback/logs", ".snapback/store"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(removed.string("kept/" + std::to_string(i) + "/path"), kept[i]);
    EXPECT_EQ(removed.string("kept/" + std::to_string(i) + "/reason"), "reserved");
  }
  EXPECT_TRUE(fs::exists(scratch_.repo() + "/.snapback/store/snapshots"));
}

}  // namespace
}  // namespace snapgen::tools
