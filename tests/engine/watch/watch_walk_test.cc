// Random walks as in tests/engine/git/random_test.cc, on a watched tree. After every step the answer is
// compared with that of git.
#include <gtest/gtest.h>

#include "tests/engine/git/random_walk.h"
#include "tests/engine/watch/watched.h"

namespace snapgen::core {
namespace {

class WatchWalk : public testing::TestWithParam<unsigned> {};

TEST_P(WatchWalk, AgreesWithGitAfterEveryStep) {
  Watched watched("new; put a 1; put d/x 2; put d/e/z 3; put b 4; save");
  RandomWalk walk(GetParam());
  std::string history;
  int from_memory = 0;
  for (int i = 0; i < walk_steps(); ++i) {
    const std::string step = walk.step();
    history += step + "\n";
    if (i % 2 == 1) watched.tree->release_memory();
    watched.scratch.run("{ " + step + "; } >/dev/null 2>&1 || true");
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + ", after\n" + history);
    const Result<std::shared_ptr<const GitStatus>> status = watched.tree->status({});
    from_memory += watched.is_watched() ? 1 : 0;
    const Scratch::Truth truth = watched.scratch.truth();
    if (truth.failed) {
      ASSERT_FALSE(status);
      continue;
    }
    ASSERT_TRUE(status) << status.error().message;
    ASSERT_EQ(shown((*status)->porcelain_output), shown(truth.status))
        << (watched.is_watched() ? "watched" : "walked");
    ASSERT_EQ((*status)->fingerprint.head_oid, truth.head_oid);
    ASSERT_EQ((*status)->fingerprint.index_oid, truth.index_oid);
    ASSERT_EQ(watched.files(), watched.files_by_walk()) << (watched.is_watched() ? "watched" : "walked");
    watched.tree->wait_for_watch();
  }
  EXPECT_GT(from_memory, 0) << history;
}

std::string watched_walk_name(const testing::TestParamInfo<unsigned>& walk) {
  return std::to_string(walk.param);
}

INSTANTIATE_TEST_SUITE_P(Seeds, WatchWalk, testing::ValuesIn(walk_seeds()), watched_walk_name);

}  // namespace
}  // namespace snapgen::core
