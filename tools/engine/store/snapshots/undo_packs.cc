#include "tools/engine/store/snapshots/undo_packs.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/random.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/files/root.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/store/snapshots/snapshot_files.h"

namespace snapgen::core {
namespace {

constexpr std::string_view pack_prefix = "undos-", pack_suffix = ".pack";
constexpr std::size_t pack_name_letters = 16;
constexpr std::size_t packed_min = 128;  // Fewer snapshots with own files are not worth a new pack.
// The most snapshots that pack() moves at a time, while it owns the lock that writers wait for.
constexpr std::size_t packed_at_a_time_max = 256;
// A pack that reached one of these sizes is not written again when others are packed.
constexpr std::size_t full_pack_count = 2048;
constexpr std::int64_t full_pack_bytes = 8 << 20;
// Snapshots of many files keep their own files, so that no pack exceeds undo_pack_bytes_max.
constexpr std::uint64_t packed_file_bytes_max = 16 << 10;

bool is_pack_name(std::string_view name) {
  if (!name.ends_with(pack_suffix)) return false;
  name.remove_suffix(pack_suffix.size());
  return is_random_name(name, pack_prefix, pack_name_letters);
}

// Returns the sorted names in a folder, which may be missing. Errors: unavailable.
Result<std::vector<std::string>> names_in(const std::string& folder) {
  FolderNames found = names_in_folder(folder);
  if (found.error == 0 || found.error == ENOENT) return std::move(found.names);
  return Error(ErrorCode::unavailable,
               "The snapshot store cannot be read. snap doctor checks its permissions.", {},
               folder + ": " + std::strerror(found.error));
}

Result<std::vector<std::string>> pack_names_in(const std::string& folder) {
  std::vector<std::string> names = TRY(names_in(folder));
  std::erase_if(names, [](const std::string& name) { return !is_pack_name(name); });
  return names;
}

struct ReadFile {
  FileStat stat;
  std::string bytes;
};

Result<ReadFile> read_with_stat(const std::string& path, std::uint64_t bytes_max) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0) return system_error(errno, "read", path);
  std::string bytes = TRY(read_open_file(fd.get(), path, bytes_max));
  return ReadFile{.stat = file_stat(st), .bytes = std::move(bytes)};
}

std::string_view hex_of(const PackedUndos::Entry& entry) { return entry.undo->note.hex; }

}  // namespace

const PackedUndos::Entry* PackedUndos::find(std::string_view hex) const {
  const auto at = std::ranges::lower_bound(entries, hex, {}, hex_of);
  return at != entries.end() && hex_of(*at) == hex ? &*at : nullptr;
}

Result<UndoPacks::Listing> UndoPacks::list() {
  // In this order, because snapshots are moved from their own files into packs.
  Listing listing{.loose = TRY(names_in(folder_)), .packed = TRY(current())};
  std::erase_if(listing.loose, [](const std::string& name) { return !is_snapshot_hex(name); });
  return listing;
}

// Reads the packs that have changed.
Result<std::shared_ptr<const PackedUndos>> UndoPacks::current() {
  // A listing may miss both a new pack and the one that it replaces. The next listing then has another pack.
  std::vector<std::string> names = TRY(pack_names_in(packs_folder_));
  while (true) {
    std::shared_ptr<const PackedUndos> packed = read_all(names);
    std::vector<std::string> now = TRY(pack_names_in(packs_folder_));
    if (packed && now == names) return packed;
    names = std::move(now);
  }
}

std::shared_ptr<const PackedUndo> UndoPacks::find(const std::string& hex) {
  const Result<std::shared_ptr<const PackedUndos>> packed = current();
  const PackedUndos::Entry* const entry = packed ? (*packed)->find(hex) : nullptr;
  return entry == nullptr ? nullptr : std::shared_ptr<const PackedUndo>(*packed, entry->undo);
}

std::shared_ptr<const PackedUndo> UndoPacks::find_header(const std::string& hex) {
  const std::shared_ptr<const PackedUndos> packed = latest();
  const PackedUndos::Entry* const entry = packed ? packed->find(hex) : nullptr;
  if (entry != nullptr && !entry->undo->is_damaged &&
      git::lstat_of(packs_folder_ + "/" + entry->file->name) == entry->file->stat)
    return {packed, entry->undo};
  return find(hex);
}

std::shared_ptr<const PackedUndos> UndoPacks::latest() {
  const std::lock_guard lock(mutex_);
  return latest_;
}

