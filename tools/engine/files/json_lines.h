#pragma once
// JsonLines: a file of one JSON object a line that several processes append to, and nobody rewrites. A line
// is there wholly or not at all; what a crash left torn is closed by the next writer, and passed over by
// readers.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/beneath.h"

namespace snapgen::core {

// A folder below `.snapback/` of the workspace, invisible to git, made with those above it if it is not
// there. Errors: permission_denied (a symlink or a file stands in the place of one of them); unavailable.
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
  // `path`: below `.snapback/` of the workspace `root`.
  JsonLines(std::string root, std::string_view path)
      : root_(std::move(root)), path_(".snapback/" + std::string(path)) {}

  // Appends `line`, a JSON object without line breaks, durably. `locked` runs before, while nobody else can
  // append. Errors: permission_denied (a symlink); unavailable; those of `locked`.
  Result<Unit> append(std::string_view line, const std::function<Result<Unit>()>& locked = {}) const;

  // All zero if there is no file.
  LinesState state() const;

  // Calls with each whole line from `begin` on that is not empty; of one that is longer than any of ours,
  // with its beginning. Returns where the last one ended. Errors: permission_denied (a symlink); too_large
  // (the file, which stays as it is); unavailable.
  Result<std::int64_t> each_line(std::int64_t begin,
                                 const std::function<void(std::string_view line)>& take) const;

  // So many bytes from `begin`, or what there is of them. Errors: as above.
  Result<std::string> read(std::int64_t begin, std::size_t bytes) const;

 private:
  // None: there is no file.
  Result<std::optional<Opened>> open() const;

  std::string root_, path_;
};

}  // namespace snapgen::core
