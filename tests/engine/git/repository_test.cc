// Opening a repository, a known fingerprint, settings and programs that must have no effect, and
// cancellation.
#include "tools/engine/git/repository/repository.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/engine/git/scratch.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {
namespace {

std::ptrdiff_t skipped(const FileListing& listing, SkipReason reason) {
  return std::count_if(listing.skipped.begin(), listing.skipped.end(),
                       [&](const SkippedPath& one) { return one.reason == reason; });
}

Repository opened(const Scratch& scratch) {
  Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
  EXPECT_TRUE(repository) << repository.error().message;
  return std::move(*repository);
}

ErrorCode refusal(const Scratch& scratch, const std::string& folder) {
  const Result<Repository> repository = Repository::open(folder, scratch.environment());
  EXPECT_FALSE(repository);
  if (repository) return ErrorCode::internal;
  EXPECT_TRUE(repository.error().message.ends_with('.')) << repository.error().message;
  return repository.error().code;
}

// Sets a variable of this process for one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  Variable(Variable&&) = delete;
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Fingerprint, HasTheKnownAnswer) {
  Scratch scratch;
  scratch.run(
      "new; put src/main.rs 'fn main() {}'; put README.md '# Toy Repo'; git add .; git commit -qm 'Initial "
      "commit'");
  const Repository repository = opened(scratch);
  const Result<Fingerprint> answer = fingerprint(repository);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->head_oid, "96b5c0893afecee8b85ece82b1a82ce15fe5ec1b");
  EXPECT_EQ(answer->index_oid, "f065f5b45ebfb7c38dc0d4b2feb8875d004c6dfb");
  EXPECT_EQ(answer->status_hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Fingerprint, OfAFolderWithoutGitEqualsThatAfterInit) {
  Scratch scratch;
  scratch.run(
      "put a 1; put d/x 1; put .gitignore '*.o\n'; put y.o 1; put e/z.o 1; mkdir f; mkdir n; (cd n; new)");
  const Repository repository = opened(scratch);
  EXPECT_FALSE(repository.is_git());
  EXPECT_EQ(repository.root(), scratch.repo());
  const Result<GitStatus> status = read_status(repository);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->fingerprint.head_oid, "");
  EXPECT_EQ(status->fingerprint.index_oid, "");
  scratch.run("new");
  const Scratch::Truth truth = scratch.truth();
  EXPECT_EQ(shown(status->porcelain_output), shown(truth.status));
  EXPECT_EQ(status->fingerprint.status_hash, sha256_hex(truth.status));
}

TEST(GitStatus, ClassifiesChangedPaths) {
  Scratch scratch;
  scratch.run(
      "new; put a 1; put 'old name' 'one two three'; put z 1; save; put a 12; git mv 'old name' new; put d/u "
      "1; rm z");
  const Result<GitStatus> status = read_status(opened(scratch));
  ASSERT_TRUE(status);
  const std::vector<StatusEntry> expected = {
      {.index_status = ' ', .worktree_status = 'M', .path = "a", .original_path = ""},
      {.index_status = 'R', .worktree_status = ' ', .path = "new", .original_path = "old name"},
      {.index_status = ' ', .worktree_status = 'D', .path = "z", .original_path = ""},
      {.index_status = '?', .worktree_status = '?', .path = "d/", .original_path = ""},
  };
  EXPECT_EQ(status->entries, expected);
}

TEST(Repository, IsFoundFromASubfolder) {
  Scratch scratch;
  scratch.run("new; put d/e/a 1; save");
  Result<Repository> repository = Repository::open(scratch.repo() + "/d/e", scratch.environment());
  ASSERT_TRUE(repository);
  EXPECT_TRUE(repository->is_git());
  EXPECT_EQ(repository->root(), scratch.repo());
  EXPECT_EQ(repository->git_dir(), scratch.repo() + "/.git");
  EXPECT_EQ(repository->common_dir(), scratch.repo() + "/.git");
}

