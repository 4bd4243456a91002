#pragma once
// Manifest: the contents of a snapshot, and the id derived from them.
//
//   snapshot id = "sha256:" + hex(SHA-256(canonical fingerprint + "\n" + canonical manifest))
//
// A manifest is {"entries":[{"blob":"sha256:...","path":"..."},...]}, sorted by the bytes of the paths. An
// executable file also has "mode":"100755", a symlink "mode":"120000"; a symlink's blob is its target.
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/file_mode.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/files.h"
#include "tools/engine/store/blobs/blob_store.h"

namespace snapgen::core {

struct ManifestEntry {
  std::string path;
  BlobId blob;
  FileMode mode = FileMode::plain;

  bool operator==(const ManifestEntry&) const = default;
};

// A manifest entry that does not own its path.
struct ManifestRow {
  std::string_view path;
  BlobId blob;
  FileMode mode = FileMode::plain;

  bool operator==(const ManifestRow&) const = default;
};

// Makes rows of `entries`, which must outlive them.
std::vector<ManifestRow> rows_of(const std::vector<ManifestEntry>& entries);

// The first of `entries`, which are sorted by path, whose path is not less than `path`.
std::vector<ManifestEntry>::const_iterator lower_bound(const std::vector<ManifestEntry>& entries,
                                                       std::string_view path);
// The entry at exactly `path` in `entries`, which are sorted by path; null if there is none.
const ManifestEntry* find_entry(const std::vector<ManifestEntry>& entries, std::string_view path);

// The JSON text {"head_oid":...,"index_oid":...,"status_hash":...}.
std::string canonical_json(const Fingerprint& fingerprint);

// The manifest's text is cut into chunks of about a hundred entries. The paths alone determine the cuts, so
// two snapshots that differ in few files share most chunks. Joined by "," between manifest_begin and
// manifest_end, the chunks are the canonical manifest.
inline constexpr std::string_view manifest_begin = "{\"entries\":[";
inline constexpr std::string_view manifest_end = "]}";

inline constexpr std::size_t chunk_entries_max = 4096;
// Returns how many of `rows`, which are sorted by path and not empty, are in the first chunk.
std::size_t first_chunk_row_count(std::span<const ManifestRow> rows);
// Whether a chunk of these rows ends after them whatever follows.
bool ends_chunk(std::span<const ManifestRow> rows);
// Returns the text of a chunk of exactly these rows, which are sorted by path, one per path.
std::string encoded_chunk(std::span<const ManifestRow> rows);

// Passes the chunks of `rows`, which are sorted by path, to `take` in order. Stops at the first error.
Result<Unit> for_each_chunk(std::span<const ManifestRow> rows,
                            const std::function<Result<Unit>(std::string_view chunk)>& take);

// Appends the entries of one chunk. Errors: internal (`chunk` is malformed, or a path is not after the path
// before it, also that of the last entry before the chunk).
Result<Unit> read_chunk(std::string_view chunk, std::vector<ManifestEntry>& entries);

// The text of the chunk with this id. Errors: those of BlobStore::get(); internal (too large for a chunk).
Result<std::string> chunk_text(BlobStore& blobs, const BlobId& id);

// The hexadecimal digits of the id of a snapshot with these entries.
std::string snapshot_id_hex(const Fingerprint& fingerprint, const std::vector<ManifestEntry>& entries);

// The next errors are for a file whose content the store cannot return. The store knows only blobs, but the
// client needs the file's name, so that it can exclude the file.

// The error `why` for the file `path`. `what` names the failed operation, as in "cannot be exported"; `then`
// is a sentence that says what to do.
Error lost_file_error(std::string_view path, std::string_view what, Error why, std::string_view then = {});

// The error for a file whose blob the store does not have.
Error missing_blob_error(const ManifestEntry& entry);

}  // namespace snapgen::core
