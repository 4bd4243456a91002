#include <chrono>
#include <clocale>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <future>
#include <stop_token>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/json/details.h"
#include "tests/engine/folder.h"
#include "tests/engine/no_threads.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/store/snapshots/snapshot_planner.h"

namespace snapgen::core {
namespace {

// The repository of the known-answer vector. Neither file ends in a line feed.
constexpr std::string_view toy = R"(new
put src/main.rs 'fn main() {}'
put README.md '# Toy Repo'
git add -A && git commit -q -m 'Initial commit')";

constexpr std::string_view sha256_of_nothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Snapshot, TheEmptyManifestHasTheKnownId) {
  Fingerprint fingerprint{.head_oid = "96b5c0893afecee8b85ece82b1a82ce15fe5ec1b",
                          .index_oid = "f065f5b45ebfb7c38dc0d4b2feb8875d004c6dfb",
                          .status_hash = std::string(sha256_of_nothing)};
  EXPECT_EQ(snapshot_id_hex(fingerprint, {}),
            "ab8e276bbdf315853db202f46bbea6427a77d47dbf08c407b2acff41a238b421");
  TestWorkspace workspace(toy);
  Result<GitStatus> status = workspace.opened->status({});
  ASSERT_TRUE(status);
  EXPECT_EQ(status->fingerprint, fingerprint);
}

TEST(Snapshot, TheIdHashesTheFingerprintAndTheManifest) {
  TestWorkspace workspace(toy);
  Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{""});
  ASSERT_TRUE(created) << created.error().message;
  // Hashes that sha256sum gives for the same files, combined by hand.
  std::string preimage =
      R"({"head_oid":"96b5c0893afecee8b85ece82b1a82ce15fe5ec1b","index_oid":"f065f5b45ebfb7c38dc0d4b2feb8875d004c6dfb",)"
      R"("status_hash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"})"
      "\n"
      R"({"entries":[{"blob":"sha256:)" +
      sha256_hex("# Toy Repo") + R"(","path":"README.md"},{"blob":"sha256:)" + sha256_hex("fn main() {}") +
      R"(","path":"src/main.rs"}]})";
  EXPECT_EQ(created->id(), "sha256:" + sha256_hex(preimage));
  EXPECT_EQ(created->stats.file_count, 2);
  EXPECT_EQ(created->stats.bytes, 22);
  EXPECT_EQ(workspace.scratch.truth().status, "") << "git must not report the store";
}

TEST(Snapshot, ACallerWithoutOtherThreadsCreatesTheSameSnapshot) {
  TestWorkspace workspace(toy);
  const std::optional<bool> made =
      without_threads([&] { return bool(workspace.create(std::vector<std::string>{""})); });
  if (!made) GTEST_SKIP() << "this system does not allow a seccomp filter";
  EXPECT_TRUE(*made);
  EXPECT_EQ(workspace.opened->snapshots().id_hexes()->size(), 1u);
}

TEST(Snapshot, ModesAndSymlinkTargetsArePartOfTheManifest) {
  TestWorkspace workspace(
      "new; put run.sh x; chmod +x run.sh; ln -s run.sh link; ln -s /nowhere dangling; save");
  Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{""});
  ASSERT_TRUE(created) << created.error().message;
  const std::vector<ManifestRow>& entries = created->rows;
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0],
            (ManifestRow{.path = "dangling", .blob = blob_id_of("/nowhere"), .mode = FileMode::symlink}));
  EXPECT_EQ(entries[1],
            (ManifestRow{.path = "link", .blob = blob_id_of("run.sh"), .mode = FileMode::symlink}));
  EXPECT_EQ(entries[2],
            (ManifestRow{.path = "run.sh", .blob = blob_id_of("x"), .mode = FileMode::executable}));
  workspace.reopen();
  Result<std::shared_ptr<const Snapshot>> loaded = workspace.opened->snapshots().load(created->id());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(rows_of((*loaded)->entries), entries);
}

