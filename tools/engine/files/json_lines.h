#pragma once
// JsonLinesFile is a file with one JSON object per line that several processes append to and none rewrites.
// If a crash leaves a partial line, readers skip it and the next writer ends it.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/durable.h"

namespace snapgen::core {

// Makes a folder below `.snapback/` of the workspace, with its parents, hidden from git. Errors:
// permission_denied (one of them is a symlink or a file); unavailable.
Result<std::string> make_state_folder(const std::string& root, std::string_view name);

// Appends whole lines, each with its line break, to a file that the caller has locked. `fd` must be readable
// too, because a partial last line is ended first. Returns false, with errno set, if nothing was added.
bool append_lines(int fd, std::string_view lines);

// Identifies a file and its size, to tell whether it changed since it was read.
struct JsonLinesStat {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;

  friend bool operator==(const JsonLinesStat&, const JsonLinesStat&) = default;
};

class JsonLinesFile {
 public:
  // `path` is relative to the folder `root`. It must not lead through a symlink.
  JsonLinesFile(std::string root, std::string path) : root_(std::move(root)), path_(std::move(path)) {}

  // Appends JSON objects durably, each without line breaks and separated by one, to the file, whose folder
  // must exist. Errors: permission_denied (a symlink); unavailable.
  Result<Unit> append(std::string_view lines) const;
  // As append(), with the lines that `make_lines` returns under the lock; none if they are empty. Then calls
  // `appended` under the lock, with nothing else written since. Errors: as append(); those of `make_lines`.
  Result<Unit> append_made(const std::function<Result<std::string>()>& make_lines,
                           Durability durability = Durability::machine_crash,
                           const std::function<void()>& appended = {}) const;

  // Returns the state of the file; all zeros if there is none.
  JsonLinesStat current_stat() const;

  // Calls `take` with each complete, non-empty line from `begin` on; an overlong line is cut. Returns the
  // offset after the last one. Errors: permission_denied (a symlink); too_large (the file); unavailable.
  Result<std::int64_t> for_each_line(std::int64_t begin,
                                     const std::function<void(std::string_view line)>& take) const;

  // Reads up to `bytes` bytes from `begin` on. Errors: as for_each_line().
  Result<std::string> read(std::int64_t begin, std::size_t bytes) const;

 private:
  // Opens the file. Returns nullopt if there is none.
  Result<std::optional<OpenedPath>> open() const;

  std::string root_, path_;
};

}  // namespace snapgen::core
