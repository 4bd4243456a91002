#pragma once
// history_diff() compares the states before and after a turn or a moment.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/history/history_query.h"

namespace snapgen::core {

class TextEncodings;

struct HistoryDiffQuery {
  std::string target;              // A turn or a moment, as find_history_target().
  std::vector<std::string> paths;  // Files or folders; empty: everything.
  std::uint32_t context = 3;       // Number of lines around each change.
  std::size_t text_bytes_max = 1 << 20;
  std::size_t files_max = 1000;
};

enum class DiffOmission : std::uint8_t {
  binary,
  not_recorded,  // The history left the file out.
  too_large,     // The file is too large to compare.
  too_long,      // The diff exceeds what remains of text_bytes_max.
  unreadable,    // The store has no sound copy of the content.
};

struct HistoryFileDiff {
  std::string path;
  ChangeKind kind = ChangeKind::modified;
  std::vector<std::string> authors;  // As MomentAuthors::of(), each once, in the order of their changes.
  std::string text;                  // As DiffSection::text; empty if it is omitted.
  std::optional<DiffOmission> omission;
  std::int64_t added_lines = 0;
  std::int64_t removed_lines = 0;
};

struct HistoryDiff {
  std::vector<HistoryFileDiff> files;  // Sorted by path; at most files_max.
  std::int64_t file_count = 0;         // The number of all changed files.
};

// Texts in other encodings are converted to UTF-8 by `encodings`. Errors: as find_history_target() and
// changes_of(); invalid_argument (a time, which is no change); unavailable (libgit2 cannot be started).
Result<HistoryDiff> history_diff(const Timeline& timeline, BlobStore& blobs, TextEncodings& encodings,
                                 const HistoryDiffQuery& query, std::int64_t now_ms,
                                 const std::stop_token& stop);

}  // namespace snapgen::core
