// The attributes of a file that the writer preserves, and the changes that it rejects.
#include "tools/engine/write/writer.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/engine/folder.h"
#include "tests/engine/no_threads.h"
#include "tests/engine/patch/tree.h"
#include "tests/engine/write/undo_folder.h"
#include "tests/soak/soak.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/write/inspected_worktree.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using Kind = TreeChange::Kind;

class WriterTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("repo/file", "old\n");
    folder_.write("repo/other", "other\n");
    folder_.write("repo/sub/inner", "inner\n");
    folder_.write("repo/.git/config", "[core]\n");
    folder_.write("outside/secret", "secret\n");
    root_.emplace(*Root::open(folder_ / "repo"));
    make_writer();
  }

  // Returns a change of the file as it exists now.
  TreeWrite now(TreeChange change) {
    TreeWrite write{.change = std::move(change)};
    Result<FileRecord> existing = observe_file(*root_, write.change.path, {});
    if (existing) write.existing = *existing;
    if (write.change.kind == Kind::copy) write.source = *observe_file(*root_, write.change.from, {});
    return write;
  }
  TreeWrite content(std::string path, std::string bytes, FileMode mode = FileMode::plain) {
    return now({.kind = Kind::write, .path = std::move(path), .mode = mode, .bytes = std::move(bytes)});
  }
  TreeWrite removal(std::string path) { return now({.kind = Kind::remove, .path = std::move(path)}); }

  std::string outcome(const std::vector<TreeWrite>& writes, const WriteOptions& options = {}) {
    Result<std::vector<FileRecord>> done = writer_->write(writes, options, nullptr, {});
    return done ? "done" : std::string(text(done.error().code));
  }

  struct stat stat_of(std::string_view path) const {
    struct stat st = {};
    EXPECT_EQ(::lstat((folder_ / "repo/" + std::string(path)).c_str(), &st), 0) << path;
    return st;
  }
  std::string read(std::string_view path) const { return folder_.read("repo/" + std::string(path)); }
  bool exists(std::string_view path) const {
    return fs::exists(fs::symlink_status(folder_ / "repo/" + std::string(path)));
  }
  // Destroying the writer leaves only the lock in the staging folder.
  void expect_tidy() {
    writer_.reset();
    for (auto& entry : fs::directory_iterator(folder_ / "repo/.git/snapgen/writes"))
      EXPECT_EQ(entry.path().filename(), "lock");
    make_writer();
  }
  void make_writer() { writer_.emplace(*root_, folder_ / "repo/.git/snapgen/writes", undos_); }

  Folder folder_;
  UndoFolder undos_{folder_ / "repo/.git/snapgen/snapshots"};
  std::optional<Root> root_;
  std::optional<Writer> writer_;
};

// Without threads, the work that usually follows the answer is done before the answer.
TEST_F(WriterTest, AppliesChangesSequentiallyWithoutThreads) {
  const std::optional<bool> made = without_threads([this] {
    make_writer();
    return outcome({content("file", "first\n")}) == "done" &&
           outcome({content("file", "second\n")}) == "done";
  });
  if (!made) GTEST_SKIP() << "this system does not allow a seccomp filter";
  EXPECT_TRUE(*made);
  EXPECT_EQ(folder_.read("repo/file"), "second\n");
}

TEST_F(WriterTest, OtherFilesKeepInodeAndTimes) {
  struct stat other = stat_of("other");
  struct stat folder = stat_of("sub");
  EXPECT_EQ(outcome({content("file", "new\n"), content("added/deep/file", "added\n")}), "done");
  EXPECT_EQ(read("file"), "new\n");
  EXPECT_EQ(read("added/deep/file"), "added\n");
  EXPECT_EQ(stat_of("other").st_ino, other.st_ino);
  EXPECT_EQ(stat_of("other").st_mtim.tv_nsec, other.st_mtim.tv_nsec);
  EXPECT_EQ(stat_of("sub").st_mtim.tv_nsec, folder.st_mtim.tv_nsec);
  expect_tidy();
}

