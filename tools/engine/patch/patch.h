#pragma once
// A unified diff, taken apart: what parse() makes and plan() applies.
//
// Names are bytes, relative to the root, checked by component. Texts are views into the patch, which must
// outlive them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/manifest.h"

namespace snapgen::core {

// The three kinds of file that git records in a tree, apart from submodules.
std::string_view text(FileMode mode);  // As git writes it: "100644", "100755", "120000".

// Lines `first` to `first + count - 1`; where `count` is 0, the place after line `first`.
struct LineRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

struct Hunk {
  LineRange before;
  LineRange after;
  std::string_view body;        // The lines below the `@@` line; walk them with next_line().
  std::int64_t patch_line = 0;  // Of the `@@` line in the patch, from 1.
};

struct HunkLine {
  char kind = ' ';        // ' ' on both sides, '-' before alone, '+' after alone
  std::string_view text;  // without its newline
  bool newline = true;    // false: `\ No newline at end of file`
};

// Takes the next line off the front of a hunk's body.
bool next_line(std::string_view& body, HunkLine& line);

// What a `GIT binary patch` makes of the file; its way back is checked for form and not kept.
struct BinaryHunk {
  enum class Form : std::uint8_t { literal, delta };
  Form form = Form::literal;
  std::int64_t size = 0;   // Of the inflated data.
  std::string_view lines;  // Base85, each line with its length letter.
  std::int64_t patch_line = 0;
};

struct FilePatch {
  enum class Kind : std::uint8_t { modify, create, remove, rename, copy };
  Kind kind = Kind::modify;
  std::string old_path;  // Empty when created.
  std::string new_path;  // Empty when removed.
  std::optional<FileMode> old_mode;
  std::optional<FileMode> new_mode;  // Absent: as it was.
  bool may_create = false;  // A plain header whose one hunk begins at nothing: the file may be missing.
  std::string old_oid;      // Of the `index` line: hexadecimal, often abbreviated; empty without one.
  std::string new_oid;
  std::vector<Hunk> hunks;
  std::optional<BinaryHunk> binary;
  std::int64_t patch_line = 0;  // Of its first header line.

  // What names this part of the patch to the client.
  const std::string& path() const { return new_path.empty() ? old_path : new_path; }
};

enum class RejectReason : std::uint8_t {
  malformed,         // the patch's text is wrong, at `patch_line`
  path,              // a name that no tool may write, or one beyond a symlink
  missing,           // the file to be changed is not there
  exists,            // something stands where a file is to be created
  wrong_kind,        // a symlink, folder or other thing stands there, not what the patch changes
  context_mismatch,  // other lines (or bytes) stand there
  eof_newline,       // the newline at the end of the file is there, or is not, against what the patch says
  binary,            // no binary data to apply, or data that does not fit
  unsupported,       // a submodule
  too_large,         // more than the limits allow
};

std::string_view text(RejectReason reason);

struct Reject {
  std::string path;                  // Empty: the patch broke off before any file.
  std::optional<std::int64_t> hunk;  // From 0; absent: the file as a whole.
  RejectReason reason = RejectReason::malformed;
  std::string message;                     // One sentence.
  std::optional<std::int64_t> patch_line;  // From 1.
  std::optional<std::int64_t> line;        // Of the file as it stands, from 1.
  std::optional<std::string> expected;     // That line in the patch; absent: the end of the file.
  std::optional<std::string> found;        // That line in the file; absent: the end of the file.
  std::optional<std::int64_t> found_at;    // The one line at which the hunk would apply.
};

// By path, then hunk; what concerns a whole file comes before its hunks.
void sort_rejects(std::vector<Reject>& rejects);

struct Patch {
  std::vector<FilePatch> files;  // In the patch's order; only those that are well formed.
  std::vector<Reject> rejects;   // Everything that is not.
};

}  // namespace snapgen::core
