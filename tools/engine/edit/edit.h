#pragma once
// The edits of one call, and what is wrong with them. Each edit sees the ones before.
//
// Paths are as the client names them, relative to the root; contents are bytes.
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tools/engine/patch/patch.h"
#include "tools/engine/patch/shown_lines.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/text/text_encoding.h"

namespace snapgen::core {

// Replaces a text of a file.
struct TextEdit {
  std::string path;
  std::string old_text;
  std::string new_text;
  bool all = false;                    // Replace every occurrence. Otherwise there must be exactly one.
  bool tolerates_white_space = false;  // Accept other white space at the ends of lines (white_space.h).
};

// Replaces whole lines. They are those of the content that `blob_prefix` names, so that earlier edits of the
// call do not change their numbers.
struct LinesEdit {
  std::string path;
  std::int64_t first_line = 0;  // From 1.
  std::int64_t last_line = 0;   // `first_line - 1` inserts before the first line.
  std::string blob_prefix;      // Hexadecimal digits.
  std::string new_text;
};

// Replaces every match of a pattern in many files.
struct PatternEdit {
  std::string pattern;   // RE2 syntax, or the text itself if fixed.
  std::string new_text;  // With references to groups, such as $1, unless fixed (pattern.h).
  bool fixed = false;
  bool word = false;                // A match must not be a part of a longer word.
  std::vector<std::string> globs;   // See read/globs.h.
  std::vector<std::string> paths;   // Files or folders; empty: everything.
  // The number of matches, or of lines with matches. Without it the edit is a fault that tells the number.
  std::optional<std::int64_t> expected_count;
};

struct CreateEdit {
  std::string path;
  std::string content;
  bool executable = false;
  bool is_text = true;  // False: `content` is written as it is, also if another encoding is declared.
};

struct DeleteEdit {
  std::string path;
};

struct MoveEdit {
  std::string path;
  std::string target;
};

enum class EditFaultReason : std::uint8_t {
  malformed,         // The members of the edit do not fit together.
  forbidden_path,    // A path that no tool may write, or that leads out of the workspace.
  missing,           // The file does not exist.
  exists,            // The path of a new file is in use.
  wrong_kind,        // A symlink, folder or other kind than the edit changes.
  context_mismatch,  // The old text is not in the file, or the lines are not.
  already_applied,   // The new text is in the file, and the old one is not.
  ambiguous,         // The old text occurs several times.
  changed,           // The file has another content than the edit names.
  count,             // A pattern has another number of matches.
  overlap,           // An earlier edit of the call has changed these lines.
  too_large,         // More than the limits allow.
  encoding,          // The encoding of the file does not have a character of the new text.
};

// An edit that could not be read, because a member is wrong or the members do not fit together.
struct InvalidEdit {
  std::string path;  // Empty if the path is what is wrong.
  EditFaultReason reason = EditFaultReason::malformed;
  std::string message;
};

using Edit = std::variant<TextEdit, LinesEdit, PatternEdit, CreateEdit, DeleteEdit, MoveEdit, InvalidEdit>;

// A match of a pattern.
struct MatchPlace {
  std::string path;
  std::int64_t line = 0;

  bool operator==(const MatchPlace&) const = default;
};

struct EditFault {
  std::int64_t edit = 0;  // The index of the edit, from 0.
  std::string path;       // Empty for a pattern.
  EditFaultReason reason = EditFaultReason::malformed;
  std::string message;  // One or two sentences: what is wrong, and what to send.
  // The first lines at which the old text occurs, or at which a similar text is; and the number of all.
  std::vector<std::int64_t> lines;
  std::int64_t lines_total = 0;
  std::optional<NearestLines> nearest;  // How the lines that are most like the old text differ from it.
  std::vector<MatchPlace> matches;      // The first matches of a pattern,
  std::int64_t matches_total = 0;       // and the number of all.
  std::string diff;                     // From the content that the edit names to the present one.
};

// How an edit was adapted to the file.
struct EditNote {
  std::optional<std::int64_t> edit;  // The index of the edit; nullopt: the note is about a file.
  std::string message;               // One sentence.
};

// The change of one file.
struct EditedFile {
  enum class Status : std::uint8_t { added, deleted, modified, renamed };
  std::string path;
  std::string from;  // For a renamed file, the old path.
  Status status = Status::modified;
  std::optional<BlobId> blob;            // The new content; nullopt for a deleted file.
  std::vector<LineRange> changed_lines;  // In the file after the call; empty ranges where lines were removed.
  ShownParts shown;                      // The lines around the changes, if they were requested.
  TextEncoding encoding = TextEncoding::utf8;  // That of the new content; also UTF-8 if it is binary.
};

}  // namespace snapgen::core
