// The whole server is killed, or its system call fails, at every system call that writes. Afterwards the tree
// and the store must be entirely in the state before or entirely in the state after the call, and nothing
// else may have changed.
//
// Without SNAPGEN_SOAK the test uses a sample spread over all calls; with it, every call.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include "runtime/json/document.h"
#include "runtime/json/writer.h"
#include "tests/engine/git/scratch.h"
#include "tests/engine/patch/tree.h"
#include "tests/server/crash/run.h"
#include "tests/soak/soak.h"

namespace snapgen::tools {
namespace {

namespace fs = std::filesystem;
using core::Tree;

constexpr std::string_view toy = R"(new
for i in 1 2 3 4 5 6 7 8; do put src/f$i "line 1
line 2 of $i
line 3
"; done
put gone g; put run 'x
'; put folder/one 1; put folder/in/two 2; ln -s run link; put .gitignore '*.log
'; put kept.log k
save)";

constexpr std::string_view edits = R"(for i in 1 2 3 4 5 6; do sed -i 's/line 2/LINE 2/' src/f$i; done
git rm -q gone; chmod +x run; git mv src/f7 src/moved; put new/deep/file n; git mv folder/one one)";

std::string text_of(const std::string& answer) {
  json::Document document = json::parse_document(answer);
  const json::Node* result = document.root.find("result");
  const json::Node* content = result == nullptr ? nullptr : result->find("content");
  if (content == nullptr || content->items.empty()) return answer;
  return content->items[0].find("text")->text;
}

std::string member(const std::string& text, std::string_view name) {
  json::Document document = json::parse_document(text);
  const json::Node* found = document.root.find(name);
  return found == nullptr ? std::string() : found->text;
}

// A call of a tool during which the server is interrupted.
struct Deed {
  const char* name;
  std::function<Outcome(const std::string& workspace, const Interference&)> run;
  bool writes_tree = true;
};

class ServerCrash : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("SNAPGEN_INTERFERE") == nullptr)
      GTEST_SKIP() << "this build does not allow preloading a library";
    scratch_.run(toy);
    scratch_.run(edits);
    scratch_.run(
        "git add -A; git diff --cached --binary -M HEAD > ../patch; git reset -q --hard; git clean -fdq");
    patch_ = scratch_.answer("cat ../patch").output;
    // A snapshot that is in the store before the call must survive.
    Outcome run = run_server(scratch_.repo(), {{"snapshot_create", R"({"paths":["."]})"}}, {});
    ASSERT_EQ(run.answers.size(), 1u);
    snapshot_ = member(text_of(run.answers[0]), "snapshot_id");
    ASSERT_EQ(snapshot_.size(), 71u) << run.answers[0];
    outside_ = git_state();
  }

  // Returns the state of the repository that no tool may change, without times.
  std::string git_state() const {
    return scratch_
        .answer("find .git -path .git/snapgen -prune -o -type f -exec sha256sum {} + | sort; cat kept.log")
        .output;
  }

  std::vector<Deed> deeds() const {
    auto server = [](std::string tool, std::string arguments) {
      return [=](const std::string& workspace, const Interference& interference) {
        return run_server(workspace, {{tool, arguments}}, interference);
      };
    };
    return {
        {"apply_patch", server("workspace_apply_patch", "{\"patch\":" + json::quoted(patch_) + "}")},
        {"write_file", server("workspace_write_file", R"({"content":"new\n","path":"src/f1"})")},
        {"write_new_file", server("workspace_write_file", R"({"content":"new\n","path":"made/in/folders"})")},
        {"delete", server("workspace_delete", R"({"path":"folder","recursive":true})")},
        {"create", server("snapshot_create", R"({"paths":["."]})"), false},
        {"restore",
         [this](const std::string& workspace, const Interference& interference) {
           return run_restore(workspace, snapshot_, interference);
         }},
    };
  }

  // Creates the repository for a call at `workspace`.
  void plant(const Deed& deed) const {
    std::string script = "rm -rf ../work; cp -a . ../work; cd ../work";
    // These calls need a dirty tree.
    if (std::string_view(deed.name) == "create" || std::string_view(deed.name) == "restore")
      script += "; git apply ../patch";
    scratch_.run(script);
  }
  std::string work() const { return scratch_.outside("work"); }

  // A new server must find everything complete that existed before.
  void expect_whole() {
    Outcome run =
        run_server(work(),
                   {{"snapshot_list", R"({"recursive":true})"},
                    {"snapshot_list", R"({"recursive":true,"snapshot_id":)" + json::quoted(snapshot_) + "}"},
                    {"snapshot_file", R"({"path":"src/f3","snapshot_id":)" + json::quoted(snapshot_) + "}"},
                    {"workspace_write_file", R"({"content":"works","path":"probe"})"},
                    {"workspace_delete", R"({"path":"probe"})"},
                    {"snapshot_create", R"({"paths":["."]})"}},
                   {});
    ASSERT_EQ(run.answers.size(), 6u);
    for (const std::string& answer : run.answers)
      EXPECT_EQ(answer.find("\"isError\":true"), std::string::npos) << answer;
    EXPECT_EQ(member(text_of(run.answers[2]), "content"), "line 1\nline 2 of 3\nline 3\n");
    // No staged file may remain.
    for (const auto& entry : fs::recursive_directory_iterator(work() + "/.git/snapgen/trees")) {
      if (entry.path().parent_path().filename() == "writes") {
        EXPECT_EQ(entry.path().filename(), "lock");
      }
    }
  }

  void expect_nothing_else_changed() {
    EXPECT_EQ(scratch_
                  .answer("cd ../work; find .git -path .git/snapgen -prune -o -type f -exec sha256sum {} + | "
                          "sort; cat kept.log")
                  .output,
              outside_);
  }

  // Returns the numbers of the calls to try: all, or a sample with the first and the last.
  static std::vector<long> calls_of(long writes, long sample) {
    std::vector<long> calls;
    long step = is_soak() ? 1 : std::max(1L, writes / sample);
    for (long at = 1; at <= writes; at += step) calls.push_back(at);
    if (calls.back() != writes) calls.push_back(writes);
    return calls;
  }

  core::Scratch scratch_;
  std::string patch_;
  std::string snapshot_;
  std::string outside_;
};

