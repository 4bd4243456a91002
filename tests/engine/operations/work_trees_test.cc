// Several workspaces of one store. Opening a workspace recovers a crash in another one, a moved workspace
// keeps its state, and a folder that becomes a repository keeps its snapshots.
#include "tools/engine/workspace/work_trees.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include "runtime/base/fd.h"
#include "tests/engine/git/scratch.h"
#include "tests/engine/write/calls.h"
#include "tests/soak/soak.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

const char* const shared_patch = R"(diff --git a/one b/one
--- a/one
+++ b/one
@@ -1 +1 @@
-old
+new
diff --git a/two b/two
--- a/two
+++ b/two
@@ -1 +1 @@
-old
+new
)";

std::unique_ptr<Workspace> open(const Scratch& scratch, const std::string& folder) {
  Result<std::unique_ptr<Workspace>> opened = Workspace::open(folder, scratch.environment());
  if (opened) return *std::move(opened);
  ADD_FAILURE() << opened.error().message;
  return nullptr;
}

std::string files_in(const std::string& folder) {
  return *read_whole_file(folder + "/one", 1 << 20) + *read_whole_file(folder + "/two", 1 << 20);
}

bool is_torn(const std::string& files) { return files == "new\nold\n" || files == "old\nnew\n"; }

std::string create(Workspace& workspace) {
  Result<CreatedSnapshot> created = create_snapshot(workspace, {.paths = std::vector<std::string>{""}}, {});
  EXPECT_TRUE(created) << created.error().message;
  return created ? created->id() : std::string();
}

// Changes both files in the folder that `arrive` names, and is killed before its writing system call number
// `at`. `look`, if set, returns what the next process finds there.
struct Cut {
  ChildRun run;
  std::string base;  // Relative to the folder of the Scratch.
  std::string left;
  std::string found;
};
using Arrival = std::function<std::string(const Scratch& scratch)>;
using Look = std::function<std::string(const Scratch& scratch)>;

// Creates the repository of a script, as a copy of the one that the script created in an earlier call.
void create_repository(const Scratch& scratch, std::string_view script) {
  static std::map<std::string, Scratch> created;
  const auto [original, is_new] = created.try_emplace(std::string(script));
  if (is_new) original->second.run(script);
  scratch.run("cp -a '" + original->second.repo() + "/.' .");
}

Cut cut_at(int at, std::string_view script, const Arrival& arrive, const Look& look) {
  SCOPED_TRACE("killed at call " + std::to_string(at));
  Scratch scratch;
  create_repository(scratch, script);
  const std::string base = arrive(scratch);
  Cut cut;
  cut.base = base.substr(scratch.outside("").size());
  cut.run = run_in_child(
      [&] {
        Result<std::unique_ptr<Workspace>> workspace = Workspace::open(base, scratch.environment());
        if (!workspace) return 1;
        return apply_patch(**workspace, {}, {.patch = shared_patch, .discard_contents = true}, {}) ? 0 : 2;
      },
      {.at = at});
  cut.left = files_in(base);
  if (!look) return cut;
  cut.found = look(scratch);
  EXPECT_TRUE(cut.found == "old\nold\n" || cut.found == "new\nnew\n") << cut.found;
  return cut;
}

// Returns the number of the first call that leaves only one of the files changed. Tests with the same
// repository share one search.
int first_torn_call(std::string_view script, const Arrival& arrive, const Cut& whole) {
  static std::map<std::string, int> known;
  const std::string key = std::string(script) + "\n" + whole.base + "\n" + std::to_string(whole.run.writes);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  int first_torn = 1;
  for (int last = whole.run.writes; first_torn < last;) {
    const int middle = first_torn + (last - first_torn) / 2;
    if (cut_at(middle, script, arrive, {}).left == "old\nold\n") {
      first_torn = middle + 1;
    } else {
      last = middle;
    }
  }
  known[key] = first_torn;
  return first_torn;
}

