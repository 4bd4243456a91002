#pragma once
// SnapshotFiles: the contents of a snapshot's two small files. The journal of a change includes those of
// its undo snapshot, so that they need no sync before the change is made. After a machine crash they are
// restored from the journal.
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"

namespace snapgen::core {

// The header has 71 bytes for each 4,096 files; the note lists at most thousands of paths.
inline constexpr std::uint64_t snapshot_file_bytes_max = 64 << 20;

inline constexpr std::size_t snapshot_hex_digits = 64;
inline constexpr std::string_view note_suffix = ".note";

// Whether `text` is the digits of a full snapshot id.
bool is_snapshot_hex(std::string_view text);

struct SnapshotFiles {
  std::string hex;          // The id's digits; both files are named after them.
  std::string header_text;  // The content of `<hex>`.
  std::string note_text;    // The content of `<hex>.note`.

  bool operator==(const SnapshotFiles&) const = default;
};

// Locks the notes in `folder` until the descriptor is closed. Errors: unavailable, cancelled.
Result<Fd> lock_notes(const std::string& folder, const std::stop_token& stop);

// Makes both files durable in `folder`, and writes those that a machine crash lost. The blobs that they
// name must be durable already. Errors: unavailable.
Result<Unit> make_snapshot_durable(const std::string& folder, const SnapshotFiles& files);

}  // namespace snapgen::core
