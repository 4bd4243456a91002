#pragma once
// BlobStore: contents by their SHA-256. The interface between the domain and the code that stores bytes.
//
// Thread-safe, and safe for several processes on one folder. After put() and a later commit(), a blob is
// durable and durable files may refer to it.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/store/blobs/byte_source.h"
#include "tools/engine/store/blobs/codec.h"
#include "tools/engine/store/blobs/generation_file.h"

namespace snapgen::core {

// The last sentence of an error about damage in the store.
inline constexpr std::string_view verify_store_sentence = "Run snap store verify to see what it affects.";

class BlobStore {
 public:
  virtual ~BlobStore() = default;

  // Stores `bytes`, unless a sound copy exists. Errors: unavailable (disk full, read-only, ...).
  virtual Result<BlobId> put(std::string_view bytes) = 0;

  // Stores each of `contents`; faster than one put() each.
  virtual Result<std::vector<BlobId>> put_each(std::span<const std::string_view> contents,
                                               CompressionEffort effort) = 0;

  // Stores the first `size` bytes of the file `fd`, in constant memory. Errors: as put(); repo_changed (the
  // file changed while it was read), cancelled.
  virtual Result<BlobId> put_file(int fd, std::uint64_t size, std::stop_token stop) = 0;

  // The size of a blob in bytes, or nullopt if the store does not have it.
  virtual std::optional<std::uint64_t> size_of(const BlobId& id) = 0;

  // Returns whether a durable file may refer to the blob after the next commit().
  virtual bool contains(const BlobId& id) = 0;

  // Returns the verified content. Errors: not_found; internal (damaged, with the id); unavailable.
  virtual Result<std::string> get(const BlobId& id) = 0;

  // Returns the content as a stream, in constant memory. The source reports its end only if the whole content
  // was verified. Errors: as get(), from open() or from next().
  virtual Result<std::unique_ptr<ByteSource>> open(const BlobId& id) = 0;

  // Reads the blob and returns whether get() would succeed.
  virtual bool is_sound(const BlobId& id) = 0;

  // Makes durable all that was put, or for which contains() returned true. Errors: unavailable.
  virtual Result<Unit> commit() = 0;

  // Returns a shared lock for a caller that writes a durable file that names blobs (see generation_file.h).
  // The caller reads generation(), checks contains() for all blobs, and commits. It then takes this lock and
  // writes the file if the lock has the same generation.
  virtual Result<GenerationLock> lock_generation() = 0;
  // The current generation. From now on contains() ignores blobs that a collector removed before.
  virtual std::uint64_t generation() = 0;

  // Lists the segments again. From now on contains() ignores blobs that were deleted without a collector, as
  // with the whole store.
  virtual void list_again() = 0;

  // Frees memory that can be read from disk again, and closes segments that a collector removed.
  virtual void release_memory() = 0;

  // Called after put() without a commit(): unlocks the segment, so that other processes may append to it or
  // collect it. Blobs that other threads put meanwhile remain theirs to commit.
  virtual void abandon_puts() = 0;
};

// Larger contents are better stored with put_file().
inline constexpr std::uint64_t whole_blob_bytes_max = 8 << 20;

// Opens a store of append-only segment files (see segment.h) in `folder`. The folder is created when the
// first blob is stored.
Result<std::unique_ptr<BlobStore>> open_segment_store(std::string folder);

}  // namespace snapgen::core
