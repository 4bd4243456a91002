// Every repository state for which a fingerprint must be correct. The git program builds each state, and its
// status bytes, HEAD and the tree of the index are compared with ours. A scenario is a sentence and a script.
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/git/scenarios.h"
#include "tests/engine/git/scratch.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {
namespace {

class GitScenario : public testing::TestWithParam<Scenario> {};

TEST_P(GitScenario, TheStatusAndTheFingerprintEqualThoseOfGit) {
  const Scenario& scenario = GetParam();
  Scratch scratch;
  if (!scenario.needs.empty() && scratch.answer(scenario.needs).exit_code != 0) {
    GTEST_SKIP() << "this machine cannot build the state: " << scenario.needs;
  }
  scratch.run(scenario.script);
  if (testing::Test::HasFailure()) return;
  const std::string before = scratch.git_dir_listing();
  Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
  ASSERT_TRUE(repository) << repository.error().message;
  Result<GitStatus> status = read_status(*repository);
  EXPECT_EQ(scratch.git_dir_listing(), before) << "reading the status wrote into .git";

  const Scratch::Truth truth = scratch.truth();
  if (truth.failed || scenario.engine == By::none) {
    EXPECT_FALSE(status) << "the server must reject this state";
    return;
  }
  ASSERT_TRUE(status) << status.error().message << "\n" << status.error().cause;
  EXPECT_EQ(shown(status->porcelain_output), shown(truth.status))
      << "computed by " << (status->engine == StatusEngine::own ? "us" : "git") << " "
      << status->git_needed_reason;
  EXPECT_EQ(status->fingerprint.head_oid, truth.head_oid);
  EXPECT_EQ(status->fingerprint.index_oid, truth.index_oid);
  EXPECT_EQ(status->fingerprint.status_hash, sha256_hex(truth.status));
  if (scenario.engine == By::own) {
    EXPECT_EQ(status->engine, StatusEngine::own) << status->git_needed_reason;
  }
  if (scenario.engine == By::git) {
    EXPECT_EQ(status->engine, StatusEngine::git);
    EXPECT_FALSE(status->git_needed_reason.empty());
  }
  // The cached answer equals the first one.
  Result<GitStatus> again = read_status(*repository);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->porcelain_output, status->porcelain_output);
  EXPECT_EQ(again->fingerprint, status->fingerprint);
  // Reading status and files in one walk gives the same files as a walk that reads only the files.
  const Result<StatusAndFiles> both = read_status_and_files(*repository);
  const Result<FileListing> files = list_files(*repository);
  ASSERT_EQ(bool(both), bool(files));
  if (!both) return;
  EXPECT_EQ(shown(both->status.porcelain_output), shown(truth.status));
  EXPECT_EQ(both->status.fingerprint, status->fingerprint);
  EXPECT_EQ(listing_text(both->files), listing_text(*files));
}

std::string scenario_name(const testing::TestParamInfo<Scenario>& info) {
  std::string name;
  bool raise = true;
  for (const char c : std::string(info.param.sentence)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter) name += raise && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    raise = !letter;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Changes, GitScenario, testing::ValuesIn(change_scenarios()), scenario_name);
INSTANTIATE_TEST_SUITE_P(Paths, GitScenario, testing::ValuesIn(path_scenarios()), scenario_name);
INSTANTIATE_TEST_SUITE_P(Renames, GitScenario, testing::ValuesIn(rename_scenarios()), scenario_name);
INSTANTIATE_TEST_SUITE_P(Untracked, GitScenario, testing::ValuesIn(untracked_scenarios()), scenario_name);
INSTANTIATE_TEST_SUITE_P(Conversions, GitScenario, testing::ValuesIn(conversion_scenarios()), scenario_name);
INSTANTIATE_TEST_SUITE_P(Repositories, GitScenario, testing::ValuesIn(repository_scenarios()), scenario_name);
INSTANTIATE_TEST_SUITE_P(Submodules, GitScenario, testing::ValuesIn(submodule_scenarios()), scenario_name);

}  // namespace
}  // namespace snapgen::core