TEST_F(WriterTest, ReplacesManyFilesAtomically) {
  const auto name = [](int i) { return "many/" + std::to_string(i % 7) + "/f" + std::to_string(1000 + i); };
  for (int i = 0; i < 100; ++i) folder_.write("repo/" + name(i), "old " + std::to_string(i));
  std::vector<TreeWrite> writes;
  for (int i = 0; i < 100; ++i) writes.push_back(content(name(i), "new " + std::to_string(i)));
  writes.push_back(removal("other"));
  folder_.write("repo/" + name(61), "somebody else's, and longer");
  EXPECT_EQ(outcome(writes), "REPO_CHANGED");
  for (int i = 0; i < 100; ++i) {
    if (i != 61) {
      EXPECT_EQ(read(name(i)), "old " + std::to_string(i));
    }
  }
  expect_tidy();
  writes[61] = content(name(61), "new 61");
  Result<std::vector<FileRecord>> done = writer_->write(writes, {}, nullptr, {});
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(done->size(), 100u);
  for (const FileRecord& record : *done) {
    Result<FileRecord> found = observe_file(*root_, record.path, {});
    ASSERT_TRUE(found) << record.path;
    EXPECT_EQ(found->stat, record.stat) << record.path;
    EXPECT_EQ(found->blob, record.blob) << record.path;
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(read(name(i)), "new " + std::to_string(i));
  EXPECT_FALSE(exists("other"));
  expect_tidy();
}

// A watcher that receives other events would have to rescan the tree.
TEST_F(WriterTest, AWatcherSeesOnlyTheReplacedFile) {
  Fd queue(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  ASSERT_TRUE(queue);
  const std::uint32_t changes = IN_CREATE | IN_DELETE | IN_MOVE | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE;
  ASSERT_GE(::inotify_add_watch(queue.get(), (folder_ / "repo/sub").c_str(), changes | IN_EXCL_UNLINK), 0);
  EXPECT_EQ(outcome({content("sub/inner", "new\n")}), "done");
  std::set<std::string> names;
  alignas(inotify_event) char events[16384];
  for (ssize_t got = 0; (got = ::read(queue.get(), events, sizeof events)) > 0;) {
    for (ssize_t at = 0; at < got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(events + at);
      if (event->len > 0) names.insert(event->name);
      at += static_cast<ssize_t>(sizeof *event) + event->len;
    }
  }
  EXPECT_EQ(names, std::set<std::string>{"inner"});
}

TEST_F(WriterTest, KeepsPermissionsButNotTheSetuidBit) {
  ::chmod((folder_ / "repo/file").c_str(), 04640);
  EXPECT_EQ(outcome({content("file", "new\n")}), "done");
  EXPECT_EQ(stat_of("file").st_mode & 07777, 0640U);
}

TEST_F(WriterTest, AModeChangeKeepsInodeContentAndTimes) {
  ::chmod((folder_ / "repo/file").c_str(), 0640);
  struct stat before = stat_of("file");
  EXPECT_EQ(outcome({now({.kind = Kind::chmod, .path = "file", .mode = FileMode::executable})}), "done");
  struct stat after = stat_of("file");
  EXPECT_EQ(after.st_mode & 07777, 0750U);
  EXPECT_EQ(after.st_ino, before.st_ino);
  EXPECT_EQ(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
}

TEST_F(WriterTest, NewFilesObeyTheUmask) {
  mode_t umask = ::umask(027);
  EXPECT_EQ(outcome({content("a", "a"), content("b", "b", FileMode::executable)}), "done");
  ::umask(umask);
  EXPECT_EQ(stat_of("a").st_mode & 07777, 0640U);
  EXPECT_EQ(stat_of("b").st_mode & 07777, 0750U);
}

TEST_F(WriterTest, KeepsExtendedAttributes) {
  std::string path = folder_ / "repo/file";
  if (::setxattr(path.c_str(), "user.note", "kept", 4, 0) != 0)
    GTEST_SKIP() << "this file system has no extended attributes";
  EXPECT_EQ(outcome({content("file", "new\n")}), "done");
  char value[8] = {};
  EXPECT_EQ(::getxattr(path.c_str(), "user.note", value, sizeof value), 4);
  EXPECT_EQ(std::string_view(value), "kept");
}

TEST_F(WriterTest, ReturnsTheRecordsOfTheWrittenFiles) {
  Result<std::vector<FileRecord>> done = writer_->write(
      {content("file", "new\n"), now({.kind = Kind::chmod, .path = "other", .mode = FileMode::executable}),
       content("link", "file", FileMode::symlink), removal("sub/inner")},
      {}, nullptr, {});
  ASSERT_TRUE(done);
  ASSERT_EQ(done->size(), 3U);
  for (const FileRecord& record : *done) {
    Result<FileRecord> seen = observe_file(*root_, record.path, {});
    ASSERT_TRUE(seen);
    EXPECT_EQ(record.stat, seen->stat) << record.path;
    EXPECT_EQ(record.blob, seen->blob) << record.path;
  }
}

TEST_F(WriterTest, DeletesAnEmptyFolderOnlyIfRequested) {
  EXPECT_EQ(outcome({removal("sub/inner")}), "done");
  EXPECT_TRUE(exists("sub"));
  folder_.write("repo/sub/inner", "inner\n");
  folder_.write("repo/deep/er/x", "x\n");
  folder_.write("repo/deep/y", "y\n");
  EXPECT_EQ(outcome({removal("sub/inner"), removal("deep/er/x")}, {.prune_empty_folders = true}), "done");
  EXPECT_FALSE(exists("sub"));
  EXPECT_FALSE(exists("deep/er"));
  EXPECT_TRUE(exists("deep/y"));
}

TEST_F(WriterTest, DeletesAFolderOnlyIfEmpty) {
  folder_.write("repo/sub/hidden", "hidden\n");
  TreeWrite folder{.change = {.kind = Kind::remove_folder, .path = "sub"}};
  EXPECT_EQ(outcome({removal("sub/inner"), folder}), "REPO_CHANGED");
  EXPECT_EQ(read("sub/inner"), "inner\n");
  EXPECT_EQ(outcome({removal("sub/inner"), removal("sub/hidden"), folder}), "done");
  EXPECT_FALSE(exists("sub"));
  expect_tidy();
}

TEST_F(WriterTest, RejectsAFileThatChangedSinceItWasRead) {
  std::vector<TreeWrite> writes{content("added", "added\n"), content("file", "new\n"), removal("other")};
  folder_.write("repo/other", "edited\n");
  EXPECT_EQ(outcome(writes), "REPO_CHANGED");
  EXPECT_EQ(read("file"), "old\n");
  EXPECT_EQ(read("other"), "edited\n");
  EXPECT_FALSE(exists("added"));
}

TEST_F(WriterTest, DetectsAnEditWithTheSameSizeAndTimes) {
  TreeWrite write = content("file", "new\n");
  struct stat before = stat_of("file");
  folder_.write("repo/file", "odd\n");
  const timespec times[] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder_ / "repo/file").c_str(), times, 0), 0);
  // The times are set in the same clock tick in which the stat is read.
  write.existing->stat = *root_->lstat("file");
  write.existing->seen_ns = write.existing->stat.ctime_ns;
  EXPECT_EQ(outcome({write}), "REPO_CHANGED");
  EXPECT_EQ(read("file"), "odd\n");
  expect_tidy();
}