TEST(Repository, OfALinkedWorkTreeKnowsBothFolders) {
  Scratch scratch;
  scratch.run(
      "mkdir ../main; cd ../main; new; put a 1; save; rmdir ../repo; git worktree add -q ../repo -b side");
  const Repository repository = opened(scratch);
  EXPECT_EQ(repository.root(), scratch.repo());
  EXPECT_EQ(repository.git_dir(), scratch.outside("main/.git/worktrees/repo"));
  EXPECT_EQ(repository.common_dir(), scratch.outside("main/.git"));
}

TEST(Repository, IsNotFoundWithAnInvalidGitFolder) {
  Scratch scratch;
  scratch.run("mkdir .git; put a 1");
  EXPECT_FALSE(opened(scratch).is_git());
}

TEST(Repository, RejectsRepositoriesThatGitRejects) {
  Scratch scratch;
  scratch.run(
      "new; put a 1; save; git init -q --bare ../bare; mkdir ../broken ../dangling; echo nonsense > "
      "../broken/.git; "
      "echo 'gitdir: nowhere' > ../dangling/.git");
  EXPECT_EQ(refusal(scratch, scratch.outside("none")), ErrorCode::not_found);
  EXPECT_EQ(refusal(scratch, scratch.repo() + "/a"), ErrorCode::not_found);
  EXPECT_EQ(refusal(scratch, scratch.outside("bare")), ErrorCode::invalid_argument);
  EXPECT_EQ(refusal(scratch, scratch.repo() + "/.git"), ErrorCode::invalid_argument);
  EXPECT_EQ(refusal(scratch, scratch.outside("broken")), ErrorCode::invalid_argument);
  EXPECT_EQ(refusal(scratch, scratch.outside("dangling")), ErrorCode::invalid_argument);
  scratch.run("git config core.bare true");
  EXPECT_EQ(refusal(scratch, scratch.repo()), ErrorCode::invalid_argument);
}

TEST(Repository, OfAnotherUserIsRejectedUnlessDeclaredSafe) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a repository away";
  Scratch scratch;
  scratch.run("new; put a 1; save; chown -R 12345 .");
  EXPECT_EQ(refusal(scratch, scratch.repo()), ErrorCode::permission_denied);
  scratch.run("git config --global safe.directory \"$PWD\"");
  const Result<GitStatus> status = read_status(opened(scratch));
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(shown(status->porcelain_output), shown(scratch.truth().status));
}

TEST(Repository, IgnoresGitEnvironmentVariables) {
  Scratch scratch;
  scratch.run("new; put a 1; save; put a 22; put b 1; mkdir ../other; cd ../other; new; put x 1; save");
  const Variable git_dir("GIT_DIR", scratch.outside("other/.git"));
  const Variable work_tree("GIT_WORK_TREE", scratch.outside("other"));
  const Variable index("GIT_INDEX_FILE", "/nonexistent");
  const Variable count("GIT_CONFIG_COUNT", "1");
  const Variable key("GIT_CONFIG_KEY_0", "status.showUntrackedFiles");
  const Variable value("GIT_CONFIG_VALUE_0", "no");
  const Scratch::Truth truth = scratch.truth();
  Result<GitStatus> status = read_status(opened(scratch));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->engine, StatusEngine::own);
  EXPECT_EQ(shown(status->porcelain_output), shown(truth.status));
  EXPECT_EQ(status->fingerprint.head_oid, truth.head_oid);
  // The variables must also have no effect when the git program computes the status.
  scratch.run("git config status.renames copies; git add b");
  status = read_status(opened(scratch));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->engine, StatusEngine::git);
  EXPECT_EQ(shown(status->porcelain_output), shown(scratch.truth().status));
}

