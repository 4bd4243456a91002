#pragma once
// UndoPack: a file `undos-<16 characters>.pack` with the headers and notes of many undo snapshots, so that
// thousands of them need only a few files.
//
// The first line is `snapgen-undos 1 <number of snapshots>`. Each further line is a snapshot: `<hex>
// <checksum> <length of the header> <header><note>`, with the contents of its two files (snapshot_files.h),
// which have no line feed. So damage affects only the lines that it hits.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/snapshots/snapshot_note.h"

namespace snapgen::core {

// A larger file is not read.
inline constexpr std::uint64_t undo_pack_bytes_max = 64 << 20;

struct PackedUndo {
  SnapshotNote note;        // If `is_damaged`, only `hex` and `is_undo` are known.
  std::string header_text;  // As in SnapshotFiles.
  bool is_damaged = false;
};

struct UndoPack {
  std::vector<PackedUndo> undos;    // In file order.
  bool has_unknown_damage = false;  // Snapshots are missing or damaged whose ids cannot be read.
};

UndoPack parse_undo_pack(std::string_view bytes);

// A line of a pack, without its line feed.
struct PackLine {
  std::string_view hex;  // Empty if it cannot be read.
  std::string_view text;
};
std::vector<PackLine> lines_of_undo_pack(std::string_view bytes);

// Returns the line of a snapshot, or an empty text if a pack cannot contain it.
std::string undo_pack_line(std::string_view hex, std::string_view header_text, std::string_view note_text);

// Returns a pack with these lines.
std::string encoded_undo_pack(const std::vector<std::string_view>& lines);

}  // namespace snapgen::core