TEST(Snapshot, ManifestsOfAnySizeAreReadBackUnchanged) {
  Folder folder;
  auto blobs = *open_segment_store(folder / "b");
  SnapshotStore store(folder / "s", {}, *blobs);
  Fingerprint fingerprint{.head_oid = "", .index_oid = "", .status_hash = std::string(sha256_of_nothing)};
  for (std::size_t count : {0, 1, 2, 700, 5000, 20000}) {
    std::vector<ManifestEntry> entries;
    BlobId blob = *blobs->put("x");
    for (std::size_t i = 0; i < count; ++i) {
      std::string name = std::to_string(100000 + i);
      entries.push_back(
          {.path = "dir" + name.substr(0, 3) + "/f" + name + (i % 7 ? ".c" : "\xff"), .blob = blob});
    }
    std::sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.path < b.path; });
    Result<std::shared_ptr<const Snapshot>> saved = store.save(fingerprint, entries, 5);
    ASSERT_TRUE(saved) << saved.error().message;
    EXPECT_EQ((*saved)->hex, snapshot_id_hex(fingerprint, entries));
    SnapshotStore later(folder / "s", {}, *blobs);
    Result<std::shared_ptr<const Snapshot>> loaded = later.load((*saved)->id());
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ((*loaded)->entries, entries);
  }
}

TEST(Snapshot, APlanGivesTheSameManifestForAnySize) {
  Folder folder;
  auto blobs = *open_segment_store(folder / "b");
  Fingerprint fingerprint{.head_oid = "", .index_oid = "", .status_hash = std::string(sha256_of_nothing)};
  // The last one has more new chunks than fit in memory.
  for (int count : {0, 1, 2'000, 60'000}) {
    std::vector<ManifestEntry> entries;
    for (int i = 0; i < count; ++i)
      entries.push_back(
          {.path = "src/" + sha256_hex(std::to_string(i)), .blob = blob_id_of(std::to_string(i))});
    std::sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.path < b.path; });
    const std::vector<ManifestRow> rows = rows_of(entries);
    for (int times = 0; times < 2; ++times) {  // the second time, all chunks exist
      ManifestCache cache;
      SnapshotPlanner planner(*blobs, cache, fingerprint, rows);
      planner.hash_manifest();
      Result<SnapshotPlan> plan = planner.finish();
      ASSERT_TRUE(plan) << plan.error().message;
      EXPECT_EQ(plan->hex, snapshot_id_hex(fingerprint, entries));
      // The concatenated chunks are the manifest.
      std::string text(manifest_begin);
      for (const BlobId& chunk : plan->chunks) {
        Result<std::string> bytes = blobs->get(chunk);
        ASSERT_TRUE(bytes) << bytes.error().message;
        text += (text.ends_with('[') ? "" : ",") + *bytes;
      }
      text += manifest_end;
      EXPECT_EQ(sha256_hex(canonical_json(fingerprint) + "\n" + text), plan->hex);
    }
  }
}

