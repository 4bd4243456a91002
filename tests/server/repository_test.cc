// Repositories of every kind. In each of them every tool must give the correct answer or one clear error, a
// read must change nothing, and no call may wait forever.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "runtime/json/writer.h"
#include "tests/engine/folder.h"
#include "tests/engine/git/scratch.h"
#include "tests/server/host.h"
#include "tests/soak/soak.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"

namespace snapgen::tools {
namespace {

namespace fs = std::filesystem;

class RepositoryTest : public testing::Test {
 protected:
  // `script` builds the repository. The workspace is its folder, or the given one beside it.
  void make(std::string_view script, std::string_view beside = {}) {
    scratch_.run(script);
    workspace_ = beside.empty() ? scratch_.repo() : scratch_.outside(beside);
  }
  void start() {
    host_.emplace(Start{.arguments = {"--stdio", "--workspace", workspace_}, .folder = "/", .variables = {}});
    host_->initialize();
  }
  Answer call(std::string_view tool, const std::string& arguments) {
    if (!host_) start();
    return host_->call(tool, arguments);
  }
  static std::string argument(std::string_view name, std::string_view bytes) {
    return json::quoted(name) + ":" + json::quoted(core::text_of_bytes(bytes));
  }
  Answer file(std::string_view path) { return call("snapshot_file", "{" + argument("path", path) + "}"); }
  std::string refused(std::string_view tool, const std::string& arguments) {
    Answer answer = call(tool, arguments);
    EXPECT_TRUE(answer.is_error) << tool << " " << arguments << ": " << answer.text.substr(0, 500);
    if (!answer.is_error) return {};
    said_ = answer.string("error/message");
    EXPECT_TRUE((said_.ends_with('.') || said_.ends_with('?')) && said_.find('\n') == said_.npos) << said_;
    return answer.code();
  }

  // Returns every file of the work tree and of git, wherever git stores it: size, time, mode and inode.
  // Objects of git are listed without times, because git updates these. Files of the server and of this test
  // are omitted.
  std::string everything() const {
    constexpr std::string_view script = R"sh(cd ..
find . \( -name home -o -name script -o -name output -o -name complaint -o -name status -o -name head -o -name index-tree \
  -o -name snapgen -o -name .snapback \) -prune -o -type d -o \( -path '*/objects/*' -printf '%p %s\n' \) \
  -o -printf '%p %s %T@ %m %i\n' | sort)sh";
    return scratch_.answer(script).output;
  }

  // Returns the files of a listing.
  static std::set<std::string> paths_of(const Answer& listed) {
    std::set<std::string> paths;
    for (const json::Node& entry : listed.at("entries").items) {
      if (entry.find("type")->text == "folder") continue;
      Result<std::string> path = core::bytes_of_text(entry.find("path")->text);
      if (path) paths.insert(*path);
    }
    return paths;
  }
  std::set<std::string> listed_by_git() const {
    std::set<std::string> paths;
    std::istringstream in(scratch_.listed_files());
    for (std::string path; std::getline(in, path, '\0');) paths.insert(path);
    return paths;
  }

  void expect_fingerprint_of_git(const Answer& answer) const {
    const core::Scratch::Truth truth = scratch_.truth();
    EXPECT_FALSE(truth.failed);
    EXPECT_EQ(answer.string("fingerprint/head_oid"), truth.head_oid);
    EXPECT_EQ(answer.string("fingerprint/index_oid"), truth.index_oid);
    EXPECT_EQ(answer.string("fingerprint/status_hash"), core::sha256_hex(truth.status))
        << core::shown(truth.status);
  }