// Kills the process at its writing system calls and expects that `look` always returns a state before or
// after the whole patch. Without SNAPGEN_SOAK it tests a sample of the calls, always including the first that
// leaves only one of the files changed.
void kill_everywhere(std::string_view script, const Arrival& arrive, const Look& look) {
  const Cut whole = cut_at(0, script, arrive, look);
  EXPECT_EQ(whole.run.exit_code, 0);
  ASSERT_GT(whole.run.writes, 0);
  const int first_torn = first_torn_call(script, arrive, whole);
  EXPECT_TRUE(is_torn(cut_at(first_torn, script, arrive, look).left))
      << "the test must include a state in which only one file is changed";
  constexpr int calls_in_sample = 4;
  const int step = is_soak() ? 1 : std::max(1, whole.run.writes / calls_in_sample);
  for (int at = 1; at <= whole.run.writes; at += step) cut_at(at, script, arrive, look);
}

constexpr std::string_view two_files = "new; echo old > one; echo old > two; save";

std::string in_place(const Scratch& scratch) { return scratch.repo(); }

TEST(WorkTrees, ACrashInASubfolderIsRecoveredOnOpeningTheRepository) {
  kill_everywhere(
      "new; mkdir pkg; echo old > pkg/one; echo old > pkg/two; save",
      [](const Scratch& scratch) { return scratch.repo() + "/pkg"; },
      [](const Scratch& scratch) {
        const std::unique_ptr<Workspace> whole = open(scratch, scratch.repo());
        return files_in(scratch.repo() + "/pkg");
      });
}

TEST(WorkTrees, ACrashIsRecoveredInAMovedRepository) {
  kill_everywhere(two_files, in_place, [](const Scratch& scratch) {
    const std::string moved = scratch.outside("moved");
    fs::rename(scratch.repo(), moved);
    std::string found;
    {
      const std::unique_ptr<Workspace> there = open(scratch, moved);
      found = files_in(moved);
    }
    fs::rename(moved, scratch.repo());
    return found;
  });
}

// Older versions recorded less, and some file systems have no time of birth.
TEST(WorkTrees, ACrashIsRecoveredInAMovedFolderWithoutAMarker) {
  kill_everywhere(two_files, in_place, [](const Scratch& scratch) {
    const std::string moved = scratch.outside("moved");
    scratch.answer("sed -i 's/\"mark\":\"[^\"]*\",//' .git/snapgen/trees/*/place");
    fs::rename(scratch.repo(), moved);
    fs::create_directory(scratch.repo());
    const std::unique_ptr<Workspace> there = open(scratch, moved);
    return files_in(moved);
  });
}

// A bind mount of a container shows the repository at another path, which does not exist later.
TEST(WorkTrees, ACrashIsRecoveredUnderTheOtherPathOfARepository) {
  const auto at_the_other = [](const Scratch& scratch) {
    create(*open(scratch, scratch.repo()));
    fs::rename(scratch.repo(), scratch.outside("other"));
    return scratch.outside("other");
  };
  kill_everywhere(two_files, at_the_other, [](const Scratch& scratch) {
    fs::rename(scratch.outside("other"), scratch.repo());
    const std::unique_ptr<Workspace> there = open(scratch, scratch.repo());
    return files_in(scratch.repo());
  });
}

TEST(WorkTrees, ACrashIsRecoveredInACopyUnlessItIsInUse) {
  kill_everywhere(two_files, in_place, [](const Scratch& scratch) {
    const std::string copy = scratch.outside("copy");
    scratch.run("cp -a . ../copy");
    const std::string left = files_in(copy);
    {
      const std::string lock_path = scratch.answer("ls ../copy/.git/snapgen/trees/*/writes/lock").output;
      const Fd lock(::open(lock_path.substr(0, lock_path.find('\n')).c_str(), O_RDWR | O_CLOEXEC));
      if (lock) {
        EXPECT_EQ(::flock(lock.get(), LOCK_EX | LOCK_NB), 0);
        open(scratch, copy);
        EXPECT_EQ(files_in(copy), left);
      }
    }
    const std::unique_ptr<Workspace> there = open(scratch, copy);
    EXPECT_EQ(files_in(scratch.repo()), left) << "a copy must not recover the crash of the original";
    return files_in(copy);
  });
}

bool is_cut_short(const Scratch& scratch) {
  return !scratch.answer("ls .git/snapgen/trees/*/writes | grep journal").output.empty();
}

