#include "tools/engine/operations/history/store_copy.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/base/fd.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/random.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/files/root.h"
#include "tools/engine/store/blobs/generation_file.h"
#include "tools/engine/store/history/history_log.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

// These have the times at which a server found that the workspace is gone, and the copy unneeded.
constexpr const char* gone_name = "gone";
constexpr const char* unneeded_name = "unneeded";
constexpr const char* cleaned_name = "cleaned";
constexpr std::int64_t week_ms = 7LL * 24 * 3600 * 1000;
constexpr std::int64_t gone_ms_max = 60LL * 24 * 3600 * 1000;
constexpr std::uint64_t time_bytes_max = 64;
constexpr std::int64_t update_ms = 60 * 1000;
constexpr std::int64_t clean_ms = 3600 * 1000;
constexpr std::int64_t free_part_of_copies = 5;  // All copies may use this part of the free space.
constexpr std::size_t hash_digits = 16;
constexpr std::uint64_t line_bytes_max = 64 << 10;
constexpr const char* workspace_name = "workspace";
constexpr const char* store_name = "store";
constexpr const char* git_dir_name = "git_dir";
constexpr const char* origin_name = "origin";
constexpr std::string_view segment_suffix = ".seg";

// `identity`: of the store, since another one may be at the same path later.
std::string copy_name(const std::string& workspace, const std::string& identity) {
  return workspace.substr(workspace.rfind('/') + 1) + "-" +
         sha256_hex(workspace + "\n" + identity).substr(0, hash_digits);
}

std::string identity_of_store(const std::string& store) { return folder_identity_of(store + "/blobs"); }

std::optional<FileStat> stat_at(const std::string& path) {
  struct stat st;
  if (::lstat(path.c_str(), &st) != 0) return std::nullopt;
  return file_stat(st);
}

std::optional<std::string> first_line(const std::string& path) {
  Result<std::string> text = read_whole_file(path, line_bytes_max);
  if (!text || !text->ends_with('\n')) return std::nullopt;
  text->pop_back();
  return *std::move(text);
}

// The size of the files of copies that no store has, too.
class CopySizes {
 public:
  void add(const std::string& folder) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      struct stat st;
      if (::lstat(at->path().c_str(), &st) != 0 || !S_ISREG(st.st_mode)) continue;
      Links& links = files_[{st.st_dev, st.st_ino}];
      ++links.found;
      links.all = st.st_nlink;
      links.bytes = st.st_size;
    }
  }
  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const auto& [file, links] : files_)
      if (links.found >= links.all) sum += links.bytes;
    return sum;
  }

 private:
  struct Links {
    nlink_t found = 0;
    nlink_t all = 0;
    std::int64_t bytes = 0;
  };
  std::map<std::pair<dev_t, ino_t>, Links> files_;
};

std::int64_t bytes_of_copies(const std::string& copies) {
  CopySizes sizes;
  for (const std::string& name : names_in_folder(copies).names) sizes.add(copies + "/" + name);
  return sizes.bytes();
}

// How much more all copies, which take `bytes`, may take.
std::int64_t space_for_copies(const std::string& copies, std::int64_t bytes, std::int64_t bytes_max) {
  struct statvfs disk;
  if (::statvfs(copies.c_str(), &disk) == 0) {
    const std::int64_t free =
        static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
    bytes_max = std::min(bytes_max, (free + bytes) / free_part_of_copies);
  }
  return bytes_max - bytes;
}

// What may be copied to another file system; computed when it is first needed.
struct CopySpace {
  const std::string& copies;
  std::int64_t bytes_max = 0;
  std::optional<std::int64_t> left = {};

  bool take(std::int64_t bytes) {
    if (!left) left = space_for_copies(copies, bytes_of_copies(copies), bytes_max);
    if (bytes > *left) return false;
    *left -= bytes;
    return true;
  }
};

