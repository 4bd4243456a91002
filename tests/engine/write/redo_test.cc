// The machine crashes during a change or after its answer. The journal must redo the steps that are not on
// disk, and must not overwrite later changes by other processes.
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>

#include <fcntl.h>
#include <sys/stat.h>

#include "tests/engine/folder.h"
#include "tests/engine/patch/tree.h"
#include "tests/engine/write/undo_folder.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/write/inspected_worktree.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/transaction.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t second_ns = 1'000'000'000;

const Tree tree_before = {
    {"modified", {FileMode::plain, "old\n"}},     {"script", {FileMode::plain, "run\n"}},
    {"gone", {FileMode::plain, "gone\n"}},        {"folder/last", {FileMode::plain, "last\n"}},
    {"tool", {FileMode::executable, "2\n"}},      {"link", {FileMode::symlink, "modified"}},
    {"becomes_folder", {FileMode::plain, "f\n"}}, {"untouched", {FileMode::plain, "same\n"}},
};
const Tree tree_after = {
    {"modified", {FileMode::plain, "new\n"}},
    {"script", {FileMode::executable, "run\n"}},
    {"tool", {FileMode::executable, "3\n"}},
    {"link", {FileMode::symlink, "untouched"}},
    {"becomes_folder/in", {FileMode::plain, "in\n"}},
    {"new/deep/file", {FileMode::plain, "new\n"}},
    {"empty", {FileMode::plain, ""}},
    {"untouched", {FileMode::plain, "same\n"}},
};

std::vector<TreeChange> changes() {
  using Kind = TreeChange::Kind;
  return {
      {.path = "modified", .bytes = "new\n"},
      {.kind = Kind::chmod, .path = "script", .mode = FileMode::executable},
      {.kind = Kind::remove, .path = "gone"},
      {.kind = Kind::remove, .path = "folder/last"},
      {.path = "tool", .mode = FileMode::executable, .bytes = "3\n"},
      {.path = "link", .mode = FileMode::symlink, .bytes = "untouched"},
      {.kind = Kind::remove, .path = "becomes_folder"},
      {.path = "becomes_folder/in", .bytes = "in\n"},
      {.path = "new/deep/file", .bytes = "new\n"},
      {.path = "empty", .bytes = ""},
  };
}

// The part of a step that did not reach the disk.
enum class Loss { nothing, content, move, move_and_content, all };

// Has only the contents of the snapshot `complete`.
class ContentsFolder final : public UndoFolder {
 public:
  using UndoFolder::UndoFolder;
  bool has_contents(const SnapshotFiles& files) override { return files == complete; }

  std::optional<SnapshotFiles> complete;
};

class RedoTest : public testing::Test {
 protected:
  std::string tree() const { return folder_ / "tree"; }
  std::string staging() const { return folder_ / "staging"; }
  std::string snapshots() const { return folder_ / "snapshots"; }
  std::string at(const std::string& path) const { return tree() + "/" + path; }
  std::string staged(const Step& step) const { return staging() + "/" + step.staged_name; }

  // Makes the change in the tree, without the steps that complete it.
  void change() {
    fs::remove_all(tree());
    fs::remove_all(staging());
    write_tree(tree(), tree_before);
    Root root = *Root::open(tree());
    InspectedWorktree view(root, {});
    for (const TreeChange& each : changes()) ASSERT_TRUE(view.node_at(each.path));
    std::vector<TreeWrite> writes = view.writes_of(changes());
    StagingFolder folder = *StagingFolder::open(staging(), undos_);
    ASSERT_TRUE(folder.lock({}));
    Transaction transaction(root, folder, writes);
    ASSERT_TRUE(transaction.run({.prune_empty_folders = true}, nullptr, [] {}, {}));
    ASSERT_EQ(read_tree(tree()), tree_after);
    ASSERT_TRUE(transaction.take_unfinished());
    for (const auto& entry : fs::directory_iterator(staging())) {
      if (entry.path().extension() == ".done") journal_ = entry.path();
    }
    std::optional<Journal> journal = parse_journal(*read_whole_file(journal_, 1 << 20));
    ASSERT_TRUE(journal);
    EXPECT_TRUE(journal->is_of_this_boot());
    steps_ = journal->steps;
  }

  // Simulates a restart of the machine. `suffix` is the state that the journal had reached.
  void reboot(const std::string& suffix, const SnapshotFiles& undo = {}) {
    fs::remove(journal_);
    std::string name = fs::path(journal_).stem();
    std::ofstream(staging() + "/" + name + suffix) << encoded_journal(
        {.boot = boot_, .written_ns = now_ns(), .note = {}, .undo = undo, .steps = steps_});
  }