  // Calls every tool that reads and compares its answer with git and the file system. `by_git` is false if
  // git cannot be used for the comparison.
  void read_all(bool by_git = true) {
    if (by_git) scratch_.truth();  // git updates its index now, not during the test
    const std::string before = everything();
    const Answer listed = call("snapshot_list", R"({"path":".","recursive":true})");
    ASSERT_FALSE(listed.is_error) << listed.text;
    const std::set<std::string> paths = paths_of(listed);
    if (by_git) {
      EXPECT_EQ(paths, listed_by_git());
      expect_fingerprint_of_git(listed);
    }
    const std::string lease = argument("lease_id", listed.string("lease_id"));
    for (const std::string& path : paths) {
      const fs::path full = fs::path(workspace_) / path;
      std::error_code ignored;
      if (fs::is_symlink(full, ignored) || fs::file_size(full, ignored) > 100'000) continue;
      std::ostringstream bytes;
      bytes << std::ifstream(full, std::ios::binary).rdbuf();
      const Answer read = call("snapshot_file", "{" + argument("path", path) + "," + lease + "}");
      ASSERT_FALSE(read.is_error) << read.text;
      EXPECT_EQ(read.string("content"), core::text_of_bytes(bytes.str())) << path;
    }
    const Answer found = call("snapshot_grep", "{" + lease + R"(,"pattern":"needle"})");
    ASSERT_FALSE(found.is_error) << found.text;
    EXPECT_GE(found.at("matches").items.size(), 1u);

    const Answer created = call("snapshot_create", R"({"paths":["."]})");
    ASSERT_FALSE(created.is_error) << created.text;
    const std::string id = argument("snapshot_id", created.string("snapshot_id"));
    EXPECT_EQ(call("snapshot_info", "{" + id + "}").integer("manifest_stats/files"),
              static_cast<int>(paths.size()));
    EXPECT_EQ(paths_of(call("snapshot_list", "{" + id + R"(,"recursive":true})")), paths);
    EXPECT_EQ(call("snapshot_grep", "{" + id + R"(,"pattern":"needle"})").at("matches").items.size(),
              found.at("matches").items.size());
    EXPECT_EQ(call("snapshot_changes", "{" + id + "}").integer("total"), 0);
    EXPECT_EQ(everything(), before) << "a read must not change any file";
  }

  // Creates a new file with each tool that can, and deletes it again; no other file may change.
  void write_all(bool by_git = true) {
    const std::string before = everything();
    const Answer first = call("snapshot_list", "{}");
    const Answer written =
        call("workspace_write_file", R"({"path":"new/by write.txt","content":"written\n"})");
    ASSERT_FALSE(written.is_error) << written.text;
    if (by_git) expect_fingerprint_of_git(written);
    EXPECT_EQ(file("new/by write.txt").string("content"), "written\n");
    const Answer patched = call(
        "workspace_apply_patch",
        R"({"patch":"--- a/new/by write.txt\n+++ b/new/by write.txt\n@@ -1 +1,2 @@\n written\n+patched\n"})");
    ASSERT_FALSE(patched.is_error) << patched.text;
    EXPECT_TRUE(patched.at("applied").boolean) << patched.text;
    if (by_git) expect_fingerprint_of_git(patched);
    EXPECT_EQ(file("new/by write.txt").string("content"), "written\npatched\n");
    const Answer deleted = call("workspace_delete", R"({"path":"new","recursive":true})");
    ASSERT_FALSE(deleted.is_error) << deleted.text;
    EXPECT_EQ(everything(), before) << "a write must change only the named file";
    EXPECT_TRUE(json::equal(call("snapshot_list", "{}").at("fingerprint"), first.at("fingerprint")));
  }

  void all(bool by_git = true) {
    read_all(by_git);
    if (!HasFatalFailure()) write_all(by_git);
  }

  // Expects the same error from every tool, with this code and with these words in its message.
  void expect_all_refused(std::string_view code, std::string_view words) {
    const std::string before = everything();
    const std::pair<const char*, const char*> calls[] = {
        {"snapshot_list", "{}"},
        {"snapshot_grep", R"({"pattern":"needle"})"},
        {"snapshot_create", R"({"paths":["."]})"},
        {"snapshot_file", R"({"path":"a"})"},
        {"workspace_write_file", R"({"path":"new","content":"x"})"},
        {"workspace_delete", R"({"path":"a"})"},
    };
    for (auto [tool, arguments] : calls) {
      EXPECT_EQ(refused(tool, arguments), code) << tool;
      EXPECT_NE(said_.find(words), said_.npos) << said_;
    }
    EXPECT_EQ(everything(), before);
  }

  core::Scratch scratch_;
  std::string workspace_;
  std::optional<Host> host_;
  std::string said_;  // The message of the last error.
};

constexpr const char* submodule = R"(mkdir ../other && (cd ../other && new && put f needle && save)
new; put a needle; save
git -c protocol.file.allow=always submodule --quiet add ../other sub && save)";

TEST_F(RepositoryTest, ToolsWorkWithSubmodules) {
  make(submodule);
  all();
  EXPECT_EQ(call("snapshot_list", "{}").integer("skipped/nested_repository"), 1);
  scratch_.run("put sub/f changed; put sub/g new");
  expect_fingerprint_of_git(call("snapshot_list", "{}"));
  const Answer deleted = call("workspace_delete", R"({"path":"sub","recursive":true})");
  EXPECT_EQ(scratch_.answer("cat sub/.git && cat sub/f").exit_code, 0) << deleted.text;
}

TEST_F(RepositoryTest, ToolsWorkWithNestedRepositories) {
  make("new; put a needle; save; mkdir -p d/inner && (cd d/inner && new && put f x && save); put d/g needle");
  all();
  EXPECT_EQ(call("snapshot_list", R"({"recursive":true})").integer("skipped/nested_repository"), 1);
  const Answer deleted = call("workspace_delete", R"({"path":"d","recursive":true})");
  EXPECT_EQ(scratch_.answer("cat d/inner/f && git -C d/inner status").exit_code, 0) << deleted.text;
}

TEST_F(RepositoryTest, ToolsWorkInLinkedWorkTrees) {
  make("new; put a needle; save; git worktree add -q ../linked -b other; put only-here x", "linked");
  read_all(false);
  write_all(false);
  const Answer listed = call("snapshot_list", "{}");
  EXPECT_EQ(paths_of(listed), std::set<std::string>{"a"});
  EXPECT_EQ(listed.string("fingerprint/head_oid") + "\n",
            scratch_.answer("git -C ../linked rev-parse HEAD").output);
  scratch_.run("put ../linked/a changed");
  EXPECT_EQ(call("snapshot_list", "{}").string("fingerprint/status_hash"),
            core::sha256_hex(scratch_.answer("git -C ../linked status --porcelain=v1 -z").output));
  EXPECT_TRUE(fs::exists(scratch_.repo() + "/.git/snapgen")) << "linked work trees share one store";
}

TEST_F(RepositoryTest, ToolsWorkInSparseCheckouts) {
  make(
      "new; put a needle; put in/b x; put out/c x; put out/deep/d x; save; git sparse-checkout set --cone "
      "in");
  all();
  EXPECT_EQ(paths_of(call("snapshot_list", R"({"recursive":true})")), (std::set<std::string>{"a", "in/b"}));
  EXPECT_EQ(refused("snapshot_file", R"({"path":"out/c"})"), "NOT_FOUND");
  scratch_.run("git sparse-checkout reapply --sparse-index");
  all();
}

TEST_F(RepositoryTest, PointersOfGitLfsAreOrdinaryFiles) {
  make(R"(new
printf '*.bin filter=lfs diff=lfs merge=lfs -text\n' > .gitattributes
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12345\n' 7 > big.bin; put a needle; save)");
  all();
  EXPECT_NE(file("big.bin").string("content").find("size 12345"), std::string::npos);
}

TEST_F(RepositoryTest, AFilterWithoutItsProgramIsAClearErrorOrIrrelevant) {
  make(
      R"(new; printf '*.bin filter=lfs\n' > .gitattributes; put big.bin pointer; put a needle; save; age; git status
git config --global filter.lfs.clean 'no-such-program-here clean'; git config --global filter.lfs.required true; put big.bin POINTER)");
  const core::Scratch::Truth truth = scratch_.truth();
  const Answer listed = call("snapshot_list", "{}");
  if (listed.is_error) {
    EXPECT_EQ(listed.code(), "INTERNAL") << listed.text;
  } else if (!truth.failed) {
    expect_fingerprint_of_git(listed);
  }
}

TEST_F(RepositoryTest, ToolsWorkWithSha256) {
  make("new --object-format=sha256; put a needle; put d/b x; save; put d/b changed; put c new");
  all();
  EXPECT_EQ(call("snapshot_list", "{}").string("fingerprint/head_oid").size(), 64u);
}

TEST_F(RepositoryTest, ToolsWorkWithLineEndingsThatGitConverts) {
  make(R"(new; git config core.autocrlf true; printf 'needle\r\nb\r\n' > dos; printf 'a\nb\n' > unix; save
touch dos; printf 'needle\r\nb\r\nc\r\n' > more; printf '\0\r\n' > binary)");
  all();
  EXPECT_EQ(file("dos").string("content"), "needle\r\nb\r\n")
      << "the content is that of the file, not that of git's blob";
}

TEST_F(RepositoryTest, NamesMayDifferOnlyInCase) {
  make("new; put Readme needle; put d/x x; save; git mv Readme README; git mv d D");
  all();
  scratch_.run("put readme second; git config core.ignorecase true");
  expect_fingerprint_of_git(call("snapshot_list", "{}"));
  EXPECT_EQ(paths_of(call("snapshot_list", "{}")), (std::set<std::string>{"README", "readme"}));
  EXPECT_EQ(file("readme").string("content"), "second");
  EXPECT_EQ(file("README").string("content"), "needle");
  EXPECT_EQ(refused("snapshot_file", R"({"path":"Readme"})"), "NOT_FOUND");
}

TEST_F(RepositoryTest, NamesMayBeInvalidUtf8) {
  make(
      R"sh(new; put "$(printf 'n\377me')" needle; put "$(printf 'd\201/\376')" x; put "$(printf 'a\nb\t"c')" y
put base64:x z; put ' ' s; put '*' star; save; put "$(printf 'new\377')" u)sh");
  all();
  scratch_.run("put 'back\\slash' x");
  EXPECT_TRUE(paths_of(call("snapshot_list", "{}")).contains("back\\slash"));
  EXPECT_EQ(refused("snapshot_file", R"({"path":"back\\slash"})"), "INVALID_ARGUMENT");
  EXPECT_NE(said_.find("backslash"), said_.npos);
}

TEST_F(RepositoryTest, PathsMayBeAsLongAsTheSystemAllowsAndLonger) {
  const std::string name(250, 'n');
  std::string script = "new; put a needle; save\n";
  for (int i = 0; i < 15; ++i) script += "mkdir " + name + "; cd " + name + "\n";
  make(script + "printf deep > f");
  std::string path;
  for (int i = 0; i < 15; ++i) path += name + "/";
  read_all();
  EXPECT_EQ(file(path + "f").string("content"), "deep");
  write_all();

  std::string deeper;
  for (int i = 0; i < 19; ++i) deeper += "mkdir -p " + name + "; cd -P " + name + "\n";
  scratch_.run(deeper + "printf deeper > g");
  const Answer listed = call("snapshot_list", R"({"recursive":true})");
  if (listed.is_error) {
    EXPECT_EQ(listed.code(), "INTERNAL") << listed.text;
  } else {
    EXPECT_TRUE(paths_of(listed).contains("a"));
  }
}

TEST_F(RepositoryTest, FifosAndSocketsDoNotBlock) {
  make(
      "new; put a needle; put was-file x; save; rm was-file; mkfifo was-file; mkfifo pipe; mkdir d; mkfifo "
      "d/pipe");
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string name = workspace_ + "/socket";
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  all();
  EXPECT_GE(call("snapshot_list", R"({"recursive":true})").integer("skipped/not_a_file"), 1);
  for (const char* path : {"pipe", "was-file", "socket", "d/pipe"}) {
    const std::string named = "{" + argument("path", path);
    EXPECT_EQ(refused("snapshot_file", named + "}"), "INVALID_ARGUMENT") << path;
    EXPECT_EQ(refused("workspace_write_file", named + R"(,"content":"x"})"), "INVALID_ARGUMENT") << path;
    EXPECT_TRUE(call("snapshot_create", R"({"paths":[")" + std::string(path) + R"("]})").is_error) << path;
  }
}

TEST_F(RepositoryTest, UnreadableFilesAndFoldersAreCounted) {
  make(R"sh(new; put a needle; put secret x; put d/b y; save; put untracked/f z; touch -d 2001-01-01 secret
chmod 0 secret untracked; [ "$(id -u)" != 0 ] || chown -R 65534:65534 "$HOME/..")sh");
  core::Unprivileged unprivileged;
  if (::eaccess((std::string(std::getenv("SNAPGEN_BUILD_ROOT")) + "/snapgen-server").c_str(), X_OK) != 0)
    GTEST_SKIP() << "the user nobody cannot run the server here";
  const Answer listed = call("snapshot_list", R"({"recursive":true})");
  ASSERT_FALSE(listed.is_error) << listed.text;
  EXPECT_EQ(listed.integer("skipped/unreadable"), 1)
      << "an unreadable folder counts once, because its files are unknown";
  EXPECT_EQ(refused("snapshot_file", R"({"path":"secret"})"), "PERMISSION_DENIED");
  const Answer found = call("snapshot_grep", R"({"pattern":"needle"})");
  ASSERT_FALSE(found.is_error) << found.text;
  EXPECT_EQ(found.string("matches/0/path"), "a");
  EXPECT_EQ(found.integer("skipped/unreadable"), 2);
  const Answer created = call("snapshot_create", R"({"paths":["."]})");
  if (created.is_error) {
    EXPECT_EQ(created.code(), "PERMISSION_DENIED") << created.text;
  } else {
    EXPECT_EQ(created.integer("skipped/unreadable"), 2);
    EXPECT_EQ(created.integer("manifest_stats/files"), 2);
  }
}

TEST_F(RepositoryTest, FilesMayExceed2GiB) {
  make("new; put a needle; put big x; save; truncate -s 2147483649 big; truncate -s 5368709120 new");
  const Answer listed = call("snapshot_list", "{}");
  ASSERT_FALSE(listed.is_error) << listed.text;
  expect_fingerprint_of_git(listed);
  EXPECT_EQ(listed.integer("entries/1/size"), 2147483649);
  EXPECT_EQ(listed.integer("entries/2/size"), 5368709120);
  const Answer found = call("snapshot_grep", R"({"pattern":"needle"})");
  EXPECT_EQ(found.at("matches").items.size(), 1u);
  EXPECT_EQ(found.integer("skipped/too_large"), 2);
  const Answer read = call("snapshot_file", R"({"path":"big","max_bytes":10})");
  EXPECT_EQ(read.integer("size"), 2147483649) << read.text;
  EXPECT_TRUE(read.at("truncated").boolean);
  if (!is_soak()) return;  // Storing such a file takes ten seconds.
  const Answer created = call("snapshot_create", R"({"paths":["a","big"]})");
  ASSERT_FALSE(created.is_error) << created.text;
  EXPECT_EQ(created.integer("manifest_stats/bytes"), 2147483649 + 6);
  const Answer kept = call("snapshot_file", "{" + argument("snapshot_id", created.string("snapshot_id")) +
                                                R"(,"path":"big","max_bytes":10})");
  EXPECT_EQ(kept.integer("size"), 2147483649) << kept.text;
  EXPECT_EQ(kept.string("blob"), read.string("blob"));
}

TEST_F(RepositoryTest, DanglingCircularAndOutwardSymlinksAreHandled) {
  make(
      R"(new; put a needle; put d/f x; ln -s nowhere broken; ln -s loop2 loop1; ln -s loop1 loop2; ln -s . self
ln -s ../.. d/out; ln -s /etc/passwd out; ln -s d folder; save; ln -s missing/x new-broken)");
  all();
  EXPECT_EQ(refused("snapshot_file", R"({"path":"broken"})"), "NOT_FOUND");
  EXPECT_EQ(refused("snapshot_file", R"({"path":"loop1"})"), "INVALID_ARGUMENT");
  EXPECT_EQ(refused("snapshot_file", R"({"path":"out"})"), "PERMISSION_DENIED");
  EXPECT_EQ(refused("snapshot_file", R"({"path":"d/out/secret"})"), "PERMISSION_DENIED");
  EXPECT_EQ(file("self/self/folder/f").string("content"), "x");
  EXPECT_EQ(refused("workspace_write_file", R"({"path":"d/out/new","content":"x"})"), "PERMISSION_DENIED");
}

TEST_F(RepositoryTest, AMissingObjectIsReportedIfItIsNeeded) {
  make("new; put a needle; put d/b x; save; put a changed");
  const std::string gone =
      "f=$(git rev-parse $1); rm -f .git/objects/$(echo $f | cut -c1-2)/$(echo $f | cut -c3-)";
  scratch_.run("set -- HEAD:d/b; " + gone);
  const Answer listed = call("snapshot_list", R"({"recursive":true})");
  ASSERT_FALSE(listed.is_error) << "git status does not need the missing blob: " << listed.text;
  expect_fingerprint_of_git(listed);
  // The index changes last, because a server that watches it then immediately reads HEAD's tree.
  scratch_.run("set -- HEAD^{tree}; " + gone + "; git add -A");
  ASSERT_TRUE(scratch_.truth().failed);
  EXPECT_EQ(refused("snapshot_list", "{}"), "INTERNAL");
  EXPECT_EQ(refused("snapshot_create", R"({"paths":["."]})"), "INTERNAL");
}

TEST_F(RepositoryTest, ToolsWorkInShallowClones) {
  make(
      R"sh(mkdir ../whole && (cd ../whole && new && put a one && save && put a needle && save && put b x && save)
git clone -q --depth 1 "file://$(cd ../whole && pwd)" .; put c new)sh");
  all();
}

TEST_F(RepositoryTest, ToolsWorkInEmptyRepositoriesAndUnbornBranches) {
  make("new");
  const Answer empty = call("snapshot_list", R"({"recursive":true})");
  ASSERT_FALSE(empty.is_error) << empty.text;
  expect_fingerprint_of_git(empty);
  EXPECT_EQ(empty.at("entries").items.size(), 0u);
  EXPECT_FALSE(call("snapshot_create", R"({"paths":["."]})").is_error);
  scratch_.run("put a needle; git add a; put b x");
  all();
  EXPECT_EQ(call("snapshot_list", "{}").string("fingerprint/head_oid"), "");
}

TEST_F(RepositoryTest, ToolsWorkDuringAMerge) {
  make(
      R"(new; put a one; put keep needle; save; git checkout -q -b other; put a two; save; git checkout -q main; put a three; put gone x
save; git merge -q other || true)");
  all();
  EXPECT_NE(file("a").string("content").find("<<<<<<<"), std::string::npos);
}

TEST_F(RepositoryTest, ToolsWorkDuringARebase) {
  make(
      R"(new; put a one; put keep needle; save; git checkout -q -b other; put a two; save; put b x; save; git checkout -q main; put a three
save; git checkout -q other; git rebase -q main || true)");
  all();
}

TEST_F(RepositoryTest, ToolsWorkWithoutGit) {
  make("put package.json '{}'; put a needle; put d/b x; ln -s a link; mkdir empty");
  read_all(false);
  write_all(false);
  const Answer listed = call("snapshot_list", R"({"recursive":true})");
  EXPECT_EQ(paths_of(listed), (std::set<std::string>{"a", "d/b", "link", "package.json"}));
  EXPECT_EQ(listed.string("fingerprint/head_oid"), "");
  EXPECT_EQ(listed.string("fingerprint/status_hash"),
            core::sha256_hex(std::string("?? a\0?? d/\0?? link\0?? package.json\0", 35)));
}

TEST_F(RepositoryTest, ABareRepositoryIsNotAWorkspace) {
  make("git init -q --bare -b main .");
  expect_all_refused("NOT_FOUND", "--workspace");
}

TEST_F(RepositoryTest, ARepositoryThatIsConfiguredAsBareHasNoWorkTree) {
  make("new; put a needle; save; git config core.bare true");
  expect_all_refused("INVALID_ARGUMENT", "bare");
}

TEST_F(RepositoryTest, AGitFileThatNamesNoRepositoryIsAClearError) {
  make("printf 'gitdir: ../nowhere\\n' > .git; put a needle");
  expect_all_refused("INVALID_ARGUMENT", "names no git repository");
}

}  // namespace
}  // namespace snapgen::tools
