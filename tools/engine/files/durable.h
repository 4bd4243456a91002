#pragma once
// Writing our own files so that a crash at any instant leaves each of them wholly old or wholly new.
//
// Folders are made for their owner alone (0700), files too (0600): snapshots may hold what others must not
// read.
#include <cstdint>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "runtime/base/result.h"
#include "tools/engine/files/links.h"

namespace snapgen::core {

// Whether a crash of the machine, not of the process alone, must not lose what was written.
enum class Durability : std::uint8_t { process, machine };

// Makes `folder` and its parents. Errors of all here: unavailable (disk full, read-only, forbidden, ...).
Result<Unit> make_folders(const std::string& folder);

// Makes `folder`, in one that there is, with a .gitignore of that text, or neither. False: it is there
// already.
Result<bool> make_hidden_folder(const std::string& folder, mode_t mode, std::string_view rules);

// `.snapback/` below `root`, with a .gitignore that hides it, if it is not there. Errors: unavailable.
Result<Unit> make_snapback_folder(const std::string& root);

// A file that is not there yet, which appears with its whole content and under no other name before: whoever
// lists the folder meanwhile sees it so or not at all. If it is there, it stays as it is. Errors:
// unavailable.
Result<Unit> make_file(const std::string& folder, const std::string& name, std::string_view bytes);

// Replaces folder/name by `bytes`: a temporary file, renamed.
Result<Unit> replace_file(const std::string& folder, std::string_view name, std::string_view bytes,
                          Durability durability);

// Of a file that the store keeps and that is read whole: more than any has.
inline constexpr std::uint64_t kept_bytes_max = 1 << 30;

// The whole content of a regular file. What stands below `.snapback/` is read by read_state_file(). Errors:
// not_found; permission_denied (a symlink in its place); too_large; unavailable.
Result<std::string> read_whole(const std::string& path, std::uint64_t bytes_max = kept_bytes_max,
                               Links links = Links::refused);
// The same of one that is open; `path`: for sentences.
Result<std::string> read_open_file(int fd, std::string_view path, std::uint64_t bytes_max);

Result<Unit> write_at(int fd, std::string_view bytes, std::uint64_t offset);
// Reads exactly `size` bytes into `out`. Errors: unavailable, also when the file is shorter.
Result<Unit> read_at(int fd, char* out, std::size_t size, std::uint64_t offset);
Result<Unit> sync_file(int fd);
// Has the system begin to write that part out, so that sync_file() has less to wait for.
void begin_sync(int fd, std::uint64_t offset, std::uint64_t bytes);
Result<Unit> sync_folder(const std::string& folder);

// How the names of temporary files begin.
inline constexpr std::string_view temporary_prefix = ".tmp-";

// Removes temporary files that a crashed process left in `folder`: those an hour old.
void sweep_temporaries(const std::string& folder);

}  // namespace snapgen::core
