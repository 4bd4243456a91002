// FIFOs in place of git's files. A process that opens one waits for a writer that never arrives.
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tools/engine/git/repository/file_checks.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/files.h"

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

// Where filters are configured, the time of `a` is changed too, so that its content must be cleaned to
// compare it: otherwise a status asks git only if the file was written just before the index.
constexpr std::string_view staged = "new; put a 1; put d/b 2; save; put d/b 3; git add .; ";

TEST(SpecialFiles, AFifoInPlaceOfAGitFileIsReported) {
  for (const char* path :
       {".git/index", ".git/HEAD", ".git/config", ".git/packed-refs", ".git/refs/heads/main",
        ".git/info/exclude", ".git/objects/info/alternates", ".git/shallow"}) {
    SCOPED_TRACE(path);
    Scratch scratch;
    // With a filter, only git can compute the status.
    scratch.run(
        std::string(staged) +
        "git config --global filter.x.clean cat; put .gitattributes '* filter=x'; touch -d 2001-01-01 a");
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
  EXPECT_TRUE(git::check_git_files_by_walk(scratch.repo() + "/.git", scratch.repo()));
  scratch.run("mkfifo .git/objects/info/x");
  const Result<Unit> checked = git::check_git_files_by_walk(scratch.repo() + "/.git", scratch.repo());
  ASSERT_FALSE(checked);
  EXPECT_TRUE(checked.error().message.starts_with(scratch.repo() + "/.git/objects/info/x is a FIFO"));
}

// Makes a sparse file of 20 GiB, which takes no space, in place of the file.
std::string with_huge(const std::string& path) {
  return "mkdir -p $(dirname " + path + "); truncate -s 20G " + path;
}

std::string huge_sentence(const std::string& path, const std::string& read_max) {
  return path + " has 20.0 GiB, and at most " + read_max +
         " are read there. Repair or remove it, then call again.";
}

struct HugeFile {
  std::string path;
  std::string read_max;
};

// Our engine reports these before git starts.
TEST(OversizedFiles, AHugeGitFileIsReported) {
  for (const HugeFile& huge : std::vector<HugeFile>{{".git/HEAD", "64.0 KiB"},
                                                    {".git/refs/heads/main", "64.0 KiB"},
                                                    {".git/commondir", "64.0 KiB"},
                                                    {".git/config", "8.0 MiB"},
                                                    {".git/included", "8.0 MiB"},
                                                    {".git/index", "512.0 MiB"},
                                                    {".git/info/exclude", "8.0 MiB"},
                                                    {".git/rules", "8.0 MiB"},
                                                    {".git/objects/info/alternates", "8.0 MiB"},
                                                    {".gitignore", "8.0 MiB"},
                                                    {"d/.gitignore", "8.0 MiB"}}) {
    SCOPED_TRACE(huge.path);
    Scratch scratch;
    scratch.run(std::string(staged) +
                "git config include.path included; git config core.excludesFile .git/rules; " +
                with_huge(huge.path));
    Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
    const Result<GitStatus> status = repository ? read_status(*repository) : std::move(repository).error();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, huge_sentence(scratch.repo() + "/" + huge.path, huge.read_max));
  }
}

TEST(OversizedFiles, GitDoesNotStartIfItWouldReadAHugeFile) {
  for (const HugeFile& huge : std::vector<HugeFile>{{".git/packed-refs", "256.0 MiB"},
                                                    {".git/shallow", "8.0 MiB"},
                                                    {".git/info/grafts", "8.0 MiB"},
                                                    {".git/objects/pack/multi-pack-index", "1.0 GiB"}}) {
    SCOPED_TRACE(huge.path);
    Scratch scratch;
    scratch.run(
        std::string(staged) +
        "git config --global filter.x.clean cat; put .gitattributes '* filter=x'; touch -d 2001-01-01 a");
    EXPECT_EQ(said_after(scratch, "rm -f .git/refs/heads/main; " + with_huge(huge.path)),
              huge_sentence(scratch.repo() + "/" + huge.path, huge.read_max));
  }
}

TEST(OversizedFiles, ASparseIndexBelowTheLimitIsReported) {
  Scratch scratch;
  scratch.run(staged);
  EXPECT_EQ(said_after(scratch, "truncate -s 200M .git/index"),
            scratch.repo() +
                "/.git/index has 200.0 MiB with holes, and git writes no sparse files. Repair or remove it, "
                "then call "
                "again.");
}

// Git ignores attributes of 100 MiB and more, and so do we. We do not read those between our limit and git's.
TEST(OversizedFiles, AttributesAreIgnoredAboveTheLimitOfGit) {
  Scratch scratch;
  scratch.run(
      "new; put .gitattributes '* text'; printf 'a\\r\\n' > a; git add .; save; touch -d 2001-01-01 a");
  EXPECT_EQ(said_after(scratch, "truncate -s 20G .gitattributes"), "status");
  EXPECT_TRUE(said_after(scratch, "truncate -s 50M .gitattributes")
                  .starts_with(scratch.repo() + "/.gitattributes has "));
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