TEST(Snapshot, OneChangedFileAddsLittleToTheStore) {
  Folder folder;
  auto blobs = *open_segment_store(folder / "b");
  SnapshotStore store(folder / "s", {}, *blobs);
  std::vector<ManifestEntry> entries;
  for (int i = 0; i < 20000; ++i) {
    entries.push_back({.path = "src/" + std::to_string(100000 + i), .blob = *blobs->put(std::to_string(i))});
  }
  ASSERT_TRUE(store.save({}, entries, 1));
  auto size = [&] {
    std::uintmax_t sum = 0;
    for (auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      if (entry.path().extension() == ".seg" || entry.path().parent_path() == folder / "s")
        sum += entry.file_size();
    }
    return sum;
  };
  std::uintmax_t before = size();
  entries[12345].blob = *blobs->put("changed");
  entries.erase(entries.begin() + 777);
  entries.insert(entries.begin(), {.path = "aaa", .blob = *blobs->put("new")});
  ASSERT_TRUE(store.save({}, entries, 2));
  EXPECT_LT(size() - before, 400'000u);
  EXPECT_GT(before, 1'000'000u);
}

TEST(Snapshot, AnUnambiguousPrefixFindsASnapshot) {
  Folder folder;
  auto blobs = *open_segment_store(folder / "b");
  SnapshotStore store(folder / "s", {}, *blobs);
  std::vector<std::string> hexes;
  for (int i = 0; i < 40; ++i) {
    hexes.push_back(
        (*store.save({.head_oid = std::to_string(i), .index_oid = {}, .status_hash = {}}, {}, i))->hex);
  }
  std::sort(hexes.begin(), hexes.end());
  for (std::size_t i = 0; i < hexes.size(); ++i) {
    for (const std::string& form : {"sha256:" + hexes[i], "snap_" + hexes[i].substr(0, 10),
                                    "sha256:" + hexes[i].substr(0, 20), "snap_" + hexes[i]}) {
      Result<std::shared_ptr<const Snapshot>> loaded = store.load(form);
      ASSERT_TRUE(loaded) << form;
      EXPECT_EQ((*loaded)->hex, hexes[i]);
    }
  }
  // 40 snapshots have the same first 16 digits.
  std::size_t twin = 0;
  while (hexes[twin][0] != hexes[twin + 1][0]) ++twin;
  Result<std::shared_ptr<const Snapshot>> ambiguous = store.load("snap_" + hexes[twin].substr(0, 1));
  ASSERT_FALSE(ambiguous);
  EXPECT_EQ(ambiguous.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(json::object_text(ambiguous.error().details).find("sha256:" + hexes[twin]), std::string::npos);
  EXPECT_NE(json::object_text(ambiguous.error().details).find("sha256:" + hexes[twin + 1]),
            std::string::npos);
  for (std::string_view wrong :
       {"", "sha256:", "snap_", "snap_XYZ", "deadbeef", "sha256:ABC", "snap_../../x"}) {
    Result<std::shared_ptr<const Snapshot>> loaded = store.load(wrong);
    ASSERT_FALSE(loaded) << wrong;
    EXPECT_EQ(loaded.error().code, ErrorCode::invalid_argument) << wrong;
  }
  Result<std::shared_ptr<const Snapshot>> none = store.load("sha256:" + std::string(64, '0'));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
}

TEST(Snapshot, MessageAndTimesAreNotPartOfTheId) {
  TestWorkspace workspace(toy);
  Result<CreatedSnapshot> first =
      workspace.create(std::vector<std::string>{""}, {}, "before the refactoring");
  workspace.clock_offset_ns = 5'000'000'000;
  Result<CreatedSnapshot> second = workspace.create(std::vector<std::string>{""}, {}, "again, \"quoted\"");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->id(), second->id());
  workspace.clock_offset_ns = 6'000'000'000;  // A snapshot takes less than a millisecond, the resolution of
                                              // notes.
  Result<CreatedSnapshot> other = workspace.create(std::vector<std::string>{"README.md"}, {}, "one file");
  ASSERT_TRUE(other);
  const Result<SnapshotNotes> notes = workspace.opened->snapshots().list();
  ASSERT_TRUE(notes);
  ASSERT_EQ(notes->size(), 2u);
  EXPECT_EQ((*notes)[0]->message, "one file");
  EXPECT_EQ((*notes)[0]->stats.file_count, 1);
  EXPECT_EQ((*notes)[1]->message, "before the refactoring; again, \"quoted\"");
  EXPECT_EQ((*notes)[1]->stats.bytes, 22);
  EXPECT_GE((*notes)[1]->latest_ms - (*notes)[1]->created_ms, 5000);
  // A message is recorded once. A message that is a word of an earlier one is recorded, too. If both together
  // are too long, the end of the new message is cut.
  const auto message_after = [&](const std::string& message) {
    EXPECT_TRUE(workspace.create(std::vector<std::string>{"README.md"}, {}, message));
    return workspace.opened->snapshots().list()->front()->message;
  };
  EXPECT_EQ(message_after(""), "one file");
  EXPECT_EQ(message_after("one file"), "one file");
  EXPECT_EQ(message_after("once more"), "one file; once more");
  EXPECT_EQ(message_after("file; once"), "one file; once more; file; once");
  EXPECT_EQ(message_after("once more; file"), "one file; once more; file; once");
  const std::string before = "one file; once more; file; once; ";
  std::string umlauts;
  for (int i = 0; i < 3000; ++i) umlauts += "ö";
  const std::string cut = message_after(umlauts);
  EXPECT_TRUE(cut.starts_with(before + "öö")) << cut.substr(0, 100);
  EXPECT_TRUE(cut.ends_with("ö…"));
  EXPECT_LE(cut.size(), 4000u);
  EXPECT_GE(cut.size(), 3999u);
  EXPECT_EQ(message_after("no room"), cut);
}

TEST(Snapshot, ACancelledCallDoesNotWaitForALockedNote) {
  TestWorkspace workspace(toy);
  ASSERT_TRUE(workspace.create(std::vector<std::string>{""}));
  const std::string path = workspace.opened->snapshots().folder() + "/lock";
  Fd lock(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(lock);
  ASSERT_EQ(::flock(lock.get(), LOCK_EX | LOCK_NB), 0);
  workspace.scratch.run("put more 1");
  std::stop_source cancelled;
  std::promise<void> ended;
  std::future<void> end = ended.get_future();
  std::jthread later([&] {
    // The call stores the new content before it waits for the lock.
    const BlobId content = blob_id_of("1");
    for (int i = 0; i < 10'000 && !workspace.opened->blobs().size_of(content); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    cancelled.request_stop();
    end.wait_for(std::chrono::seconds(5));
    ::flock(lock.get(), LOCK_UN);  // a call that ignores the stop can end, too
  });
  Result<CreatedSnapshot> created = create_snapshot(
      *workspace.opened, {.lease_id = {}, .paths = std::vector<std::string>{""}, .message = {}},
      cancelled.get_token());
  ended.set_value();
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code, ErrorCode::cancelled);
  EXPECT_EQ(workspace.opened->snapshots().list()->size(), 1u);
  later.join();
  EXPECT_TRUE(workspace.create(std::vector<std::string>{""}));
}

TEST(Snapshot, WithoutSnapshotsTheAnswerReportsOtherFoldersThatHaveSome) {
  Folder folder;
  auto blobs = *open_segment_store(folder / "b");
  const auto store_of = [&](std::string prefix) {
    return SnapshotStore(folder / "s", {.prefix = std::move(prefix), .tree_id = "tree"}, *blobs);
  };
  EXPECT_EQ(store_of("packages/pkg/").other_snapshots_sentence(), "");
  std::int64_t taken = 0;
  const auto take = [&](std::string prefix) {
    ++taken;
    SnapshotStore store = store_of(std::move(prefix));
    ASSERT_TRUE(
        store.save({.head_oid = std::to_string(taken), .index_oid = {}, .status_hash = {}}, {}, taken));
  };
  take("pkg/");
  EXPECT_EQ(
      store_of("packages/pkg/").other_snapshots_sentence(),
      "There is no snapshot of this folder, but the repository's store has 1, taken of pkg. It can be read "
      "and exported from here, but not restored.");
  take("pkg/");
  take("");
  EXPECT_EQ(store_of("packages/pkg/").other_snapshots_sentence(),
            "There is no snapshot of this folder, but the repository's store has 3, taken of the whole "
            "repository and pkg. They can be read and exported from here, but not restored.");
  for (int i = 0; i < 3; ++i) take("lib" + std::to_string(i) + "/");
  EXPECT_NE(store_of("packages/pkg/")
                .other_snapshots_sentence()
                .find(" has 6, taken of lib2, lib1, lib0 and 2 more."),
            std::string::npos);
}

TEST(Snapshot, ASnapshotIsListedForEachFolderThatSavedIt) {
  constexpr int folders = 40;
  Folder folder;
  auto blobs = *open_segment_store(folder / "b");
  auto store_of = [&](int i, std::string tree) {
    return std::make_unique<SnapshotStore>(
        folder / "s", SnapshotOrigin{.prefix = std::to_string(i) + "/", .tree_id = std::move(tree)}, *blobs);
  };
  auto save = [&](int i, std::string tree, std::int64_t now_ms) {
    const std::unique_ptr<SnapshotStore> store = store_of(i, std::move(tree));
    const Result<SnapshotPlan> plan = store->plan({}, {});
    ASSERT_TRUE(plan);
    ASSERT_TRUE(store->save(*plan, {}, {.message = {}, .now_ms = now_ms}));
  };
  for (int i = 0; i < folders; ++i) save(i, "first", i);
  for (int i = 0; i < folders; ++i) {
    const Result<SnapshotNotes> listed = store_of(i, "first")->list();
    ASSERT_TRUE(listed);
    EXPECT_EQ(listed->size(), 1u) << i;
  }
  // For one folder in very many work trees, only the latest entries are stored.
  for (int i = 0; i < folders; ++i) save(0, std::to_string(i), folders + i);
  const Result<SnapshotNotes> notes = store_of(0, "first")->list_all();
  ASSERT_TRUE(notes);
  ASSERT_EQ(notes->size(), 1u);
  EXPECT_EQ(notes->front()->captures.size(), static_cast<std::size_t>(folders));
  EXPECT_EQ(notes->front()->captures.front().origin.tree_id, std::to_string(folders - 1));
}

TEST(Snapshot, ConcurrentSavesAreAllRecorded) {
  constexpr int savers = 8;
  Folder folder;
  for (int round = 0; round < 10; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::jthread> saving;
    for (int i = 0; i < savers; ++i)
      saving.emplace_back([&, i] {
        auto blobs = *open_segment_store(folder / "b");
        SnapshotStore store(folder / "s", {.prefix = std::to_string(i) + "/", .tree_id = "any"}, *blobs);
        EXPECT_TRUE(
            store.save({.head_oid = std::to_string(round), .index_oid = {}, .status_hash = {}}, {}, i));
      });
    saving.clear();
    auto blobs = *open_segment_store(folder / "b");
    const Result<SnapshotNotes> notes = SnapshotStore(folder / "s", {}, *blobs).list_all();
    ASSERT_TRUE(notes);
    for (const auto& note : *notes) EXPECT_EQ(note->captures.size(), static_cast<std::size_t>(savers));
  }
}

TEST(Snapshot, ADamagedManifestNamesTheSnapshot) {
  TestWorkspace workspace(toy);
  Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{""});
  ASSERT_TRUE(created);
  std::string path = workspace.opened->store_folder() + "/snapshots/" + created->hex;
  std::string good = *read_whole_file(path, 1 << 20);
  std::string forged = good;
  forged.replace(forged.find("96b5c0"), 6, "000000");
  for (const std::string& bad : {std::string(), std::string("{"), good.substr(0, good.size() / 2), forged}) {
    ASSERT_TRUE(replace_file(workspace.opened->store_folder() + "/snapshots", created->hex, bad,
                             Durability::process_crash));
    workspace.reopen();
    Result<std::shared_ptr<const Snapshot>> loaded = workspace.opened->snapshots().load(created->id());
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::internal);
    EXPECT_NE(loaded.error().message.find(created->id()), std::string::npos);
  }
}

