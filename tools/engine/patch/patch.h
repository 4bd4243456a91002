#pragma once
// A parsed patch, whatever its form: the output of parse_patch() and the input of plan_patch().
//
// Names are bytes, relative to the root, with every component validated. Texts are views into the patch,
// which must outlive them.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/files/file_mode.h"

namespace snapgen::core {

std::string_view git_mode_text(FileMode mode);  // In git's form: "100644", "100755", "120000".

// A part of a text, in bytes.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const TextSpan&) const = default;
};

// The lines `first` to `first + count - 1` of a file. If `count` is 0, the position after line `first`.
struct LineRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// The first line of the range, from 1; of an empty range, the line before which it is.
std::int64_t first_line_of(const LineRange& range);

// The two ranges in a hunk's `@@` line.
struct StatedRanges {
  LineRange before;
  LineRange after;
};

struct Hunk {
  std::int64_t index = 0;              // From 0, among all hunks that the patch has for its file.
  std::size_t text = 0;                // Which of the texts of a continued patch has it.
  std::optional<StatedRanges> stated;  // nullopt if the `@@` line has no such ranges.
  std::int64_t before_count = 0;       // The number of lines of the body before the patch,
  std::int64_t after_count = 0;        // and after it. They may differ from the stated counts.
  // The text at the end of the `@@` line, such as `def f():`. In V4A, that of each `@@` line: the outer ones
  // first.
  std::vector<std::string_view> headings;
  bool headings_name_blocks = false;  // As in V4A: the hunk is in the block that the headings begin.
  std::string_view body;              // The lines below the `@@` line; iterate with next_line().
  // The blank lines at the end of the body, in bytes. They are context by the stated counts, but may as well
  // only separate the hunk from what follows.
  std::size_t separator_bytes = 0;
  bool is_at_end_of_file = false;  // Its lines are the last ones of the file (`*** End of File` in V4A).
  std::int64_t patch_line = 0;     // The number of the `@@` line in the patch, from 1.
};

struct HunkLine {
  char kind = ' ';          // ' ' on both sides, '-' before only, '+' after only
  std::string_view text;    // without its newline
  bool has_newline = true;  // false: `\ No newline at end of file`
};

// Takes the next line off the front of a hunk's body. A blank line is context that lost its space.
bool next_line(std::string_view& body, HunkLine& line);

// The forward part of a `GIT binary patch`. The reverse part is validated and discarded.
struct BinaryHunk {
  enum class Form : std::uint8_t { literal, delta };
  Form form = Form::literal;
  std::int64_t inflated_bytes = 0;  // The size of the inflated data.
  std::string_view lines;           // Base85; each line begins with its length letter.
  std::int64_t patch_line = 0;
};

struct FilePatch {
  enum class Kind : std::uint8_t { modify, create, remove, rename, copy };
  Kind kind = Kind::modify;
  std::string old_path;  // Empty for a creation.
  std::string new_path;  // Empty for a deletion.
  std::optional<FileMode> old_mode;
  std::optional<FileMode> new_mode;  // nullopt if unchanged.
  bool may_create = false;  // The file may be missing: a plain header with one hunk that inserts at line 1.
  bool removes_any_content = false;  // A deletion that shows no lines of the file.
  bool has_faults = false;           // The patch has more hunks for this file, which are rejected.
  std::string old_oid;  // From the `index` line: hexadecimal, often abbreviated; empty without one.
  std::string new_oid;
  std::vector<Hunk> hunks;
  std::optional<BinaryHunk> binary;
  std::int64_t patch_line = 0;  // The line number of its first header line.
  std::vector<std::int64_t>
      merged_lines;  // Those of later parts for the same file, which are merged into it.

  // Returns the path that identifies this part to the client.
  const std::string& path() const { return new_path.empty() ? old_path : new_path; }
};

// Returns true for a part that only changes lines of a file. Several such parts for one file are merged.
bool only_changes_lines(const FilePatch& file);

enum class RejectReason : std::uint8_t {
  malformed,         // The patch's text is invalid at `patch_line`.
  forbidden_path,    // A path that no tool may write, or one beyond a symlink.
  missing,           // The file to change does not exist.
  exists,            // The path of a new file is in use.
  wrong_kind,        // The path is a symlink, folder or other kind than the patch changes.
  context_mismatch,  // The file has other lines (or bytes).
  ambiguous,         // The hunk does not fit at its line, but at several others.
  eof_newline,       // The file's final newline is present or missing, contrary to the patch.
  binary,            // The binary data is missing or does not fit.
  unsupported,       // A submodule.
  too_large,         // More than the limits allow.
  encoding,          // The encoding of the file does not have a character of the new lines.
};

// A difference between the lines that a hunk expects and those of the file.
struct LineDifference {
  std::int64_t line = 0;                // In the current file, from 1; of a missing line, where it would be.
  std::optional<std::string> expected;  // nullopt: the hunk has no such line.
  std::optional<std::string> found;     // nullopt: the file has no such line.

  bool operator==(const LineDifference&) const = default;
};

// The lines of a file that are most like the old lines of a hunk that fits nowhere.
struct NearestLines {
  std::int64_t line = 0;                    // The first of them, from 1.
  std::vector<LineDifference> differences;  // The first ones, in order.
  std::int64_t differences_total = 0;
};

struct Reject {
  std::string path;                        // Empty if the patch ends before any file.
  std::optional<std::int64_t> hunk_index;  // From 0; nullopt for the whole file.
  RejectReason reason = RejectReason::malformed;
  std::string message;                          // One sentence.
  std::optional<std::int64_t> patch_line;       // From 1.
  std::optional<std::int64_t> line;             // In the current file, from 1.
  std::optional<std::string> expected;          // What the patch expects there; nullopt: the end of the file.
  std::optional<std::string> found;             // What the file has there; nullopt: the end of the file.
  std::optional<std::int64_t> applicable_line;  // The only line at which the hunk would apply.
  // The first lines at which the old lines of the hunk occur, at most reject_places_max, if they occur more
  // than once; and the number of all.
  std::vector<std::int64_t> places;
  std::int64_t places_total = 0;
  std::optional<NearestLines> nearest;  // For a hunk whose old lines occur nowhere.
  // The `@@` line with the right counts, and with the line at which the hunk would apply or is nearest;
  // nullopt if its numbers are not at fault.
  std::optional<std::string> corrected_header;
  // For a missing file: paths that may be meant. Empty if there are none, or they were not searched.
  std::vector<std::string> similar_paths;
};

inline constexpr std::size_t reject_places_max = 20;
// The maximum number of bytes of a line in a reject.
inline constexpr std::size_t reject_line_bytes_max = 500;
// Returns a line as a reject has it: its beginning, if it is longer.
std::string shown_line(std::string_view line);

// Sorts by path, then hunk; rejects of a whole file precede those of its hunks.
void sort_rejects(std::vector<Reject>& rejects);

struct Patch {
  std::vector<FilePatch> files;  // Parts with a valid header, in the patch's order.
  std::vector<Reject> rejects;   // One for each part with an invalid header, and for each invalid hunk.
  bool has_crlf_lines = false;   // Every line of the patch ends in CR LF, also its header lines.
};

}  // namespace snapgen::core
