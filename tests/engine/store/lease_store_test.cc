// Leases are in memory until a client returns them; from then on they are in files with a common size limit.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/chance.h"
#include "tests/engine/folder.h"
#include "tools/engine/store/leases/lease.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t first_seen_ns = 1'000'000'000'001;
constexpr std::int64_t seen_ns = 2'000'000'000'000;

LeaseBase base_of(int number) {
  const std::string status = " M file" + std::to_string(number) + '\0';
  return {.fingerprint = {.head_oid = "h", .index_oid = "i", .status_hash = std::to_string(number)},
          .status = status};
}

FileStat numbered_stat(int version) {
  return {.size = version,
          .mtime_ns = first_seen_ns,
          .ctime_ns = first_seen_ns + version,
          .inode = 7,
          .device = 1,
          .mode = 0100644};
}

BlobId numbered_blob(int content) { return {.digest = sha256(std::to_string(content))}; }

// A tree of numbered files, some of which have been edited.
class Tree {
 public:
  explicit Tree(int files) {
    for (int i = 0; i < files; ++i) {
      const std::string name = std::to_string(1'000'000 + i);
      versions_["folder" + name.substr(3, 2) + "/file" + name] = 0;
    }
    list();
  }
  void edit(int number) {
    ++std::next(versions_.begin(), number)->second;
    list();
  }
  // Returns the files that a lease covers: after a search with their contents, after a listing without.
  TouchedFiles shown(bool with_contents = true) const {
    TouchedFiles touched{.listed = ListedFiles(files_, seen_ns)};
    for (std::uint32_t i = 0; i < files_->size(); ++i)
      touched.listed.add(i, with_contents
                                ? std::optional(numbered_blob(static_cast<int>(files_->stat(i).size)))
                                : std::nullopt);
    return touched;
  }

 private:
  void list() {
    auto files = std::make_shared<FileList>();
    for (const auto& [path, version] : versions_) files->add(path, numbered_stat(version), false);
    files_ = std::move(files);
  }

  std::map<std::string, int> versions_;
  std::shared_ptr<const FileList> files_;
};

// Returns the records that the lease must contain.
std::vector<FileRecord> records_of(const TouchedFiles& touched) {
  std::vector<FileRecord> records;
  for (std::size_t i = 0; i < touched.listed.size(); ++i) records.push_back(touched.listed.record(i));
  return records;
}

std::vector<std::string> names_in(const std::string& folder, std::string_view prefix = {}) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix)) names.push_back(name);
  }
  return names;
}

std::uintmax_t bytes_in(const std::string& folder, std::string_view prefix = {}) {
  std::uintmax_t sum = 0;
  for (const std::string& name : names_in(folder, prefix))
    sum += std::filesystem::file_size(folder + "/" + name);
  return sum;
}

std::string text_of(const Result<std::shared_ptr<Lease>>& lease) {
  return lease ? "found" : std::string(text(lease.error().code));
}

TEST(LeaseStore, DoesNotWriteUnusedLeases) {
  Folder folder;
  LeaseStore store(folder.path());
  const Tree tree(1000);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(store.issue(base_of(0), tree.shown()).empty());
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>());
}

TEST(LeaseStore, FindsIssuedLeasesAfterARestart) {
  Folder folder;
  std::vector<std::pair<std::string, std::vector<FileRecord>>> issued;
  Tree tree(1000);
  {
    LeaseStore store(folder.path());
    for (int i = 0; i < 60; ++i) {
      const TouchedFiles shown = tree.shown(i % 3 != 0);
      issued.emplace_back(store.issue(base_of(i / 10), shown), records_of(shown));
      if (i % 4 == 0) tree.edit(i * 7);
      ASSERT_TRUE(i != 30 || store.save());
    }
    ASSERT_TRUE(store.save());
  }
  EXPECT_EQ(names_in(folder.path(), "listing_").size(), 1u);
  EXPECT_EQ(names_in(folder.path(), "lease_").size(), 0u);
  EXPECT_LT(bytes_in(folder.path(), "issued_"), 60u * 2500);
  LeaseStore store(folder.path());
  for (std::size_t i = 0; i < issued.size(); ++i) {
    const Result<std::shared_ptr<Lease>> lease = store.use(issued[i].first);
    ASSERT_TRUE(lease) << i << lease.error().message;
    EXPECT_EQ((*lease)->touched(), issued[i].second) << i;
    const LeaseBase base = (*lease)->base();
    EXPECT_EQ(base.fingerprint, base_of(static_cast<int>(i) / 10).fingerprint);
    EXPECT_EQ(base.status, base_of(static_cast<int>(i) / 10).status);
  }
  EXPECT_EQ(names_in(folder.path(), "lease_").size(), issued.size());
}

