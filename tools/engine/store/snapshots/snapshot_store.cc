#include "tools/engine/store/snapshots/snapshot_store.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/ascii.h"
#include "runtime/base/fd.h"
#include "runtime/base/text.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/base/thread.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/store/snapshots/snapshot_planner.h"

namespace snapgen::core {
namespace {

constexpr std::string_view snapshot_id_prefix = "sha256:";
constexpr std::string_view alias_prefix = "snap_";
// Maximum number of entries of all snapshots in memory. Two of any size are retained, because clients compare
// pairs.
constexpr std::size_t recent_entries_max = 50'000;
constexpr std::size_t recent_min = 2, recent_max = 16;
// Larger new snapshots are not cached, because most are never read.
constexpr std::size_t made_entries_max = 10'000;
constexpr std::size_t candidates_max = 10;
// Each change of a file makes an undo snapshot. All but the latest are listed last, because they would hide
// the snapshots that clients requested.
constexpr std::size_t undo_first_max = 10;
constexpr int refer_tries_max = 10;
// The age at which an undo snapshot may be packed: its journal has been deleted, and hardly any call will
// take it again.
constexpr std::int64_t loose_undo_ms = 60'000;

bool is_hex_digit(std::string_view text) { return std::ranges::all_of(text, is_lower_hex_digit); }

Error damaged_snapshot_error(const std::string& hex, std::string cause) {
  return Error(ErrorCode::internal,
               "The snapshot sha256:" + hex + " in the snapshot store is damaged. " +
                   std::string(verify_store_sentence),
               ErrorDetails().add("snapshot_id", "sha256:" + hex), std::move(cause));
}

std::string encoded_snapshot_header(const Fingerprint& fingerprint, const std::vector<BlobId>& chunks) {
  std::string text = "{\"chunks\":[";
  for (const BlobId& chunk : chunks) text += (&chunk == chunks.data() ? "\"" : ",\"") + chunk.text() + "\"";
  return text + "],\"fingerprint\":" + canonical_json(fingerprint) + ",\"format\":\"snapgen-snapshot/1\"}";
}

// Appends a new message to the earlier one of the same snapshot. Only the new one is cut to fit.
std::string both_messages(std::string before, std::string_view now) {
  constexpr std::string_view between = "; ";
  constexpr std::string_view ellipsis = "…";
  constexpr std::size_t bytes_max = 4000;
  constexpr std::size_t cut_bytes_min = 40;  // A shorter part would be meaningless.
  if (before.empty()) return std::string(now);
  const auto framed = [&](std::string_view text) {
    return std::string(between).append(text).append(between);
  };
  if (framed(before).find(framed(now)) != std::string::npos) return before;
  const std::size_t room = bytes_max - std::min(bytes_max, before.size() + between.size());
  if (now.size() <= room) return before.append(between).append(now);
  if (room < cut_bytes_min) return before;
  return before.append(between).append(utf8_head(now, room - ellipsis.size())).append(ellipsis);
}

std::string name_of_prefix(std::string_view prefix) {
  if (prefix.ends_with('/')) prefix.remove_suffix(1);
  return prefix.empty() ? "the whole repository" : path_in_sentence(prefix);
}

}  // namespace

std::optional<SnapshotHeader> parse_snapshot_header(std::string_view text) {
  if (!json::valid_utf8(text)) return std::nullopt;
  SnapshotHeader head;
  json::Reader in(text);
  bool good = true;
  const auto chunks = [&](json::Reader& ids) {
    std::string id;
    good = ids.begin_array();
    while (good && ids.next_element()) {
      const std::optional<BlobId> chunk = ids.string(id) ? BlobId::from_text(id) : std::nullopt;
      good = chunk.has_value();
      if (good) head.chunks.push_back(*chunk);
    }
  };
  const auto fingerprint = [&](json::Reader& value) {
    json::read_members(value, "head_oid", head.fingerprint.head_oid, "index_oid", head.fingerprint.index_oid,
                       "status_hash", head.fingerprint.status_hash);
  };
  std::string format;
  json::read_members(in, "chunks", chunks, "fingerprint", fingerprint, "format", format);
  good = good && format == "snapgen-snapshot/1";
  if (good) in.end();
  if (!good || !in.ok()) return std::nullopt;
  return head;
}

Result<SnapshotPlan> SnapshotStore::plan(const Fingerprint& fingerprint, std::span<const ManifestRow> rows) {
  SnapshotPlanner planner(blobs_, manifest_cache_, fingerprint, rows);
  planner.hash_manifest();
  return planner.finish();
}

Result<SavedSnapshot> SnapshotStore::save(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                                          const SnapshotSaveOptions& saving) {
  SnapshotNote note = new_note(plan, rows, saving);
  TRY(make_folders(folder_));
  // The header is synced while the blobs are synced. It is renamed into place when both are durable.
  Result<PendingFile> head = Error(ErrorCode::internal, "The snapshot was not written.");
  std::jthread writing = run_on_thread_or_here([&] {
    head = PendingFile::write(folder_, plan.hex, encoded_snapshot_header(plan.fingerprint, plan.chunks),
                              Durability::machine_crash);
  });
  Result<BlobHold> referring = checked_reference(plan, rows, saving.found_in_generation);
  if (writing.joinable()) writing.join();
  if (!referring) return std::move(referring).error();
  if (!head) return std::move(head).error();
  if (referring->bytes) note.stats.bytes = static_cast<std::int64_t>(*referring->bytes);
  const bool existed = TRY(write_note(note, saving));
  TRY(head->replace_target());
  return SavedSnapshot{.stats = note.stats, .existed = existed};
}

SnapshotNote SnapshotStore::new_note(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                                     const SnapshotSaveOptions& saving) const {
  return {.hex = plan.hex,
          .message = redact(saving.message),
          .created_ms = saving.now_ms,
          .latest_ms = saving.now_ms,
          .is_undo = saving.is_undo,
          .stats = {.file_count = static_cast<std::int64_t>(rows.size()), .bytes = saving.bytes},
          .captures = {}};
}

// Merges the note of an earlier save of the same snapshot into `note`.
bool SnapshotStore::merge_earlier_note(SnapshotNote& note, const SnapshotSaveOptions& saving) {
  std::optional<SnapshotNote> before = read_note(note.hex);
  if (before) {
    note.created_ms = before->created_ms;
    note.is_undo = note.is_undo && before->is_undo;
    if (note.message.empty() || (saving.prefers_earlier_message && !before->message.empty()))
      note.message = before->message;
    else if (!note.is_undo)
      note.message = both_messages(std::move(before->message), redact(saving.message));
    note.captures = std::move(before->captures);
    // An undo snapshot is of one change, so an earlier capture does not prove which files were missing.
    if (saving.is_undo) std::erase_if(note.captures, [&](const auto& one) { return one.origin == origin_; });
  }
  // A snapshot that was computed from another one was taken in no work tree.
  add_capture(note.captures,
              {.origin = {.prefix = origin_.prefix, .tree_id = saving.captured ? origin_.tree_id : ""},
               .scope = saving.scope,
               .privacy = saving.privacy});
  return before.has_value();
}

Result<bool> SnapshotStore::write_note(SnapshotNote& note, const SnapshotSaveOptions& saving) {
  Fd lock = TRY(lock_notes(folder_, saving.stop));
  const bool existed = merge_earlier_note(note, saving);
  TRY(replace_file(folder_, note.hex + std::string(note_suffix), encoded_snapshot_note(note),
                   Durability::process_crash));
  return existed;
}

SnapshotScope SnapshotStore::captured_scope(const Snapshot& snapshot) {
  const std::optional<SnapshotNote> found = note(snapshot.hex);
  return found ? found->nearest_scope_at(origin_) : SnapshotScope();
}

Error not_in_snapshot_error(const Snapshot& snapshot, std::string_view path) {
  return Error(ErrorCode::not_found,
               "The snapshot " + snapshot.alias() + " contains nothing at " + path_in_sentence(path) + ".",
               hint_details("List its files, and name one of their paths."));
}

SnapshotFiles SnapshotStore::files(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                                   const SnapshotSaveOptions& saving) {
  SnapshotNote note = new_note(plan, rows, saving);
  merge_earlier_note(note, saving);
  return {.hex = plan.hex,
          .header_text = encoded_snapshot_header(plan.fingerprint, plan.chunks),
          .note_text = encoded_snapshot_note(note)};
}

Result<Unit> SnapshotStore::write_unsynced(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                                           const SnapshotSaveOptions& saving) {
  TRY(make_folders(folder_));
  // Holds the shared lock of the generation file, so that no collector removes the blobs before the header
  // that names them is written.
  BlobHold referring = TRY(checked_reference(plan, rows, saving.found_in_generation));
  SnapshotNote note = new_note(plan, rows, saving);
  TRY(write_note(note, saving));
  return replace_file(folder_, plan.hex, encoded_snapshot_header(plan.fingerprint, plan.chunks),
                      Durability::process_crash);
}

Result<std::shared_ptr<const Snapshot>> SnapshotStore::save(const Fingerprint& fingerprint,
                                                            std::vector<ManifestEntry> entries,
                                                            std::int64_t now_ms, SnapshotCapture like,
                                                            std::stop_token stop) {
  const std::vector<ManifestRow> rows = rows_of(entries);
  SnapshotPlan plan = TRY(this->plan(fingerprint, rows));
  TRY(save(plan, rows,
           {.message = {},
            .now_ms = now_ms,
            .captured = false,
            .scope = std::move(like.scope),
            .privacy = std::move(like.privacy),
            .bytes = 0,
            .found_in_generation = {},
            .stop = std::move(stop)}));
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->hex = plan.hex;
  snapshot->fingerprint = fingerprint;
  snapshot->entries = std::move(entries);
  if (snapshot->entries.size() <= made_entries_max) add_recent(snapshot);
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

bool SnapshotStore::has_contents(const SnapshotFiles& files) {
  const std::optional<SnapshotHeader> head = parse_snapshot_header(files.header_text);
  std::vector<ManifestEntry> entries;
  for (const BlobId& chunk : head ? head->chunks : std::vector<BlobId>()) {
    const Result<std::string> text = chunk_text(blobs_, chunk);
    if (!text || !read_chunk(*text, entries)) return false;
  }
  const auto is_sound = [this](const ManifestEntry& entry) { return blobs_.is_sound(entry.blob); };
  return head && std::all_of(entries.begin(), entries.end(), is_sound);
}

void SnapshotStore::pack_older(const std::stop_token& stop) {
  static_cast<void>(pack_undos(now_ns() / 1'000'000 - loose_undo_ms, stop));
}

void SnapshotStore::set_late_write_listener(std::function<void(const std::string& sentence)> listener) {
  const std::lock_guard lock(mutex_);
  late_write_listener_ = std::move(listener);
}

Result<Unit> SnapshotStore::save_late_write(const FileRecord& replaced, int fd) {
  struct stat st;
  if (::fstat(fd, &st) != 0)
    return Error(ErrorCode::unavailable, "A replaced file cannot be examined.", {}, std::strerror(errno));
  const FileStat stat = file_stat(st);
  const BlobId blob = TRY(blobs_.put_file(fd, static_cast<std::uint64_t>(stat.size), {}));
  if (blob == replaced.blob) {
    blobs_.abandon_puts();
    return Unit{};
  }
  const ManifestRow row{.path = replaced.path, .blob = blob, .mode = mode_of(stat)};
  PrivacyCollector survey(PrivacyCollector::Detail::exact_permissions);
  survey.add(replaced.path, stat.mode);
  const std::int64_t now_ms = now_ns() / 1'000'000;
  const std::string message = "saved to " + replaced.path + " by another program while it was being replaced";
  const SnapshotPlan plan = TRY(this->plan({}, {&row, 1}));
  TRY(save(plan, {&row, 1},
           {.message = message,
            .is_undo = true,
            .now_ms = now_ms,
            .scope = {.folders = {}, .unknown_paths = {}, .absent_paths = {}, .taken_ms = now_ms},
            .privacy = survey.finish(),
            .bytes = stat.size,
            .found_in_generation = {}}));
  const std::lock_guard lock(mutex_);
  if (late_write_listener_)
    late_write_listener_("Another program saved " + path_in_sentence(replaced.path) +
                         " while it was being replaced. What it wrote is in the snapshot " +
                         short_snapshot_id(plan.hex) + ".");
  return Unit{};
}

// Makes the blobs durable and locks the generation of the store. Fails if a collector removed some of the
// blobs during the capture; they must then be captured again.
Result<SnapshotStore::BlobHold> SnapshotStore::checked_reference(
    const SnapshotPlan& plan, std::span<const ManifestRow> rows,
    std::optional<std::uint64_t> found_in_generation) {
  for (int tries = 0; tries < refer_tries_max; ++tries) {
    const std::uint64_t generation = blobs_.generation();
    std::optional<std::uint64_t> sum;
    if (generation != found_in_generation) {
      sum = bytes_of_all(plan, rows);
      if (!sum) break;
    }
    TRY(blobs_.commit());
    GenerationLock hold = TRY(blobs_.lock_generation());
    if (hold.generation() == generation) return BlobHold{.hold = std::move(hold), .bytes = sum};
  }
  return Error(ErrorCode::repo_changed,
               "The snapshot store was cleaned up while the snapshot was being created; try again.");
}

// The total size of the contents, or nullopt if a content or a manifest chunk is missing.
std::optional<std::uint64_t> SnapshotStore::bytes_of_all(const SnapshotPlan& plan,
                                                         std::span<const ManifestRow> rows) {
  for (const BlobId& id : plan.chunks)
    if (!blobs_.contains(id)) return std::nullopt;
  std::uint64_t sum = 0;
  for (const ManifestRow& row : rows) {
    const std::optional<std::uint64_t> bytes =
        blobs_.contains(row.blob) ? blobs_.size_of(row.blob) : std::nullopt;
    if (!bytes) return std::nullopt;
    sum += *bytes;
  }
  return sum;
}

Result<std::shared_ptr<const Snapshot>> SnapshotStore::load(std::string_view id) {
  std::string hex = TRY(find(id));
  if (std::shared_ptr<const Snapshot> snapshot = find_recent(hex)) return snapshot;
  return read(hex);
}

std::shared_ptr<const Snapshot> SnapshotStore::try_load(std::string_view id) {
  if (!id.starts_with(snapshot_id_prefix) || id.size() != snapshot_id_prefix.size() + snapshot_hex_digits)
    return nullptr;
  const std::string hex(id.substr(snapshot_id_prefix.size()));
  // A pack may have to be read, so load() finds the snapshots in packs.
  return ::access((folder_ + "/" + hex).c_str(), F_OK) == 0 ? find_recent(hex) : nullptr;
}

Error SnapshotStore::unknown_snapshot_error(std::string_view id) const {
  return Error(ErrorCode::not_found,
               "There is no snapshot " + json::quoted(id) + " in this workspace's store." +
                   (other_stores_sentence_.empty() ? "" : " " + other_stores_sentence_));
}

Result<std::string> SnapshotStore::find(std::string_view id) {
  std::string_view digits;
  if (id.starts_with(snapshot_id_prefix)) digits = id.substr(snapshot_id_prefix.size());
  if (id.starts_with(alias_prefix)) digits = id.substr(alias_prefix.size());
  if (digits.empty() || digits.size() > snapshot_hex_digits || !is_hex_digit(digits)) {
    return Error(ErrorCode::invalid_argument,
                 json::quoted(id) +
                     " is not a snapshot id, which is sha256: or snap_ followed by lower-case "
                     "hexadecimal digits. The list of snapshots shows them.");
  }
  if (digits.size() == snapshot_hex_digits) return std::string(digits);
  std::vector<std::string> names = TRY(this->id_hexes());
  auto first = std::lower_bound(names.begin(), names.end(), digits);
  auto last =
      std::find_if(first, names.end(), [&](const std::string& name) { return !name.starts_with(digits); });
  if (first == last) return unknown_snapshot_error(id);
  if (last - first == 1) return *first;
  const auto shown = std::min<std::ptrdiff_t>(last - first, candidates_max);
  const auto candidates = std::ranges::subrange(first, first + shown);
  return Error(ErrorCode::invalid_argument,
               json::quoted(id) + " is the beginning of " + std::to_string(last - first) +
                   " snapshot ids; give more digits.",
               ErrorDetails().add_json("candidates", json_list(candidates, [](const std::string& hex) {
                                         return "sha256:" + hex;
                                       })));
}

Result<std::vector<std::string>> SnapshotStore::id_hexes() {
  UndoPacks::Listing found = TRY(undo_packs_.list());
  std::vector<std::string>& hexes = found.loose;
  const auto loose_count = static_cast<std::ptrdiff_t>(hexes.size());
  for (const PackedUndos::Entry& entry : found.packed->entries) hexes.push_back(entry.undo->note.hex);
  std::inplace_merge(hexes.begin(), hexes.begin() + loose_count, hexes.end());
  hexes.erase(std::unique(hexes.begin(), hexes.end()), hexes.end());
  return std::move(hexes);
}

Result<SnapshotHeader> SnapshotStore::read_header(const std::string& hex) {
  Result<std::string> file = read_whole_file(folder_ + "/" + hex, snapshot_file_bytes_max);
  if (!file && file.error().code == ErrorCode::not_found) {
    const std::shared_ptr<const PackedUndo> packed = undo_packs_.find_header(hex);
    if (!packed) return unknown_snapshot_error("sha256:" + hex);
    if (packed->is_damaged) return damaged_snapshot_error(hex, "its checksum does not match");
    file = packed->header_text;
  }
  if (!file) return std::move(file).error();
  std::optional<SnapshotHeader> head = parse_snapshot_header(*file);
  if (!head) return damaged_snapshot_error(hex, "its file has an unknown format");
  return *std::move(head);
}

Result<std::shared_ptr<const Snapshot>> SnapshotStore::read(const std::string& hex) {
  SnapshotHeader head = TRY(this->read_header(hex));
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->hex = hex;
  snapshot->fingerprint = std::move(head.fingerprint);
  for (const BlobId& chunk : head.chunks) {
    std::string text = TRY(chunk_text(blobs_, chunk));
    Result<Unit> taken = read_chunk(text, snapshot->entries);
    if (!taken) return damaged_snapshot_error(hex, taken.error().message);
  }
  if (snapshot_id_hex(snapshot->fingerprint, snapshot->entries) != hex)
    return damaged_snapshot_error(hex, "its hash does not match its id");
  add_recent(snapshot);
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

Result<ManifestStats> SnapshotStore::stats(const Snapshot& snapshot) {
  ManifestStats sums{.file_count = static_cast<std::int64_t>(snapshot.entries.size()), .bytes = 0};
  for (const ManifestEntry& entry : snapshot.entries) {
    std::optional<std::uint64_t> bytes = blobs_.size_of(entry.blob);
    if (!bytes) return missing_blob_error(entry);
    sums.bytes += static_cast<std::int64_t>(*bytes);
  }
  return sums;
}

Result<SnapshotNotes> SnapshotStore::list() {
  SnapshotNotes notes = TRY(list_all());
  std::erase_if(notes, [&](const auto& note) { return !note->is_of_prefix(origin_.prefix); });
  std::size_t undos = 0;
  std::ranges::stable_partition(
      notes, [&](const auto& note) { return !note->is_undo || ++undos <= undo_first_max; });
  return notes;
}

Result<Unit> SnapshotStore::check_same_folder(const Snapshot& snapshot) {
  const std::optional<SnapshotNote> note = this->note(snapshot.hex);
  if (!note || note->is_of_prefix(origin_.prefix)) return Unit{};
  const std::string& taken = note->captures.front().origin.prefix;
  return Error(ErrorCode::invalid_argument,
               "The snapshot " + snapshot.alias() + " was taken of " +
                   (taken.empty() ? "" : "the repository's folder ") + name_of_prefix(taken) +
                   ", not of the folder that is the workspace here.",
               hint_details("Restore it where it was taken. From here it can be read and exported."));
}

std::string SnapshotStore::other_snapshots_sentence() {
  constexpr std::size_t named_max = 3;
  const Result<SnapshotNotes> notes = list_all();
  std::int64_t count = 0;
  std::vector<std::string> prefixes;  // Latest first.
  for (const auto& note : notes ? *notes : SnapshotNotes()) {
    if (note->is_of_prefix(origin_.prefix)) continue;
    ++count;
    const std::string& prefix = note->captures.front().origin.prefix;
    if (std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end()) prefixes.push_back(prefix);
  }
  if (count == 0) return other_stores_sentence_;
  std::string text = other_stores_sentence_ + (other_stores_sentence_.empty() ? "" : " ");
  text += "There is no snapshot of this folder, but the repository's store has " + std::to_string(count) +
          ", taken of ";
  const std::size_t named = std::min(prefixes.size(), named_max);
  const std::size_t more = prefixes.size() - named;
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += i + 1 == named && more == 0 ? " and " : ", ";
    text += name_of_prefix(prefixes[i]);
  }
  if (more > 0) text += " and " + std::to_string(more) + " more";
  return text + (count == 1 ? ". It" : ". They") + " can be read and exported from here, but not restored.";
}

Result<SnapshotNotes> SnapshotStore::list_all() {
  const UndoPacks::Listing found = TRY(undo_packs_.list());
  SnapshotNotes notes;
  notes.reserve(found.loose.size() + found.packed->entries.size());
  for (const std::string& hex : found.loose) {
    std::optional<SnapshotNote> note = this->note(hex);
    if (note) notes.push_back(std::make_shared<const SnapshotNote>(*std::move(note)));
  }
  for (const PackedUndos::Entry& entry : found.packed->entries) {
    const SnapshotNote& note = entry.undo->note;
    if (!std::ranges::binary_search(found.loose, note.hex)) notes.emplace_back(found.packed, &note);
  }
  std::ranges::sort(notes, [](const auto& a, const auto& b) {
    return a->latest_ms != b->latest_ms ? a->latest_ms > b->latest_ms : a->hex < b->hex;
  });
  return notes;
}

std::optional<SnapshotNote> SnapshotStore::note(const std::string& hex) {
  struct stat st;
  if (::stat((folder_ + "/" + hex).c_str(), &st) != 0) {
    const std::shared_ptr<const PackedUndo> packed = undo_packs_.find(hex);
    return packed ? std::optional(packed->note) : std::nullopt;
  }
  if (std::optional<SnapshotNote> note = read_note(hex)) return note;
  std::int64_t written_ms = std::int64_t{st.st_mtim.tv_sec} * 1000;
  SnapshotNote note{.hex = hex,
                    .message = {},
                    .created_ms = written_ms,
                    .latest_ms = written_ms,
                    .stats = {},
                    .captures = {}};
  Result<std::shared_ptr<const Snapshot>> snapshot = read(hex);
  Result<ManifestStats> counted = snapshot ? stats(**snapshot) : Result<ManifestStats>(ManifestStats{});
  if (counted) note.stats = *counted;
  return note;
}

Result<Unit> SnapshotStore::remove(const std::vector<std::string>& hexes) {
  if (hexes.empty()) return Unit{};
  const Fd lock = TRY(lock_notes(folder_, {}));  // Otherwise they could be packed meanwhile.
  for (const std::string& hex : hexes) {
    for (const std::string& name : {hex, hex + std::string(note_suffix)}) {
      if (::unlink((folder_ + "/" + name).c_str()) == 0 || errno == ENOENT) continue;
      return Error(ErrorCode::unavailable,
                   "A snapshot cannot be deleted: check the permissions of " + folder_ + ".", {},
                   folder_ + "/" + name + ": " + std::strerror(errno));
    }
  }
  TRY(undo_packs_.remove({hexes.begin(), hexes.end()}));
  return sync_folder(folder_);
}

std::optional<SnapshotNote> SnapshotStore::read_note(const std::string& hex) {
  Result<std::string> text =
      read_whole_file(folder_ + "/" + hex + std::string(note_suffix), snapshot_file_bytes_max);
  if (std::optional<SnapshotNote> note = text ? parse_snapshot_note(hex, *text) : std::nullopt) return note;
  const std::shared_ptr<const PackedUndo> packed = undo_packs_.find(hex);
  return packed && !packed->is_damaged ? std::optional(packed->note) : std::nullopt;
}

std::shared_ptr<const Snapshot> SnapshotStore::find_recent(const std::string& hex) {
  const bool exists = ::access((folder_ + "/" + hex).c_str(), F_OK) == 0 || undo_packs_.find_header(hex);
  std::lock_guard lock(mutex_);
  auto it = std::find_if(recent_.begin(), recent_.end(), [&](const auto& one) { return one->hex == hex; });
  if (it == recent_.end()) return nullptr;
  if (!exists) {  // Another process removed the snapshot.
    recent_.erase(it);
    return nullptr;
  }
  recent_.splice(recent_.begin(), recent_, it);
  return recent_.front();
}

void SnapshotStore::add_recent(std::shared_ptr<const Snapshot> snapshot) {
  std::lock_guard lock(mutex_);
  std::erase_if(recent_, [&](const auto& one) { return one->hex == snapshot->hex; });
  recent_.push_front(std::move(snapshot));
  std::size_t entries = 0, count = 0;
  for (auto it = recent_.begin(); it != recent_.end();) {
    entries += (*it)->entries.size();
    const bool goes = ++count > recent_max || (count > recent_min && entries > recent_entries_max);
    it = goes ? recent_.erase(it) : std::next(it);
  }
}

void SnapshotStore::release_memory() {
  manifest_cache_.release_memory();
  undo_packs_.release_memory();
  std::lock_guard lock(mutex_);
  recent_.clear();
}

}  // namespace snapgen::core