TEST(Repository, RunsNeitherHooksNorFsmonitor) {
  Scratch scratch;
  scratch.run(
      "new; put a 1; save; printf '#!/bin/sh\\ntouch \"%s\"\\n' \"$PWD/../ran\" > ../hook; chmod +x ../hook; "
      "git config core.fsmonitor \"$PWD/../hook\"; for h in post-index-change fsmonitor-watchman; do "
      "cp ../hook .git/hooks/$h; done; git config core.hooksPath .git/hooks; touch a; put b 1; git add b; rm "
      "-f ../ran");
  ASSERT_TRUE(read_status(opened(scratch)));
  EXPECT_NE(access(scratch.outside("ran").c_str(), F_OK), 0) << "our engine ran a program of the repository";
  scratch.run("git config status.renames copies; rm -f ../ran");
  const Result<GitStatus> status = read_status(opened(scratch));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->engine, StatusEngine::git);
  EXPECT_NE(access(scratch.outside("ran").c_str(), F_OK), 0) << "git ran a hook";
}

TEST(Repository, WithoutTheGitProgramTheErrorReportsThatItIsMissing) {
  Scratch scratch;
  scratch.run("new; put a 1; save; put a 22; put u 1");
  Environment environment = scratch.environment();
  environment.path_variable = "/nonexistent";
  Result<Repository> repository = Repository::open(scratch.repo(), environment);
  ASSERT_TRUE(repository);
  Result<GitStatus> status = read_status(*repository);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(shown(status->porcelain_output), shown(scratch.truth().status));
  scratch.run("git config status.renames copies; put b 1; git add b");
  status = read_status(*repository);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::unavailable);
  EXPECT_NE(status.error().message.find("git is not installed"), std::string::npos) << status.error().message;
}

TEST(Repository, SeesAnEditThatKeepsSizeAndTime) {
  Scratch scratch;
  scratch.run("new; put a 1111; put b 2; touch -d 2020-01-01 a; save; touch -d 2021-01-01 a b");
  const Repository repository = opened(scratch);
  Result<GitStatus> status = read_status(repository);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->porcelain_output, "");
  scratch.run("printf 2222 > a; touch -d 2021-01-01 a");
  status = read_status(repository);
  ASSERT_TRUE(status);
  EXPECT_EQ(shown(status->porcelain_output), " M a\\0\n");
}

TEST(Repository, DetectsAChangedRepositoryFormat) {
  Scratch scratch;
  scratch.run("new; for d in a b c; do put $d/f 1; done; save; git pack-refs --all");
  const Repository repository = opened(scratch);
  ASSERT_TRUE(read_status(repository));
  // Enables extensions.worktreeConfig, and sparse checkout in the file that the extension adds.
  scratch.run(
      "git sparse-checkout set --cone a; put b/f 22; put c/f 1; git branch side; git pack-refs --all");
  const Result<GitStatus> status = read_status(repository);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(shown(status->porcelain_output), shown(scratch.truth().status));
  scratch.run("mkdir ../other; git config --worktree core.worktree ../../other");
  const Result<GitStatus> moved = read_status(repository);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::repo_changed);
}

TEST(Repository, ADeletedRepositoryIsAnError) {
  Scratch scratch;
  scratch.run("new; put a 1; save");
  const Repository repository = opened(scratch);
  ASSERT_TRUE(read_status(repository));
  scratch.run("mv .git ../away");
  EXPECT_FALSE(read_status(repository));
  scratch.run("mv ../away .git");
  EXPECT_TRUE(read_status(repository));
}