// The folder has other inodes at the same path: all of it, as restored from a backup, or only the store.
TEST(WorkTrees, ACrashIsRecoveredInAFolderThatWasCopiedBack) {
  for (const char* change :
       {"cp -a . ../copy; find . -mindepth 1 -delete; cp -a ../copy/. .", "mv .git ../git; cp -a ../git .git",
        "tar -cf ../tar --format=ustar .; find . -mindepth 1 -delete; tar -xf ../tar",
        "cp -R --preserve=mode . ../copy; find . -mindepth 1 -delete; cp -R ../copy/. .",
        "cp -a . ../copy; rm one two; cp -a ../copy/one ../copy/two ."}) {
    SCOPED_TRACE(change);
    kill_everywhere(two_files, in_place, [&](const Scratch& scratch) {
      if (!is_cut_short(scratch)) return files_in(scratch.repo());
      scratch.run(change);
      const std::unique_ptr<Workspace> there = open(scratch, scratch.repo());
      return files_in(scratch.repo());
    });
    if (!is_soak() && change == std::string_view("mv .git ../git; cp -a ../git .git")) break;
  }
}

TEST(WorkTrees, UnprovableWritesOfACopyAreSetAsideAndReportedOnce) {
  int torn = 0;
  kill_everywhere(two_files, in_place, [&](const Scratch& scratch) {
    const bool was_torn = is_torn(files_in(scratch.repo()));
    if (was_torn) {
      ++torn;
      scratch.run(
          "cp -a . ../copy; find . -mindepth 1 -delete; cp -a ../copy/. .; echo mine > one; echo mine > two");
      Result<std::unique_ptr<Workspace>> opened = Workspace::open(scratch.repo(), scratch.environment());
      EXPECT_FALSE(opened);
      const std::string aside = scratch.answer("echo \"$PWD\"/.git/snapgen/trees/*/writes/kept-*").output;
      if (!opened) {
        EXPECT_NE(opened.error().message.find(aside.substr(0, aside.size() - 1)), std::string::npos)
            << opened.error().message << aside;
      }
      EXPECT_NE(scratch.answer("cat .git/snapgen/trees/*/writes/kept-*/*").output.find("old\n"),
                std::string::npos);
      EXPECT_EQ(files_in(scratch.repo()), "mine\nmine\n");
    }
    const std::unique_ptr<Workspace> there = open(scratch, scratch.repo());
    return was_torn ? std::string("old\nold\n") : files_in(scratch.repo());
  });
  EXPECT_GT(torn, 0);
}

// Before the next start, the user sees the state after the crash and reverts it.
TEST(WorkTrees, AWriteThatTheUserRevertedIsNotFinished) {
  for (const char* undo : {"git stash -q", "git checkout -q .", "git reset -q --hard"}) {
    SCOPED_TRACE(undo);
    kill_everywhere(two_files, in_place, [&](const Scratch& scratch) {
      if (!is_torn(files_in(scratch.repo()))) return std::string("old\nold\n");
      scratch.run(undo);
      const std::unique_ptr<Workspace> there = open(scratch, scratch.repo());
      const std::string found = files_in(scratch.repo());
      EXPECT_EQ(found, "old\nold\n");
      EXPECT_EQ(scratch.answer("ls .git/snapgen/trees/*/writes | grep kept-").output, "");
      return found;
    });
    if (!is_soak()) break;
  }
}

std::vector<UnfinishedWrite> unfinished_writes_in(const Scratch& scratch, const std::string& folder) {
  Result<Repository> repository = Repository::open(folder, scratch.environment());
  EXPECT_TRUE(repository);
  const std::string store = store_folder_of(*repository, folder);
  return unfinished_writes(store, workspace_location(*repository, folder, store));
}