// Equal states in different environments have the same id.
TEST(Snapshot, TheIdDependsOnlyOnTheState) {
  constexpr std::string_view script = R"(new
for d in b a c; do for f in 3 1 2; do put $d/$f "$d$f"; done; done
put 'caf$(printf "\303\251")' accent
save
put a/1 changed; put untracked new)";
  constexpr std::string_view reversed = R"(umask 077
new
put 'caf$(printf "\303\251")' accent
for f in 1 2 3; do for d in c a b; do put $d/$f "$d$f"; done; done
save
put untracked new; put a/1 changed)";
  TestWorkspace one(script);
  Result<CreatedSnapshot> first = one.create(std::vector<std::string>{""});
  ASSERT_TRUE(first) << first.error().message;
  ::setenv("TZ", "Pacific/Kiritimati", 1);
  ::tzset();
  ::setenv("LC_ALL", "tr_TR.UTF-8", 1);
  std::setlocale(LC_ALL, "");
  mode_t before = ::umask(0);
  TestWorkspace two(reversed);
  Result<CreatedSnapshot> second =
      two.create(std::vector<std::string>{"untracked", "c", "b", "a", "", "a/1"});
  ::umask(before);
  ::unsetenv("TZ");
  ::unsetenv("LC_ALL");
  ::tzset();
  std::setlocale(LC_ALL, "C");
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(first->id(), second->id());
}

