// Ignore rules are compared with `git check-ignore`: chosen and random patterns, on a tree of real paths.
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tools/engine/git/repository/wildmatch.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

// Paths made of few letters, so that random patterns often match.
class IgnoreAgainstGit : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.run("new");
    for (const char* const path :
         {"a",      "b",       "ab",        "ba",  "aab",  "a.b",   "a-b",     "a b",   "a]",    "[a]",
          "a!b",    "\\a",     "c/a",       "c/b", "c/ab", "c/c/a", "c/c/c/b", "d/a/b", "d/a/a", "d/b/c/a",
          "d/ab/b", "d/a b/]", "e/a/b/c/d", "e/-", "A",    "c/B",   "1",       "d/1a"}) {
      scratch_.write(path, "");
    }
    for (const auto& entry : fs::recursive_directory_iterator(scratch_.repo())) {
      const std::string path = entry.path().string().substr(scratch_.repo().size() + 1);
      if (path == ".git" || path.starts_with(".git/")) continue;
      paths_.push_back({path, entry.is_directory()});
      query_ += path + std::string(1, '\0');
    }
    Result<Repository> repository = Repository::open(scratch_.repo(), scratch_.environment());
    ASSERT_TRUE(repository);
    repository_.emplace(std::move(*repository));
  }

  void expect_agreement(const std::string& rules, const std::string& nested = {}) {
    scratch_.write(".gitignore", rules);
    scratch_.write("c/.gitignore", nested);
    scratch_.write("../query", query_);
    const Scratch::Answer answer =
        scratch_.answer("git check-ignore --no-index -z --stdin < ../query || test $? = 1");
    ASSERT_EQ(answer.exit_code, 0);
    std::set<std::string> ignored;
    std::istringstream in(answer.output);
    for (std::string path; std::getline(in, path, '\0');) ignored.insert(path);
    for (const auto& [path, is_folder] : paths_) {
      const Result<bool> ours = is_ignored(*repository_, path, is_folder);
      ASSERT_TRUE(ours) << ours.error().message;
      EXPECT_EQ(*ours, ignored.contains(path)) << path << " under\n"
                                               << shown(rules) << "\nand in c/\n"
                                               << shown(nested);
    }
  }

  Scratch scratch_;
  std::vector<std::pair<std::string, bool>> paths_;
  std::string query_;
  std::optional<Repository> repository_;
};

TEST_F(IgnoreAgainstGit, AgreesOnEveryKindOfPattern) {
  for (const char* const rules : {"a\n",
                                  "/a\n",
                                  "a/\n",
                                  "c/a\n",
                                  "/c/a\n",
                                  "*\n",
                                  "**\n",
                                  "/*\n",
                                  "*b\n",
                                  "a*\n",
                                  "*/b\n",
                                  "**/b\n",
                                  "c/**\n",
                                  "c/*\n",
                                  "c/**/a\n",
                                  "c/**/c/b\n",
                                  "**/a/**\n",
                                  "d**b\n",
                                  "d/**b\n",
                                  "d/a**/b\n",
                                  "**a\n",
                                  "a?b\n",
                                  "?\n",
                                  "[a]\n",
                                  "[!a]\n",
                                  "[^a]*\n",
                                  "[a-b]b\n",
                                  "[b-a]\n",
                                  "[]]\n",
                                  "[]-a]\n",
                                  "[a-]\n",
                                  "[[:alpha:]]\n",
                                  "[[:digit:]]\n",
                                  "[[:upper:]]\n",
                                  "[[:nonsense:]]\n",
                                  "[[:alpha:]\n",
                                  "[[:alpha:]-b]\n",
                                  "a[\n",
                                  "a[]\n",
                                  "[\\]]\n",
                                  "\\[a]\n",
                                  "\\a\n",
                                  "\\\\a\n",
                                  "a\\\n",
                                  "a\\ b\n",
                                  "a b\n",
                                  "a b   \n",
                                  "a\\ \n",
                                  "\\!a\n",
                                  "!a\n",
                                  "*\n!a\n",
                                  "c\n!c/a\n",
                                  "c/*\n!c/c\n",
                                  "*\n!*/\n!c/a\n",
                                  "a!b\n",
                                  "#a\n",
                                  "\\#a\n",
                                  "\n\na\n",
                                  "a\r\n",
                                  "//a\n",
                                  "a//\n",
                                  "/\n",
                                  "!/\n",
                                  "!\n",
                                  "/**/a\n",
                                  "/**\n",
                                  "**/\n",
                                  "c/\n!c/\n",
                                  "*/*\n",
                                  "*/*/*\n",
                                  "c/*/a\n",
                                  "c/**/**/b\n",
                                  "c/***/b\n",
                                  "***\n",
                                  "[a-b/]b\n",
                                  "c[/]a\n",
                                  "c?a\n",
                                  "c\\/a\n",
                                  "c/\\a\n",
                                  "**\\/a\n",
                                  "[!]a]\n",
                                  "[a\\]]\n",
                                  "[\\a-\\b]\n",
                                  "[--b]\n",
                                  "[a-c-e]b\n",
                                  "A\n",
                                  "e/-\n",
                                  "a]\n",
                                  "d/a b/]\n"}) {
    expect_agreement(rules);
  }
}

TEST_F(IgnoreAgainstGit, AgreesOnRandomPatterns) {
  constexpr const char* pieces[] = {"a",    "b",    "c",     "d",  "/", "*",    "**",         "?",
                                    "[ab]", "[!a]", "[a-c]", "\\", " ", "]",    "[",          "-",
                                    "!",    "**/",  "/**",   "/*", ".", "[]a]", "[[:alpha:]]"};
  const char* const asked = std::getenv("SNAPGEN_GIT_SEEDS");
  std::mt19937 random(asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : 1);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  const auto rules = [&] {
    std::string out;
    for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) {
      for (std::size_t j = 0, length = 1 + below(6); j < length; ++j) out += pieces[below(std::size(pieces))];
      out += '\n';
    }
    return out;
  };
  for (int i = 0; i < 150 && !HasFailure(); ++i) expect_agreement(rules(), below(3) == 0 ? rules() : "");
}

TEST(Wildmatch, ManyStarsMatchInBoundedTime) {
  const std::string text(2000, 'a');
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(git::wildmatch(pattern + "b", text, git::WildmatchMode::path));
  EXPECT_FALSE(git::wildmatch("**/" + pattern + "/**/b", text + "/" + text, git::WildmatchMode::path));
  EXPECT_TRUE(git::wildmatch(pattern, text, git::WildmatchMode::path));
}

TEST(Wildmatch, IgnoresCaseOnlyIfRequested) {
  EXPECT_TRUE(git::wildmatch("A*[b-c]", "axxC", git::WildmatchMode::name, true));
  EXPECT_FALSE(git::wildmatch("A*[b-c]", "axxC", git::WildmatchMode::name, false));
}

}  // namespace
}  // namespace snapgen::core
