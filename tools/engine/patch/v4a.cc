#include "tools/engine/patch/v4a.h"

#include <string>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/file_header.h"
#include "tools/engine/patch/hunk.h"
#include "tools/engine/patch/names.h"

namespace snapgen::core {
namespace {

constexpr std::string_view begin_line = "*** Begin Patch";
constexpr std::string_view end_line = "*** End Patch";
constexpr std::string_view add_header = "*** Add File:";
constexpr std::string_view delete_header = "*** Delete File:";
constexpr std::string_view update_header = "*** Update File:";
constexpr std::string_view move_header = "*** Move to:";

bool begins_section(std::string_view line) {
  return line.starts_with(add_header) || line.starts_with(delete_header) || line.starts_with(update_header) ||
         trimmed(line) == end_line;
}

void skip_blank_lines(PatchLines& lines) {
  while (!lines.at_end() && trimmed(lines.line()).empty()) lines.advance();
}

class V4aPartReader {
 public:
  V4aPartReader(PatchLines& lines, std::string_view root) : lines_(lines), root_(root) {
    part_.file.patch_line = lines.number();
  }

  V4aPart run() {
    const std::string_view line = lines_.line();
    part_.fault = fault_of_header_line(lines_);
    if (!part_.fault) {
      if (line.starts_with(add_header))
        read_addition();
      else if (line.starts_with(delete_header))
        read_deletion();
      else if (line.starts_with(update_header))
        read_update();
      else
        fail(
            "expected `*** Add File: PATH`, `*** Delete File: PATH`, `*** Update File: PATH` or `*** End "
            "Patch`");
    }
    if (part_.fault) skip_to_next_section();
    return std::move(part_);
  }

 private:
  void fail(std::string message) { part_.fault = PatchFault{lines_.number(), std::move(message)}; }

  // Returns the path in the current header line, and skips the line.
  std::string take_path(std::string_view header) {
    std::string path = relative_name(trimmed(lines_.line().substr(header.size())), root_);
    if (path.empty()) fail("this line names no file");
    lines_.advance();
    return path;
  }

  bool is_at_next_section() const { return lines_.at_end() || begins_section(lines_.line()); }

  void skip_to_next_section() {
    if (lines_.number() == part_.file.patch_line) lines_.advance();
    while (!is_at_next_section()) lines_.advance();
  }

  void read_addition() {
    FilePatch& file = part_.file;
    file.kind = FilePatch::Kind::create;
    file.new_path = take_path(add_header);
    file.new_mode = FileMode::plain;
    if (lines_.line().starts_with('+')) {
      read_one_hunk();
      if (!file.hunks.empty() && file.hunks.front().before_count != 0) {
        part_.fault = PatchFault{file.hunks.front().patch_line, "each line of a new file begins with +"};
        file.hunks.clear();
      }
    }
    end_part("each line of a new file begins with +");
  }

  void read_deletion() {
    part_.file.kind = FilePatch::Kind::remove;
    part_.file.old_path = take_path(delete_header);
    part_.file.removes_any_content = true;
    end_part("a deletion has no lines below its header");
  }

  void read_update() {
    FilePatch& file = part_.file;
    file.old_path = file.new_path = take_path(update_header);
    if (lines_.line().starts_with(move_header)) {
      file.new_path = take_path(move_header);
      if (file.new_path != file.old_path) file.kind = FilePatch::Kind::rename;
    }
    if (part_.fault) return;
    skip_blank_lines(lines_);
    while (!is_at_next_section() && !is_at_closing_fence(lines_)) read_one_hunk();
    const bool has_hunks = !file.hunks.empty() || file.has_faults;
    if (!has_hunks && file.kind == FilePatch::Kind::modify)
      fail("the header of this file is followed by no hunk");
    else if (!has_hunks)
      end_part("a hunk begins with @@");
  }

  // Reads a hunk, and skips it if it is invalid.
  void read_one_hunk() {
    FilePatch& file = part_.file;
    const std::int64_t index = hunk_count_++;
    const std::int64_t first_line = lines_.number();
    Hunk hunk{.index = index};
    std::optional<PatchFault> fault = read_v4a_hunk(lines_, hunk);
    if (!fault) {
      file.hunks.push_back(std::move(hunk));
    } else {
      part_.hunk_faults.push_back({.hunk_index = index, .fault = std::move(*fault)});
      file.has_faults = true;
      if (lines_.number() == first_line) lines_.advance();
      while (!is_at_next_section() && !lines_.line().starts_with("@@")) lines_.advance();
    }
    skip_blank_lines(lines_);
  }

  // Checks what follows a part that is complete. `message` is about lines that do not belong there.
  void end_part(std::string message) {
    if (part_.fault) return;
    skip_blank_lines(lines_);
    const bool has_content = !part_.file.hunks.empty() || part_.file.removes_any_content;
    if (lines_.at_end() && !has_content && !part_.file.has_faults)
      fail("the patch ends here without `*** End Patch`, so it may have been cut off: send all of it");
    else if (!is_at_next_section() && !is_at_closing_fence(lines_))
      fail(std::move(message));
  }

  PatchLines& lines_;
  std::string_view root_;
  V4aPart part_;
  std::int64_t hunk_count_ = 0;
};

}  // namespace

bool begins_v4a_patch(const PatchLines& lines) { return trimmed(lines.line()) == begin_line; }

std::optional<V4aPart> read_v4a_part(PatchLines& lines, std::string_view root) {
  skip_blank_lines(lines);
  if (lines.at_end() || is_at_closing_fence(lines)) return std::nullopt;
  if (trimmed(lines.line()) == end_line) {
    lines.advance();
    return std::nullopt;
  }
  return V4aPartReader(lines, root).run();
}

}  // namespace snapgen::core
