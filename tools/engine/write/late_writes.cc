#include "tools/engine/write/late_writes.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/write/content.h"

namespace snapgen::core {
namespace {

enum class LateWriteState : std::uint8_t {
  none,     // There is no replaced file, or it has the content that the change expected.
  written,  // It may have another content, and no process has it open for writing.
  open,     // A process has it open for writing.
};

struct ReplacedFile {
  Fd fd;  // Invalid: the step has replaced no regular file, or it is deleted.
  FileStat stat;
};

// Opens the file that the step moved to the staging folder. A moved file keeps its inode.
ReplacedFile open_replaced(int staging, const Step& step) {
  ReplacedFile out;
  if (!step.before || step.outside_staging_folder || step.staged_name.empty()) return out;
  Fd fd(
      ::openat(staging, step.staged_name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) return out;
  out.stat = file_stat(st);
  if (out.stat.inode == step.before->stat.inode && out.stat.device == step.before->stat.device)
    out.fd = std::move(fd);
  return out;
}

// Whether a process has the file open for writing: the kernel then grants no read lease. File systems without
// leases, and files of other users, are assumed to have no writer.
bool has_writer(int fd) {
  // A program that opens the file through a hard link breaks the lease. This signal is ignored by default.
  ::fcntl(fd, F_SETSIG, SIGURG);
  if (::fcntl(fd, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN;
  ::fcntl(fd, F_SETLEASE, F_UNLCK);
  return false;
}

// A rename changes ctime, so it proves nothing here. A late write within the clock tick of the last change
// before the capture leaves the same times.
bool is_as_before(int staging, const Step& step, const FileStat& now) {
  constexpr std::int64_t hashed_bytes_max = 64 << 20;
  const FileRecord& before = *step.before;
  if (now.size != before.stat.size || now.mtime_ns != before.stat.mtime_ns) return false;
  if (!is_racy(before.stat, before.seen_ns) || !before.blob || now.size > hashed_bytes_max) return true;
  const Result<BlobId> blob = blob_at(staging, step.staged_name, now, before.path);
  return blob && *blob == *before.blob;
}

LateWriteState state_of(int staging, const ReplacedFile& file, const Step& step) {
  if (!file.fd) return LateWriteState::none;
  if (has_writer(file.fd.get())) return LateWriteState::open;
  struct stat st;
  // The writer may have written between the first stat and its end.
  if (::fstat(file.fd.get(), &st) != 0) return LateWriteState::none;
  return is_as_before(staging, step, file_stat(st)) ? LateWriteState::none : LateWriteState::written;
}

}  // namespace

std::vector<Step> steps_with_late_writes(int staging, const std::vector<Step>& steps) {
  std::vector<Step> late;
  for (const Step& step : steps) {
    if (state_of(staging, open_replaced(staging, step), step) == LateWriteState::none) continue;
    late.push_back(step);
    late.back().content.reset();
  }
  return late;
}

bool collect_late_write(int staging, const Step& step, UndoStore& undos) {
  const ReplacedFile file = open_replaced(staging, step);
  const LateWriteState state = state_of(staging, file, step);
  if (state == LateWriteState::open) return false;
  if (state == LateWriteState::written && !undos.save_late_write(*step.before, file.fd.get())) return false;
  return ::unlinkat(staging, step.staged_name.c_str(), 0) == 0 || errno == ENOENT;
}

}  // namespace snapgen::core
