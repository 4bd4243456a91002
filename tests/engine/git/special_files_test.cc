// FIFOs in place of git's files. A process that opens one waits for a writer that never arrives.
#include "tools/engine/git/special_files.h"

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tools/engine/git/files.h"
#include "tools/engine/git/fingerprint.h"

namespace snapgen::core {
namespace {

// Opens the repository, runs the script `spoil` and reads the status. Returns the error's message, or
// "status" if there is none.
std::string said_after(const Scratch& scratch, std::string_view spoil) {
  Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
  EXPECT_TRUE(repository) << repository.error().message;
  scratch.run(spoil);
  const Result<GitStatus> status = read_status(*repository);
  return status ? "status" : status.error().message;
}

constexpr std::string_view staged = "new; put a 1; put d/b 2; save; put d/b 3; git add .; ";

TEST(SpecialFiles, AFifoInPlaceOfAGitFileIsReported) {
  for (const char* path :
       {".git/index", ".git/HEAD", ".git/config", ".git/packed-refs", ".git/refs/heads/main",
        ".git/info/exclude", ".git/objects/info/alternates", ".git/shallow"}) {
    SCOPED_TRACE(path);
    Scratch scratch;
    // With a filter, only git can compute the status.
    scratch.run(std::string(staged) +
                "git config --global filter.x.clean cat; put .gitattributes '* filter=x'");
    const std::string file = path;
    EXPECT_EQ(
        said_after(scratch, "rm -f " + file + "; mkdir -p $(dirname " + file + "); mkfifo " + file),
        scratch.repo() + "/" + file +
            " is a FIFO, and git expects a regular file there. Remove it, or put the regular file back.");
  }
}

TEST(SpecialFiles, AFifoInPlaceOfTheIndexIsReportedByAListing) {
  Scratch scratch;
  scratch.run("new; put a 1; save; rm .git/index; mkfifo .git/index");
  Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
  ASSERT_TRUE(repository);
  const Result<FileListing> files = list_files(*repository);
  ASSERT_FALSE(files);
  EXPECT_TRUE(files.error().message.starts_with(scratch.repo() + "/.git/index is a FIFO"))
      << files.error().message;
}

TEST(SpecialFiles, AFifoInPlaceOfAnObjectOrPackIsReported) {
  for (const char* spoil : {"f=$(git rev-parse HEAD^{tree}); f=.git/objects/$(echo $f | sed 's,..,&/,')",
                            "git gc -q; f=$(ls .git/objects/pack/*.idx)",
                            "git gc -q; git multi-pack-index write; f=.git/objects/pack/multi-pack-index",
                            "f=.git/objects/info/alternates"}) {
    SCOPED_TRACE(spoil);
    Scratch scratch;
    scratch.run(staged);
    const std::string said = said_after(scratch, std::string(spoil) + "; rm -f $f; mkfifo $f");
    EXPECT_TRUE(said.starts_with(scratch.repo() + "/.git/objects/")) << said;
    EXPECT_NE(said.find(" is a FIFO"), std::string::npos) << said;
  }
}

TEST(SpecialFiles, AFifoAmongThePacksOfAnOpenRepositoryIsReported) {
  Scratch scratch;
  scratch.run(staged);
  Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
  ASSERT_TRUE(repository);
  ASSERT_TRUE(read_status(*repository));
  scratch.run(
      "mkfifo .git/objects/pack/pack-0.idx; touch -d 2001-01-01 .git/objects/pack; put d/b 4; git add .");
  const Result<GitStatus> status = read_status(*repository);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("pack-0.idx is a FIFO"), std::string::npos) << status.error().message;
}

// git reads the ignore rules of each folder that it enters.
TEST(SpecialFiles, AFifoInPlaceOfIgnoreRulesIsReportedIfGitReadsThem) {
  Scratch scratch;
  scratch.run("new; put a 1; save; mkdir -p u/v; mkfifo u/v/.gitignore; put u/v/w 1");
  EXPECT_EQ(said_after(scratch, ":"), "status") << "our engine reads no rules from a FIFO";
  scratch.run(
      "git config --global filter.x.clean cat; put .gitattributes '* filter=x'; touch -d 2001-01-01 a");
  EXPECT_EQ(said_after(scratch, ":"),
            scratch.repo() +
                "/u/v/.gitignore is a FIFO, and git expects a regular file there. Remove it, or put "
                "the regular file back.");
}

TEST(SpecialFiles, TheSocketOfFsmonitorIsIgnored) {
  Scratch scratch;
  scratch.run(
      "new; put a 1; save; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\".git/fsmonitor--"
      "daemon.ipc\")'");
  EXPECT_EQ(git::special_git_file_by_walk(scratch.repo() + "/.git", scratch.repo()), "");
  scratch.run("mkfifo .git/objects/info/x");
  EXPECT_EQ(git::special_git_file_by_walk(scratch.repo() + "/.git", scratch.repo()),
            scratch.repo() + "/.git/objects/info/x");
}

// So many filters do not fit into the environment of a process.
TEST(Filters, FiltersOfARepositoryDoNotRun) {
  const std::string long_name(150, 'f');
  std::string filters = "[filter \"q\\\"\\\\b\"]\n\tclean = touch ../ran; cat\n\trequired = true\n";
  for (int i = 0; i < 12'000; ++i)
    filters += "[filter \"" + long_name + std::to_string(i) + "\"]\n\tclean = touch ../ran; cat\n";
  Scratch scratch;
  scratch.run("new; put a.t 1; put b.q 1; save");
  scratch.write(".git/filters", filters);
  scratch.write(".git/info/attributes", "*.t filter=" + long_name + "7\n*.q filter=q\"\\b\n");
  scratch.run(
      "git config include.path filters; test $(git config --get 'filter.q\"\\b.required') = true; touch -d "
      "2001-01-01 "
      "a.t b.q");
  EXPECT_EQ(said_after(scratch, ":"), "status");
  EXPECT_EQ(scratch.answer("if test -e ../ran; then echo ran; fi").output, "");
  scratch.run("git status; test -e ../ran");  // This shows that git itself runs the filter.
}

}  // namespace
}  // namespace snapgen::core
