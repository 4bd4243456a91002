// The memory returns learnings for the tasks that they concern, whichever process wrote them and whatever
// happened to the index.
#include "tools/work/memory/memory.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/engine/git/scratch.h"
#include "tools/engine/files/durable.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

class MemoryTest : public testing::Test {
 protected:
  MemoryTest() { scratch_.run("new; put a a; save"); }

  LearningStore open() const { return LearningStore(scratch_.repo(), scratch_.outside("index")); }
  std::string learn(LearningStore& memory, std::string trigger, std::string action,
                    std::vector<std::string> files = {}) {
    Result<RecordedLearning> recorded = memory.record_learning({.kind = LearningKind::pitfall,
                                                                .trigger = std::move(trigger),
                                                                .action = std::move(action),
                                                                .files = std::move(files),
                                                                .at_ms = ++now_});
    EXPECT_TRUE(recorded) << recorded.error().message;
    return recorded ? recorded->learning.id : "";
  }
  std::int64_t record(LearningStore& memory, std::string type, std::string file = {}) {
    Result<std::int64_t> count = memory.record(
        Violation{.type = std::move(type), .file = std::move(file), .description = "d", .prevention = "p"});
    EXPECT_TRUE(count) << count.error().message;
    return count ? *count : -1;
  }
  // Returns the recalled actions, strongest first, each followed by a semicolon.
  std::string recalled(LearningStore& memory, const RecallQuery& query) {
    Result<RecallAnswer> found = memory.recall(query);
    if (!found) return found.error().message;
    std::string text;
    for (const RecalledLearning& each : found->learnings) text += each.learning.action + ";";
    for (const ViolationCount& each : found->patterns) text += "!" + each.type + ";";
    return text;
  }
  std::string lines(std::string_view name) const {
    std::ifstream file(scratch_.repo() + "/.snapback/learnings/" + std::string(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string index() const { return scratch_.outside("index") + "/memory.sqlite"; }

  Scratch scratch_;
  std::int64_t now_ = 0;
};

TEST_F(MemoryTest, RelevantLearningsAreReturnedStrongestFirst) {
  LearningStore memory = open();
  learn(memory, "parsing dates", "use the library");
  learn(memory, "validating tokens", "check the audience", {"src/auth.ts"});
  learn(memory, "writing tests", "no sleeps");
  EXPECT_EQ(recalled(memory, {.text = "fix the token validation", .files = {"src/auth.ts"}}),
            "check the audience;");
  EXPECT_EQ(recalled(memory, {.text = "dates, and tests"}).size(),
            std::string("use the library;no sleeps;").size());
  EXPECT_EQ(recalled(memory, {.text = "something else entirely"}), "");
  EXPECT_EQ(recalled(memory, {.text = "the of and"}), "");
  EXPECT_EQ(recalled(memory, {.text = ""}), "");
  // A file in common has more weight than words.
  learn(memory, "auth", "words alone");
  EXPECT_TRUE(
      recalled(memory, {.text = "auth", .files = {"src/auth.ts"}}).starts_with("check the audience;"));
}

TEST_F(MemoryTest, RepeatingALearningStrengthensItAndKeepsItsId) {
  LearningStore memory = open();
  const std::string id = learn(memory, "cache keys", "hash them");
  learn(memory, "cache keys", "print them");
  EXPECT_TRUE(id.starts_with("learn_"));
  EXPECT_EQ(id.size(), 14U);
  EXPECT_EQ(learn(memory, "  Cache   keys", "hash THEM"), id);
  Result<RecallAnswer> found = memory.recall({.text = "cache keys"});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->learnings.size(), 2U);
  EXPECT_EQ(found->learnings[0].learning.id, id);
  EXPECT_EQ(found->learnings[0].recorded_count, 2);
}

TEST_F(MemoryTest, AViolationIsAPatternFromTheThirdTimeOn) {
  LearningStore memory = open();
  EXPECT_EQ(record(memory, "silent_catch", "a.ts"), 1);
  EXPECT_EQ(record(memory, "silent_catch", "a.ts"), 2);
  EXPECT_EQ(recalled(memory, {.text = "x"}), "");
  EXPECT_EQ(record(memory, "silent_catch", "b.ts"), 3);
  EXPECT_EQ(record(memory, "other"), 1);
  EXPECT_EQ(recalled(memory, {.text = "x"}), "!silent_catch;");
  for (int i = 0; i < 3; ++i) record(memory, "near", "c.ts");
  for (int i = 0; i < 4; ++i) record(memory, "far", "d.ts");
  EXPECT_EQ(recalled(memory, {.text = "x", .files = {"c.ts"}}), "!near;!far;!silent_catch;");
  ASSERT_TRUE(memory.record(std::vector<Revert>{{.file = "a.ts", .snapshot_id = "s"}}));
  Result<std::vector<FileHistory>> histories = memory.file_histories({"a.ts", "b.ts", "z.ts"});
  ASSERT_TRUE(histories);
  EXPECT_EQ((*histories)[0].violation_count, 2);
  EXPECT_EQ((*histories)[0].revert_count, 1);
  EXPECT_EQ((*histories)[1].violation_count, 1);
  EXPECT_EQ((*histories)[2].violation_count, 0);
}

TEST_F(MemoryTest, TheIndexIsRebuiltIfLostDamagedOrOutdated) {
  LearningStore memory = open();
  learn(memory, "one thing", "do one");
  record(memory, "slip");
  ASSERT_EQ(recalled(memory, {.text = "thing"}), "do one;");

  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(index() + suffix);
  EXPECT_EQ(recalled(memory, {.text = "thing"}), "do one;");

  std::ofstream(index(), std::ios::trunc)
      << "This text is not a database, although the name of its file says so.";
  for (const char* suffix : {"-wal", "-shm"}) fs::remove(index() + suffix);
  LearningStore other = open();
  EXPECT_EQ(recalled(other, {.text = "thing"}), "do one;");
  EXPECT_EQ(record(other, "slip"), 2);

  // A user edits the lines by hand.
  const std::string path = scratch_.repo() + "/.snapback/learnings/user-learnings.jsonl";
  std::ofstream(path, std::ios::trunc) << R"({"type":"pattern","trigger":"thing","action":"by hand"})"
                                       << "\n"
                                       << "not json\n{\"action\":1}\n[]\n\n"
                                       << R"({"action":"second thing","more":{"a":[1]}})"
                                       << "\n";
  EXPECT_EQ(recalled(other, {.text = "thing"}).size(), std::string("second thing;by hand;").size());
  EXPECT_EQ(recalled(other, {.text = "hand"}), "by hand;");
  fs::remove(path);
  EXPECT_EQ(recalled(other, {.text = "thing"}), "");
}

TEST_F(MemoryTest, ATruncatedLineAffectsNoOther) {
  LearningStore memory = open();
  learn(memory, "cache", "first");
  {
    std::ofstream file(scratch_.repo() + "/.snapback/learnings/user-learnings.jsonl", std::ios::app);
    file << R"({"action":"torn)";
  }
  EXPECT_EQ(recalled(memory, {.text = "cache"}), "first;");
  learn(memory, "cache keys", "second");
  EXPECT_EQ(recalled(memory, {.text = "cache"}).size(), std::string("first;second;").size());
}

TEST_F(MemoryTest, SeveralProcessesLoseNoLineAndShareOneCount) {
  constexpr int processes = 4, times = 25;
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      LearningStore memory = open();
      bool all = true;
      for (int n = 0; n < times; ++n) {
        all = all && memory.record(Violation{.type = "race", .description = std::string(3000, 'x')});
        all = all &&
              memory.record_learning({.trigger = "race " + std::to_string(i), .action = std::to_string(n)});
      }
      ::_exit(all ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  LearningStore memory = open();
  EXPECT_EQ(record(memory, "race"), processes * times + 1);
  const std::string text = lines("user-learnings.jsonl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), processes * times);
}

TEST_F(MemoryTest, EachThreadReceivesAnotherCount) {
  LearningStore memory = open();
  std::mutex mutex;
  std::vector<std::int64_t> counts;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 10; ++n) {
          Result<std::int64_t> count = memory.record(Violation{.type = "t", .description = "d"});
          std::lock_guard lock(mutex);
          counts.push_back(count ? *count : -1);
        }
      });
    }
  }
  std::sort(counts.begin(), counts.end());
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], static_cast<std::int64_t>(i) + 1);
}