  void lose(const Step& step, Loss loss) {
    if (loss == Loss::nothing) return;
    bool has_content = step.kind == Step::Kind::move_from_staging || step.kind == Step::Kind::exchange;
    if (loss == Loss::content) {
      if (has_content) empty(at(step.path), step);
      return;
    }
    int flags = step.kind == Step::Kind::exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    std::string path = at(step.path);
    bool moved = false;
    switch (step.kind) {
      case Step::Kind::remove_folder: ::mkdir(path.c_str(), 0755); return;
      case Step::Kind::make_folder: ::rmdir(path.c_str()); return;
      case Step::Kind::chmod: ::chmod(path.c_str(), step.before->stat.mode & 07777); return;
      case Step::Kind::move_to_staging:
        static_cast<void>(
            ::renameat2(AT_FDCWD, staged(step).c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE));
        return;
      case Step::Kind::move_from_staging:
      case Step::Kind::exchange:
        moved = ::renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, staged(step).c_str(), flags) == 0;
        break;
    }
    if (moved && loss == Loss::all) fs::remove(staged(step));
    if (moved && loss == Loss::move_and_content) empty(staged(step), step);
  }

  static void empty(const std::string& file, const Step& step) {
    if (S_ISLNK(step.after.mode)) return;
    ASSERT_EQ(::truncate(file.c_str(), 0), 0);
    touch(file, step.after.mtime_ns);
  }

  static void touch(const std::string& path, std::int64_t mtime_ns) {
    timespec time{.tv_sec = mtime_ns / second_ns, .tv_nsec = mtime_ns % second_ns};
    timespec times[] = {time, time};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }

  void recover() {
    Root root = *Root::open(tree());
    Result<Unit> recovered = Writer(root, staging(), undos_).recover({});
    EXPECT_TRUE(recovered) << (recovered ? "" : recovered.error().message + recovered.error().cause);
    for (const auto& entry : fs::directory_iterator(staging())) EXPECT_EQ(entry.path().filename(), "lock");
  }

  void expect_after(const Tree& wanted = tree_after) {
    Tree found = read_tree(tree());
    EXPECT_EQ(found, wanted) << "found:\n" << described(found) << "wanted:\n" << described(wanted);
  }

  Folder folder_;
  std::string journal_;
  std::vector<Step> steps_;
  std::string boot_ = "another";  // The boot id in the journal that reboot() writes.
  ContentsFolder undos_{snapshots()};
};

TEST_F(RedoTest, RedoesStepsThatAreNotOnDisk) {
  std::mt19937 random(20261122);
  for (int round = 0; round < 80 && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    change();
    std::string losses;
    for (std::size_t i = steps_.size(); i > 0; --i) {
      Loss loss = round < 5 ? static_cast<Loss>(round) : static_cast<Loss>(random() % 5);
      losses += std::to_string(static_cast<int>(loss)) + " " + steps_[i - 1].path + "\n";
      lose(steps_[i - 1], loss);
    }
    SCOPED_TRACE(losses);
    constexpr const char* stages[] = {".done", ".journal", ".journal.new"};
    reboot(stages[random() % 3]);
    recover();
    expect_after();
    EXPECT_FALSE(fs::exists(at("folder")));
  }
}

TEST_F(RedoTest, RestoresFolderPermissions) {
  for (const auto& [mode, wanted] :
       {std::pair(0700U, 0700U), std::pair(0U, 0777U)}) {  // 0: as in a journal of an older version
    change();
    const mode_t tree_before = ::umask(0);
    for (Step& step : steps_)
      if (step.kind == Step::Kind::make_folder && step.path == "new") step.mode = mode;
    fs::remove_all(at("new"));
    reboot(".done");
    recover();
    ::umask(tree_before);
    expect_after();
    EXPECT_EQ(static_cast<std::uint32_t>(fs::status(at("new")).permissions()), wanted);
  }
}

TEST_F(RedoTest, KeepsLaterWritesByOthers) {
  for (const char* stage : {".done", ".journal"}) {
    change();
    std::ofstream(at("modified")) << "edited\n";
    std::ofstream(at("another")) << "replaced\n";
    fs::rename(at("another"), at("tool"));
    std::ofstream(at("gone")) << "made again\n";
    touch(at("modified"), now_ns() + second_ns);
    reboot(stage);
    recover();
    Tree wanted = tree_after;
    wanted["modified"].bytes = "edited\n";
    wanted["tool"] = {FileMode::plain, "replaced\n"};
    wanted["gone"] = {FileMode::plain, "made again\n"};
    expect_after(wanted);
  }
}

