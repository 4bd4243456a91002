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

  RecordFolders folders(const std::string& name = "main") const {
    return {.root = name == "main" ? scratch_.repo() : scratch_.outside(name),
            .records = scratch_.outside("records"),
            .tree = scratch_.outside("trees/" + name),
            .name = name};
  }
  LearningStore open(const std::string& tree = "main") const { return LearningStore(folders(tree)); }
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
  std::string copy(std::string_view name) const {
    return scratch_.repo() + "/.snapback/learnings/" + std::string(name);
  }
  std::string lines(std::string_view name) const {
    std::ifstream file(copy(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string index() const { return scratch_.outside("records") + "/memory.sqlite"; }

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
}

TEST_F(MemoryTest, LinesWrittenByHandAreAddedOnceAndMissingOnesAreNotForgotten) {
  LearningStore memory = open();
  learn(memory, "one thing", "do one");
  const std::string path = copy("user-learnings.jsonl");
  std::ofstream(path, std::ios::trunc) << R"({"type":"pattern","trigger":"thing","action":"by hand"})"
                                       << "\n"
                                       << "not json\n{\"action\":1}\n[]\n\n"
                                       << R"({"action":"second thing","more":{"a":[1]}})"
                                       << "\n";
  EXPECT_EQ(recalled(memory, {.text = "thing"}).size(), std::string("second thing;by hand;do one;").size());
  EXPECT_EQ(*memory.unreadable_lines(), 3);
  EXPECT_EQ(*count_unreadable_lines(folders()), 3);
  LearningStore restarted = open();
  EXPECT_EQ(restarted.latest_learnings(9)->size(), 3U);
  const std::vector<RecalledLearning> latest = *restarted.latest_learnings(9);
  for (const RecalledLearning& each : latest) EXPECT_EQ(each.recorded_count, 1);
  // Recording another one completes the copy.
  learn(restarted, "another", "do more");
  EXPECT_NE(lines("user-learnings.jsonl").find("do one"), std::string::npos);
  EXPECT_EQ(restarted.latest_learnings(9)->size(), 4U);

  fs::remove_all(scratch_.repo() + "/.snapback");
  EXPECT_EQ(recalled(restarted, {.text = "hand"}), "by hand;");
  EXPECT_NE(lines("user-learnings.jsonl").find("by hand"), std::string::npos) << "it is written again";
  EXPECT_EQ(open().latest_learnings(9)->size(), 4U);
}

TEST_F(MemoryTest, LearningsAreThoseOfAllWorkTrees) {
  fs::create_directories(scratch_.outside("side"));
  LearningStore here = open();
  learn(here, "parsing dates", "use the library");
  {
    LearningStore side = open("side");
    EXPECT_EQ(recalled(side, {.text = "dates"}), "use the library;");
    learn(side, "dates in logs", "use UTC");
    for (int i = 0; i < 3; ++i) record(side, "slip");
  }
  fs::remove_all(scratch_.outside("side"));
  EXPECT_EQ(recalled(here, {.text = "dates"}).size(), std::string("use the library;use UTC;!slip;").size());
  EXPECT_EQ(record(here, "slip"), 4);
  EXPECT_NE(lines("violations.jsonl").find("\"tree\":\"side\""), std::string::npos)
      << "recording one completes the copy";
}

TEST_F(MemoryTest, EqualLinesOfACopyCountAndAreNotCountedAgain) {
  fs::create_directories(scratch_.repo() + "/.snapback/learnings");
  std::ofstream(copy("violations.jsonl")) << R"({"type":"slip"})" << "\n" << R"({"type":"slip"})" << "\n";
  LearningStore memory = open();
  EXPECT_EQ(record(memory, "slip"), 3);
  LearningStore restarted = open();
  EXPECT_EQ(record(restarted, "slip"), 4);
  // A checkout restores the file without its last lines.
  std::ofstream(copy("violations.jsonl"), std::ios::trunc) << R"({"type":"slip"})" << "\n";
  EXPECT_EQ(record(restarted, "slip"), 5);
}

TEST_F(MemoryTest, AWithdrawnRecordIsNotRecalledUntilItIsRecordedAgain) {
  LearningStore memory = open();
  const std::string id = learn(memory, "parsing dates", "use the library");
  for (int i = 0; i < 3; ++i) record(memory, "slip");
  EXPECT_EQ(memory.withdraw({.of = "learn_zzzzzzzz"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(memory.withdraw({.of = id})->action, "use the library");
  EXPECT_EQ(memory.withdraw({.of = "slip"})->violations, 3);
  EXPECT_EQ(recalled(memory, {.text = "dates"}), "");
  fs::remove(index());
  fs::remove_all(scratch_.repo() + "/.snapback");
  LearningStore restarted = open();
  EXPECT_EQ(recalled(restarted, {.text = "dates"}), "");
  EXPECT_EQ(*restarted.unreadable_lines(), 0);
  EXPECT_EQ(record(restarted, "slip"), 1);
  EXPECT_EQ(learn(restarted, "parsing dates", "use the library"), id);
  EXPECT_EQ(recalled(restarted, {.text = "dates"}), "use the library;");
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
  const std::string records = scratch_.outside("records") + "/learnings/";
  for (const std::string& file : {folder + "user-learnings.jsonl", folder + "violations.jsonl",
                                  records + "user-learnings.jsonl", records + "violations.jsonl"}) {
    const std::string text = *read_whole_file(file, 1 << 20);
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
  learn(memory, "a", "b");
  EXPECT_TRUE(fs::is_empty(scratch_.outside("elsewhere")));

  fs::remove(scratch_.repo() + "/.snapback");
  fs::create_directories(scratch_.repo() + "/.snapback/learnings");
  std::ofstream(scratch_.outside("victim")) << "mine";
  fs::create_symlink(scratch_.outside("victim"), scratch_.repo() + "/.snapback/learnings/violations.jsonl");
  EXPECT_EQ(record(memory, "a"), 1);
  EXPECT_EQ(record(memory, "a"), 2) << "the store has the records";
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
