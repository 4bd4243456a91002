#pragma once
// Reads one file of a view: all of it, or a range of lines.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/text/text_encoding.h"

namespace snapgen::core {

struct FileQuery {
  std::string path;
  std::optional<std::int64_t> start_line;  // 1-based
  std::optional<std::int64_t> end_line;    // inclusive
  std::size_t bytes_max = 256 << 10;       // limit for the content
  bool converts_text = false;              // Convert text in other encodings to UTF-8.
};

struct FileAnswer {
  std::string content;                         // Raw bytes, or UTF-8; cut on a character boundary.
  std::int64_t size = 0;                       // bytes, of the whole file
  BlobId blob;                                 // The id of the whole file's content.
  std::optional<std::int64_t> total_lines;     // Only for text: no NUL in the first 8,000 bytes.
  bool truncated = false;                      // The requested part is longer than the content.
  TextEncoding encoding = TextEncoding::utf8;  // If it is another one, the content was converted from it.
  bool is_utf8 = false;                        // The content is known to be valid UTF-8.
};

struct FilesQuery {
  std::vector<std::string> paths;
  std::size_t bytes_max = 256 << 10;  // Limit for all contents together.
  bool converts_text = false;         // As FileQuery::converts_text.
};

// One result for each path, in the same order.
using FilesAnswer = std::vector<Result<FileAnswer>>;

// Reads the file, or the requested lines of it. Errors: invalid_argument (lines of a binary file, end before
// start), and those of FileView::open().
Result<FileAnswer> read_file(FileView& view, const FileQuery& query);

// Reads several files. A file that is missing, or that may not be read, is an error in the answer. Errors:
// the other ones of read_file().
Result<FilesAnswer> read_files(FileView& view, const FilesQuery& query);

}  // namespace snapgen::core