// Copies a file to another file system. A segment is only appended to, so its beginning is not copied again.
Result<Unit> copy_file(const std::string& from, const FileStat& stat, const std::string& to,
                       const std::optional<FileStat>& copied, CopySpace& space) {
  if (copied && copied->size == stat.size && copied->mtime_ns == stat.mtime_ns) return Unit{};
  const bool appends = from.ends_with(segment_suffix) && copied && copied->size <= stat.size;
  off_t offset = appends ? copied->size : 0;
  if (!space.take(stat.size - (copied ? copied->size : 0)))
    return Error(ErrorCode::unavailable, "The copies in " + path_in_sentence(space.copies) +
                                             " take as much as they may. snap recover --delete frees space.");
  const std::string written = appends ? to : to + std::string(temporary_prefix);
  const Fd source(::open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  const Fd target(
      ::open(written.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (appends ? 0 : O_TRUNC), 0600));
  if (!source || !target) return system_error(errno, "copy", from);
  if (::lseek(target.get(), offset, SEEK_SET) < 0) return system_error(errno, "write", written);
  while (offset < stat.size) {
    const ssize_t sent =
        ::sendfile(target.get(), source.get(), &offset, static_cast<std::size_t>(stat.size - offset));
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return system_error(errno, "copy", from);
  }
  const std::int64_t ns_per_s = 1'000'000'000;
  const timespec time{.tv_sec = stat.mtime_ns / ns_per_s, .tv_nsec = stat.mtime_ns % ns_per_s};
  const timespec times[2] = {time, time};
  ::futimens(target.get(), times);
  if (!appends && ::rename(written.c_str(), to.c_str()) != 0) return system_error(errno, "rename", written);
  return Unit{};
}

// Makes `to` a link to the file `from`, or a copy of it. A file that does not exist any more is left out.
Result<Unit> link_file(const std::string& from, const std::string& to, CopySpace& space) {
  const std::optional<FileStat> stat = stat_at(from);
  if (!stat || !S_ISREG(stat->mode)) return Unit{};
  const std::optional<FileStat> linked = stat_at(to);
  if (linked && linked->inode == stat->inode && linked->device == stat->device) return Unit{};
  const std::string made = to + std::string(temporary_prefix);
  ::unlink(made.c_str());
  if (::link(from.c_str(), made.c_str()) == 0) {
    if (::rename(made.c_str(), to.c_str()) == 0) return Unit{};
    return system_error(errno, "rename", made);
  }
  if (errno == ENOENT) return Unit{};
  if (errno == EXDEV || errno == EPERM || errno == EMLINK) return copy_file(from, *stat, to, linked, space);
  return system_error(errno, "link", from);
}

std::optional<StoreCopy::Origin> origin_of_copy(const std::string& folder) {
  const std::optional<std::string> line = first_line(folder + "/" + origin_name);
  if (!line) return std::nullopt;
  const std::size_t blank = line->find(' ');
  StoreCopy::Origin origin{.identity = line->substr(0, blank), .generation = 0};
  if (blank != std::string::npos)
    std::from_chars(line->data() + blank + 1, line->data() + line->size(), origin.generation);
  return origin;
}

// Links the files in a folder and the folders in it. If `removes`, files that it does not have are unlinked.
Result<Unit> link_folder(const std::string& from, const std::string& to, bool removes, CopySpace& space) {
  const FolderNames found = names_in_folder(from);
  if (found.error == ENOENT) return Unit{};
  if (found.error != 0) return system_error(found.error, "read", from);
  TRY(make_folders(to));
  const std::set<std::string> names(found.names.begin(), found.names.end());
  for (const std::string& name : names) {
    if (name.starts_with('.')) continue;
    const std::string path = from + "/" + name;
    const std::optional<FileStat> stat = stat_at(path);
    const bool is_folder = stat && S_ISDIR(stat->mode);
    TRY(is_folder ? link_folder(path, to + "/" + name, removes, space)
                  : link_file(path, to + "/" + name, space));
  }
  if (!removes) return Unit{};
  for (const std::string& name : names_in_folder(to).names)
    if (!names.contains(name)) ::unlink((to + "/" + name).c_str());
  return Unit{};
}

void note_time(const std::string& folder, const char* name, std::int64_t now_ms) {
  static_cast<void>(replace_file(folder, name, std::to_string(now_ms), Durability::process_crash));
}

// Returns how long ago the file was written that has its time, and writes it if it does not exist. A time in
// the future is replaced, because the clock was wrong.
std::int64_t ms_since_noted(const std::string& folder, const char* name, std::int64_t now_ms) {
  const Result<std::string> noted = read_whole_file(folder + "/" + name, time_bytes_max);
  const std::int64_t noted_ms = noted ? std::strtoll(noted->c_str(), nullptr, 10) : 0;
  if (noted_ms > 0 && noted_ms <= now_ms) return now_ms - noted_ms;
  note_time(folder, name, now_ms);
  return 0;
}

// Whether an hour has passed since any process of the user removed copies that are not needed, which reads
// all of them. If so, notes the present time.
bool is_cleaning_due(const std::string& copies, std::int64_t now_ms) {
  if (ms_since_noted(copies, cleaned_name, now_ms) < clean_ms) return false;
  note_time(copies, cleaned_name, now_ms);
  return true;
}

}  // namespace

