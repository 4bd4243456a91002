#include "tools/engine/operations/capture_files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <mutex>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/parallel.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t captures_per_block = 64;  // Files that one thread examines at a time.
constexpr std::size_t buffer_bytes = 8 << 20;   // Maximum size of the contents that one thread has in memory.
constexpr std::size_t shared_bytes_max = 1 << 20;  // Larger files are stored individually.
constexpr std::size_t held_files_max = 512;

// Reads a whole file into the buffer `buffer`, which must be one byte longer than the file: the extra byte
// shows whether the file has grown.
Result<Unit> read_into(const OpenedPath& opened, char* buffer) {
  auto size = static_cast<std::size_t>(opened.stat.size);
  std::size_t got = 0;
  while (got <= size) {
    ssize_t n = ::read(opened.fd.get(), buffer + got, size + 1 - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error(errno, "read", opened.path);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  struct stat st;
  if (::fstat(opened.fd.get(), &st) != 0) return system_error(errno, "examine", opened.path);
  if (got != size || file_stat(st) != opened.stat) return changed_while_read_error(opened.path);
  return Unit{};
}

Result<FileRecord> capture_link(Workspace& workspace, const std::string& path) {
  FileRecord record = TRY(observe_file(workspace.root(), path, {}));
  Result<std::string> target = workspace.root().read_link(path);
  if (!target || blob_id_of(*target) != *record.blob) return changed_while_read_error(path);
  TRY(workspace.blobs().put(*target));
  return record;
}

class Capturing {
 public:
  Capturing(Workspace& workspace, const std::vector<CaptureTarget>& targets, CapturePace pace,
            const std::stop_token& stop)
      : workspace_(workspace), targets_(targets), pace_(pace), stop_(stop) {
    found_.records.resize(targets.size());
  }

  // Captures files on one thread until none is left.
  void work();

  CapturedFiles result() { return std::move(found_); }

 private:
  friend class UnstoredContents;

  bool goes_on() const { return !has_failed_ && !stop_.stop_requested(); }

  void fail(std::size_t index, Error error) {
    if (!targets_[index].is_named && error.code == ErrorCode::permission_denied) return;
    const bool has_no_content = error.code == ErrorCode::repo_changed || error.code == ErrorCode::not_found ||
                                error.code == ErrorCode::invalid_argument;
    if (targets_[index].is_optional && has_no_content) {
      found_.records[index] = {.path = targets_[index].path, .stat = {}, .seen_ns = 0, .blob = {}};
      return;
    }
    std::lock_guard lock(mutex_);
    if (!found_.failure || index < found_.failure->first) found_.failure.emplace(index, std::move(error));
    has_failed_ = true;
  }

  Workspace& workspace_;
  const std::vector<CaptureTarget>& targets_;
  CapturePace pace_;
  std::stop_token stop_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> has_failed_ = false;
  std::mutex mutex_;  // Guards `failure`; each record is written by one thread.
  CapturedFiles found_;
};

// The contents that one thread has read but not yet stored.
class UnstoredContents {
 public:
  explicit UnstoredContents(Capturing& capturing)
      : capturing_(capturing), workspace_(capturing.workspace_), buffer_(new char[buffer_bytes]) {}

  void capture(std::size_t index) {
    const CaptureTarget& target = capturing_.targets_[index];
    for (int tries = 1;; ++tries) {
      Result<Unit> done = try_to_capture(index, target);
      if (done) return;
      if (done.error().code == ErrorCode::repo_changed && tries < rereads_max) continue;
      return capturing_.fail(index, std::move(done).error());
    }
  }

  void put() {
    if (contents_.empty()) return;
    const CompressionEffort effort =
        capturing_.pace_ == CapturePace::fast ? CompressionEffort::quick : CompressionEffort::thorough;
    Result<std::vector<BlobId>> ids = workspace_.blobs().put_each(contents_, effort);
    for (std::size_t i = 0; ids && i < ids->size(); ++i) records()[indexes_[i]].blob = (*ids)[i];
    if (!ids) capturing_.fail(indexes_.front(), std::move(ids).error());
    contents_.clear();
    indexes_.clear();
    used_ = 0;
  }

 private:
  std::vector<FileRecord>& records() { return capturing_.found_.records; }

  Result<Unit> try_to_capture(std::size_t index, const CaptureTarget& target) {
    std::int64_t seen = target.listed_stat ? target.listed_ns : now_ns();
    std::optional<FileStat> stat = target.listed_stat;
    if (!stat) {
      FileStat found = TRY(workspace_.root().lstat(target.path));
      stat = found;
    }
    std::optional<BlobId> known = workspace_.stat_cache().find(target.path, *stat);
    if (!target.is_reread && known && workspace_.blobs().contains(*known)) {
      records()[index] = {.path = target.path, .stat = *stat, .seen_ns = seen, .blob = known};
      return Unit{};
    }
    if (kind_of(*stat) != FileKind::symlink) return read(index, target.path);
    records()[index] = TRY(capture_link(workspace_, target.path));
    return Unit{};
  }

  Result<Unit> read(std::size_t index, const std::string& path) {
    std::int64_t seen = now_ns();
    OpenedPath opened = TRY(workspace_.root().open_file(path));
    FileRecord record{.path = path, .stat = opened.stat, .seen_ns = seen, .blob = {}};
    auto size = static_cast<std::size_t>(opened.stat.size);
    if (size > shared_bytes_max) {
      BlobId blob = TRY(put_large(opened));
      record.blob = blob;
    } else {
      if (buffer_bytes - used_ <= size || contents_.size() == held_files_max) put();
      TRY(read_into(opened, buffer_.get() + used_));
      contents_.emplace_back(buffer_.get() + used_, size);
      indexes_.push_back(index);
      used_ += size;
    }
    records()[index] = std::move(record);
    return Unit{};
  }

  Result<BlobId> put_large(OpenedPath& opened) {
    auto size = static_cast<std::size_t>(opened.stat.size);
    if (size < buffer_bytes) {
      put();
      TRY(read_into(opened, buffer_.get()));
      return workspace_.blobs().put({buffer_.get(), size});
    }
    Result<BlobId> blob = workspace_.blobs().put_file(opened.fd.get(), size, capturing_.stop_);
    struct stat st;
    if (blob && (::fstat(opened.fd.get(), &st) != 0 || file_stat(st) != opened.stat))
      return changed_while_read_error(opened.path);
    return blob;
  }

  Capturing& capturing_;
  Workspace& workspace_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::vector<std::string_view> contents_;  // Views of bytes in buffer_.
  std::vector<std::size_t> indexes_;        // The target of each content.
};

void Capturing::work() {
  UnstoredContents contents(*this);
  while (goes_on()) {
    std::size_t begin = next_.fetch_add(captures_per_block, std::memory_order_relaxed);
    std::size_t end = std::min(begin + captures_per_block, targets_.size());
    if (begin >= end) break;
    for (std::size_t i = begin; i < end && goes_on(); ++i) contents.capture(i);
  }
  if (goes_on()) contents.put();
}

}  // namespace

CapturedFiles capture_files(Workspace& workspace, const std::vector<CaptureTarget>& targets,
                            const std::stop_token& stop, CapturePace pace) {
  Capturing capturing(workspace, targets, pace, stop);
  const std::size_t blocks = (targets.size() + captures_per_block - 1) / captures_per_block;
  const std::size_t threads = pace == CapturePace::fast ? processor_count() : 1;
  in_parallel(std::min(blocks, threads), 1, [&](std::size_t, std::size_t) { capturing.work(); });
  CapturedFiles captured = capturing.result();
  if (captured.failure || stop.stop_requested()) workspace.blobs().abandon_puts();
  return captured;
}

}  // namespace snapgen::core