TEST_F(ServerCrash, AtAnyWritingCallLeavesTheStateBeforeOrAfter) {
  for (const Deed& deed : deeds()) {
    plant(deed);
    Tree before = core::read_tree(work());
    Outcome whole = deed.run(work(), {});
    ASSERT_FALSE(whole.killed);
    ASSERT_EQ(whole.answers.size(), 1u) << deed.name;
    Tree after = core::read_tree(work());
    EXPECT_EQ(before == after, !deed.writes_tree) << deed.name << ": " << whole.answers[0];
    ASSERT_GT(whole.writes, 5) << deed.name;
    RecordProperty(std::string(deed.name) + "_writes", static_cast<int>(whole.writes));
    for (long at : calls_of(whole.writes, 5)) {
      SCOPED_TRACE(std::string(deed.name) + " killed at call " + std::to_string(at) + " of " +
                   std::to_string(whole.writes));
      plant(deed);
      Outcome run = deed.run(work(), {.at = at, .until = at, .error = 0});
      expect_whole();
      Tree found = core::read_tree(work());
      if (!run.killed) {
        EXPECT_LT(run.writes, at);
      }
      EXPECT_EQ(found, found == after ? after : before) << core::described(found);
      expect_nothing_else_changed();
      if (HasFailure()) return;
    }
  }
}

// Returns the distinct restores in the audit log.
std::set<std::string> audited_restores(const std::string& workspace) {
  std::set<std::string> ids;
  std::ifstream lines(workspace + "/.snapback/logs/audit.jsonl");
  for (std::string line; std::getline(lines, line);)
    if (member(line, "event") == "restore") ids.insert(member(line, "id"));
  return ids;
}

TEST_F(ServerCrash, ACompletedRestoreIsInTheAuditLog) {
  const Deed deed{"restore", [this](const std::string& workspace, const Interference& interference) {
                    return run_server(workspace,
                                      {{"snap_fix", R"({"action":"restore","id":")" + snapshot_ + "\"}"}},
                                      interference);
                  }};
  plant(deed);
  const Outcome whole = deed.run(work(), {});
  ASSERT_EQ(whole.answers.size(), 1u);
  EXPECT_EQ(audited_restores(work()).size(), 1u) << whole.answers[0];
  for (long at : calls_of(whole.writes, 8)) {
    SCOPED_TRACE("killed at call " + std::to_string(at) + " of " + std::to_string(whole.writes));
    plant(deed);
    deed.run(work(), {.at = at, .until = at, .error = 0});
    // The next server completes the restore.
    run_server(work(), {{"snapshot_list", "{}"}}, {});
    const std::string found = scratch_.answer("cat ../work/src/f1").output;
    const bool restored = found.find("LINE 2") == std::string::npos;
    EXPECT_EQ(audited_restores(work()).size(), restored ? 1u : 0u) << found;
    if (HasFailure()) return;
  }
}

// Returns the number of files in .snapback/session/`kind` of `workspace`.
// The folders of the tasks: in the store, which decides, and of the copies for people.
constexpr const char* records = "/.git/snapgen/records/whole/";
constexpr const char* copies = "/.snapback/session/";

std::size_t tasks_in(const std::string& workspace, const std::string& kind, const char* folder = copies) {
  std::size_t count = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(workspace + folder + kind, none))
    count += entry.path().extension() == ".json" ? 1 : 0;
  return count;
}

