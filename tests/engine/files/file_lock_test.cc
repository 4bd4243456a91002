// Tests which locks exclude each other, and how long a call waits for a lock.
#include "tools/engine/files/file_lock.h"

#include <chrono>
#include <stop_token>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "runtime/base/fd.h"
#include "tests/engine/folder.h"

namespace snapgen::core {
namespace {

constexpr std::chrono::milliseconds shortly{5};

class FileLock : public testing::Test {
 protected:
  Fd opened() const { return Fd(::open((folder_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)); }

  Folder folder_;
  Fd one_ = opened(), other_ = opened();
};

TEST_F(FileLock, AnExclusiveLockExcludesAllOthers) {
  ASSERT_EQ(lock_file(one_.get(), {}), LockResult::acquired);
  EXPECT_EQ(lock_file(other_.get(), {}, LockKind::exclusive, shortly), LockResult::busy);
  EXPECT_EQ(lock_file(other_.get(), {}, LockKind::shared, shortly), LockResult::busy);
  unlock_file(one_.get());
  EXPECT_EQ(lock_file(other_.get(), {}), LockResult::acquired);
}

TEST_F(FileLock, SharedLocksExcludeAnExclusiveOne) {
  ASSERT_EQ(lock_file(one_.get(), {}, LockKind::shared), LockResult::acquired);
  ASSERT_EQ(lock_file(other_.get(), {}, LockKind::shared), LockResult::acquired);
  EXPECT_EQ(lock_file(opened().get(), {}, LockKind::exclusive, shortly), LockResult::busy);
}

TEST_F(FileLock, IsReleasedWithItsDescriptor) {
  ASSERT_EQ(lock_file(opened().get(), {}), LockResult::acquired);
  EXPECT_EQ(lock_file(one_.get(), {}), LockResult::acquired);
}

TEST_F(FileLock, CancelledCallsDoNotWait) {
  ASSERT_EQ(lock_file(one_.get(), {}), LockResult::acquired);
  std::stop_source call;
  call.request_stop();
  EXPECT_EQ(lock_file(other_.get(), call.get_token()), LockResult::cancelled);
}

TEST_F(FileLock, RejectsAnythingButRegularFiles) { EXPECT_EQ(lock_file(-1, {}), LockResult::failed); }

}  // namespace
}  // namespace snapgen::core