TEST(Create, CapturesIgnoredFilesOnlyByName) {
  TestWorkspace workspace(
      "new; put .gitignore '*.log\nbuild/\n'; put a.txt a; save; put x.log log; put build/out/y o; put "
      "build/z.log z");
  Result<CreatedSnapshot> all = workspace.create(std::vector<std::string>{""});
  ASSERT_TRUE(all);
  EXPECT_EQ(paths_of(all->rows), ".gitignore\na.txt\n");
  EXPECT_EQ(all->skipped.ignored, 2);
  Result<CreatedSnapshot> named = workspace.create(std::vector<std::string>{"x.log", "build"});
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_EQ(paths_of(named->rows), "build/out/y\nbuild/z.log\nx.log\n");
  EXPECT_EQ(named->skipped, SkippedCounts{});
  Result<CreatedSnapshot> both = workspace.create(std::vector<std::string>{"", "x.log"});
  EXPECT_EQ(paths_of(both->rows), ".gitignore\na.txt\nx.log\n");
  EXPECT_EQ(both->skipped, (SkippedCounts{.ignored = 1}));
}

TEST(Create, SortsAndDeduplicatesPaths) {
  TestWorkspace workspace("new; put foo-bar 1; put foo.c 2; put foo/x 3; put foo0 4; put other 5; save");
  Result<CreatedSnapshot> created =
      workspace.create(std::vector<std::string>{"foo0", "foo", "foo/x", "foo-bar", "foo.c", "foo"});
  ASSERT_TRUE(created);
  EXPECT_EQ(paths_of(created->rows), "foo-bar\nfoo.c\nfoo/x\nfoo0\n");
}

