#pragma once
// Writes the server's own files so that after a crash at any time each file has its old or its new content.
//
// Folders (0700) and files (0600) are for the owner only, because snapshots may contain private data.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>

#include "runtime/base/result.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {

// Selects whether written data must survive a crash of the machine, or only of the process.
enum class Durability : std::uint8_t { process_crash, machine_crash };

// Makes `folder` and its parents, but no folder `.git`. Errors of all functions here: unavailable (disk full,
// read-only, no `.git`, ...).
Result<Unit> make_folders(const std::string& folder);

// Makes `folder` with a .gitignore of `rules`, or neither. Its parent must exist. Returns false if it exists.
Result<bool> make_git_ignored_folder(const std::string& folder, mode_t mode, std::string_view rules);

// Makes `.snapback/` below `root`, with a .gitignore that hides it, unless it exists. Errors: unavailable.
Result<Unit> make_snapback_folder(const std::string& root);

// Returns the sentence "<name> is not a folder; nothing is written through it."
std::string not_a_folder_sentence(std::string_view name);
// Checks that `path` is a folder, and not a symlink to one. The error shows it as `name`. Errors:
// permission_denied.
Result<Unit> check_plain_folder(const std::string& path, std::string_view name);

// Makes a file atomically: a process that lists the folder sees the complete file or none, and never a
// temporary name. Leaves an existing file unchanged. Errors: unavailable.
Result<Unit> make_file_if_missing(const std::string& folder, const std::string& name, std::string_view bytes);

// Replaces folder/name by `bytes`, by renaming a temporary file.
Result<Unit> replace_file(const std::string& folder, std::string_view name, std::string_view bytes,
                          Durability durability);

// Reads a regular file. Use read_state_file() for files below `.snapback/`. Errors: not_found;
// permission_denied (the path is a symlink); too_large; unavailable.
Result<std::string> read_whole_file(const std::string& path, std::uint64_t bytes_max,
                                    SymlinkPolicy links = SymlinkPolicy::refused);
// Reads an open file; `path` is for error messages only. Errors: as read_whole_file().
Result<std::string> read_open_file(int fd, std::string_view path, std::uint64_t bytes_max);

Result<Unit> write_at(int fd, std::string_view bytes, std::uint64_t offset);
// Reads exactly `size` bytes into `out`. Errors: unavailable, also when the file is shorter.
Result<Unit> read_at(int fd, char* out, std::size_t size, std::uint64_t offset);
Result<Unit> sync_file(int fd);
// Starts writing a range of the file to the disk, so that sync_file() has less to wait for.
void start_writeback(int fd, std::uint64_t offset, std::uint64_t bytes);
Result<Unit> sync_folder(const std::string& folder);

// The prefix of temporary files' names.
inline constexpr std::string_view temporary_prefix = ".tmp-";

// Removes temporary files in `folder` that are an hour old: a crashed process left them.
void remove_old_temporaries(const std::string& folder);

// PendingFile does replace_file() or make_new_file() in two steps. The file is written durably first, while
// other threads sync the data that it refers to, and then renamed.
class PendingFile {
 public:
  // Writes the temporary file. Errors: unavailable.
  static Result<PendingFile> write(const std::string& folder, std::string_view name, std::string_view bytes,
                                   Durability durability);
  PendingFile(PendingFile&& other) noexcept
      : folder_(std::move(other.folder_)),
        temporary_path_(std::exchange(other.temporary_path_, {})),
        path_(std::move(other.path_)),
        durability_(other.durability_) {}
  PendingFile& operator=(PendingFile&& other) noexcept {
    std::swap(folder_, other.folder_);
    std::swap(temporary_path_, other.temporary_path_);
    std::swap(path_, other.path_);
    std::swap(durability_, other.durability_);
    return *this;
  }
  ~PendingFile();  // Deletes the temporary file unless it was renamed.

  // Renames the temporary file. Call replace_target() or create_target(), once. Errors: unavailable.
  Result<Unit> replace_target();
  Result<bool> create_target();  // Returns false, and changes nothing, if the name is in use.

 private:
  PendingFile(std::string folder, std::string temporary, std::string path, Durability durability)
      : folder_(std::move(folder)),
        temporary_path_(std::move(temporary)),
        path_(std::move(path)),
        durability_(durability) {}

  Result<Unit> sync_as_required() const;

  std::string folder_, temporary_path_, path_;
  Durability durability_;
};

// Makes folder/name, durably and with its whole content from the start, if the name is unused. If several
// callers do so at once, one succeeds. Returns false, and changes nothing, if the name is in use. Errors:
// unavailable; the file remains if only the sync of the folder failed.
Result<bool> make_new_file(const std::string& folder, const std::string& name, std::string_view bytes);

}  // namespace snapgen::core
