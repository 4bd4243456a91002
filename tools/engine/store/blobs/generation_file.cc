#include "tools/engine/store/blobs/generation_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/file_lock.h"

namespace snapgen::core {
namespace {

// The count in the file; 0 if the file is too short. Such a file was never incremented, because writing its
// first value failed.
std::uint64_t count_in(int fd) {
  std::uint64_t count = 0;
  char bytes[sizeof count];
  if (::pread(fd, bytes, sizeof bytes, 0) != sizeof bytes) return 0;
  std::memcpy(&count, bytes, sizeof count);
  return count;
}

}  // namespace

std::uint64_t GenerationFile::current() const {
  Fd fd(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  return fd ? count_in(fd.get()) : 0;
}

Result<Unit> GenerationFile::create_file() const {
  struct stat st;
  if (::stat(path_.c_str(), &st) == 0 && st.st_size >= static_cast<off_t>(sizeof(std::uint64_t)))
    return Unit{};
  GenerationLock held = TRY(lock_shared());
  return Unit{};
}

Result<GenerationLock> GenerationFile::lock_shared() const { return lock(LockKind::shared); }

Result<GenerationLock> GenerationFile::lock_exclusive() const { return lock(LockKind::exclusive); }

Result<GenerationLock> GenerationFile::lock(LockKind kind) const {
  Fd fd(::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return store_not_writable_error(path_ + ": " + std::strerror(errno));
  if (lock_file(fd.get(), {}, kind) != LockResult::acquired)
    return Error(ErrorCode::unavailable, "Another process is using the snapshot store; try again.", {},
                 path_ + ": " + std::strerror(errno));
  std::uint64_t generation = count_in(fd.get());
  struct stat st;
  if (::fstat(fd.get(), &st) == 0 && st.st_size < static_cast<off_t>(sizeof generation)) {
    // Other holders of the shared lock write the same value. If this fails, increment() may still succeed.
    Result<Unit> whole =
        write_at(fd.get(), {reinterpret_cast<const char*>(&generation), sizeof generation}, 0);
    (void)whole;
  }
  return GenerationLock(std::move(fd), generation);
}

Result<Unit> GenerationFile::increment(GenerationLock& discarding) {
  std::uint64_t next = discarding.generation_ + 1;
  Result<Unit> written =
      write_at(discarding.fd_.get(), {reinterpret_cast<const char*>(&next), sizeof next}, 0);
  if (written) discarding.generation_ = next;
  return written;
}

}  // namespace snapgen::core
