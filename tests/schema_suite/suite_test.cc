// JSON Schema test suites with generated and compiled validators: our corpus, which covers every keyword, and
// the official suite if this machine has it.
#include "tests/schema_suite/suite.h"

#include <iostream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "runtime/json/schema/evaluate.h"
#include "tests/schema_suite/plans.h"

namespace snapgen::schema_suite {
namespace {

namespace fs = std::filesystem;

struct Counts {
  std::size_t tests = 0;
  std::size_t required = 0;
  std::size_t passed = 0;
  std::set<std::string> missed;
};

// Tests the plans that were compiled into this program. Plans that are created at run time must give the same
// results.
Counts run(const fs::path& folder, const fs::path& remote_folder, bool draft7,
           std::span<const json::Plan* const> plans) {
  Counts counts;
  const Suite suite(folder);
  EXPECT_EQ(suite.groups().size(), plans.size()) << "the suite has changed since the build was configured";
  if (suite.groups().size() != plans.size()) return counts;
  Remotes remotes(remote_folder);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const Group& group = suite.groups()[i];
    json::SchemaProblems problems;
    const std::unique_ptr<json::OwnedPlan> made = plan_of(group, remotes, draft7, problems);
    EXPECT_EQ(plans[i] != nullptr, problems.empty()) << group.description;
    for (const Test& test : group.tests) {
      ++counts.tests;
      if (!group.file.starts_with("optional/")) ++counts.required;
      if (plans[i]) {
        const json::Tree tree(test.data);
        const bool fits = json::fits(*plans[i], tree.root());
        EXPECT_EQ(fits, json::evaluate(*plans[i], test.data).empty())
            << group.description << ": " << test.data;
        EXPECT_EQ(fits, json::fits(made->plan(), tree.root())) << group.description << ": " << test.data;
        if (fits == test.valid) {
          ++counts.passed;
          continue;
        }
      }
      counts.missed.insert(group.file + ": " + group.description + ": " + test.description);
    }
  }
  return counts;
}

std::string listed(const std::set<std::string>& lines) {
  std::string out;
  for (const std::string& each : lines) out += each + "\n";
  return out;
}

// Tests of the official suites that fail, each with the reason.
const std::map<std::string, std::string> known_misses = {
    {"optional/cross-draft.json: refs to historic drafts are processed as historic drafts: first item not a "
     "string is "
     "valid",
     "the schema refers to one of draft 2019-09, and another draft than 2020-12 and 7 is an error"},
    {"optional/format/ecmascript-regex.json: ECMA 262 lookbehind is valid, including variable width: a "
     "variable-width "
     "lookbehind (ES2018)",
     "patterns are matched in linear time, which look-around is not"},
    {"optional/format/ecmascript-regex.json: ECMA 262 named groups and backreferences are valid: an ECMA 262 "
     "named "
     "backreference \\k<name>",
     "patterns are matched in linear time, which back-references are not"},
};

void expect_official(const std::string& draft, bool draft7, std::span<const json::Plan* const> plans) {
  const fs::path folder = fs::path(SNAPGEN_SUITE) / "tests" / draft;
  if (plans.empty()) GTEST_SKIP() << folder.string() << " did not exist when the build was configured";
  Counts counts = run(folder, fs::path(SNAPGEN_SUITE) / "remotes", draft7, plans);
  std::erase_if(counts.missed, [](const std::string& each) { return known_misses.contains(each); });
  EXPECT_EQ(listed(counts.missed), "");
  std::cout << counts.passed << " of " << counts.tests << " tests, of which " << counts.required
            << " are required\n";
  ::testing::Test::RecordProperty("passed", static_cast<int>(counts.passed));
  ::testing::Test::RecordProperty("tests", static_cast<int>(counts.tests));
}

TEST(Corpus, EveryKeywordOf202012FollowsTheSpecification) {
  const Counts counts = run(fs::path(SNAPGEN_SOURCE_ROOT) / "tests/schema_suite/corpus/draft2020-12", {},
                            false, plans_corpus());
  EXPECT_EQ(listed(counts.missed), "");
  EXPECT_GT(counts.tests, 300U);
}

TEST(Corpus, KeywordsThatDifferInDraft7FollowDraft7) {
  const Counts counts =
      run(fs::path(SNAPGEN_SOURCE_ROOT) / "tests/schema_suite/corpus/draft7", {}, true, plans_corpus7());
  EXPECT_EQ(listed(counts.missed), "");
  EXPECT_GT(counts.tests, 30U);
}

TEST(OfficialSuite, EveryTestOf202012PassesExceptTheNamedOnes) {
  expect_official("draft2020-12", false, plans_official());
}

TEST(OfficialSuite, EveryTestOfDraft7PassesExceptTheNamedOnes) {
  expect_official("draft7", true, plans_official7());
}

}  // namespace
}  // namespace snapgen::schema_suite
