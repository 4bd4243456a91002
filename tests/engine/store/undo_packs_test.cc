// Undo snapshots in packs: they are found like those with own files, and nothing is lost when packs are
// written, damaged or removed.
#include "tools/engine/store/snapshots/undo_packs.h"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/store/store_folder.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t old_ms = 1000, young_ms = 2000;

class UndoPacksTest : public testing::Test {
 protected:
  // Saves an undo snapshot of one file. Returns the digits of its id.
  std::string save(int number, std::int64_t now_ms = old_ms, const std::string& message = "before a write") {
    const BlobId blob = *blobs_->put("content " + std::to_string(number));
    const std::string path = "file" + std::to_string(number);
    const ManifestRow row{.path = path, .blob = blob};
    const Result<SnapshotPlan> plan = store_.plan({}, {&row, 1});
    const Result<Unit> saved = store_.write_unsynced(
        *plan, {&row, 1},
        {.message = message, .is_undo = true, .now_ms = now_ms, .scope = {}, .privacy = {}});
    EXPECT_TRUE(saved) << saved.error().message;
    return plan->hex;
  }
  // Saves snapshots, and returns the digits of their ids, sorted.
  std::vector<std::string> save_many(int first, int count, std::int64_t now_ms = old_ms) {
    std::vector<std::string> hexes;
    for (int i = first; i < first + count; ++i) hexes.push_back(save(i, now_ms));
    std::ranges::sort(hexes);
    return hexes;
  }
  std::size_t pack() {
    const Result<std::size_t> packed = store_.pack_undos(old_ms, {});
    EXPECT_TRUE(packed) << packed.error().message;
    return packed ? *packed : 0;
  }
  // All files except the lock: packs first.
  std::vector<std::string> files() {
    std::vector<std::string> names = names_in_folder(folder_ / "s/packs").names;
    for (std::string& name : names_in_folder(folder_ / "s").names)
      if (name != "lock" && name != "packs") names.push_back(std::move(name));
    return names;
  }
  // The path of the only pack.
  std::string pack_path() {
    const std::vector<std::string> names = files();
    EXPECT_EQ(names.size(), 1u);
    return folder_ / "s/packs/" + names.front();
  }
  void change_pack(const std::function<void(std::string&)>& change) {
    const std::string name = "s/packs/" + std::filesystem::path(pack_path()).filename().string();
    std::string bytes = folder_.read(name);
    change(bytes);
    folder_.write(name, bytes);
  }
  bool loads(SnapshotStore& store, const std::string& hex) { return bool(store.load("sha256:" + hex)); }

  Folder folder_;
  std::unique_ptr<BlobStore> blobs_ = opened(folder_ / "b");
  SnapshotStore store_{folder_ / "s", {.prefix = "", .tree_id = "tree"}, *blobs_};
};

TEST_F(UndoPacksTest, PackedSnapshotsAreListedAndLoaded) {
  const std::vector<std::string> hexes = save_many(0, 200);
  EXPECT_EQ(pack(), 200u);
  EXPECT_EQ(files().size(), 1u) << "400 files become one";
  SnapshotStore other(folder_ / "s", {.prefix = "", .tree_id = "tree"}, *blobs_);
  for (SnapshotStore* store : {&store_, &other}) {
    EXPECT_EQ(*store->id_hexes(), hexes);
    const Result<SnapshotNotes> notes = store->list();
    ASSERT_TRUE(notes);
    ASSERT_EQ(notes->size(), 200u);
    EXPECT_EQ(notes->front()->message, "before a write");
    EXPECT_EQ(notes->front()->latest_ms, old_ms);
    EXPECT_TRUE(notes->front()->is_undo);
    for (const std::string& hex : hexes) {
      const Result<std::shared_ptr<const Snapshot>> loaded = store->load("snap_" + hex.substr(0, 10));
      ASSERT_TRUE(loaded) << loaded.error().message;
      EXPECT_EQ((*loaded)->hex, hex);
      EXPECT_TRUE(loads(*store, hex));
      EXPECT_TRUE(store->note(hex));
    }
    EXPECT_EQ(store->load("sha256:" + std::string(64, '0')).error().code, ErrorCode::not_found);
    store->release_memory();
    EXPECT_TRUE(loads(*store, hexes.front())) << "after the memory was released";
  }
}

