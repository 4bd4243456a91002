#pragma once
// Generation: how a collector, which throws blobs away, shares the store with everybody else.
//
// A collector copies what is still needed of a segment into a new one, and then removes the old one as a
// whole. The file `generation` beside the segments counts how often that was done, and its lock keeps two
// things apart:
//
//   referring   (shared)     A durable file that names blobs, a snapshot, is put in its place: with the lock
//                            held, one makes sure that all the blobs are there, and writes the file. It takes
//                            milliseconds, for if the generation is the one in which one looked for the blobs
//                            before, nothing has to be looked for again.
//   discarding  (exclusive)  The collector has copied; it looks what else has come to be needed, copies that
//                            as well, counts the generation up, and removes the segments.
//
// What follows from this:
// - A blob that a capture found here, or put here, may be gone as long as nothing durable names it. The
//   capture notices that when it refers, and begins again; it never refers to a blob that is gone.
// - A blob that a durable file names is not gone: the collector, alone with the lock, sees every such file.
// - Readers hold no lock, and none of them fails. What they have open can still be read after it was removed.
//   Who lists the segments reads the generation before and after. If it is the same, each needed blob stands
//   in a listed segment: the copy was there before the count, the original until after it.
// - A segment that somebody appends to is locked, and left alone. One that was removed is not appended to:
//   whoever has locked it looks whether it still has a name.
// - Locks die with their process. A collector that is killed leaves copies beside originals, which the next
//   one removes; a crash of the machine finds the copies on disk before the first original goes.
#include <cstdint>
#include <string>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/file_lock.h"

namespace snapgen::core {

// Holds the lock as long as it lives.
class GenerationHold {
 public:
  GenerationHold(Fd fd, std::uint64_t generation) : fd_(std::move(fd)), generation_(generation) {}
  std::uint64_t generation() const { return generation_; }

 private:
  friend class Generation;
  Fd fd_;
  std::uint64_t generation_;
};

// Thread-safe.
class Generation {
 public:
  explicit Generation(const std::string& folder) : path_(folder + "/generation") {}

  // How often segments were removed; 0 as long as nobody knows of any.
  std::uint64_t current() const;

  // The file, with all that it will ever take of the disk: a collector must be able to count up on a full
  // one. The folder must be there. Errors: unavailable.
  Result<Unit> make() const;

  // The folder must be there. Errors: unavailable (cannot be written; somebody keeps the lock for too long).
  Result<GenerationHold> refer() const;
  Result<GenerationHold> discard() const;

  // By the one who discards: from now on everybody looks for segments anew. Errors: unavailable.
  static Result<Unit> count_up(GenerationHold& discarding);

 private:
  Result<GenerationHold> hold(LockKind kind) const;

  std::string path_;
};

}  // namespace snapgen::core
