#include "tools/engine/store/history/recorded_position.h"

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/text.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {
namespace {

constexpr char line_end = '\0';  // A path may have any other byte.

struct Line {
  std::string_view key;  // The path or name by which the list is sorted, and cut.
  std::string text;
};

Error damaged_position_error(std::string cause) {
  return Error(
      ErrorCode::internal,
      "The history is damaged there: a recorded position of git cannot be read. Name a later moment, or "
      "rewind the files alone.",
      {}, std::move(cause));
}

Result<BlobId> put_lines(BlobStore& blobs, std::span<const Line> lines) {
  std::vector<ManifestRow> rows;
  rows.reserve(lines.size());
  for (const Line& line : lines) rows.push_back({.path = line.key, .blob = {}});
  std::string list;
  std::string chunk;
  for (std::span<const ManifestRow> rest = rows; !rest.empty();) {
    const std::size_t count = first_chunk_row_count(rest);
    chunk.clear();
    for (const Line& line : lines.first(count)) chunk.append(line.text) += line_end;
    lines = lines.subspan(count);
    rest = rest.subspan(count);
    const BlobId id = TRY(blobs.put(chunk));
    list += id.text() + "\n";
  }
  return blobs.put(list);
}

Result<std::vector<BlobId>> chunks_of(BlobStore& blobs, const BlobId& id) {
  const std::string list = TRY(blobs.get(id));
  std::vector<BlobId> chunks;
  std::string_view rest = list;
  for (std::string_view line; next_line(rest, line);) {
    const std::optional<BlobId> chunk = BlobId::from_text(line);
    if (!chunk) return damaged_position_error("a chunk has no id: " + id.text());
    chunks.push_back(*chunk);
  }
  return chunks;
}

// Passes the lines of a list to `take`, which returns whether a line is sound.
template <class Take>
Result<Unit> for_each_line(BlobStore& blobs, const BlobId& id, const Take& take) {
  const std::vector<BlobId> chunks = TRY(chunks_of(blobs, id));
  for (const BlobId& chunk : chunks) {
    const std::string text = TRY(chunk_text(blobs, chunk));
    std::string_view rest = text;
    for (std::string_view line; next_part(rest, line, line_end);)
      if (!take(line)) return damaged_position_error("a line is damaged: " + chunk.text());
  }
  return Unit{};
}

// The line is "<mode> <oid> <stage><flags>\t<path>".
std::string line_of(const git::IndexEntry& entry) {
  std::string line = std::to_string(entry.mode) + " " + hex(entry.oid) + " " + std::to_string(entry.stage);
  if (entry.assume_unchanged) line += 'a';
  if (entry.skip_worktree) line += 's';
  if (entry.intent_to_add) line += 'n';
  return line.append("\t").append(entry.path);
}

// Parses a line, and stores its texts in `index`. Returns false if it is damaged.
bool add_line(std::string_view line, git::IndexBuilder& index) {
  const std::size_t tab = line.find('\t');
  const std::string_view fields = line.substr(0, tab);
  const std::size_t first = fields.find(' ');
  const std::size_t last = fields.rfind(' ');
  if (tab == std::string_view::npos || first == std::string_view::npos || last + 2 > fields.size())
    return false;
  git::IndexEntry entry;
  std::from_chars(fields.data(), fields.data() + first, entry.mode);
  const std::optional<git::Oid> oid = git::Oid::from_hex(fields.substr(first + 1, last - first - 1));
  if (!oid) return false;
  entry.stage = static_cast<std::uint8_t>(fields[last + 1] - '0');
  const std::string_view flags = fields.substr(last + 2);
  entry.assume_unchanged = flags.find('a') != std::string_view::npos;
  entry.skip_worktree = flags.find('s') != std::string_view::npos;
  entry.intent_to_add = flags.find('n') != std::string_view::npos;
  entry.oid = index.copy_bytes(oid->bytes(), "");
  entry.path = index.copy_bytes(line.substr(tab + 1), "");
  return index.add(entry);
}

}  // namespace

Result<BlobId> put_branches(BlobStore& blobs, const Branches& branches) {
  std::vector<Line> lines;
  for (const auto& [name, oid] : branches) lines.push_back({.key = name, .text = oid.hex() + " " + name});
  return put_lines(blobs, lines);
}

Result<BlobId> put_index(BlobStore& blobs, const git::Index& index) {
  std::vector<Line> lines;
  lines.reserve(index.entries().size());
  for (const git::IndexEntry& entry : index.entries())
    lines.push_back({.key = entry.path, .text = line_of(entry)});
  return put_lines(blobs, lines);
}

Result<Branches> read_branches(BlobStore& blobs, const BlobId& id) {
  Branches branches;
  TRY(for_each_line(blobs, id, [&](std::string_view line) {
    const std::size_t blank = line.find(' ');
    const std::optional<git::Oid> oid = git::Oid::from_hex(line.substr(0, blank));
    if (oid) branches.emplace(line.substr(blank + 1), *oid);
    return oid.has_value();
  }));
  return branches;
}

Result<git::IndexPtr> read_index(BlobStore& blobs, const BlobId& id, HashKind kind) {
  git::IndexBuilder index({}, kind);
  TRY(for_each_line(blobs, id, [&](std::string_view line) { return add_line(line, index); }));
  return index.finish();
}

Result<Unit> for_each_blob_of_position(BlobStore& blobs, const GitPosition& position,
                                       const std::function<void(const BlobId&)>& take) {
  for (const std::optional<BlobId>& list : {position.branches, position.index}) {
    if (!list) continue;
    take(*list);
    const std::vector<BlobId> chunks = TRY(chunks_of(blobs, *list));
    for (const BlobId& chunk : chunks) take(chunk);
  }
  return Unit{};
}

}  // namespace snapgen::core