TEST_F(MemoryTest, GitIgnoresTheFilesOfTheMemory) {
  for (const char* before :
       {"",
        "mkdir .snapback && echo '{}' >.snapback/config.json && git add -f .snapback && git commit -qm c"}) {
    if (*before != '\0') scratch_.run(std::string("rm -rf .snapback && ") + before);
    LearningStore memory = open();
    learn(memory, "a", "b");
    record(memory, "c");
    EXPECT_EQ(scratch_.truth().status, "");
  }
}

TEST_F(MemoryTest, SecretsAreNotRecorded) {
  LearningStore memory = open();
  Result<RecordedLearning> recorded =
      memory.record_learning({.trigger = "the database refuses", .action = "use password=hunter2secret"});
  ASSERT_TRUE(recorded);
  EXPECT_TRUE(recorded->is_redacted);
  EXPECT_EQ(recorded->learning.action, "use password=[redacted]");
  ASSERT_TRUE(memory.record(Violation{.type = "leak", .description = "token=abcdef0123456789 in a log"}));
  const std::string folder = scratch_.repo() + "/.snapback/learnings/";
  for (const char* file : {"user-learnings.jsonl", "violations.jsonl"}) {
    const std::string text = *read_whole_file(folder + file, 1 << 20);
    EXPECT_NE(text.find("[redacted]"), std::string::npos) << text;
    EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
    EXPECT_EQ(text.find("abcdef0"), std::string::npos) << text;
  }
}