TEST(LeaseStore, ASmallLeaseNeedsNoListing) {
  Folder folder;
  LeaseStore store(folder.path());
  const Tree tree(10'000);
  TouchedFiles few = tree.shown();
  ListedFiles listed = few.listed.empty_copy();
  for (std::uint32_t i = 0; i < 500; ++i) listed.add(i, few.listed.blob(i));
  few.listed = listed;
  ASSERT_TRUE(store.use(store.issue(base_of(0), few)));
  EXPECT_EQ(names_in(folder.path(), "listing_").size(), 0u);
  ASSERT_TRUE(store.use(store.issue(base_of(0), tree.shown())));
  EXPECT_EQ(names_in(folder.path(), "listing_").size(), 1u);
}

TEST(LeaseStore, UnreturnedSearchesUseLittleSpace) {
  Folder folder;
  LeaseStore store(folder.path());
  const Tree tree(1000);
  const TouchedFiles shown = tree.shown();
  for (int i = 0; i < 20'000; ++i) store.issue(base_of(i / 100), shown);
  ASSERT_TRUE(store.save());
  EXPECT_LT(bytes_in(folder.path()), 20'000u * 300);
}

// Each lease is used after an edit, so that all leases differ.
TEST(LeaseStore, EvictsTheLeastRecentlyUsedAboveTheLimit) {
  constexpr std::uint64_t limit = 3 << 20;
  Folder folder;
  std::int64_t time_ns = now_ns();
  LeaseStore store(folder.path(), [&] { return time_ns; });
  store.set_bytes_max(limit);
  Tree tree(5000);
  std::vector<std::string> issued;
  std::uint64_t most = 0;
  for (int i = 0; i < 400; ++i) {
    tree.edit(i * 11);
    issued.push_back(store.issue(base_of(i), tree.shown()));
    time_ns += 1'000'000'000;
    ASSERT_TRUE(i % 7 != 0 || store.save());
    ASSERT_TRUE(i % 2 != 0 || store.use(issued.back())) << i;
    most = std::max(most, lease_bytes_in(folder.path()));
  }
  EXPECT_LE(most, limit);
  EXPECT_GT(most, limit / 2);
  EXPECT_EQ(text_of(store.use(issued.front())), "NOT_FOUND");
  for (std::size_t i = issued.size() - 20; i < issued.size(); ++i)
    EXPECT_EQ(text_of(store.use(issued[i])), "found");
}

TEST(LeaseStore, RejectsATooLargeLeaseWithTheLimit) {
  Folder folder;
  LeaseStore store(folder.path());
  store.set_bytes_max(100'000);
  const Tree tree(5000);
  const Result<std::shared_ptr<Lease>> lease = store.use(store.issue(base_of(0), tree.shown()));
  ASSERT_FALSE(lease);
  EXPECT_EQ(lease.error().code, ErrorCode::too_large);
  EXPECT_NE(lease.error().message.find("may take 100000."), std::string::npos) << lease.error().message;
  EXPECT_TRUE(store.use(store.issue(base_of(0), {})));
}

// Without this, the lease would lack everything that was read under it in between.
TEST(LeaseStore, ADeletedLeaseNeverReturnsInAnOldState) {
  Folder folder;
  LeaseStore store(folder.path());
  LeaseStore other(folder.path());
  const std::string id = store.issue(base_of(0), {});
  ASSERT_TRUE(store.save());
  const Result<std::shared_ptr<Lease>> lease = other.use(id);
  ASSERT_TRUE(lease);
  const FileRecord later{.path = "a", .stat = numbered_stat(1), .seen_ns = seen_ns, .blob = numbered_blob(1)};
  ASSERT_TRUE(other.add_touched(**lease, {.records = {later}}));
  ASSERT_TRUE(store.use(id));
  EXPECT_EQ((*store.use(id))->touched(), std::vector<FileRecord>{later});
  std::filesystem::remove(folder / id);
  EXPECT_EQ(text_of(store.use(id)), "NOT_FOUND");
  EXPECT_EQ(text_of(other.use(id)), "NOT_FOUND");
  EXPECT_EQ(text_of(LeaseStore(folder.path()).use(id)), "NOT_FOUND");
}

TEST(LeaseStore, ALeaseWithoutItsListingIsUnknown) {
  for (const bool damaged : {false, true}) {
    Folder folder;
    const Tree tree(1000);
    std::string id;
    {
      LeaseStore store(folder.path());
      id = store.issue(base_of(0), tree.shown());
      ASSERT_TRUE(store.use(id));
    }
    const std::string listing = folder / names_in(folder.path(), "listing_").at(0);
    if (damaged) {
      std::filesystem::resize_file(listing, std::filesystem::file_size(listing) - 1);
    } else {
      std::filesystem::remove(listing);
    }
    EXPECT_EQ(text_of(LeaseStore(folder.path()).use(id)), "NOT_FOUND");
  }
}

// A running server writes a deleted listing again.
TEST(LeaseStore, ADeletedListingIsWrittenAgain) {
  Folder folder;
  LeaseStore store(folder.path());
  const Tree tree(1000);
  ASSERT_TRUE(store.use(store.issue(base_of(0), tree.shown())));
  std::filesystem::remove(folder / names_in(folder.path(), "listing_").at(0));
  const std::string id = store.issue(base_of(0), tree.shown());
  ASSERT_TRUE(store.use(id));
  EXPECT_EQ(text_of(LeaseStore(folder.path()).use(id)), "found");
}

TEST(LeaseStore, ATruncatedFileKeepsItsCompleteLeases) {
  Folder folder;
  std::vector<std::string> ids;
  {
    LeaseStore store(folder.path());
    for (int i = 0; i < 8; ++i) {
      ids.push_back(store.issue(base_of(i), {}));
      ASSERT_TRUE(store.save());
    }
  }
  const std::string path = folder / names_in(folder.path(), "issued_").at(0);
  const std::string whole = folder.read(std::filesystem::path(path).filename().string());
  std::size_t found_before = ids.size();
  for (std::size_t length = whole.size(); length > 0; length -= std::min<std::size_t>(length, 37)) {
    folder.write(std::filesystem::path(path).filename().string(), whole.substr(0, length));
    std::size_t found = 0;
    for (const std::string& id : ids) found += LeaseStore(folder.path()).use(id) ? 1 : 0;
    for (const std::string& name : names_in(folder.path(), "lease_")) std::filesystem::remove(folder / name);
    EXPECT_LE(found, found_before);
    found_before = found;
  }
  EXPECT_EQ(found_before, 0u);
}

TEST(LeaseStore, AnIssuedLeaseExpiresAfterADay) {
  Folder folder;
  std::int64_t time_ns = now_ns();
  LeaseStore store(folder.path(), [&] { return time_ns; });
  const std::string saved = store.issue(base_of(0), {});
  ASSERT_TRUE(store.save());
  const std::string waiting = store.issue(base_of(0), {});
  time_ns += LeaseStore::unused_ns_max + 3600LL * 1'000'000'000;
  EXPECT_EQ(text_of(store.use(saved)), "NOT_FOUND");
  EXPECT_EQ(text_of(store.use(waiting)), "NOT_FOUND");
  store.issue(base_of(0), {});
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>());
}

// The watch returns the same list until a file changes.
TEST(LeaseStore, ComparesALeaseWithANewerListing) {
  Folder folder;
  LeaseStore store(folder.path());
  Tree tree(1000);
  store.issue(base_of(0), tree.shown());
  tree.edit(17);
  const std::string id = store.issue(base_of(1), tree.shown());
  TouchedFiles now = tree.shown();
  now.listed_was_observed.assign(now.listed.size(), true);
  const Result<std::shared_ptr<Lease>> lease = store.use(id);
  ASSERT_TRUE(lease);
  EXPECT_EQ((*lease)->unproven_files(now), std::vector<FileRecord>());
  tree.edit(99);
  TouchedFiles later = tree.shown();
  later.listed_was_observed.assign(later.listed.size(), true);
  const std::vector<FileRecord> changed = (*lease)->unproven_files(later);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0], now.listed.record(99));
  EXPECT_EQ((*lease)->touched(), records_of(now));
}

}  // namespace
}  // namespace snapgen::core
