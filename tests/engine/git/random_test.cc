// Random walks through repository states. After every step our answer is compared with that of the git
// program. One Repository gives all answers of a walk, so its caches are tested, too.
//
// SNAPGEN_GIT_SEEDS=<first>-<last> chooses the walks, SNAPGEN_GIT_STEPS their length.
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/git/random_walk.h"
#include "tests/engine/git/scratch.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {
namespace {

class GitWalk : public testing::TestWithParam<unsigned> {};

TEST_P(GitWalk, AgreesWithGitAfterEveryStep) {
  Scratch scratch;
  scratch.run("new; put a 1; put d/x 2; put d/e/z 3; put b 4; save");
  Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
  ASSERT_TRUE(repository) << repository.error().message;
  RandomWalk walk(GetParam());
  std::string history;
  for (int i = 0; i < walk_steps(); ++i) {
    const std::string step = walk.step();
    history += step + "\n";
    scratch.run("{ " + step + "; } >/dev/null 2>&1 || true");
    const Result<GitStatus> status = read_status(*repository);
    const Result<FileListing> files = list_files(*repository);
    const Scratch::Truth truth = scratch.truth();
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + ", after\n" + history);
    if (truth.failed) {
      ASSERT_FALSE(status);
      continue;
    }
    ASSERT_TRUE(status) << status.error().message;
    ASSERT_EQ(shown(status->porcelain_output), shown(truth.status))
        << (status->engine == StatusEngine::own ? "own" : "git");
    ASSERT_EQ(status->fingerprint.head_oid, truth.head_oid);
    ASSERT_EQ(status->fingerprint.index_oid, truth.index_oid);
    ASSERT_TRUE(files) << files.error().message;
    ASSERT_EQ(shown(paths_of(*files)), shown(scratch.listed_files()));
    const Result<StatusAndFiles> both = read_status_and_files(*repository);
    ASSERT_TRUE(both) << both.error().message;
    ASSERT_EQ(both->status.fingerprint, status->fingerprint);
    ASSERT_EQ(listing_text(both->files), listing_text(*files));
  }
}

std::string walk_name(const testing::TestParamInfo<unsigned>& walk) { return std::to_string(walk.param); }

INSTANTIATE_TEST_SUITE_P(Seeds, GitWalk, testing::ValuesIn(walk_seeds()), walk_name);

}  // namespace
}  // namespace snapgen::core
