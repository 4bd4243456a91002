#pragma once
// JsonLines: a file of one JSON object a line that several processes append to, and nobody rewrites. A line
// is there wholly or not at all; what a crash left torn is closed by the next writer, and passed over by
// readers.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/core/plain_text.h"

namespace snapgen::core {

// A folder below `.snapback/` of the workspace, invisible to git, made if it is not there. Errors:
// permission_denied (a symlink or a file stands in its place); unavailable.
Result<std::string> make_state_folder(const std::string& root, std::string_view name);

// Appends whole lines, each with its end, to a file that nobody else can append to meanwhile; `fd` can read,
// too, since a line that a crash left torn is closed before. False, with errno: nothing was added.
bool append_lines(int fd, std::string_view lines);

// What tells that a file is the one that was read, and how far.
struct LinesState {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;

  friend bool operator==(const LinesState&, const LinesState&) = default;
};

class JsonLines {
 public:
  explicit JsonLines(std::string path) : path_(std::move(path)) {}

  // Appends `line`, a JSON object without line breaks, durably. `locked` runs before, while nobody else can
  // append. Errors: permission_denied (a symlink); unavailable; those of `locked`.
  Result<Unit> append(std::string_view line, const std::function<Result<Unit>()>& locked = {}) const;

  // All zero if there is no file.
  LinesState state() const;

  // The bytes from `begin` to the end of the last whole line. Errors: unavailable.
  Result<std::string> read_from(std::int64_t begin) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Calls with each line that is not empty.
template <class F>
void for_each_line(std::string_view text, F take) {
  std::string_view line;
  while (next_line(text, line))
    if (!line.empty()) take(line);
}

}  // namespace snapgen::core