TEST_F(WriterTest, RejectsOverwritingANewFile) {
  std::vector<TreeWrite> writes{content("added", "added\n"), content("file", "new\n")};
  folder_.write("repo/added", "mine\n");
  EXPECT_EQ(outcome(writes), "REPO_CHANGED");
  EXPECT_EQ(read("added"), "mine\n");
  EXPECT_EQ(read("file"), "old\n");
}

TEST_F(WriterTest, RejectsACopyOfAChangedSource) {
  TreeWrite copy = now({.kind = Kind::copy, .path = "copy", .from = "file"});
  folder_.write("repo/file", "edited\n");
  EXPECT_EQ(outcome({copy, content("other", "new\n")}), "REPO_CHANGED");
  EXPECT_FALSE(exists("copy"));
  EXPECT_EQ(read("other"), "other\n");
  expect_tidy();
}

TEST_F(WriterTest, RejectsPathsOutsideAndForbiddenPaths) {
  folder_.link("repo/out", folder_ / "outside");
  folder_.link("repo/in", "sub");
  for (std::string path :
       {"out/new", "in/new", ".git/config2", ".GIT/x", "sub/.git/x", ".snapback/store/x", ".git"}) {
    EXPECT_EQ(outcome({{.change = {.path = path, .bytes = "x"}}}), "PERMISSION_DENIED") << path;
  }
  EXPECT_FALSE(fs::exists(folder_ / "outside/new"));
  EXPECT_FALSE(exists("sub/new"));
}