std::string user_copies_folder() {
  const std::string state = user_base_folder("XDG_STATE_HOME", ".local/state");
  return state.empty() ? state : state + "/snapgen/copies";
}

StoreCopy::StoreCopy(std::string copies, const Workspace& workspace, std::int64_t bytes_max)
    : copies_(std::move(copies)), workspace_(workspace), bytes_max_(bytes_max) {}

Result<Unit> StoreCopy::update_if_due() {
  const std::int64_t now_ms = workspace_.now() / 1'000'000;
  if (copies_.empty() || (updated_ms_ != 0 && now_ms - updated_ms_ < update_ms)) return Unit{};
  updated_ms_ = now_ms;
  const Result<Unit> updated = update();
  if (is_cleaning_due(copies_, now_ms)) remove_unneeded_copies(copies_, bytes_max_, now_ms);
  return updated;
}

Result<Unit> StoreCopy::update() {
  if (copies_.empty()) return Unit{};
  const std::string& store = workspace_.store_folder();
  const std::string blobs = store + "/blobs";
  const std::string history = history_folder(workspace_.tree_folder());
  const Origin present{.identity = identity_of_store(store), .generation = GenerationFile(blobs).current()};
  if (present.identity.empty() || !stat_at(history + "/log")) return Unit{};
  const Result<Fd> held = HistoryLog(history).lock_copy();
  if (!held) return Unit{};
  folder_ = copies_ + "/" + copy_name(workspace_.root().folder(), present.identity);
  Origin recorded = present;
  TRY(prepare(recorded, history));
  const bool removes = present.generation > recorded.generation;
  CopySpace space{.copies = copies_, .bytes_max = bytes_max_};
  TRY(link_folder(blobs, folder_ + "/blobs", removes, space));
  TRY(link_folder(store + "/snapshots", folder_ + "/snapshots", removes, space));
  TRY(link_file(history + "/log", folder_ + "/history/log", space));
  return removes ? write_origin(present) : Result<Unit>(Unit{});
}

// Makes the folder for the store `origin`, or sets `origin` to what the folder was last updated to. The copy
// of another history is set aside.
Result<Unit> StoreCopy::prepare(Origin& origin, const std::string& history) {
  if (const std::optional<Origin> recorded = origin_of_copy(folder_)) {
    if (is_copy_of(history)) {
      origin = *recorded;
      return Unit{};
    }
    constexpr std::size_t letters = 8;
    const std::string aside = folder_ + "-" + random_name(letters);
    if (::rename(folder_.c_str(), aside.c_str()) != 0) return system_error(errno, "rename", folder_);
  }
  TRY(make_folders(folder_ + "/history"));
  const auto write = [this](const char* name, const std::string& path) {
    return replace_file(folder_, name, path + "\n", Durability::process_crash);
  };
  TRY(write(workspace_name, workspace_.root().folder()));
  TRY(write(store_name, workspace_.store_folder()));
  const Repository& repository = workspace_.repository();
  if (repository.git_dir() != repository.common_dir()) TRY(write(git_dir_name, repository.git_dir()));
  return write_origin(origin);
}

