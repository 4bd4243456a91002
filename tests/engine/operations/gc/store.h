#pragma once
// A workspace with one snapshot a day, and helpers for garbage collection.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/engine/contents.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/gc/gc.h"
#include "tools/engine/operations/gc/verify.h"
#include "tools/engine/store/blobs/segment.h"

namespace snapgen::core {

inline constexpr std::int64_t day_ns = 24LL * 3600 * 1'000'000'000;

class Store : public TestWorkspace {
 public:
  void write(const std::string& name, const std::string& content) {
    std::filesystem::path path = std::filesystem::path(scratch.repo()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
  // Takes a snapshot of everything, a day after the previous one, and returns its digits.
  std::string snapshot() {
    clock_offset_ns += day_ns;
    Result<CreatedSnapshot> made = create(std::vector<std::string>{""});
    EXPECT_TRUE(made) << made.error().message;
    return made ? made->hex : std::string();
  }
  Result<CollectResult> collected(std::int64_t keep_count, bool dry_run = false, bool drop_damaged = false) {
    CollectQuery query{.retention = {.keep_days = 0, .keep_count = keep_count},
                       .dry_run = dry_run,
                       .drop_damaged = drop_damaged};
    return collect_garbage(*opened, query, {});
  }
  std::string blobs() const { return opened->store_folder() + "/blobs"; }
  std::vector<std::string> segments() const { return *segment_names(blobs()); }

  // Returns everything that the snapshot contains, read through a newly opened store.
  bool reads_whole(const std::string& hex) {
    auto fresh = *open_segment_store(blobs());
    SnapshotStore snapshots(opened->store_folder() + "/snapshots", {}, *fresh);
    Result<std::shared_ptr<const Snapshot>> snapshot = snapshots.load("sha256:" + hex);
    if (!snapshot) return false;
    for (const ManifestEntry& entry : (*snapshot)->entries) {
      if (!fresh->get(entry.blob)) return false;
    }
    return true;
  }
};

}  // namespace snapgen::core