TEST_F(WriterTest, AReadOnlyFolderGivesAClearErrorAndNothingChanges) {
  folder_.write("repo/locked/x", "x\n");
  std::vector<TreeWrite> writes{content("file", "new\n"), content("locked/x", "y\n")};
  ::chmod((folder_ / "repo/locked").c_str(), 0555);
  fs::create_directories(folder_ / "repo/.git/snapgen/writes");
  fs::permissions(folder_ / "repo/.git/snapgen/writes", fs::perms::all);
  fs::permissions(folder_ / "repo", fs::perms::all);
  fs::permissions(folder_.path(), fs::perms::all);
  std::string seen;
  {
    Unprivileged unprivileged;
    Result<std::vector<FileRecord>> done = writer_->write(writes, {}, nullptr, {});
    ASSERT_FALSE(done);
    seen = done.error().message;
    EXPECT_EQ(done.error().code, ErrorCode::permission_denied);
  }
  EXPECT_NE(seen.find("locked/x"), std::string::npos) << seen;
  EXPECT_EQ(read("file"), "old\n");
  EXPECT_EQ(read("locked/x"), "x\n");
  expect_tidy();
}

TEST_F(WriterTest, ACancelledWriteChangesNothing) {
  std::stop_source source;
  source.request_stop();
  Result<std::vector<FileRecord>> done =
      writer_->write({content("file", "new\n")}, {}, nullptr, source.get_token());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::cancelled);
  EXPECT_EQ(read("file"), "old\n");
}

TEST_F(WriterTest, RejectsAMovedWorkspace) {
  fs::rename(folder_ / "repo", folder_ / "moved");
  fs::create_directory(folder_ / "repo");
  EXPECT_EQ(outcome({{.change = {.path = "x", .bytes = "x"}}}), "UNAVAILABLE");
  EXPECT_FALSE(fs::exists(folder_ / "moved/x"));
}

TEST_F(WriterTest, ConcurrentWritersLoseNoUpdate) {
  folder_.write("repo/count", "0");
  constexpr int increments = 25;
  auto count_up = [this] {
    Writer writer(*root_, folder_ / "repo/.git/snapgen/writes", undos_);
    for (int done = 0; done < increments;) {
      InspectedWorktree view(*root_, {});
      Result<TreeNode> node = view.node_at("count");
      Result<std::string> bytes = view.read("count");
      if (!node || !bytes) continue;
      std::string next = std::to_string(std::stoi(*bytes) + 1);
      if (writer.write(view.writes_of({{.path = "count", .bytes = next}}), {}, nullptr, {})) ++done;
    }
  };
  std::thread one(count_up);
  std::thread two(count_up);
  one.join();
  two.join();
  EXPECT_EQ(read("count"), std::to_string(2 * increments));
  expect_tidy();
}