// A log with another inode was thinned, or it began again after a deletion: then its numbers are lower, or
// its first state is later than the last known one.
bool StoreCopy::is_copy_of(const std::string& history) const {
  const std::string copied = folder_ + "/history";
  const std::optional<FileStat> now = stat_at(history + "/log");
  const std::optional<FileStat> before = stat_at(copied + "/log");
  if (!now || !before || (now->inode == before->inode && now->device == before->device)) return true;
  const Result<Timeline> continued = HistoryLog(history).read();
  const Result<Timeline> known = HistoryLog(copied).read();
  if (!continued || !known || continued->bases.empty()) return false;
  return continued->last_number() >= known->last_number() &&
         continued->bases.front()->at_ms <= known->time_of(known->last_number());
}

Result<Unit> StoreCopy::write_origin(const Origin& origin) const {
  return replace_file(folder_, origin_name, origin.identity + " " + std::to_string(origin.generation) + "\n",
                      Durability::process_crash);
}

std::vector<StoredCopy> stored_copies(const std::string& copies) {
  std::vector<StoredCopy> found;
  for (const std::string& name : names_in_folder(copies).names) {
    const std::string folder = copies + "/" + name;
    std::optional<std::string> workspace = first_line(folder + "/" + workspace_name);
    const std::optional<FileStat> log = stat_at(folder + "/history/log");
    const std::optional<StoreCopy::Origin> origin = origin_of_copy(folder);
    if (!workspace || !log || !origin) continue;
    const std::optional<std::string> store = first_line(folder + "/" + store_name);
    const std::optional<std::string> git_dir = first_line(folder + "/" + git_dir_name);
    const bool has_store = store && identity_of_store(*store) == origin->identity;
    const bool is_pruned = has_store && git_dir && !stat_at(*git_dir);
    const bool is_present = name == copy_name(*workspace, origin->identity);
    found.push_back({.name = name,
                     .folder = folder,
                     .workspace = *workspace,
                     .last_ms = log->mtime_ns / 1'000'000,
                     .has_workspace = has_store && !is_pruned && is_present && stat_at(*workspace),
                     .is_pruned = is_pruned});
  }
  std::ranges::sort(found, [](const StoredCopy& a, const StoredCopy& b) {
    return std::pair(std::string_view(a.workspace), -a.last_ms) <
           std::pair(std::string_view(b.workspace), -b.last_ms);
  });
  return found;
}

std::uint64_t bytes_of_copy(const StoredCopy& copy) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(copy.folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) bytes += at->file_size(ignored);
  }
  return bytes;
}

Result<Unit> remove_copy(const StoredCopy& copy) {
  std::error_code error;
  fs::remove_all(copy.folder, error);
  return error ? system_error(error.value(), "remove", copy.folder) : Result<Unit>(Unit{});
}

namespace {

// The clock may be wrong, so a week must pass after a server has found that a copy is not needed.
bool is_unneeded(const StoredCopy& copy, std::int64_t now_ms) {
  const auto forget = [&](const char* name) { ::unlink((copy.folder + "/" + name).c_str()); };
  if (copy.has_workspace) forget(gone_name);
  if (copy.has_workspace ||
      (ms_since_noted(copy.folder, gone_name, now_ms) <= gone_ms_max && !copy.is_pruned)) {
    forget(unneeded_name);
    return false;
  }
  return ms_since_noted(copy.folder, unneeded_name, now_ms) > week_ms;
}

}  // namespace

void remove_unneeded_copies(const std::string& copies, std::int64_t bytes_max, std::int64_t now_ms) {
  std::vector<StoredCopy> of_deleted = stored_copies(copies);
  std::erase_if(of_deleted, [&](const StoredCopy& copy) {
    const bool goes = is_unneeded(copy, now_ms);
    if (goes) static_cast<void>(remove_copy(copy));
    return goes || copy.has_workspace;
  });
  std::ranges::sort(of_deleted, {}, &StoredCopy::last_ms);
  if (!of_deleted.empty() && now_ms - of_deleted.back().last_ms < week_ms) of_deleted.pop_back();
  for (const StoredCopy& copy : of_deleted) {
    if (space_for_copies(copies, bytes_of_copies(copies), bytes_max) >= 0) return;
    static_cast<void>(remove_copy(copy));
  }
}

}  // namespace snapgen::core
