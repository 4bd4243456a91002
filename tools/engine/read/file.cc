#include "tools/engine/read/file.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/text.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/nearest_path.h"

namespace snapgen::core {
namespace {

// Receives a content in pieces and collects the requested lines, up to a limit.
class LineCutter {
 public:
  explicit LineCutter(const FileQuery& query)
      : first_(query.start_line.value_or(1)),
        last_(query.end_line.value_or(INT64_MAX)),
        // A few bytes more than the limit show where the last character ends.
        kept_max_(query.bytes_max + 4) {}

  void take(std::string_view piece) {
    if (seen_ < static_cast<std::int64_t>(binary_probe_bytes)) {
      std::size_t probed = std::min(piece.size(), binary_probe_bytes - static_cast<std::size_t>(seen_));
      binary_ = binary_ || std::memchr(piece.data(), 0, probed) != nullptr;
    }
    seen_ += static_cast<std::int64_t>(piece.size());
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
  std::int64_t bytes() const { return seen_; }
  std::int64_t lines() const { return open_line_ ? line_ : line_ - 1; }
  std::int64_t wanted_bytes() const { return wanted_; }
  std::string text() && { return std::move(text_); }

 private:
  void keep(std::string_view bytes) {
    wanted_ += static_cast<std::int64_t>(bytes.size());
    text_ += bytes.substr(0, kept_max_ - text_.size());
  }

  std::int64_t first_;
  std::int64_t last_;
  std::size_t kept_max_;
  std::int64_t seen_ = 0;
  std::int64_t line_ = 1;  // The line of the next byte.
  bool open_line_ = false;
  bool binary_ = false;
  std::int64_t wanted_ = 0;
  std::string text_;
};

}  // namespace

Result<FileAnswer> read_file(FileView& view, const FileQuery& query) {
  if (query.start_line && query.end_line && *query.end_line < *query.start_line) {
    return Error(ErrorCode::invalid_argument,
                 "end_line is before start_line. Pass the last line of the range as end_line.");
  }
  Result<std::unique_ptr<FileContent>> content = view.open(query.path);
  if (!content) return with_suggested_path(view, query.path, std::move(content).error());
  LineCutter cutter(query);
  while (true) {
    TRY(view.check_stop());
    std::string_view piece = TRY((*content)->next());
    if (piece.empty()) break;
    cutter.take(piece);
  }
  BlobId blob = TRY((*content)->finish());
  if (cutter.binary() && (query.start_line || query.end_line)) {
    return Error(ErrorCode::invalid_argument,
                 path_in_sentence(query.path) + " is binary; read it without start_line and end_line.");
  }
  FileAnswer answer{.content = {}, .size = cutter.bytes(), .blob = blob, .total_lines = {}};
  if (!cutter.binary()) answer.total_lines = cutter.lines();
  std::int64_t wanted = cutter.wanted_bytes();
  answer.content = std::move(cutter).text();
  answer.content.resize(utf8_head(answer.content, query.bytes_max).size());
  answer.truncated = static_cast<std::int64_t>(answer.content.size()) < wanted;
  return answer;
}

Result<FilesAnswer> read_files(FileView& view, const FilesQuery& query) {
  FilesAnswer answer;
  std::size_t bytes_left = query.bytes_max;
  for (const std::string& path : query.paths) {
    Result<FileAnswer> file =
        read_file(view, {.path = path, .start_line = {}, .end_line = {}, .bytes_max = bytes_left});
    if (!file && file.error().code != ErrorCode::not_found &&
        file.error().code != ErrorCode::permission_denied && file.error().code != ErrorCode::invalid_argument)
      return std::move(file).error();
    if (file) bytes_left -= file->content.size();
    answer.push_back(std::move(file));
  }
  return answer;
}

}  // namespace snapgen::core
