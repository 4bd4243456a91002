#include "tools/engine/store/history/recorded_state.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <sys/stat.h>

#include "runtime/json/members.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {
namespace {

constexpr std::size_t changes_in_blob_max = 8192;
constexpr std::uint32_t plain_mode = S_IFREG | 0644;
constexpr std::uint32_t executable_mode = S_IFREG | 0755;
constexpr std::uint32_t symlink_mode = S_IFLNK | 0777;

FileMode manifest_mode(std::uint32_t mode) {
  if (S_ISLNK(mode)) return FileMode::symlink;
  return (mode & S_IXUSR) != 0 ? FileMode::executable : FileMode::plain;
}

std::uint32_t usual_mode(FileMode mode) {
  if (mode == FileMode::symlink) return symlink_mode;
  return mode == FileMode::executable ? executable_mode : plain_mode;
}

Error damaged_history_error(std::string cause) {
  return Error(ErrorCode::internal,
               "The history is damaged there: a recorded state cannot be read. Name a later moment.", {},
               std::move(cause));
}

}  // namespace

void apply_changes(const std::vector<MomentChange>& changes, RecordedState& state) {
  for (const MomentChange& change : changes) {
    if (change.after) {
      state.insert_or_assign(change.path, *change.after);
    } else {
      state.erase(change.path);
    }
  }
}

// A manifest's chunks have no permissions, so the list has the files with other ones than the usual.
Result<BlobId> put_state(BlobStore& blobs, const RecordedState& state) {
  std::vector<ManifestRow> rows;
  std::vector<MomentChange> unusual;
  for (const auto& [path, file] : state) {
    const FileMode mode = manifest_mode(file.mode);
    if (!file.is_left_out()) rows.push_back({.path = path, .blob = file.blob, .mode = mode});
    if (file.mode != usual_mode(mode)) unusual.push_back({.path = path, .before = {}, .after = file});
  }
  std::vector<std::string> chunks;
  const auto put_chunk = [&](std::string_view chunk) -> Result<Unit> {
    const BlobId id = TRY(blobs.put(chunk));
    chunks.push_back(id.text());
    return Unit{};
  };
  TRY(for_each_chunk(rows, put_chunk));
  return blobs.put(JsonObject().add("chunks", chunks).add_json("unusual", encoded_changes(unusual)).finish());
}

namespace {

struct StateList {
  std::vector<BlobId> chunks;
  std::vector<MomentChange> unusual;
};

Result<StateList> read_list(BlobStore& blobs, const BlobId& id) {
  const std::string text = TRY(blobs.get(id));
  std::vector<std::string> chunks;
  std::string_view unusual;
  json::Reader in(text);
  json::read_members(in, "chunks", chunks, "unusual", unusual);
  in.end();
  std::optional<std::vector<MomentChange>> changes = in.ok() ? parse_changes(unusual) : std::nullopt;
  if (!changes) return damaged_history_error("the list of a state is damaged: " + id.text());
  StateList list{.chunks = {}, .unusual = *std::move(changes)};
  for (const std::string& each : chunks) {
    const std::optional<BlobId> chunk = BlobId::from_text(each);
    if (!chunk) return damaged_history_error("a chunk of a state has no id: " + each);
    list.chunks.push_back(*chunk);
  }
  return list;
}

}  // namespace

Result<RecordedState> read_state(BlobStore& blobs, const BlobId& id) {
  const StateList list = TRY(read_list(blobs, id));
  RecordedState state;
  for (const BlobId& chunk : list.chunks) {
    const std::string text = TRY(chunk_text(blobs, chunk));
    std::vector<ManifestEntry> entries;
    TRY(read_chunk(text, entries));
    for (ManifestEntry& entry : entries)
      state.emplace_hint(state.end(), std::move(entry.path),
                         HistoryFile{.blob = entry.blob, .mode = usual_mode(entry.mode)});
  }
  apply_changes(list.unusual, state);
  return state;
}

Result<Unit> for_each_blob_of_state(BlobStore& blobs, const BlobId& id,
                                    const std::function<void(const BlobId&)>& take) {
  take(id);
  const StateList list = TRY(read_list(blobs, id));
  for (const BlobId& chunk : list.chunks) take(chunk);
  const RecordedState state = TRY(read_state(blobs, id));
  for (const auto& [path, file] : state)
    if (!file.is_left_out()) take(file.blob);
  return Unit{};
}

Result<std::vector<BlobId>> put_changes(BlobStore& blobs, const std::vector<MomentChange>& changes) {
  std::vector<BlobId> ids;
  std::vector<MomentChange> part;
  for (std::size_t first = 0; first < changes.size(); first += changes_in_blob_max) {
    const std::size_t count = std::min(changes_in_blob_max, changes.size() - first);
    const auto begin = changes.begin() + static_cast<std::ptrdiff_t>(first);
    part.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    const BlobId id = TRY(blobs.put(encoded_changes(part)));
    ids.push_back(id);
  }
  return ids;
}

Result<std::vector<MomentChange>> changes_of(BlobStore& blobs, const Moment& moment) {
  std::vector<MomentChange> all = moment.changes;
  for (const BlobId& id : moment.change_blobs) {
    const std::string text = TRY(blobs.get(id));
    std::optional<std::vector<MomentChange>> part = parse_changes(text);
    if (!part) return damaged_history_error("a list of changes is damaged: " + id.text());
    std::ranges::move(*part, std::back_inserter(all));
  }
  return all;
}

}  // namespace snapgen::core