// Returns null if the file was deleted.
std::shared_ptr<const PackedUndos::File> UndoPacks::read(const std::string& name) {
  const Result<ReadFile> found = read_with_stat(packs_folder_ + "/" + name, undo_pack_bytes_max);
  if (!found && found.error().code == ErrorCode::not_found) return nullptr;
  auto file = std::make_shared<PackedUndos::File>();
  file->name = name;
  if (found) {
    file->stat = found->stat;
    file->pack = parse_undo_pack(found->bytes);
  } else {
    file->pack.has_unknown_damage = true;
  }
  // A damaged snapshot has the time of the file.
  for (PackedUndo& undo : file->pack.undos)
    if (undo.is_damaged) undo.note.created_ms = undo.note.latest_ms = file->stat.mtime_ns / 1'000'000;
  return file;
}

// Returns null if one of the packs was deleted. Reads only packs that have changed.
std::shared_ptr<const PackedUndos> UndoPacks::read_all(const std::vector<std::string>& names) {
  const std::shared_ptr<const PackedUndos> before = latest();
  auto now = std::make_shared<PackedUndos>();
  for (const std::string& name : names) {
    std::shared_ptr<const PackedUndos::File> file;
    if (before) {
      const auto at = std::ranges::find(before->files, name, [](const auto& one) { return one->name; });
      if (at != before->files.end() && (*at)->stat == git::lstat_of(packs_folder_ + "/" + name)) file = *at;
    }
    if (!file) file = read(name);
    if (!file) return nullptr;
    now->files.push_back(std::move(file));
  }
  if (before && before->files == now->files) return before;
  for (const auto& file : now->files)
    for (const PackedUndo& undo : file->pack.undos)
      now->entries.push_back({.undo = &undo, .file = file.get()});
  std::ranges::sort(now->entries, [](const PackedUndos::Entry& a, const PackedUndos::Entry& b) {
    if (hex_of(a) != hex_of(b)) return hex_of(a) < hex_of(b);
    if (a.undo->is_damaged != b.undo->is_damaged) return b.undo->is_damaged;
    return a.undo->note.latest_ms > b.undo->note.latest_ms;
  });
  const auto others = std::ranges::unique(now->entries, {}, hex_of);
  now->entries.erase(others.begin(), others.end());
  const std::lock_guard lock(mutex_);
  latest_ = now;
  return now;
}

// One step of pack(): moves at most packed_at_a_time_max snapshots.
class UndoPacks::Packing {
 public:
  Packing(const std::string& folder, const std::string& packs_folder)
      : folder_(folder), packs_folder_(packs_folder) {}

  // Reads the files that are to be packed. Returns the number of snapshots. Errors: cancelled.
  Result<std::size_t> gather(const Listing& listing, std::int64_t latest_ms_max,
                             const std::stop_token& stop) {
    for (const std::string& hex : listing.loose) {
      if (stop.stop_requested()) return cancelled_call_error();
      if (loose_.size() == packed_at_a_time_max) break;
      add_loose(hex, latest_ms_max);
    }
    if (loose_.size() < packed_min) return std::size_t{0};
    for (const auto& file : listing.packed->files)
      if (file->pack.undos.size() < full_pack_count && file->stat.size < full_pack_bytes)
        add_pack(*file, *listing.packed);
    return loose_.size();
  }

  // Writes the new pack, and deletes what it replaces. Returns false, and changes nothing, if another process
  // has changed the packs or removed snapshots.
  Result<bool> replace(BlobStore& blobs, const std::stop_token& stop) {
    std::vector<std::string_view> lines;
    for (const auto& [hex, line] : lines_) lines.push_back(line);
    TRY(make_folders(packs_folder_));
    const std::string name =
        std::string(pack_prefix) + random_name(pack_name_letters) + std::string(pack_suffix);
    PendingFile file =
        TRY(PendingFile::write(packs_folder_, name, encoded_undo_pack(lines), Durability::machine_crash));
    // Collectors need the complete list of snapshots, so none may be moved while one reads it.
    const GenerationLock hold = TRY(blobs.lock_generation());
    const Fd lock = TRY(lock_notes(folder_, stop));
    const auto exists = [&](const Loose& one) { return git::lstat_of(folder_ + "/" + one.hex).has_value(); };
    const auto is_same = [&](const auto& pack) {
      return git::lstat_of(packs_folder_ + "/" + pack.first) == pack.second;
    };
    if (!std::ranges::all_of(loose_, exists) || !std::ranges::all_of(packs_, is_same)) return false;
    TRY(file.replace_target());
    for (const Loose& one : loose_) {
      const std::string path = folder_ + "/" + one.hex;
      // A snapshot that was taken again keeps its files.
      if (git::lstat_of(path) != one.header || git::lstat_of(path + std::string(note_suffix)) != one.note)
        continue;
      ::unlink((path + std::string(note_suffix)).c_str());
      ::unlink(path.c_str());
    }
    for (const auto& [pack, stat] : packs_) ::unlink((packs_folder_ + "/" + pack).c_str());
    return true;
  }

