#include "tools/engine/store/snapshots/snapshot_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include <fcntl.h>

#include "runtime/base/ascii.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/file_lock.h"

namespace snapgen::core {
namespace {

// Returns an open descriptor if the file exists with its whole content and only needs a sync.
Fd open_if_whole(const std::string& path, const std::string& text, bool must_be_equal) {
  const Result<std::string> found = read_whole_file(path, snapshot_file_bytes_max);
  const bool is_whole = found && (must_be_equal ? *found == text : !found->empty());
  return Fd(is_whole ? ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1);
}

}  // namespace

bool is_snapshot_hex(std::string_view text) {
  return text.size() == snapshot_hex_digits && std::ranges::all_of(text, is_lower_hex_digit);
}

Result<Fd> lock_notes(const std::string& folder, const std::stop_token& stop) {
  const std::string path = folder + "/lock";
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  const LockResult locked = fd ? lock_file(fd.get(), stop) : LockResult::failed;
  if (locked == LockResult::acquired) return fd;
  if (locked == LockResult::cancelled) return Error(ErrorCode::cancelled, "Cancelled; no snapshot was made.");
  if (locked == LockResult::busy)
    return Error(ErrorCode::unavailable,
                 "Another process has been writing to the snapshot store for a minute; try again.", {}, path);
  return store_not_writable_error(path + ": " + std::strerror(errno));
}

Result<Unit> make_snapshot_durable(const std::string& folder, const SnapshotFiles& files) {
  const std::string path = folder + "/" + files.hex;
  const Fd head = open_if_whole(path, files.header_text, true);
  // Another process may have changed the note since.
  const Fd note = open_if_whole(path + std::string(note_suffix), files.note_text, false);
  if (!head || !note) {
    TRY(make_folders(folder));
    // The note is written first, because a snapshot exists once its head does.
    if (!note)
      TRY(replace_file(folder, files.hex + std::string(note_suffix), files.note_text,
                       Durability::machine_crash));
    if (!head) TRY(replace_file(folder, files.hex, files.header_text, Durability::machine_crash));
  }
  // Syncs in parallel, because a disk flushes several files in hardly more time than one.
  std::mutex mutex;
  Result<Unit> synced = Unit{};
  in_parallel_on_disk(3, 1, [&](std::size_t begin, std::size_t) {
    Result<Unit> done = Unit{};
    if (begin == 0) done = sync_folder(folder);
    if (begin == 1 && head) done = sync_file(head.get());
    if (begin == 2 && note) done = sync_file(note.get());
    const std::lock_guard lock(mutex);
    if (!done) synced = std::move(done);
  });
  return synced;
}

}  // namespace snapgen::core