class PackingFolder final : public UndoFolder {
 public:
  PackingFolder(std::string folder, std::function<void(const std::stop_token&)> pack)
      : UndoFolder(std::move(folder)), pack_(std::move(pack)) {}
  void pack_older(const std::stop_token& stop) override { pack_(stop); }

 private:
  std::function<void(const std::stop_token&)> pack_;
};

// Packing never delays a write, and a writer that ends stops it.
TEST_F(WriterTest, PacksUndoSnapshotsMeanwhileAndSeldom) {
  std::promise<void> first, second;
  std::atomic<int> packings = 0;
  PackingFolder undos(folder_ / "repo/.git/snapgen/snapshots", [&](const std::stop_token& stop) {
    const int before = packings++;
    if (before < 2) (before == 0 ? first : second).set_value();
    std::mutex mutex;
    std::unique_lock lock(mutex);
    // The second packing lasts until the writer ends.
    if (before == 1) std::condition_variable_any().wait(lock, stop, [] { return false; });
  });
  writer_.emplace(*root_, folder_ / "repo/.git/snapgen/writes", undos);
  const auto write = [this](int number) {
    EXPECT_EQ(outcome({content("file", std::to_string(number))}), "done");
  };
  write(0);
  first.get_future().wait();
  const std::future<void> is_second = second.get_future();
  int writes = 1;
  while (is_second.wait_for(std::chrono::seconds(0)) != std::future_status::ready && writes < 1000)
    write(writes++);
  EXPECT_GT(writes, 64);
  for (int i = 0; i < 100; ++i) write(i);
  EXPECT_EQ(packings, 2);
  expect_tidy();
}

TEST_F(WriterTest, NeverEscapesThroughASwappedFolder) {
  for (Root::OpenMethod opening : {Root::OpenMethod::openat2, Root::OpenMethod::walk}) {
    Root root = *Root::open(folder_ / "repo", opening);
    std::optional<Writer> writer(std::in_place, root, folder_ / "repo/.git/snapgen/writes", undos_);
    fs::create_directories(folder_ / "repo/d");
    folder_.link("repo/l", folder_ / "outside");
    // In every other period the thread pauses while the folder exists, so that some writes succeed.
    enum Pace : int { swapping, to_rest, resting, ended };
    std::atomic<int> pace = swapping;
    std::thread swapper([&] {
      std::string folder = folder_ / "repo/d";
      std::string link = folder_ / "repo/l";
      for (bool in_place = true; pace != ended;) {
        if (in_place && pace == to_rest) {
          pace = resting;
          pace.notify_one();
          pace.wait(resting);
          continue;
        }
        if (::renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE) == 0)
          in_place = !in_place;
      }
    });
    const int count = is_soak() ? 600 : 200;
    int written = 0;
    for (int i = 0; i < count; ++i) {
      if (i % 2 == 0) {
        pace = to_rest;
        pace.wait(to_rest);
      }
      InspectedWorktree view(root, {});
      if (view.node_at("d/x") && view.node_at("d/new/y")) {
        std::vector<TreeChange> changes{{.path = "d/x", .bytes = std::to_string(i)},
                                        {.path = "d/new/y", .bytes = "y"}};
        if (i % 3 == 0) changes = {{.kind = Kind::remove, .path = "d/x"}};
        if (writer->write(view.writes_of(std::move(changes)), {}, nullptr, {})) ++written;
      }
      if (i % 2 == 0) {
        pace = swapping;
        pace.notify_one();
      }
    }
    pace = ended;
    pace.notify_one();
    swapper.join();
    EXPECT_GE(written, count / 3);
    int outside = 0;
    for ([[maybe_unused]] auto& entry : fs::directory_iterator(folder_ / "outside")) ++outside;
    EXPECT_EQ(outside, 1);
    EXPECT_EQ(folder_.read("outside/secret"), "secret\n");
    ASSERT_TRUE(writer->recover({}));
    writer.reset();  // this completes the work on replaced files
    // A replaced file whose folder was then deleted is retained.
    for (auto& entry : fs::directory_iterator(folder_ / "repo/.git/snapgen/writes")) {
      std::string name = entry.path().filename();
      EXPECT_TRUE(name == "lock" || name.starts_with("kept-")) << name;
    }
    fs::remove_all(folder_ / "repo/d");
    fs::remove_all(folder_ / "repo/l");
  }
}