TEST(WorkTrees, InACopyOnlyProvenStepsAreDone) {
  kill_everywhere(two_files, in_place, [&](const Scratch& scratch) {
    const bool was_torn = is_torn(files_in(scratch.repo()));
    for (const char* change : {"cp -R --preserve=mode . ../copy", "cp -a . ../copy; echo mine > ../copy/one",
                               "cp -a . ../copy; touch -d yesterday ../copy/two"}) {
      SCOPED_TRACE(change);
      const std::string copy = scratch.outside("copy");
      scratch.run("rm -rf ../copy; " + std::string(change));
      const std::string left = files_in(copy);
      open(scratch, copy);
      EXPECT_EQ(files_in(copy), left);
      if (!was_torn) continue;
      const std::vector<UnfinishedWrite> found = unfinished_writes_in(scratch, copy);
      EXPECT_EQ(found.size(), 1u);
      EXPECT_EQ(found.empty() ? "" : found.front().root, scratch.repo());
    }
    const std::unique_ptr<Workspace> there = open(scratch, scratch.repo());
    return files_in(scratch.repo());
  });
}

// The files match the journal exactly, but belong to another workspace.
TEST(WorkTrees, ANewWorkTreeAtAnOldPathIsRecognizedAsNew) {
  kill_everywhere(two_files, in_place, [](const Scratch& scratch) {
    const std::string moved = scratch.outside("moved");
    fs::rename(scratch.repo(), moved);
    fs::create_directory(scratch.repo());
    scratch.run("git -C ../moved worktree add -q \"$PWD\"");
    EXPECT_EQ(files_in(scratch.repo()), "old\nold\n");
    open(scratch, scratch.repo());
    EXPECT_EQ(files_in(scratch.repo()), "old\nold\n");
    const std::unique_ptr<Workspace> there = open(scratch, moved);
    EXPECT_EQ(files_in(scratch.repo()), "old\nold\n");
    return files_in(moved);
  });
}

TEST(WorkTrees, ARestoreCanBeUndoneInAMovedRepository) {
  Scratch scratch;
  scratch.run("new; echo old > one; echo old > gone; save");
  std::string safety;
  {
    const std::unique_ptr<Workspace> before = open(scratch, scratch.repo());
    const std::string id = create(*before);
    scratch.run("rm gone; echo new > one");
    Result<WithLease<RestoreAnswer>> restored = restore(*before, {.snapshot_id = id}, {});
    ASSERT_TRUE(restored) << restored.error().message;
    safety = restored->value.safety_snapshot_id.value_or("");
  }
  scratch.run("cp -a . ../copy");
  fs::rename(scratch.repo(), scratch.outside("moved"));
  fs::create_directory(scratch.repo());
  {
    const std::unique_ptr<Workspace> moved = open(scratch, scratch.outside("moved"));
    ASSERT_TRUE(restore(*moved, {.snapshot_id = safety}, {}));
  }
  EXPECT_FALSE(fs::exists(scratch.outside("moved") + "/gone"));
  EXPECT_EQ(*read_whole_file(scratch.outside("moved") + "/one", 1 << 20), "new\n");
  // In a copy, the time of birth of every file is that of the copying, which proves nothing.
  const std::unique_ptr<Workspace> copied = open(scratch, scratch.outside("copy"));
  ASSERT_TRUE(restore(*copied, {.snapshot_id = safety}, {}));
  EXPECT_TRUE(fs::exists(scratch.outside("copy") + "/gone"));
}

TEST(WorkTrees, AFolderThatBecomesARepositoryKeepsItsSnapshots) {
  Scratch scratch;
  scratch.run("echo '{}' > package.json; echo a > a");
  std::string hex;
  {
    const std::unique_ptr<Workspace> plain = open(scratch, scratch.repo());
    Result<CreatedSnapshot> created = create_snapshot(*plain, {.paths = std::vector<std::string>{""}}, {});
    ASSERT_TRUE(created) << created.error().message;
    hex = created->hex;
  }
  scratch.run("git init -q .");
  const std::unique_ptr<Workspace> later = open(scratch, scratch.repo());
  EXPECT_EQ(later->store_folder(), scratch.repo() + "/.snapback/store");
  EXPECT_TRUE(later->snapshots().load("sha256:" + hex));
  EXPECT_TRUE(create_snapshot(*later, {.paths = std::vector<std::string>{""}}, {}));
  EXPECT_EQ(scratch.answer("git status --porcelain").output, "?? a\n?? package.json\n");
  EXPECT_FALSE(fs::exists(scratch.repo() + "/.git/snapgen"));
}

