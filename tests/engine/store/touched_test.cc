// The files that a lease covers, from listings and single reads. The records must be the same in memory and
// on disk, and all answers must equal those of a plain map of records.
#include "tools/engine/store/caches/touched.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tests/engine/chance.h"
#include "tests/engine/folder.h"
#include "tools/engine/files/file_lock.h"
#include "tools/engine/store/leases/lease.h"

namespace snapgen::core {
namespace {

const LeaseBase some_base{.fingerprint = {.head_oid = {}, .index_oid = {}, .status_hash = "s"}, .status = {}};

constexpr std::int64_t earlier_ns = 1'000'000'000'001;
constexpr std::int64_t touched_at_ns = 2'000'000'000'000;

std::optional<BlobId> blob_of(int content) {
  if (content < 0) return std::nullopt;
  return BlobId{.digest = sha256(std::to_string(content))};
}

FileStat stat_of(int version) {
  return {.size = version,
          .mtime_ns = earlier_ns,
          .ctime_ns = earlier_ns + version,
          .inode = 7,
          .device = 1,
          .mode = 0100644};
}

std::string path_of(int number) {
  return "folder" + std::to_string(number % 7) + "/file" + std::to_string(number);
}

std::shared_ptr<const FileList> listing(const std::map<std::string, FileStat>& files) {
  auto list = std::make_shared<FileList>();
  for (const auto& [path, stat] : files) list->add(path, stat, false);
  return list;
}

// Compares records, but not the times at which they were read.
bool same(const std::vector<FileRecord>& a, const std::vector<FileRecord>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const FileRecord& one, const FileRecord& other) {
                      return one.path == other.path && one.stat == other.stat && one.blob == other.blob;
                    });
}

// The plain map with which a lease is compared.
class Model {
 public:
  void touch(const FileRecord& record) {
    const auto found = records_.find(record.path);
    const bool known = found != records_.end() && found->second.stat == record.stat &&
                       (!record.blob || found->second.blob == record.blob);
    if (!known) records_[record.path] = record;
  }
  void touch(const TouchedFiles& touched) {
    for (std::size_t i = 0; i < touched.listed.size(); ++i) touch(touched.listed.record(i));
    for (const FileRecord& record : touched.records) touch(record);
  }
  // Returns whether `touched` has another content for a known file.
  bool contradicts(const TouchedFiles& touched) const {
    for (std::size_t i = 0; i < touched.listed.size(); ++i)
      if (contradicts(touched.listed.record(i))) return true;
    return std::any_of(touched.records.begin(), touched.records.end(),
                       [&](const FileRecord& record) { return contradicts(record); });
  }
  std::vector<FileRecord> all() const {
    std::vector<FileRecord> out;
    for (const auto& [path, record] : records_) out.push_back(record);
    return out;
  }
  std::vector<FileRecord> all_but(const TouchedFiles& seen) const {
    std::vector<FileRecord> out;
    for (const FileRecord& record : all())
      if (!seen.confirms(record)) out.push_back(record);
    return out;
  }

 private:
  bool contradicts(const FileRecord& record) const {
    const auto found = records_.find(record.path);
    if (found == records_.end() || found->second.stat == record.stat) return false;
    return !record.blob || record.blob != found->second.blob;
  }

  std::map<std::string, FileRecord> records_;
};

// The changes while a lease is used: only contents that became known; the stats of unchanged contents; or any
// change.
enum class Change { nothing, stats, everything };

FileStat random_stat(Chance& chance, Change change) {
  return stat_of(change == Change::nothing ? 0 : chance.below(3));
}

// Returns some files of a listing and some single records; each path is in at most one of both.
TouchedFiles random_touched(Chance& chance, Change change, const std::shared_ptr<const FileList>& files,
                            std::int64_t seen_ns) {
  TouchedFiles touched{.listed = ListedFiles(files, seen_ns)};
  std::map<std::string, FileRecord> others;
  const int often = 1 + chance.below(8);
  for (std::size_t i = 0; i < files->size(); ++i) {
    const std::optional<BlobId> blob = blob_of(change == Change::stats ? 1 : chance.below(3) - 1);
    switch (chance.below(often + 1)) {
      case 0:
        touched.listed.add(static_cast<std::uint32_t>(i), blob);
        touched.listed_was_observed.push_back(chance.below(4) != 0);
        break;
      case 1: {
        const std::string path(files->path(i));
        others[path] = {.path = path, .stat = random_stat(chance, change), .seen_ns = seen_ns, .blob = blob};
        break;
      }
      default: break;
    }
  }
  for (auto& [path, record] : others) {
    touched.records.push_back(record);
    touched.record_was_observed.push_back(chance.below(4) != 0);
  }
  return touched;
}