TEST_F(ServerCrash, ATaskIsOpenOrEndedAfterAnyKill) {
  scratch_.run("cp -a . ../work");
  run_server(work(), {{"snap", R"({"mode":"start","task":"a long one"})"}}, {});
  ASSERT_EQ(tasks_in(work(), "tasks"), 1u);
  scratch_.run("mv ../work ../begun");
  const auto end = [&](const Interference& interference) {
    return run_server(work(), {{"snap_end", R"({"outcome":"completed"})"}}, interference);
  };
  scratch_.run("cp -a ../begun ../work");
  const Outcome whole = end({});
  ASSERT_EQ(tasks_in(work(), "summaries"), 1u);
  ASSERT_GT(whole.writes, 5);
  for (long at : calls_of(whole.writes, 6)) {
    SCOPED_TRACE("killed at call " + std::to_string(at) + " of " + std::to_string(whole.writes));
    scratch_.run("rm -rf ../work; cp -a ../begun ../work");
    end({.at = at, .until = at, .error = 0});
    const bool ended = tasks_in(work(), "summaries", records) == 1;
    const Outcome again = end({});
    ASSERT_EQ(again.answers.size(), 1u);
    EXPECT_EQ(again.answers[0].find("no open task") != std::string::npos, ended) << again.answers[0];
    EXPECT_EQ(tasks_in(work(), "tasks"), 0u);
    EXPECT_EQ(tasks_in(work(), "summaries"), 1u);
    if (HasFailure()) return;
  }
}

TEST_F(ServerCrash, AFailedWritingCallIsReportedAndDamagesNothing) {
  for (const Deed& deed : deeds()) {
    plant(deed);
    Tree before = core::read_tree(work());
    Outcome whole = deed.run(work(), {});
    Tree after = core::read_tree(work());
    int refused = 0;
    int turn = 0;
    for (int error : {ENOSPC, EROFS, EIO}) {
      for (bool lasting : {false, true}) {
        for (long at : calls_of(whole.writes, 4)) {
          if (!is_soak() && turn++ % 5 != 0) continue;  // The sample has each of the four calls.
          SCOPED_TRACE(std::string(deed.name) + ": error " + std::to_string(error) + " at call " +
                       std::to_string(at) + (lasting ? " and ever after" : ""));
          plant(deed);
          Outcome run = deed.run(work(), {.at = at, .until = lasting ? 1'000'000 : at, .error = error});
          EXPECT_FALSE(run.killed);
          ASSERT_EQ(run.answers.size(), 1u);
          std::string answer = text_of(run.answers[0]);
          bool failed = answer.starts_with("{\"error\"") || (answer[0] != '{' && answer != "restored");
          EXPECT_EQ(answer.find('\n'), std::string::npos);
          Tree now = core::read_tree(work());
          bool unsure = answer.find("could be neither finished") != std::string::npos;
          bool made = answer.find("Everything was written") != std::string::npos;
          if (!unsure) {
            EXPECT_EQ(now, failed && !made ? before : after) << answer;
          }
          refused += failed;
          expect_whole();
          Tree after_crash = core::read_tree(work());
          EXPECT_EQ(after_crash, after_crash == after ? after : before) << answer;
          expect_nothing_else_changed();
          if (HasFailure()) return;
        }
      }
    }
    EXPECT_GT(refused, is_soak() ? 5 : 1) << deed.name;
  }
}

TEST_F(ServerCrash, FullAndReadOnlyDisksAreReportedAndDoNoHarm) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can mount a small file system";
  std::string small = scratch_.outside("small");
  fs::create_directory(small);
  if (::mount("tmpfs", small.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "this system does not allow mounts";
  scratch_.run("cp -a . ../small/repo");
  std::string repo = small + "/repo";
  Tree before = core::read_tree(repo);
  std::string large = json::quoted(std::string(2 << 20, 'x'));
  ToolCall write_large{"workspace_write_file", "{\"content\":" + large + ",\"path\":\"src/f1\"}"};
  ToolCall write_small{"workspace_write_file", R"({"content":"fits","path":"src/f2"})"};
  ToolCall write_other{"workspace_write_file", R"({"content":"other","path":"src/f2"})"};
  Outcome run = run_server(repo, {write_large, write_small}, {});
  ASSERT_EQ(run.answers.size(), 2u);
  EXPECT_NE(text_of(run.answers[0]).find("disk is full"), std::string::npos) << run.answers[0];
  EXPECT_EQ(run.answers[1].find("\"isError\":true"), std::string::npos) << run.answers[1];
  before["src/f2"].bytes = "fits";
  EXPECT_EQ(core::read_tree(repo), before);
  if (::mount("tmpfs", small.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=1m") == 0) {
    run =
        run_server(repo,
                   {write_other,
                    {"snapshot_file", R"({"path":"src/f2"})"},
                    {"snapshot_file", R"({"path":"src/f3","snapshot_id":)" + json::quoted(snapshot_) + "}"}},
                   {});
    ASSERT_EQ(run.answers.size(), 3u);
    EXPECT_NE(run.answers[0].find("\"isError\":true"), std::string::npos);
    EXPECT_EQ(run.answers[2].find("\"isError\":true"), std::string::npos) << run.answers[2];
    EXPECT_EQ(core::read_tree(repo), before);
  }
  EXPECT_EQ(::umount2(small.c_str(), MNT_DETACH), 0);
}

}  // namespace
}  // namespace snapgen::tools