// New snapshots would be stored elsewhere, and the old ones would reappear after the repair.
TEST(WorkTrees, AStoreIsNotMovedWhileTheIndexIsUnreadable) {
  Scratch scratch;
  scratch.run("echo a > a");
  create(*open(scratch, scratch.repo()));
  scratch.run("git init -q .; git add a; git commit -q -m a; echo damaged > .git/index");
  Result<Repository> repository = Repository::open(scratch.repo(), scratch.environment());
  ASSERT_TRUE(repository);
  EXPECT_EQ(store_folder_of(*repository, scratch.repo()), scratch.repo() + "/.snapback/store");
}

TEST(WorkTrees, AStoreIsHiddenInAnExistingFolder) {
  Scratch scratch;
  scratch.run("mkdir .snapback; echo '{}' > .snapback/config.json; echo a > a");
  const std::string id = create(*open(scratch, scratch.repo()));
  scratch.run("git init -q .; git add -A; git commit -q -m all");
  EXPECT_EQ(scratch.answer("git ls-files").output, ".snapback/config.json\na\n");
  const std::unique_ptr<Workspace> later = open(scratch, scratch.repo());
  EXPECT_EQ(later->store_folder(), scratch.repo() + "/.snapback/store");
  EXPECT_TRUE(later->snapshots().load(id));
}

TEST(WorkTrees, AnOlderStoreIsHiddenByTheNextWrite) {
  Scratch scratch;
  scratch.run("mkdir .snapback; echo a > a");
  create(*open(scratch, scratch.repo()));
  scratch.run("rm .snapback/store/.gitignore; git init -q .");
  create(*open(scratch, scratch.repo()));
  EXPECT_EQ(scratch.answer("git status --porcelain").output, "?? a\n");
}

TEST(WorkTrees, ReportsAStoreThatGitTracks) {
  Scratch scratch;
  scratch.run("echo a > a");
  const std::string id = create(*open(scratch, scratch.repo()));
  scratch.run("git init -q .; git add -f .snapback/store; git commit -q -m all");
  {
    const std::unique_ptr<Workspace> later = open(scratch, scratch.repo());
    EXPECT_EQ(later->store_folder(), scratch.repo() + "/.git/snapgen");
    Result<std::shared_ptr<const Snapshot>> none = later->snapshots().load(id);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::not_found);
    EXPECT_NE(none.error().message.find("git rm -r -q --cached .snapback/store"), std::string::npos)
        << none.error().message;
  }
  scratch.run("git rm -r -q --cached .snapback/store");
  const std::unique_ptr<Workspace> mended = open(scratch, scratch.repo());
  EXPECT_TRUE(mended->snapshots().load(id));
  EXPECT_EQ(mended->snapshots().other_snapshots_sentence(), "");
}

TEST(WorkTrees, AFolderKeepsItsSnapshotsWhenTheFolderAboveBecomesARepository) {
  Scratch scratch;
  scratch.run("mkdir -p sub/.snapback; echo a > sub/a");
  const std::string id = create(*open(scratch, scratch.repo() + "/sub"));
  scratch.run("git init -q .; echo b > sub/a");
  const std::unique_ptr<Workspace> later = open(scratch, scratch.repo() + "/sub");
  EXPECT_EQ(later->store_folder(), scratch.repo() + "/sub/.snapback/store");
  const Result<SnapshotNotes> listed = later->snapshots().list();
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->size(), 1u);
  Result<WithLease<RestoreAnswer>> restored = restore(*later, {.snapshot_id = id}, {});
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(*read_whole_file(scratch.repo() + "/sub/a", 1 << 20), "a\n");
}

TEST(WorkTrees, AStoreThatCameWithACloneIsNotUsed) {
  Scratch scratch;
  scratch.run(
      "new; put a a; mkdir -p .snapback/store/snapshots; echo x > .snapback/store/snapshots/x; git add -f "
      ".snapback; save");
  const std::unique_ptr<Workspace> workspace = open(scratch, scratch.repo());
  EXPECT_EQ(workspace->store_folder(), scratch.repo() + "/.git/snapgen");
  EXPECT_EQ(workspace->snapshots().other_snapshots_sentence(), "")
      << "no snapshot in the store was created in this work tree";
}

}  // namespace
}  // namespace snapgen::core
