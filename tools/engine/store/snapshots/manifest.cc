#include "tools/engine/store/snapshots/manifest.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <string>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"
#include "tools/engine/store/blobs/blob_store.h"

namespace snapgen::core {
namespace {

// One path in 128 ends a chunk, which makes chunks of about 16 KiB of text: ten edits store ten of them.
constexpr std::uint64_t chunk_mask = 127;
// The maximum size of a chunk: all its entries have the longest path of Linux (PATH_MAX), each byte escaped.
constexpr std::uint64_t chunk_bytes_max = chunk_entries_max * (4096 * 6 + 256);

constexpr std::string_view mode_executable = "100755";
constexpr std::string_view mode_symlink = "120000";

// FNV-1a: the cut points need no cryptographic hash, only the same result everywhere.
bool is_cut_after(std::string_view path) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (unsigned char byte : path) hash = (hash ^ byte) * 1099511628211ULL;
  return ((hash >> 32) & chunk_mask) == 0;
}

void append_entry(std::string& text, const ManifestRow& entry) {
  json::Writer out(text);
  out.text("{\"blob\":\"");
  entry.blob.append_text(text);
  if (entry.mode == FileMode::executable) out.text("\",\"mode\":\"100755");
  if (entry.mode == FileMode::symlink) out.text("\",\"mode\":\"120000");
  out.text("\",\"path\":");
  out.string(text_of_path(entry.path));
  out.text("}");
}

bool read_entry(json::Reader& in, ManifestEntry& entry) {
  std::string text;
  std::string_view key;
  bool good = in.begin_object();
  while (good && in.next_key(key)) {
    bool is_blob = key == "blob";
    bool is_mode = key == "mode";
    bool is_path = key == "path";
    good = (is_blob || is_mode || is_path) && in.string(text);
    if (!good) break;
    if (is_blob) {
      std::optional<BlobId> id = BlobId::from_text(text);
      good = id.has_value();
      if (good) entry.blob = *id;
    } else if (is_mode) {
      good = text == mode_executable || text == mode_symlink;
      entry.mode = text == mode_executable ? FileMode::executable : FileMode::symlink;
    } else {
      Result<std::string> path = path_from_text(text);
      good = bool(path);
      if (good) entry.path = *std::move(path);
    }
  }
  return good;
}

}  // namespace

std::string canonical_json(const Fingerprint& fingerprint) {
  return JsonObject()
      .add("head_oid", fingerprint.head_oid)
      .add("index_oid", fingerprint.index_oid)
      .add("status_hash", fingerprint.status_hash)
      .finish();
}

std::vector<ManifestEntry>::const_iterator lower_bound(const std::vector<ManifestEntry>& entries,
                                                       std::string_view path) {
  return std::lower_bound(
      entries.begin(), entries.end(), path,
      [](const ManifestEntry& entry, std::string_view bound) { return entry.path < bound; });
}

const ManifestEntry* find_entry(const std::vector<ManifestEntry>& entries, std::string_view path) {
  const auto at = lower_bound(entries, path);
  return at != entries.end() && at->path == path ? &*at : nullptr;
}

std::vector<ManifestRow> rows_of(const std::vector<ManifestEntry>& entries) {
  std::vector<ManifestRow> rows;
  rows.reserve(entries.size());
  for (const ManifestEntry& entry : entries)
    rows.push_back({.path = entry.path, .blob = entry.blob, .mode = entry.mode});
  return rows;
}

std::size_t first_chunk_row_count(std::span<const ManifestRow> rows) {
  assert(!rows.empty());
  const std::size_t count_max = std::min(rows.size(), chunk_entries_max);
  std::size_t count = 1;
  while (count < count_max && !is_cut_after(rows[count - 1].path)) ++count;
  return count;
}

bool ends_chunk(std::span<const ManifestRow> rows) {
  assert(!rows.empty());
  return rows.size() == chunk_entries_max || is_cut_after(rows.back().path);
}

std::string encoded_chunk(std::span<const ManifestRow> rows) {
  assert(std::ranges::is_sorted(rows, std::ranges::less_equal(), &ManifestRow::path));
  std::string text;
  for (const ManifestRow& row : rows) {
    if (!text.empty()) text += ',';
    append_entry(text, row);
  }
  return text;
}

Result<Unit> for_each_chunk(std::span<const ManifestRow> rows,
                            const std::function<Result<Unit>(std::string_view chunk)>& take) {
  while (!rows.empty()) {
    const std::size_t count = first_chunk_row_count(rows);
    TRY(take(encoded_chunk(rows.first(count))));
    rows = rows.subspan(count);
  }
  return Unit{};
}

Result<Unit> read_chunk(std::string_view chunk, std::vector<ManifestEntry>& entries) {
  std::string text = "[" + std::string(chunk) + "]";
  json::Reader in(text);
  bool good = in.begin_array();
  while (good && in.next_element()) {
    ManifestEntry& entry = entries.emplace_back();
    good = read_entry(in, entry) && (entries.size() == 1 || entries[entries.size() - 2].path < entry.path);
  }
  if (good) in.end();
  if (good && in.ok()) return Unit{};
  return Error(ErrorCode::internal,
               "A snapshot's manifest is damaged. " + std::string(verify_store_sentence));
}

Result<std::string> chunk_text(BlobStore& blobs, const BlobId& id) {
  if (blobs.size_of(id).value_or(0) > chunk_bytes_max)
    return Error(ErrorCode::internal, "A snapshot's manifest is damaged: its chunk " + id.text() +
                                          " is too large. " + std::string(verify_store_sentence));
  return blobs.get(id);
}

std::string snapshot_id_hex(const Fingerprint& fingerprint, const std::vector<ManifestEntry>& entries) {
  Sha256 hasher;
  hasher.update(canonical_json(fingerprint));
  hasher.update("\n");
  hasher.update(manifest_begin);
  bool first = true;
  // for_each_chunk() cannot fail here, because hashing does not.
  Result<Unit> done = for_each_chunk(rows_of(entries), [&](std::string_view chunk) -> Result<Unit> {
    if (!std::exchange(first, false)) hasher.update(",");
    hasher.update(chunk);
    return Unit{};
  });
  (void)done;
  hasher.update(manifest_end);
  return hex(bytes_of(hasher.digest()));
}

Error lost_file_error(std::string_view path, std::string_view what, Error why, std::string_view then) {
  // The snapshot names the blob, so a missing blob is a fault of the store, not of the client.
  if (why.code == ErrorCode::not_found) why.code = ErrorCode::internal;
  why.message = path_in_sentence(path) + " " + std::string(what) + ": " + why.message;
  if (!then.empty()) why.message += " " + std::string(then);
  return why;
}

Error missing_blob_error(const ManifestEntry& entry) {
  return Error(ErrorCode::internal,
               "The blob of " + path_in_sentence(entry.path) + " is missing in the snapshot store. " +
                   std::string(verify_store_sentence),
               ErrorDetails().add("blob", entry.blob.text()));
}

}  // namespace snapgen::core