TEST_F(UndoPacksTest, PacksOnlyOldUndoSnapshotsAndOnlyMany) {
  save_many(0, 127);
  save_many(1000, 50, young_ms);
  const BlobId blob = *blobs_->put("requested");
  const ManifestRow row{.path = "requested", .blob = blob};
  const Result<SnapshotPlan> plan = store_.plan({}, {&row, 1});
  ASSERT_TRUE(store_.save(*plan, {&row, 1}, {.message = "mine", .now_ms = old_ms}));
  EXPECT_EQ(pack(), 0u) << "too few";
  EXPECT_EQ(files().size(), 2u * (127 + 50 + 1));
  save(127);
  EXPECT_EQ(pack(), 128u);
  EXPECT_EQ(files().size(), 1u + 2 * (50 + 1));
  EXPECT_EQ(store_.list()->size(), 128u + 50 + 1);
}

TEST_F(UndoPacksTest, SmallPacksAreJoined) {
  std::vector<std::string> hexes = save_many(0, 130);
  EXPECT_EQ(pack(), 130u);
  const std::vector<std::string> more = save_many(1000, 130);
  EXPECT_EQ(pack(), 130u);
  EXPECT_EQ(files().size(), 1u);
  hexes.insert(hexes.end(), more.begin(), more.end());
  std::ranges::sort(hexes);
  EXPECT_EQ(*store_.id_hexes(), hexes);
}

TEST_F(UndoPacksTest, ASnapshotTakenAgainKeepsWhatThePackKnows) {
  save_many(0, 130);
  pack();
  const std::string hex = save(7, young_ms, "before another write");
  EXPECT_EQ(files().size(), 3u);
  const std::optional<SnapshotNote> note = store_.note(hex);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->created_ms, old_ms);
  EXPECT_EQ(note->latest_ms, young_ms);
  EXPECT_EQ(note->message, "before another write");
  EXPECT_EQ(store_.list()->size(), 130u) << "it is listed once";
  EXPECT_EQ(store_.list()->front()->hex, hex);
  // It is packed again with others, and its latest note is the one that remains.
  save_many(1000, 130);
  ASSERT_EQ(*store_.pack_undos(young_ms, {}), 131u);
  EXPECT_EQ(files().size(), 1u);
  EXPECT_EQ(store_.note(hex)->latest_ms, young_ms);
  // A client's snapshot of the same files is not an undo snapshot any more.
  const BlobId blob = *blobs_->put("content 7");
  const ManifestRow row{.path = "file7", .blob = blob};
  const Result<SnapshotPlan> plan = store_.plan({}, {&row, 1});
  ASSERT_EQ(plan->hex, hex);
  ASSERT_TRUE(store_.save(*plan, {&row, 1}, {.message = "mine", .now_ms = young_ms}));
  EXPECT_FALSE(store_.note(hex)->is_undo);
  EXPECT_EQ(store_.note(hex)->message, "before another write; mine");
}

TEST_F(UndoPacksTest, RemovesFromPacksDurably) {
  const std::vector<std::string> hexes = save_many(0, 130);
  pack();
  ASSERT_TRUE(loads(store_, hexes[0]));
  save(3, young_ms);  // One is in both.
  ASSERT_TRUE(store_.remove({hexes.begin(), hexes.begin() + 100}));
  SnapshotStore other(folder_ / "s", {}, *blobs_);
  for (SnapshotStore* store : {&store_, &other}) {
    EXPECT_EQ(*store->id_hexes(), std::vector(hexes.begin() + 100, hexes.end()));
    EXPECT_EQ(store->load("sha256:" + hexes[0]).error().code, ErrorCode::not_found);
    EXPECT_FALSE(store->note(hexes[0]));
    EXPECT_TRUE(loads(*store, hexes[100]));
  }
  ASSERT_TRUE(store_.remove({hexes.begin() + 100, hexes.end()}));
  EXPECT_TRUE(store_.id_hexes()->empty());
  EXPECT_TRUE(files().empty());
}

TEST_F(UndoPacksTest, ACrashBetweenPackAndDeletionLosesNothing) {
  const std::vector<std::string> hexes = save_many(0, 130);
  std::filesystem::copy(folder_ / "s", folder_ / "before");
  EXPECT_EQ(pack(), 130u);
  // The state after a crash: the pack, and the files that it replaces.
  constexpr auto copying =
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing;
  std::filesystem::copy(folder_ / "before", folder_ / "s", copying);
  EXPECT_EQ(*store_.id_hexes(), hexes);
  EXPECT_EQ(store_.list()->size(), 130u);
  EXPECT_EQ(files().size(), 261u);
  EXPECT_EQ(pack(), 130u);
  EXPECT_EQ(files().size(), 1u);
  EXPECT_EQ(*store_.id_hexes(), hexes);
}