 private:
  struct Loose {
    std::string hex;
    FileStat header, note;
  };

  void add_loose(const std::string& hex, std::int64_t latest_ms_max) {
    const std::string path = folder_ + "/" + hex;
    const Result<ReadFile> note = read_with_stat(path + std::string(note_suffix), packed_file_bytes_max);
    const std::optional<SnapshotNote> parsed = note ? parse_snapshot_note(hex, note->bytes) : std::nullopt;
    if (!parsed || !parsed->is_undo || parsed->latest_ms > latest_ms_max) return;
    const Result<ReadFile> header = read_with_stat(path, packed_file_bytes_max);
    std::string line = header ? undo_pack_line(hex, header->bytes, note->bytes) : std::string();
    if (line.empty()) return;
    lines_.emplace(hex, std::move(line));
    loose_.push_back({.hex = hex, .header = header->stat, .note = note->stat});
  }

  // Adds the snapshots of a pack, unless it is damaged: its bytes are then all that can be repaired.
  void add_pack(const PackedUndos::File& file, const PackedUndos& all) {
    const bool is_damaged =
        file.pack.has_unknown_damage ||
        std::ranges::any_of(file.pack.undos, [](const auto& one) { return one.is_damaged; });
    if (is_damaged) return;
    const Result<ReadFile> found = read_with_stat(packs_folder_ + "/" + file.name, undo_pack_bytes_max);
    if (!found || found->stat != file.stat) return;
    const std::vector<PackLine> lines = lines_of_undo_pack(found->bytes);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const PackedUndos::Entry* const latest = all.find(lines[i].hex);
      // If the snapshot also has its own files, which are newer, their line is in lines_ already.
      if (latest != nullptr && latest->undo == &file.pack.undos[i])
        lines_.emplace(lines[i].hex, lines[i].text);
    }
    packs_.emplace_back(file.name, file.stat);
  }

  const std::string& folder_;
  const std::string& packs_folder_;
  std::vector<Loose> loose_;
  std::vector<std::pair<std::string, FileStat>> packs_;
  std::map<std::string, std::string> lines_;  // By id.
};

Result<std::size_t> UndoPacks::pack(BlobStore& blobs, std::int64_t latest_ms_max,
                                    const std::stop_token& stop) {
  std::size_t packed = 0;
  while (true) {
    const Listing listing = TRY(list());
    Packing packing(folder_, packs_folder_);
    const std::size_t count = TRY(packing.gather(listing, latest_ms_max, stop));
    if (count == 0) break;
    if (!TRY(packing.replace(blobs, stop))) break;
    packed += count;
  }
  if (packed > 0) static_cast<void>(list());  // Parses the new packs here rather than in the next call.
  return packed;
}

Result<Unit> UndoPacks::remove(const std::set<std::string>& hexes) {
  const std::shared_ptr<const PackedUndos> packed = TRY(current());
  bool changes = false;
  for (const auto& file : packed->files) {
    const auto goes = [&](std::string_view hex) { return hexes.contains(std::string(hex)); };
    if (std::ranges::none_of(file->pack.undos, [&](const auto& one) { return goes(one.note.hex); })) continue;
    changes = true;
    const std::string path = packs_folder_ + "/" + file->name;
    const std::string bytes = TRY(read_whole_file(path, undo_pack_bytes_max));
    std::vector<std::string_view> lines;
    for (const PackLine& line : lines_of_undo_pack(bytes))
      if (!goes(line.hex)) lines.push_back(line.text);
    if (!lines.empty())
      TRY(replace_file(packs_folder_, file->name, encoded_undo_pack(lines), Durability::machine_crash));
    else if (::unlink(path.c_str()) != 0 && errno != ENOENT)
      return system_error(errno, "delete", path);
  }
  return changes ? sync_folder(packs_folder_) : Unit{};
}

Result<Unit> UndoPacks::check() {
  const std::shared_ptr<const PackedUndos> packed = TRY(current());
  for (const auto& file : packed->files)
    if (file->pack.has_unknown_damage)
      return Error(ErrorCode::internal,
                   "The file " + packs_folder_ + "/" + file->name +
                       " is damaged, and the ids of some undo snapshots in it are unknown. Restore the file "
                       "from a backup, or delete it with all of its undo snapshots.");
  return Unit{};
}

void UndoPacks::release_memory() {
  const std::lock_guard lock(mutex_);
  latest_.reset();
}

}  // namespace snapgen::core
