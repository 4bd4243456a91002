#include "tools/engine/store/snapshots/manifest_cache.h"

#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/contents.h"
#include "tests/engine/store/store_folder.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/snapshots/snapshot_planner.h"

namespace snapgen::core {
namespace {

constexpr std::size_t rows_at_first = 6000;  // Several chunks, which are enough to be cached.

struct FileContent {
  BlobId blob;
  FileMode mode = FileMode::plain;
};

using FilesByPath = std::map<std::string, FileContent>;

std::vector<ManifestRow> rows_of(const FilesByPath& tree) {
  std::vector<ManifestRow> rows;
  for (const auto& [path, file] : tree) rows.push_back({.path = path, .blob = file.blob, .mode = file.mode});
  return rows;
}

Result<SnapshotPlan> planned(BlobStore& blobs, ManifestCache& cache, const FilesByPath& tree) {
  const std::vector<ManifestRow> rows = rows_of(tree);
  SnapshotPlanner planner(blobs, cache, {}, rows);
  planner.hash_manifest();
  return planner.finish();
}

class ManifestEdits {
 public:
  explicit ManifestEdits(std::uint32_t seed) : random_(seed) {}

  BlobId content() { return blob_id_of(std::to_string(next_++)); }
  std::string path() { return "dir" + std::to_string(pick(40)) + "/file" + std::to_string(pick(10'000)); }
  std::size_t pick(std::size_t below) { return random_() % below; }

  // Changes a few files of the tree, in each way in which a row can change.
  void apply(FilesByPath& tree) {
    for (std::size_t i = pick(12); i > 0; --i) {
      const auto found = tree.lower_bound(path());
      if (found == tree.end()) continue;
      switch (pick(5)) {
        case 0: found->second.blob = content(); break;
        case 1: found->second.mode = FileMode::executable; break;
        case 2: tree.erase(found); break;
        case 3: tree[path()] = {.blob = content()}; break;
        default:
          // A rename to a path that begins with the old path.
          tree[found->first + "x"] = found->second;
          tree.erase(found);
      }
    }
  }

 private:
  std::mt19937 random_;
  int next_ = 0;
};

TEST(ManifestCache, CachedAndNewChunksGiveTheManifestOfTheTree) {
  Folder folder;
  auto blobs = *open_segment_store(folder / "b");
  ManifestEdits edits(7);
  FilesByPath tree;
  while (tree.size() < rows_at_first) tree[edits.path()] = {.blob = edits.content()};
  ManifestCache cache;
  for (int round = 0; round < 150; ++round) {
    if (round % 50 == 49) cache.release_memory();
    Result<SnapshotPlan> with_cache = planned(*blobs, cache, tree);
    ASSERT_TRUE(with_cache) << with_cache.error().message;
    ManifestCache empty;
    Result<SnapshotPlan> without_cache = planned(*blobs, empty, tree);
    ASSERT_TRUE(without_cache) << without_cache.error().message;
    ASSERT_EQ(with_cache->hex, without_cache->hex) << "round " << round;
    ASSERT_EQ(with_cache->chunks, without_cache->chunks) << "round " << round;
    edits.apply(tree);
  }
}

TEST(ManifestCache, AnEditedFileReplacesOneChunk) {
  Folder folder;
  auto blobs = *open_segment_store(folder / "b");
  ManifestEdits edits(8);
  FilesByPath tree;
  while (tree.size() < rows_at_first) tree[edits.path()] = {.blob = edits.content()};
  ManifestCache cache;
  ASSERT_TRUE(planned(*blobs, cache, tree));
  const ManifestChunks before = *cache.latest();
  tree.begin()->second.blob = edits.content();
  ASSERT_TRUE(planned(*blobs, cache, tree));
  const ManifestChunks after = *cache.latest();
  ASSERT_EQ(after.size(), before.size());
  ASSERT_GT(after.size(), 2u);
  EXPECT_NE(after[0], before[0]);
  for (std::size_t i = 1; i < after.size(); ++i) EXPECT_EQ(after[i], before[i]) << i;
}

// A garbage collection may have deleted the chunks since they were cached.
TEST(ManifestCache, ACachedChunkThatTheStoreLacksIsStoredAgain) {
  Folder folder;
  ManifestEdits edits(9);
  FilesByPath tree;
  while (tree.size() < rows_at_first) tree[edits.path()] = {.blob = edits.content()};
  ManifestCache cache;
  auto blobs = *open_segment_store(folder / "b");
  ASSERT_TRUE(planned(*blobs, cache, tree));
  auto other = *open_segment_store(folder / "other");
  Result<SnapshotPlan> plan = planned(*other, cache, tree);
  ASSERT_TRUE(plan) << plan.error().message;
  for (const BlobId& chunk : plan->chunks) EXPECT_TRUE(other->get(chunk));
}

}  // namespace
// Every reader relies on the order, and a repository can bring a store of its own.
TEST(Manifest, AChunkWhosePathsAreNotInOrderIsDamaged) {
  const FilesByPath files = {{"a", {}}, {"b", {}}, {"c", {}}};
  const std::vector<ManifestRow> rows = rows_of(files);
  const std::string a = encoded_chunk(std::span(rows).subspan(0, 1));
  const std::string b = encoded_chunk(std::span(rows).subspan(1, 1));
  const std::string c = encoded_chunk(std::span(rows).subspan(2, 1));
  std::vector<ManifestEntry> entries;
  EXPECT_TRUE(read_chunk(a + "," + b, entries));
  EXPECT_TRUE(read_chunk(c, entries));
  for (const std::string& chunk : {a + "," + b, c, a}) {
    std::vector<ManifestEntry> after = entries;
    EXPECT_FALSE(read_chunk(chunk, after)) << chunk;
  }
  for (const std::string& chunk : {b + "," + a, a + "," + a}) {
    std::vector<ManifestEntry> alone;
    EXPECT_FALSE(read_chunk(chunk, alone)) << chunk;
  }
}

}  // namespace snapgen::core