TEST(Create, ReportsFilesThatCannotBeCaptured) {
  TestWorkspace workspace("new; put a a; save; mkfifo pipe; mkdir empty; put secret s; chmod 0 secret");
  ::chmod(workspace.scratch.outside(".").c_str(), 0755);
  auto code = [&](std::vector<std::string> paths) {
    Result<CreatedSnapshot> created = workspace.create(std::move(paths));
    return created ? std::string("captured") : std::string(text(created.error().code));
  };
  EXPECT_EQ(code({"missing"}), "NOT_FOUND");
  EXPECT_EQ(code({"pipe"}), "INVALID_ARGUMENT");
  EXPECT_EQ(code({".git"}), "PERMISSION_DENIED");
  EXPECT_EQ(code({".git/config"}), "PERMISSION_DENIED");
  EXPECT_EQ(code({"empty"}), "captured");
  Result<CreatedSnapshot> nothing = workspace.create(std::nullopt);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::invalid_argument);
  Result<CreatedSnapshot> unknown = workspace.create(std::nullopt, "lease_aaaaaaaaaaaaaaaa");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
}

TEST(Create, ReadsOnlyChangedFilesAgain) {
  TestWorkspace workspace("new; for i in 1 2 3 4 5; do put f$i content$i; done; save");
  workspace.wait_for_watch();
  Result<CreatedSnapshot> first = workspace.create(std::vector<std::string>{""});
  ASSERT_TRUE(first);
  workspace.reopen();
  // Stores a wrong blob in the stat cache. A snapshot that contains it shows that the file was not read.
  Result<FileRecord> record = observe_file(workspace.opened->root(), "f1", {});
  ASSERT_TRUE(record);
  record->blob = *workspace.opened->blobs().put("a lie");
  workspace.opened->stat_cache().remember({*record});
  Result<CreatedSnapshot> second = workspace.create(std::vector<std::string>{"f1"});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->rows[0].blob, blob_id_of("a lie"));
  workspace.scratch.run("put f1 content9");
  Result<CreatedSnapshot> third = workspace.create(std::vector<std::string>{"f1"});
  ASSERT_TRUE(third);
  EXPECT_EQ(third->rows[0].blob, blob_id_of("content9"));
}

