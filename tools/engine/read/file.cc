#include "tools/engine/read/file.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/text.h"
#include "runtime/json/utf8_check.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/nearest_path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/text/text_encodings.h"

namespace snapgen::core {
namespace {

// Receives a content in pieces and collects the requested lines, up to a limit.
class LineCutter {
 public:
  // `checks_utf8`: find out whether the content is UTF-8.
  LineCutter(const FileQuery& query, bool checks_utf8)
      : is_utf8_(checks_utf8),
        first_(query.start_line.value_or(1)),
        last_(query.end_line.value_or(INT64_MAX)),
        // A few bytes more than the limit show where the last character ends.
        kept_max_(query.bytes_max + 4) {}

  void take(std::string_view piece) {
    if (seen_ == 0) has_utf16_bom_ = core::has_utf16_bom(piece);
    if (seen_ < static_cast<std::int64_t>(binary_probe_bytes)) {
      std::size_t probed = std::min(piece.size(), binary_probe_bytes - static_cast<std::size_t>(seen_));
      binary_ = binary_ || std::memchr(piece.data(), 0, probed) != nullptr;
    }
    seen_ += static_cast<std::int64_t>(piece.size());
    is_utf8_ = is_utf8_ && !binary_ && utf8_.append(piece);
    while (!piece.empty()) {
      const void* found = std::memchr(piece.data(), '\n', piece.size());
      std::size_t length = found == nullptr
                               ? piece.size()
                               : static_cast<std::size_t>(static_cast<const char*>(found) - piece.data()) + 1;
      if (line_ >= first_ && line_ <= last_) keep(piece.substr(0, length));
      open_line_ = found == nullptr;
      if (found != nullptr) ++line_;
      piece.remove_prefix(length);
    }
  }

  bool binary() const { return binary_; }
  bool has_utf16_bom() const { return has_utf16_bom_; }
  // Whether the whole content is UTF-8, and not binary.
  bool is_utf8() const { return is_utf8_ && utf8_.is_complete(); }
  std::int64_t bytes() const { return seen_; }
  std::int64_t lines() const { return open_line_ ? line_ : line_ - 1; }
  std::int64_t wanted_bytes() const { return wanted_; }
  std::string text() && { return std::move(text_); }

 private:
  void keep(std::string_view bytes) {
    wanted_ += static_cast<std::int64_t>(bytes.size());
    text_ += bytes.substr(0, kept_max_ - text_.size());
  }

  bool is_utf8_;  // So far; false if it is not checked.
  json::Utf8Check utf8_;
  std::int64_t first_;
  std::int64_t last_;
  std::size_t kept_max_;
  std::int64_t seen_ = 0;
  std::int64_t line_ = 1;  // The line of the next byte.
  bool open_line_ = false;
  bool binary_ = false;
  bool has_utf16_bom_ = false;
  std::int64_t wanted_ = 0;
  std::string text_;
};

struct WholeFile {
  LineCutter cutter;
  std::string bytes;  // Only if they were requested.
  BlobId blob;
};

// Reads a file to its end, and stores its bytes if `bytes_max` is not exceeded.
Result<WholeFile> read_to_end(FileView& view, const FileQuery& query, std::int64_t bytes_max) {
  const bool checks_utf8 = query.converts_text && bytes_max == 0;
  Result<std::unique_ptr<FileContent>> content = view.open(query.path);
  if (!content) return with_suggested_path(view, query.path, std::move(content).error());
  WholeFile file{.cutter = LineCutter(query, checks_utf8), .bytes = {}, .blob = {}};
  while (true) {
    TRY(view.check_stop());
    std::string_view piece = TRY((*content)->next());
    if (piece.empty()) break;
    file.cutter.take(piece);
    if (file.cutter.bytes() <= bytes_max) file.bytes += piece;
  }
  file.blob = TRY((*content)->finish());
  return file;
}

// Returns the answer, without its blob.
FileAnswer answer_of(LineCutter cutter, const FileQuery& query) {
  FileAnswer answer{.content = {}, .size = cutter.bytes(), .blob = {}, .total_lines = {}};
  if (!cutter.binary()) answer.total_lines = cutter.lines();
  answer.is_utf8 = cutter.is_utf8();
  const std::int64_t wanted = cutter.wanted_bytes();
  answer.content = std::move(cutter).text();
  answer.content.resize(utf8_head(answer.content, query.bytes_max).size());
  answer.truncated = static_cast<std::int64_t>(answer.content.size()) < wanted;
  return answer;
}

// Reads the file again, as text in another encoding than UTF-8. Returns nullopt if it is binary, or too large
// to be converted.
Result<std::optional<FileAnswer>> read_converted(FileView& view, const FileQuery& query,
                                                 TextEncodings& encodings, const FileAnswer& read) {
  if (read.size > search_bytes_max) return std::optional<FileAnswer>();
  const WholeFile file = TRY(read_to_end(view, query, search_bytes_max));
  if (file.blob != read.blob) return changed_while_read_error(query.path);
  const std::optional<DecodedText> decoded = encodings.decode(query.path, file.bytes);
  if (!decoded) return std::optional<FileAnswer>();
  LineCutter cutter(query, false);
  cutter.take(decoded->text);
  FileAnswer answer = answer_of(std::move(cutter), query);
  // A text that looks like base64 is returned as bytes, which are encoded in base64.
  if (answer.content.starts_with(base64_prefix)) return std::optional<FileAnswer>();
  answer.size = read.size;
  answer.blob = read.blob;
  answer.encoding = decoded->encoding.encoding;
  answer.is_utf8 = true;
  return std::optional(std::move(answer));
}

}  // namespace

Result<FileAnswer> read_file(FileView& view, const FileQuery& query) {
  if (query.start_line && query.end_line && *query.end_line < *query.start_line) {
    return Error(ErrorCode::invalid_argument,
                 "end_line is before start_line. Pass the last line of the range as end_line.");
  }
  WholeFile file = TRY(read_to_end(view, query, 0));
  const bool has_bom = file.cutter.has_utf16_bom();
  FileAnswer answer = answer_of(std::move(file.cutter), query);
  answer.blob = file.blob;
  const bool is_binary = !answer.total_lines;
  if (query.converts_text && !answer.is_utf8) {
    TextEncodings encodings(view.declarations());
    const bool may_be_text = has_bom || !is_binary || encodings.may_be_utf16(query.path, {});
    std::optional<FileAnswer> converted;
    if (may_be_text) {
      converted = TRY(read_converted(view, query, encodings, answer));
    }
    if (converted) return *std::move(converted);
  }
  if (is_binary && (query.start_line || query.end_line)) {
    return Error(ErrorCode::invalid_argument,
                 path_in_sentence(query.path) + " is binary; read it without start_line and end_line.");
  }
  return answer;
}

Result<FilesAnswer> read_files(FileView& view, const FilesQuery& query) {
  FilesAnswer answer;
  std::size_t bytes_left = query.bytes_max;
  for (const std::string& path : query.paths) {
    Result<FileAnswer> file = read_file(view, {.path = path,
                                               .start_line = {},
                                               .end_line = {},
                                               .bytes_max = bytes_left,
                                               .converts_text = query.converts_text});
    if (!file && file.error().code != ErrorCode::not_found &&
        file.error().code != ErrorCode::permission_denied && file.error().code != ErrorCode::invalid_argument)
      return std::move(file).error();
    if (file) bytes_left -= file->content.size();
    answer.push_back(std::move(file));
  }
  return answer;
}

}  // namespace snapgen::core
