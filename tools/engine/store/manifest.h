#pragma once
// Manifest: what a snapshot holds, and the id that follows from it (substrate specification, section 2.4).
//
//   snapshot id = "sha256:" + hex(SHA-256(canonical fingerprint + "\n" + canonical manifest))
//
// A manifest is {"entries":[{"blob":"sha256:...","path":"..."},...]} in the order of the paths' bytes; an
// executable file has "mode":"100755" too, a symlink "mode":"120000" and its target's text as blob.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/files.h"
#include "tools/engine/git/fingerprint.h"
#include "tools/engine/store/blob_store.h"

namespace snapgen::core {

enum class FileMode : std::uint8_t { plain, executable, symlink };

FileMode mode_of(const FileStat& stat);  // Of a file or symlink.

struct ManifestEntry {
  std::string path;
  BlobId blob;
  FileMode mode = FileMode::plain;

  bool operator==(const ManifestEntry&) const = default;
};

// An entry whose path somebody else keeps.
struct ManifestRow {
  std::string_view path;
  BlobId blob;
  FileMode mode = FileMode::plain;

  bool operator==(const ManifestRow&) const = default;
};

// They refer to `entries`.
std::vector<ManifestRow> rows_of(const std::vector<ManifestEntry>& entries);

// {"head_oid":...,"index_oid":...,"status_hash":...}
std::string canonical_json(const Fingerprint& fingerprint);

// The manifest's text is cut into chunks of some hundred entries, at places that the entries' own paths
// choose, so that two snapshots that differ in few files share most chunks. Joined by "," within
// manifest_begin and manifest_end, they are the canonical manifest.
inline constexpr std::string_view manifest_begin = "{\"entries\":[";
inline constexpr std::string_view manifest_end = "]}";

// Hands out the chunks of `rows`, which are sorted by path, in order. Stops at the first error.
Result<Unit> for_each_chunk(std::span<const ManifestRow> rows,
                            const std::function<Result<Unit>(std::string_view chunk)>& take);

// Appends the entries of one chunk. Errors: internal (no such text comes from us).
Result<Unit> read_chunk(std::string_view chunk, std::vector<ManifestEntry>& entries);

// The text of the chunk that the store keeps as `id`. Errors: those of BlobStore::get(); internal (larger
// than any chunk of ours).
Result<std::string> chunk_text(BlobStore& blobs, const BlobId& id);

// The hexadecimal digits of the id.
std::string snapshot_hex(const Fingerprint& fingerprint, const std::vector<ManifestEntry>& entries);

}  // namespace snapgen::core