TEST(Create, DetectsAnEditWithTheSameSizeAndTimes) {
  TestWorkspace workspace("new; put f aaaa; save");
  workspace.wait_for_watch();
  ASSERT_TRUE(workspace.create(std::vector<std::string>{"f"}));
  workspace.scratch.run("touch -r f ../stamp; put f bbbb; touch -r ../stamp f");
  Result<CreatedSnapshot> again = workspace.create(std::vector<std::string>{"f"});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->rows[0].blob, blob_id_of("bbbb"));
}

// A thread rewrites two files continuously. A snapshot must contain the state of one moment, or fail.
TEST(Create, NeverCapturesAMixOfTwoStates) {
  TestWorkspace workspace("new; put a 0; put b 0; save; put a 1; put b 1");
  std::string a = workspace.scratch.repo() + "/a";
  std::string b = workspace.scratch.repo() + "/b";
  std::atomic<bool> done = false;
  std::atomic<int> writes = 0;
  std::atomic<int> captures = 0;
  std::thread writer([&] {
    for (int i = 2, ended = captures; !done; ended = captures, ++i) {
      // Writes first a and then b, so b is never newer than a.
      std::ofstream(a + "~") << i;
      std::filesystem::rename(a + "~", a);
      std::ofstream(b + "~") << i;
      std::filesystem::rename(b + "~", b);
      ++writes;
      // Pauses until a capture has ended, so that some captures succeed.
      if (i % 4 == 0) captures.wait(ended);
    }
  });
  int captured = 0;
  for (int i = 0; i < 400 && (captured < 5 || writes < 50); ++i) {
    Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{"a", "b"});
    ++captures;
    captures.notify_one();
    if (!created) {
      EXPECT_EQ(created.error().code, ErrorCode::repo_changed) << created.error().message;
      continue;
    }
    ++captured;
    std::string in_a = *workspace.opened->blobs().get(created->rows[0].blob);
    std::string in_b = *workspace.opened->blobs().get(created->rows[1].blob);
    int lead = std::stoi(in_a) - std::stoi(in_b);
    EXPECT_TRUE(lead == 0 || lead == 1) << in_a << " " << in_b;
  }
  done = true;
  ++captures;
  captures.notify_one();
  writer.join();
  EXPECT_GT(captured, 0);
}

TEST(Create, WithoutGitTheStoreIsHidden) {
  TestWorkspace workspace("put a.txt a; mkdir sub; put sub/b.txt b");
  Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{""});
  ASSERT_TRUE(created) << created.error().message;
  EXPECT_EQ(paths_of(created->rows), "a.txt\nsub/b.txt\n");
  EXPECT_EQ(created->fingerprint.head_oid, "");
  EXPECT_TRUE(std::filesystem::exists(workspace.scratch.repo() + "/.snapback/store/snapshots"));
  Result<CreatedSnapshot> again = workspace.create(std::vector<std::string>{""});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->id(), created->id()) << "the server's files must not change the snapshot";
  EXPECT_EQ(workspace.scratch.answer("git init -q; git status --porcelain").output, "?? a.txt\n?? sub/\n");
}

}  // namespace
}  // namespace snapgen::core
