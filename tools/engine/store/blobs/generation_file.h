#pragma once
// GenerationFile: how a garbage collector shares the store with other processes.
//
// A collector copies the needed blobs of a segment into a new segment, and then removes the old one. The file
// `generation` beside the segments counts these removals. Its lock separates two activities:
//
//   referring   (shared)     A process writes a durable file that names blobs (a snapshot). It holds the
//                            lock, checks that all the blobs exist, and writes the file. This takes
//                            milliseconds: if the generation has not changed since an earlier check, no
//                            second check is needed.
//   discarding  (exclusive)  The collector has made its copies. It finds the blobs that have become needed
//                            since, copies them too, increments the generation, and removes the segments.
//
// Consequences:
// - A blob that a capture found or stored may disappear as long as no durable file names it. The capture
//   detects that when it refers, and starts again. It never refers to a missing blob.
// - A blob that a durable file names does not disappear: the collector holds the lock exclusively and sees
//   every such file.
// - Readers hold no lock and never fail, because an open segment remains readable after it was removed. A
//   reader that lists the segments reads the generation before and after. If it is the same, each needed blob
//   is in a listed segment: the copy exists before the increment, and the original until after it.
// - A segment that is being appended to is locked, and collectors leave it alone. A process that has locked a
//   segment checks that the file still has a name, so it never appends to a removed one.
// - The kernel releases the locks of a dead process. A killed collector leaves duplicates, which the next one
//   removes. Copies are durable before the first original is removed, so a machine crash loses nothing.
#include <cstdint>
#include <string>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/file_lock.h"

namespace snapgen::core {

// A lock on the file `generation`, which is held for the lifetime of this object.
class GenerationLock {
 public:
  GenerationLock(Fd fd, std::uint64_t generation) : fd_(std::move(fd)), generation_(generation) {}
  std::uint64_t generation() const { return generation_; }

 private:
  friend class GenerationFile;
  Fd fd_;
  std::uint64_t generation_;
};

// Thread-safe.
class GenerationFile {
 public:
  explicit GenerationFile(const std::string& folder) : path_(folder + "/generation") {}

  // How often segments were removed; 0 if the file does not exist.
  std::uint64_t current() const;

  // Creates the file at its full size, because a collector must be able to increment it on a full disk. The
  // folder must exist. Errors: unavailable.
  Result<Unit> create_file() const;

  // Takes the lock: lock_shared() shared, lock_exclusive() exclusively. The folder must exist. Errors:
  // unavailable (not writable, or the lock is held for too long).
  Result<GenerationLock> lock_shared() const;
  Result<GenerationLock> lock_exclusive() const;

  // For the discarding collector: increments the generation, so that all processes list the segments again.
  // Errors: unavailable.
  static Result<Unit> increment(GenerationLock& discarding);

 private:
  Result<GenerationLock> lock(LockKind kind) const;

  std::string path_;
};

}  // namespace snapgen::core