TEST(TouchedFiles, ALeaseEqualsAMapOfItsRecords) {
  Chance chance;
  int refused = 0;
  for (int run = 0; run < 90; ++run) {
    const auto change = static_cast<Change>(run % 3);
    const int numbers = run % 2 == 0 ? 40 : 400;  // Leases share the listing of many files.
    Folder folder;
    LeaseStore store(folder.path());
    std::vector<std::shared_ptr<const FileList>> lists;
    for (int i = 0; i < 3; ++i) {
      std::map<std::string, FileStat> files;
      for (int number = 0; number < numbers; ++number)
        if (chance.below(5) != 0) files[path_of(number)] = random_stat(chance, change);
      lists.push_back(listing(files));
    }
    Model model;
    const TouchedFiles first = random_touched(chance, change, lists[0], touched_at_ns);
    model.touch(first);
    const std::string id = store.issue(some_base, first);
    ASSERT_TRUE(chance.below(3) != 0 || store.save());
    Result<std::shared_ptr<Lease>> lease = store.use(id);
    ASSERT_TRUE(lease) << lease.error().message;
    for (int step = 0; step < 12; ++step) {
      const TouchedFiles more = random_touched(
          chance, change, lists[static_cast<std::size_t>(chance.below(3))], touched_at_ns + step);
      EXPECT_TRUE(same((*lease)->unproven_files(more), model.all_but(more)))
          << "run " << run << ", step " << step;
      // Sometimes another process writes to the lease in between.
      LeaseStore others(folder.path());
      Result<std::shared_ptr<Lease>> through = chance.below(4) == 0 ? others.use((*lease)->id()) : lease;
      LeaseStore& used = *through == *lease ? store : others;
      ASSERT_TRUE(through);
      const Result<Unit> done = used.add_touched(**through, more);
      const bool contradicts = model.contradicts(more);
      ASSERT_EQ(!done, contradicts);
      if (contradicts) {
        EXPECT_EQ(done.error().code, ErrorCode::repo_changed);
        ++refused;
      } else {
        model.touch(more);
      }
      ASSERT_TRUE(store.use((*lease)->id()));
      EXPECT_TRUE(same((*lease)->touched(), model.all())) << "run " << run << ", step " << step;
      LeaseStore fresh(folder.path());
      Result<std::shared_ptr<Lease>> loaded = fresh.use((*lease)->id());
      ASSERT_TRUE(loaded);
      EXPECT_TRUE(same((*loaded)->touched(), model.all())) << "run " << run << ", step " << step;
      const std::string asked = path_of(chance.below(numbers));
      EXPECT_EQ((*lease)->touched(asked).has_value(), (*loaded)->touched(asked).has_value());
    }
  }
  EXPECT_GT(refused, 10);
}