TEST_F(UndoPacksTest, DamageAffectsOnlyTheSnapshotsThatItHits) {
  const std::vector<std::string> hexes = save_many(0, 130);
  pack();
  change_pack([&](std::string& bytes) { bytes[bytes.find(hexes[5]) + 120] ^= 1; });
  EXPECT_EQ(*store_.id_hexes(), hexes);
  EXPECT_EQ(store_.list()->size(), 130u);
  const Result<std::shared_ptr<const Snapshot>> damaged = store_.load("sha256:" + hexes[5]);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::internal);
  EXPECT_NE(damaged.error().message.find(hexes[5]), std::string::npos);
  for (const std::string& hex : hexes) EXPECT_EQ(loads(store_, hex), hex != hexes[5]);
  EXPECT_TRUE(store_.check_undo_packs()) << "the damaged snapshot is known by its id";

  // The damaged pack is not written again, and a snapshot that is taken again is sound.
  const std::string path = pack_path();
  save_many(1000, 130);
  pack();
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_EQ(files().size(), 2u);
  for (int i = 0; i < 130; ++i) save(i, young_ms);
  EXPECT_TRUE(loads(store_, hexes[5]));
  ASSERT_TRUE(store_.remove(hexes));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(UndoPacksTest, DamageThatHidesIdsIsAnError) {
  const std::vector<std::string> hexes = save_many(0, 130);
  pack();
  const std::string path = pack_path();
  const std::string sound = folder_.read("s/packs/" + std::filesystem::path(path).filename().string());
  const std::vector<std::function<void(std::string&)>> damages = {
      [&](std::string& bytes) { bytes[bytes.find(hexes[5]) + 3] = 'X'; },
      [&](std::string& bytes) { bytes.resize(bytes.find(hexes[100])); },
      [&](std::string& bytes) { bytes[bytes.find('\n') - 1] ^= 1; },
      [&](std::string& bytes) { bytes.clear(); },
  };
  const std::vector<std::size_t> readable = {129, 100, 130, 0};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    SCOPED_TRACE(i);
    change_pack(damages[i]);
    const Result<Unit> checked = store_.check_undo_packs();
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::internal);
    EXPECT_NE(checked.error().message.find(path), std::string::npos) << checked.error().message;
    const Result<std::vector<std::string>> listed = store_.id_hexes();
    ASSERT_TRUE(listed);
    EXPECT_EQ(listed->size(), readable[i]);
    for (const std::string& hex : *listed) EXPECT_TRUE(loads(store_, hex));
    change_pack([&](std::string& bytes) { bytes = sound; });
    EXPECT_TRUE(store_.check_undo_packs());
  }
}

TEST_F(UndoPacksTest, ConcurrentPackersAndReadersMissNothing) {
  constexpr int rounds = 3, count = 200;
  std::vector<std::string> hexes;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    for (std::string& hex : save_many(round * count, count)) hexes.push_back(std::move(hex));
    std::ranges::sort(hexes);
    const auto in_other_store = [&](const std::function<void(SnapshotStore&)>& work) {
      auto blobs = opened(folder_ / "b");
      SnapshotStore store(folder_ / "s", {.prefix = "", .tree_id = "tree"}, *blobs);
      work(store);
    };
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back(
          [&] { in_other_store([](SnapshotStore& store) { EXPECT_TRUE(store.pack_undos(old_ms, {})); }); });
      threads.emplace_back([&] {
        in_other_store([&](SnapshotStore& store) {
          for (std::size_t each = 0; each < 20; ++each) {
            EXPECT_EQ(*store.id_hexes(), hexes);
            EXPECT_TRUE(loads(store, hexes[each]));
          }
        });
      });
    }
    threads.clear();
    EXPECT_EQ(*store_.id_hexes(), hexes);
    EXPECT_LE(files().size(), 2u);
  }
  for (const std::string& hex : hexes) EXPECT_TRUE(loads(store_, hex));
}

}  // namespace
}  // namespace snapgen::core