TEST_F(RedoTest, KeepsLaterDeletionsByOthers) {
  change();
  fs::remove_all(at("new"));
  fs::remove(at("becomes_folder/in"));
  fs::remove(at("modified"));
  for (const char* folder : {"", "becomes_folder"}) touch(at(folder), now_ns() + 3600 * second_ns);
  reboot(".done");
  recover();
  Tree wanted = tree_after;
  for (const char* path : {"new/deep/file", "becomes_folder/in", "modified"}) wanted.erase(path);
  expect_after(wanted);
}

TEST_F(RedoTest, LeavesACompletedChangeAfterAServerCrash) {
  change();
  fs::remove(at("modified"));
  fs::remove_all(at("new"));
  ASSERT_EQ(::chmod(at("script").c_str(), 0644), 0);
  recover();
  Tree wanted = tree_after;
  wanted.erase("modified");
  wanted.erase("new/deep/file");
  wanted["script"].mode = FileMode::plain;
  expect_after(wanted);
}

TEST_F(RedoTest, IgnoresAnIncompleteJournal) {
  change();
  std::string bytes = *read_whole_file(journal_, 1 << 20);
  std::string name = fs::path(journal_).stem();
  for (std::size_t size : {std::size_t{0}, std::size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
    fs::remove_all(tree());
    fs::remove_all(staging());
    write_tree(tree(), tree_before);
    fs::create_directory(staging());
    std::ofstream(staging() + "/" + name + ".journal.new") << bytes.substr(0, size);
    std::ofstream(staging() + "/" + name + "-0") << "staged";
    recover();
    expect_after(tree_before);
  }
}

TEST_F(RedoTest, WritesTheFilesOfTheUndoSnapshotAgain) {
  const SnapshotFiles undo{
      .hex = std::string(64, 'a'), .header_text = "{\"head\":1}", .note_text = "{\"note\":1}"};
  undos_.complete = undo;
  const std::string head = snapshots() + "/" + undo.hex;
  const std::vector<std::string> losses = {"rm -rf " + snapshots(), "rm " + head, "truncate -s 0 " + head,
                                           "rm " + head + ".note", "true"};
  for (const std::string& loss : losses) {
    for (const char* suffix : {".journal", ".done"}) {
      SCOPED_TRACE(loss + suffix);
      change();
      ASSERT_TRUE(make_snapshot_durable(snapshots(), undo));
      reboot(suffix, undo);
      ASSERT_EQ(std::system(loss.c_str()), 0);
      recover();
      expect_after();
      EXPECT_EQ(*read_whole_file(head, 1 << 20), undo.header_text);
      EXPECT_EQ(*read_whole_file(head + ".note", 1 << 20), undo.note_text);
    }
  }
}

TEST_F(RedoTest, DropsAChangeWithoutDurableUndoContents) {
  const SnapshotFiles undo{
      .hex = std::string(64, 'a'), .header_text = "{\"head\":1}", .note_text = "{\"note\":1}"};
  for (const bool has_contents : {false, true}) {
    SCOPED_TRACE(has_contents);
    undos_.complete = has_contents ? std::optional(undo) : std::nullopt;
    change();
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) lose(*step, Loss::move);
    ASSERT_EQ(read_tree(tree()), tree_before) << "no step was run";
    reboot(".journal.new", undo);
    recover();
    expect_after(has_contents ? tree_after : tree_before);
    EXPECT_EQ(fs::exists(snapshots() + "/" + undo.hex), has_contents);
  }
}

// The process was killed while one thread synced the journal and another stored the replaced contents.
TEST_F(RedoTest, IgnoresAnUnrenamedJournalWithAnUndoSnapshot) {
  const SnapshotFiles undo{
      .hex = std::string(64, 'a'), .header_text = "{\"head\":1}", .note_text = "{\"note\":1}"};
  for (const char* suffix : {".journal.new", ".journal"}) {
    SCOPED_TRACE(suffix);
    change();
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) lose(*step, Loss::move);
    boot_ = boot_id();
    reboot(suffix, undo);
    recover();
    expect_after(std::string_view(suffix) == ".journal" ? tree_after : tree_before);
  }
}

TEST_F(RedoTest, ADamagedJournalIsReportedAndNothingIsDeleted) {
  change();
  std::string bytes = *read_whole_file(journal_, 1 << 20);
  bytes[bytes.size() - 2] ^= 1;
  std::ofstream(journal_) << bytes;
  std::size_t files = std::distance(fs::directory_iterator(staging()), fs::directory_iterator());
  Root root = *Root::open(tree());
  Result<Unit> recovered = Writer(root, staging(), undos_).recover({});
  ASSERT_FALSE(recovered);
  EXPECT_EQ(recovered.error().code, ErrorCode::internal);
  EXPECT_NE(recovered.error().message.find("damaged"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(staging()), fs::directory_iterator()), files);
}

}  // namespace
}  // namespace snapgen::core