// Each read was valid by itself, before the lease recorded both.
TEST(TouchedFiles, ALeaseRejectsASecondContentOfTheSameFile) {
  Folder folder;
  LeaseStore store(folder.path());
  Result<std::shared_ptr<Lease>> lease = store.use(store.issue(some_base, {}));
  ASSERT_TRUE(lease);
  const FileRecord before{.path = "a", .stat = stat_of(1), .seen_ns = touched_at_ns, .blob = blob_of(1)};
  FileRecord after{.path = "a", .stat = stat_of(2), .seen_ns = touched_at_ns, .blob = blob_of(2)};
  const FileRecord other{.path = "b", .stat = stat_of(1), .seen_ns = touched_at_ns, .blob = blob_of(1)};
  ASSERT_TRUE(store.add_touched(**lease, {.records = {before}}));
  const Result<Unit> refused = store.add_touched(**lease, {.records = {after, other}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::repo_changed);
  EXPECT_EQ((*lease)->touched(), std::vector<FileRecord>{before});
  TouchedFiles listed{.listed = ListedFiles(listing({{"a", after.stat}}), touched_at_ns)};
  listed.listed.add(0, std::nullopt);
  EXPECT_FALSE(store.add_touched(**lease, listed))
      << "a changed file is rejected even if its new content was not read";
  after.blob = before.blob;
  EXPECT_TRUE(store.add_touched(**lease, {.records = {after, other}}))
      << "the file's times changed, but not its content";
  EXPECT_EQ((*lease)->touched(), (std::vector<FileRecord>{after, other}));
}

TEST(TouchedFiles, KnownRecordsAreNotWrittenAgain) {
  Folder folder;
  LeaseStore store(folder.path());
  const auto files = listing({{"a", stat_of(1)}, {"b", stat_of(2)}});
  TouchedFiles touched{.listed = ListedFiles(files, touched_at_ns)};
  touched.listed.add(0, blob_of(1));
  touched.listed.add(1, blob_of(2));
  Result<std::shared_ptr<Lease>> lease = store.use(store.issue(some_base, touched));
  ASSERT_TRUE(lease);
  const std::string path = folder.path() + "/" + (*lease)->id();
  const auto size = std::filesystem::file_size(path);
  ASSERT_TRUE(store.add_touched(**lease, touched));
  EXPECT_EQ(std::filesystem::file_size(path), size);
}

// Another write within the same tick of the clock might leave the stat unchanged.
TEST(TouchedFiles, RecentlyWrittenFilesAreNotTrusted) {
  Folder folder;
  LeaseStore store(folder.path());
  const auto files = listing({{"a", stat_of(1)}});
  TouchedFiles early{
      .listed = ListedFiles(files, earlier_ns + 2), .records = {}, .listed_was_observed = {true}};
  early.listed.add(0, blob_of(1));
  TouchedFiles late{
      .listed = ListedFiles(files, touched_at_ns), .records = {}, .listed_was_observed = {true}};
  late.listed.add(0, blob_of(1));
  Result<std::shared_ptr<Lease>> lease = store.use(store.issue(some_base, early));
  ASSERT_TRUE(lease);
  EXPECT_EQ((*lease)->unproven_files(late).size(), 1u);
  ASSERT_TRUE(store.add_touched(**lease, late));
  EXPECT_EQ((*lease)->unproven_files(late).size(), 0u);
  ASSERT_EQ((*lease)->touched().size(), 1u);
  EXPECT_EQ((*lease)->touched()[0].seen_ns, touched_at_ns);
}

// A complete watch maintains the listing, so files that were only searched need no separate stat.
TEST(TouchedFiles, ListedFilesAreComparedWithAWatchedListing) {
  Folder folder;
  LeaseStore store(folder.path());
  std::map<std::string, FileStat> tree;
  for (int i = 0; i < 100; ++i) tree[path_of(i)] = stat_of(i + 1);
  const auto files = listing(tree);
  TouchedFiles searched{.listed = ListedFiles(files, touched_at_ns)};
  for (std::uint32_t i = 0; i < files->size(); ++i) searched.listed.add(i, blob_of(static_cast<int>(i)));
  const FileRecord shown{.path = "shown", .stat = stat_of(1), .seen_ns = touched_at_ns, .blob = blob_of(1)};
  searched.records = {shown};
  Result<std::shared_ptr<Lease>> lease = store.use(store.issue(some_base, searched));
  ASSERT_TRUE(lease);
  const TouchedFiles nothing;
  EXPECT_EQ((*lease)->unproven_files(nothing).size(), 101u) << "without a watch each file is compared";
  EXPECT_EQ((*lease)->unproven_files(nothing, files), std::vector<FileRecord>{shown});
  EXPECT_EQ((*lease)->try_unproven_files(files), std::vector<FileRecord>{shown});

  tree[path_of(5)] = stat_of(1000);
  tree.erase(path_of(7));
  const auto later = listing(tree);
  EXPECT_FALSE((*lease)->try_unproven_files(later)) << "the lease was not compared yet";
  const std::vector<FileRecord> changed = (*lease)->unproven_files(nothing, later);
  ASSERT_EQ(changed.size(), 3u);
  EXPECT_EQ(changed[0].path, path_of(7));
  EXPECT_EQ(changed[1].path, path_of(5));
  EXPECT_EQ(changed[1].stat, stat_of(6)) << "the stat that the lease recorded";
  EXPECT_EQ(changed[2], shown);
  EXPECT_EQ((*lease)->touched().size(), 101u) << "a snapshot of the lease still has every file";
}

TEST(TouchedFiles, RacyListedFilesAreNotTrustedToAWatchedListing) {
  Folder folder;
  LeaseStore store(folder.path());
  std::map<std::string, FileStat> tree;
  for (int i = 0; i < 100; ++i) tree[path_of(i)] = stat_of(i + 1);
  const auto files = listing(tree);
  TouchedFiles searched{.listed = ListedFiles(files, earlier_ns + 2)};
  for (std::uint32_t i = 0; i < files->size(); ++i) searched.listed.add(i, blob_of(static_cast<int>(i)));
  Result<std::shared_ptr<Lease>> lease = store.use(store.issue(some_base, searched));
  ASSERT_TRUE(lease);
  EXPECT_EQ((*lease)->unproven_files({}, files).size(), 100u);
  EXPECT_EQ((*lease)->try_unproven_files(files)->size(), 100u);
}

// The event loop reads the lease and must not block.
TEST(TouchedFiles, ABusyLeaseIsNotWaitedFor) {
  Folder folder;
  LeaseStore store(folder.path());
  const std::string id = store.issue(some_base, {});
  EXPECT_FALSE(store.try_use(id, 10)) << "the lease has no file yet";
  ASSERT_TRUE(store.use(id));
  const Fd writer(::open((folder / id).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  ASSERT_EQ(lock_file(writer.get(), {}), LockResult::acquired);
  EXPECT_TRUE(store.try_use(id, 10));
  EXPECT_TRUE(store.use(id)) << "nothing was added since";
  ASSERT_EQ(::write(writer.get(), "x", 1), 1);
  EXPECT_FALSE(store.try_use(id, 10));
}

}  // namespace
}  // namespace snapgen::core
