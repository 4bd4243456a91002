// A collector is killed, or its disk fails, at each of its writing system calls.
#include <cerrno>

#include "tests/engine/operations/gc/store.h"
#include "tests/engine/write/calls.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

class Killed : public testing::Test {
 protected:
  void SetUp() override {
    store_.write("same", prose(20000, 1));
    for (unsigned i = 0; i < 4; ++i) {
      store_.write("changes", prose(20000, 10 + i));
      made_.push_back(store_.snapshot());
    }
    fs::copy(folder(), saved(), fs::copy_options::recursive);
  }

  std::string folder() const { return store_.opened->store_folder(); }
  std::string saved() const { return folder() + ".saved"; }
  void restore() {
    fs::remove_all(folder());
    fs::copy(saved(), folder(), fs::copy_options::recursive);
    store_.reopen();
  }
  int collect_here() {
    store_.reopen();
    return store_.collected(2) ? 0 : 1;
  }
  // In each case the retained snapshots are complete, other blobs may exist, and the next collection
  // completes the work.
  void expect_recovered() {
    store_.reopen();
    EXPECT_TRUE(store_.reads_whole(made_[2]) && store_.reads_whole(made_[3]));
    Result<VerifyResult> found = verify_store(*store_.opened, {});
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->is_sound());
    ASSERT_TRUE(store_.collected(2));
    Result<StoreUsage> after = store_usage(*store_.opened, {});
    ASSERT_TRUE(after);
    EXPECT_EQ(after->snapshot_count, 2);
    EXPECT_EQ(after->reclaimable_bytes, 0);
    EXPECT_TRUE(store_.reads_whole(made_[2]) && store_.reads_whole(made_[3]));
  }

  Store store_;
  std::vector<std::string> made_;
};

TEST_F(Killed, AtAnySystemCallLeavesAConsistentStore) {
  ChildRun whole = run_in_child([this] { return collect_here(); }, {});
  ASSERT_EQ(whole.exit_code, 0);
  ASSERT_GT(whole.writes, 8);
  expect_recovered();
  for (int at = 1; at <= whole.writes && !HasFailure(); ++at) {
    SCOPED_TRACE("killed at call " + std::to_string(at));
    restore();
    EXPECT_TRUE(run_in_child([this] { return collect_here(); }, {.at = at}).killed);
    expect_recovered();
  }
}

TEST_F(Killed, AFailedSystemCallLosesNothing) {
  int writes = run_in_child([this] { return collect_here(); }, {}).writes;
  for (int error : {ENOSPC, EIO}) {
    for (int at = 1; at <= writes && !HasFailure(); ++at) {
      SCOPED_TRACE("error " + std::to_string(error) + " at call " + std::to_string(at));
      restore();
      EXPECT_LE(run_in_child([this] { return collect_here(); }, {.at = at, .error = error}).exit_code, 1);
      expect_recovered();
    }
  }
}

}  // namespace
}  // namespace snapgen::core