TEST_F(MemoryTest, ARepeatedLearningIsKnown) {
  LearningStore memory = open();
  const Learning learning{.trigger = "cache keys", .action = "hash them"};
  EXPECT_FALSE(memory.record_learning(learning)->is_known);
  EXPECT_TRUE(memory.record_learning(learning)->is_known);
  EXPECT_TRUE(open().record_learning(learning)->is_known) << "after a restart";
}

TEST_F(MemoryTest, NothingIsWrittenThroughASymlink) {
  fs::create_directory(scratch_.outside("elsewhere"));
  fs::create_directory_symlink(scratch_.outside("elsewhere"), scratch_.repo() + "/.snapback");
  LearningStore memory = open();
  Result<RecordedLearning> recorded = memory.record_learning({.trigger = "a", .action = "b"});
  ASSERT_FALSE(recorded);
  EXPECT_EQ(recorded.error().code, ErrorCode::permission_denied);
  EXPECT_TRUE(fs::is_empty(scratch_.outside("elsewhere")));

  fs::remove(scratch_.repo() + "/.snapback");
  fs::create_directories(scratch_.repo() + "/.snapback/learnings");
  std::ofstream(scratch_.outside("victim")) << "mine";
  fs::create_symlink(scratch_.outside("victim"), scratch_.repo() + "/.snapback/learnings/violations.jsonl");
  Result<std::int64_t> count = memory.record(Violation{.type = "a", .description = "b"});
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().code, ErrorCode::permission_denied);
  EXPECT_EQ(fs::file_size(scratch_.outside("victim")), 4U);
}

TEST_F(MemoryTest, AnyQueryIsAccepted) {
  LearningStore memory = open();
  learn(memory, "\"quotes\" AND (brackets) NOT * near:", "fts words");
  learn(memory, "שלום 🧢 emoji | pipes % \x01", "other scripts");
  for (const char* text : {"\"", "AND OR NOT NEAR(a b)", "* ^ : - +", "שלום", "🧢", "a\"b\"c", "col:word",
                           "''; DROP TABLE learning"})
    EXPECT_TRUE(memory.recall({.text = text})) << text;
  EXPECT_EQ(recalled(memory, {.text = "quotes"}), "fts words;");
  EXPECT_EQ(recalled(memory, {.text = "שלום"}), "other scripts;");
}

}  // namespace
}  // namespace snapgen::core
