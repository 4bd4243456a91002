#include "tools/engine/operations/history/store_copy.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
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

constexpr const char* unused_name = "unused";  // Has the time at which a server found the copy unused.
constexpr std::int64_t unused_again_ms = 7LL * 24 * 3600 * 1000;
constexpr std::uint64_t marker_bytes_max = 64;
constexpr std::int64_t update_ms = 60 * 1000;
constexpr std::int64_t unused_ms_max = 60 * std::int64_t{24} * 3600 * 1000;
constexpr std::size_t hash_digits = 16;
constexpr std::uint64_t line_bytes_max = 64 << 10;
constexpr const char* workspace_name = "workspace";
constexpr const char* origin_name = "origin";
constexpr std::string_view segment_suffix = ".seg";

std::string copy_name(const std::string& workspace) {
  return workspace.substr(workspace.rfind('/') + 1) + "-" + sha256_hex(workspace).substr(0, hash_digits);
}

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

// Whether a file of this size uses a fifth of the free space at most.
bool has_space_for(const std::string& folder, std::int64_t bytes) {
  constexpr std::int64_t part = 5;
  struct statvfs disk;
  if (::statvfs(folder.c_str(), &disk) != 0) return true;
  return bytes <= static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize) / part;
}

// Copies a file to another file system. A segment is only appended to, so its beginning is not copied again.
Result<Unit> copy_file(const std::string& from, const FileStat& stat, const std::string& to,
                       const std::optional<FileStat>& copied) {
  if (copied && copied->size == stat.size && copied->mtime_ns == stat.mtime_ns) return Unit{};
  const bool appends = from.ends_with(segment_suffix) && copied && copied->size <= stat.size;
  off_t offset = appends ? copied->size : 0;
  if (!has_space_for(to.substr(0, to.rfind('/')), stat.size - offset))
    return Error(ErrorCode::unavailable, "The disk of " + path_in_sentence(to) + " is almost full.");
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
Result<Unit> link_file(const std::string& from, const std::string& to) {
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
  if (errno == EXDEV || errno == EPERM || errno == EMLINK) return copy_file(from, *stat, to, linked);
  return system_error(errno, "link", from);
}

// Links the files in a folder and the folders in it. If `removes`, files that it does not have are unlinked.
Result<Unit> link_folder(const std::string& from, const std::string& to, bool removes) {
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
    TRY(is_folder ? link_folder(path, to + "/" + name, removes) : link_file(path, to + "/" + name));
  }
  if (!removes) return Unit{};
  for (const std::string& name : names_in_folder(to).names)
    if (!names.contains(name)) ::unlink((to + "/" + name).c_str());
  return Unit{};
}

}  // namespace

std::string user_copies_folder() {
  const std::string state = user_base_folder("XDG_STATE_HOME", ".local/state");
  return state.empty() ? state : state + "/snapgen/copies";
}

StoreCopy::StoreCopy(std::string copies, const Workspace& workspace)
    : copies_(std::move(copies)),
      workspace_(workspace),
      folder_(copies_ + "/" + copy_name(workspace.root().folder())) {}

Result<Unit> StoreCopy::update_if_due() {
  const std::int64_t now_ms = workspace_.now() / 1'000'000;
  if (updated_ms_ != 0 && now_ms - updated_ms_ < update_ms) return Unit{};
  if (updated_ms_ == 0 && !copies_.empty()) remove_unused_copies(copies_, now_ms);
  updated_ms_ = now_ms;
  return update();
}

Result<Unit> StoreCopy::update() {
  if (copies_.empty()) return Unit{};
  const std::string& store = workspace_.store_folder();
  const std::string blobs = store + "/blobs";
  const std::string history = history_folder(workspace_.tree_folder());
  const Origin present{.identity = folder_identity_of(blobs), .generation = GenerationFile(blobs).current()};
  if (present.identity.empty() || !stat_at(history + "/log")) return Unit{};
  Origin recorded = present;
  TRY(prepare(recorded, history));
  const bool removes = present.generation > recorded.generation;
  TRY(link_folder(blobs, folder_ + "/blobs", removes));
  TRY(link_folder(store + "/snapshots", folder_ + "/snapshots", removes));
  TRY(link_file(history + "/log", folder_ + "/history/log"));
  return removes ? write_origin(present) : Result<Unit>(Unit{});
}

// Makes the folder for the store `origin`, or sets `origin` to what the folder was last updated to. The copy
// of another store or history is set aside.
Result<Unit> StoreCopy::prepare(Origin& origin, const std::string& history) {
  if (const std::optional<std::string> line = first_line(folder_ + "/" + origin_name)) {
    const std::size_t blank = line->find(' ');
    Origin recorded{.identity = line->substr(0, blank), .generation = 0};
    if (blank != std::string::npos)
      std::from_chars(line->data() + blank + 1, line->data() + line->size(), recorded.generation);
    if (is_copy_of(recorded, origin, history)) {
      origin = recorded;
      return Unit{};
    }
    constexpr std::size_t letters = 8;
    const std::string aside = folder_ + "-" + random_name(letters);
    if (::rename(folder_.c_str(), aside.c_str()) != 0) return system_error(errno, "rename", folder_);
  }
  TRY(make_folders(folder_ + "/history"));
  TRY(replace_file(folder_, workspace_name, workspace_.root().folder() + "\n", Durability::process_crash));
  return write_origin(origin);
}

// A log with another inode was thinned, or it began again after a deletion: then its numbers are lower, or
// its first state is later than the last known one.
bool StoreCopy::is_copy_of(const Origin& recorded, const Origin& present, const std::string& history) const {
  if (recorded.identity != present.identity) return false;
  const std::string copied = folder_ + "/history";
  const std::optional<FileStat> now = stat_at(history + "/log");
  const std::optional<FileStat> before = stat_at(copied + "/log");
  if (!now || !before || now->inode == before->inode) return true;
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
    if (!workspace || !log) continue;
    const bool has_workspace = name == copy_name(*workspace) && stat_at(*workspace);
    found.push_back({.name = name,
                     .folder = folder,
                     .workspace = *std::move(workspace),
                     .last_ms = log->mtime_ns / 1'000'000,
                     .has_workspace = has_workspace});
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

void remove_unused_copies(const std::string& copies, std::int64_t now_ms) {
  for (const StoredCopy& copy : stored_copies(copies)) {
    const std::string marker = copy.folder + "/" + unused_name;
    if (copy.has_workspace || now_ms - copy.last_ms <= unused_ms_max) {
      ::unlink(marker.c_str());
      continue;
    }
    // The clock may be wrong, so a week must pass after a server has found the copy unused.
    const Result<std::string> noted = read_whole_file(marker, marker_bytes_max);
    const std::int64_t found_ms = noted ? std::strtoll(noted->c_str(), nullptr, 10) : 0;
    if (found_ms <= 0 || found_ms > now_ms) {
      static_cast<void>(
          replace_file(copy.folder, unused_name, std::to_string(now_ms), Durability::process_crash));
    } else if (now_ms - found_ms > unused_again_ms) {
      std::error_code ignored;
      fs::remove_all(copy.folder, ignored);
    }
  }
}

}  // namespace snapgen::core