TEST_F(WriterTest, AnImpossibleChangeDoesNotBlockLaterOnes) {
  const std::string name(256, 'n');
  const std::string writes = "repo/.git/snapgen/writes/";
  folder_.write(writes + "aaaaaaaaaaaa-0", "x");
  struct stat st;
  ASSERT_EQ(::stat((folder_ / (writes + "aaaaaaaaaaaa-0")).c_str(), &st), 0);
  Journal journal{.boot = boot_id(), .written_ns = now_ns(), .note = {}, .steps = {}};
  journal.steps.push_back({.kind = Step::Kind::make_folder, .path = name});
  journal.steps.push_back({.kind = Step::Kind::move_from_staging,
                           .path = name + "/x",
                           .staged_name = "aaaaaaaaaaaa-0",
                           .after = file_stat(st)});
  folder_.write(writes + "aaaaaaaaaaaa.journal", encoded_journal(journal));
  make_writer();
  Result<Unit> recovered = writer_->recover({});
  EXPECT_TRUE(recovered) << recovered.error().message;
  EXPECT_EQ(outcome({content("file", "new\n")}), "done");
  EXPECT_FALSE(fs::exists(folder_ / (writes + "aaaaaaaaaaaa.journal")));
}

TEST(Journal, IsReadBackUnchanged) {
  std::vector<Step> steps{
      {.kind = Step::Kind::remove_folder, .path = "a b\nc", .required = false, .mode = 0755},
      {.kind = Step::Kind::exchange,
       .path = "\xff",
       .staged_name = "t-1",
       .outside_staging_folder = "",
       .before =
           FileRecord{.path = "\xff",
                      .stat = {.size = 1, .mtime_ns = -2, .ctime_ns = 3, .inode = 4, .device = 5, .mode = 6},
                      .seen_ns = 7,
                      .blob = blob_id_of("x")},
       .after = {.size = 9, .mtime_ns = 8, .inode = 7},
       .content = StagedBytes{.bytes = "con\0tent\n"s, .blob = blob_id_of("con\0tent\n"s)}},
      {.kind = Step::Kind::move_from_staging,
       .path = "empty",
       .staged_name = "t-3",
       .content = StagedBytes{.bytes = "", .blob = blob_id_of("")}},
      {.kind = Step::Kind::move_to_staging,
       .path = "z",
       .staged_name = "t-2",
       .before = FileRecord{.path = "z"}}};
  Journal journal{.boot = "this one", .written_ns = 12, .note = "a note\nof \xff lines", .steps = steps};
  std::string bytes = encoded_journal(journal);
  EXPECT_EQ(parse_journal(bytes), journal);
  EXPECT_EQ(parse_journal(bytes + "x"), std::nullopt);
  std::string damaged = bytes;
  damaged[bytes.size() - 2] ^= 1;
  EXPECT_EQ(parse_journal(damaged), std::nullopt) << "a damaged byte within a content";
  for (std::size_t cut : {std::size_t{0}, std::size_t{5}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_EQ(parse_journal(std::string_view(bytes).substr(0, cut)), std::nullopt);
}

}  // namespace
}  // namespace snapgen::core