TEST(Repository, AnOrdinaryUserSeesTheStatusThatGitReports) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can change to another user";
  Scratch scratch;
  scratch.run(
      "new; put a 1; put d/f 1; put e/f 1; save; put locked/x 1; put entered/x 1; put listed/x 1; put secret "
      "1; "
      "put rules/.gitignore x; put rules/x 1; chmod 000 rules/.gitignore secret locked d; chmod 311 entered; "
      "chmod 444 listed; chown -R 65534:65534 .. && chmod 755 ..");
  const int user = 65534;
  int ours[2];
  ASSERT_EQ(pipe(ours), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(user) != 0 || setuid(user) != 0) _exit(2);
    Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
    const Result<GitStatus> status = repository ? read_status(*repository) : repository.error();
    const std::string text = status ? status->porcelain_output : status.error().message;
    _exit(write(ours[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 3);
  }
  close(ours[1]);
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ours[0], text.data(), text.size()))));
  close(ours[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const Scratch::Answer truth = scratch.answer(
      "setpriv --reuid=65534 --regid=65534 --clear-groups git --no-optional-locks status --porcelain=v1 -z");
  ASSERT_EQ(truth.exit_code, 0);
  EXPECT_EQ(shown(text), shown(truth.output));
}

TEST(Repository, ServesSeveralThreadsAtOnce) {
  Scratch scratch;
  scratch.run(
      "new; for d in 1 2 3 4 5 6 7; do mkdir d$d; for i in $(seq 60); do echo $i > d$d/f$i; done; done; "
      "save; "
      "touch d*/*; echo x > d3/f7; rm d4/f9; put new/file 1");
  const Repository repository = opened(scratch);
  const std::string expected = scratch.truth().status;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 5; ++j) {
        const Result<GitStatus> status = read_status(repository);
        ASSERT_TRUE(status);
        EXPECT_EQ(shown(status->porcelain_output), shown(expected));
        const Result<FileListing> files = list_files(repository);
        ASSERT_TRUE(files);
        EXPECT_EQ(files->files.size(), 420u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Repository, WorksWhileGitCommits) {
  Scratch scratch;
  scratch.run("new; put a 0; put d/b 0; save");
  const Repository repository = opened(scratch);
  std::atomic<bool> done = false;
  std::thread committer([&] {
    scratch.run("for i in $(seq 10); do put a $i; put d/n$i $i; git add -A; git commit -qm $i; done");
    done = true;
  });
  int answers = 0;
  while (!done) {
    const Result<GitStatus> status = read_status(repository);
    if (status) {
      ++answers;
      EXPECT_FALSE(status->fingerprint.head_oid.empty());
    } else {
      EXPECT_EQ(status.error().code, ErrorCode::repo_changed) << status.error().message;
    }
  }
  committer.join();
  EXPECT_GT(answers, 0);
  const Result<GitStatus> status = read_status(repository);
  ASSERT_TRUE(status);
  const Scratch::Truth truth = scratch.truth();
  EXPECT_EQ(status->porcelain_output, truth.status);
  EXPECT_EQ(status->fingerprint.head_oid, truth.head_oid);
  EXPECT_EQ(status->fingerprint.index_oid, truth.index_oid);
}

TEST(Repository, StopsWhenCancelled) {
  Scratch scratch;
  scratch.run("new; put a 1; save");
  const Repository repository = opened(scratch);
  std::stop_source stop;
  stop.request_stop();
  const Result<GitStatus> status = read_status(repository, stop.get_token());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
  const Result<FileListing> files = list_files(repository, stop.get_token());
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::cancelled);
}

TEST(Repository, KillsAGitChildWhenCancelled) {
  Scratch scratch;
  // The filter reports its process id through a FIFO, and then sleeps far longer than the test runs.
  scratch.run(
      "new; mkfifo ../alive; git config --global filter.slow.clean \"echo \\$\\$ > '$PWD/../alive'; exec "
      "sleep "
      "1000\"; put f.t 1; "
      "put a 1; save; printf '*.t filter=slow\\n' > .gitattributes; touch -d 2019-01-01 f.t");
  const Repository repository = opened(scratch);
  std::stop_source stop;
  std::thread asker([&] {
    const Result<GitStatus> status = read_status(repository, stop.get_token());
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::cancelled);
  });
  std::ifstream alive(scratch.outside("alive"));
  pid_t filter = 0;
  alive >> filter;
  ASSERT_GT(filter, 0);
  stop.request_stop();
  asker.join();
  // The parent of the filter is gone and only init reaps it, so its process either no longer exists or is a
  // zombie.
  for (int i = 0; i < 10'000 && kill(filter, 0) == 0; ++i) {
    std::ifstream state("/proc/" + std::to_string(filter) + "/stat");
    std::string id, name, letter;
    state >> id >> name >> letter;
    if (letter == "Z" || letter.empty()) break;
    usleep(1000);
    ASSERT_LT(i, 9'999) << "the filter is still running";
  }
}

TEST(Listing, ContainsTrackedAndUntrackedFilesAndCountsTheOthers) {
  Scratch scratch;
  scratch.run(
      "new; put a 1; put d/x 1; put gone 1; put ig.o 1; put foo-bar 1; put foo/x 1; put foo.c 1; ln -s a "
      "link; "
      "git add -f .; git commit -qm x; rm gone; put .gitignore '*.o\nout/\n'; put u/v/w 1; put out/x 1; put "
      "p.o 1; "
      "mkfifo fifo; mkdir empty n; (cd n; new; put x 1; save); ln -s d folder-link; put run 1; chmod +x run");
  const Result<FileListing> listing = list_files(opened(scratch));
  ASSERT_TRUE(listing) << listing.error().message;
  std::vector<std::string> paths;
  for (const WorktreeFile& file : listing->files) paths.push_back(file.path);
  const std::vector<std::string> expected = {".gitignore", "a",    "d/x",  "folder-link", "foo-bar", "foo.c",
                                             "foo/x",      "ig.o", "link", "run",         "u/v/w"};
  EXPECT_EQ(paths, expected);
  EXPECT_EQ(skipped(*listing, SkipReason::ignored), 2);
  EXPECT_EQ(skipped(*listing, SkipReason::nested_repository), 1);
  EXPECT_EQ(skipped(*listing, SkipReason::not_a_file), 1);
  EXPECT_EQ(skipped(*listing, SkipReason::unreadable), 0);
  for (const WorktreeFile& file : listing->files) {
    EXPECT_EQ(file.is_symlink, file.path == "link" || file.path == "folder-link") << file.path;
    EXPECT_EQ(file.is_tracked, file.path != ".gitignore" && file.path != "folder-link" &&
                                   file.path != "run" && file.path != "u/v/w")
        << file.path;
    EXPECT_EQ((file.stat.mode & 0100) != 0, file.path == "run" || file.is_symlink) << file.path;
    if (file.path == "a") {
      EXPECT_EQ(file.stat.size, 1);
    }
  }
}

TEST(Listing, WithoutGitTheSameRulesApply) {
  Scratch scratch;
  scratch.run("put a 1; put d/x 1; put .gitignore '*.o\n'; put d/y.o 1; mkdir n; (cd n; new; put x 1)");
  const Result<FileListing> listing = list_files(opened(scratch));
  ASSERT_TRUE(listing);
  EXPECT_EQ(shown(paths_of(*listing)), ".gitignore\\0\na\\0\nd/x\\0\n");
  EXPECT_EQ(skipped(*listing, SkipReason::ignored), 1);
  EXPECT_EQ(skipped(*listing, SkipReason::nested_repository), 1);
}

TEST(Listing, DoesNotEnterSubmodulesOrSymlinkedFolders) {
  Scratch scratch;
  scratch.run(
      "mkdir ../sub ../else; put ../else/x 1; (cd ../sub; new; put s 1; save); new; put a 1; put t/x 1; "
      "git -c protocol.file.allow=always submodule --quiet add ../sub sub; save; rm -r t; ln -s ../else t");
  const Result<FileListing> listing = list_files(opened(scratch));
  ASSERT_TRUE(listing);
  EXPECT_EQ(shown(paths_of(*listing)), ".gitmodules\\0\na\\0\nt\\0\n");
  EXPECT_EQ(skipped(*listing, SkipReason::nested_repository), 1);
}

TEST(Ignoring, AnIgnoredFolderDecidesForItsContents) {
  Scratch scratch;
  scratch.run("new; put .gitignore 'out/\n!out/keep\n'; mkdir -p out");
  const Repository repository = opened(scratch);
  const auto ignored = [&](const char* path, bool is_folder) {
    const Result<bool> answer = is_ignored(repository, path, is_folder);
    EXPECT_TRUE(answer);
    return answer && *answer;
  };
  EXPECT_TRUE(ignored("out", true));
  EXPECT_FALSE(ignored("out", false));
  EXPECT_TRUE(ignored("out/keep", false));
  EXPECT_FALSE(ignored("src/keep", false));
}

}  // namespace
}  // namespace snapgen::core
