#pragma once
// BlobStore: contents by their SHA-256. The narrow waist between the domain and the engine that keeps bytes
// on disk.
//
// Thread-safe, and safe for several processes on one folder. What was put is durable, and may be referred to
// from durable files, once commit() has returned after it.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blob_id.h"
#include "tools/engine/store/byte_source.h"
#include "tools/engine/store/generation.h"

namespace snapgen::core {

class BlobStore {
 public:
  virtual ~BlobStore() = default;

  // Keeps `bytes`, unless it has them, sound. Errors: unavailable (disk full, read-only, ...).
  virtual Result<BlobId> put(std::string_view bytes) = 0;

  // The same for each of `contents`, in less time than one by one, though on more room.
  virtual Result<std::vector<BlobId>> put_each(std::span<const std::string_view> contents) = 0;

  // The same for what is on the first `size` bytes of the file `fd`, in constant memory. Errors: as put();
  // repo_changed (the file's content changed meanwhile), cancelled.
  virtual Result<BlobId> put_file(int fd, std::uint64_t size, std::stop_token stop) = 0;

  // The size of a blob that is here; absent if it is not.
  virtual std::optional<std::uint64_t> size_of(const BlobId& id) = 0;

  // Whether a durable file may refer to the blob after the next commit().
  virtual bool contains(const BlobId& id) = 0;

  // The content, verified. Errors: not_found; internal (damaged; the message names the blob); unavailable.
  virtual Result<std::string> get(const BlobId& id) = 0;

  // The same in pieces, in constant memory; the end is reached only if all of it was verified. Errors as
  // get(), of the call or of a piece.
  virtual Result<std::unique_ptr<ByteSource>> open(const BlobId& id) = 0;

  // Whether get() would have it: reads it.
  virtual bool is_sound(const BlobId& id) = 0;

  // Makes durable all that was put, and all that contains() vouched for. Errors: unavailable.
  virtual Result<Unit> commit() = 0;

  // For whoever writes a durable file that names blobs (see generation.h): finds contains() true for all of
  // them and commits, takes the hold, and writes the file if the hold is of the generation() that was before.
  // Errors: unavailable.
  virtual Result<GenerationHold> refer() = 0;
  // Which one it is now; from here on contains() does not speak of what was thrown away before.
  virtual std::uint64_t generation() = 0;

  // Gives back memory that can be had again from disk, and the room of what was thrown away.
  virtual void rest() = 0;

  // For whoever has put something and will not commit(): others may append to where it stands, and a
  // collector may have its room. What others have put meanwhile is theirs to commit as before.
  virtual void give_up() = 0;
};

// Content above this size is better put by put_file().
inline constexpr std::uint64_t whole_blob_bytes_max = 8 << 20;

// Append-only segment files in `folder`, which is made if it is not there (see segment.h). Errors:
// unavailable.
Result<std::unique_ptr<BlobStore>> open_segment_store(std::string folder);

}  // namespace snapgen::core
