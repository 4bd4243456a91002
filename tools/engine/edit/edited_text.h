#pragma once
// EditedText is the content of a file while edits change it. It does not copy the file for each edit: it is a
// table of pieces, each a part of the original content or of the added texts.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/patch/patch.h"
#include "tools/engine/patch/substring_index.h"
#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {

class EditedText {
 public:
  explicit EditedText(std::string original);
  // Makes one for a text whose file has other bytes, with the id `original_blob`.
  EditedText(std::string original, const BlobId& original_blob);

  const std::string& original() const { return original_; }
  const BlobId& original_blob();  // The id of the file's bytes.
  // Returns the offset at which a line of the original content begins, from 1 to one more than its number of
  // lines, or nullopt if it has fewer.
  std::optional<std::size_t> original_line_offset(std::int64_t line);
  std::int64_t original_line_count();
  std::size_t size() const { return size_; }
  // The current content.
  std::string bytes() const;
  std::string bytes_in(TextSpan span) const;
  bool has_edits() const { return has_edits_; }

  // Prepares places_of() for these texts, with one scan of the original content. The texts must outlive this.
  void prepare_search(const std::vector<std::string_view>& texts);

  // Returns the offsets at which `text` occurs in the current content, in order, also where occurrences
  // overlap, at most `places_max`. `text` must not be empty.
  std::vector<std::size_t> places_of(std::string_view text, std::size_t places_max) const;

  // Replaces each span of the current content by `text`. The spans are sorted and do not overlap.
  void replace(const std::vector<TextSpan>& spans, std::string_view text);
  // Replaces each span by the text with the same index.
  void replace(const std::vector<TextSpan>& spans, const std::vector<std::string>& texts);

  // Returns the location of a part of the original content in the current one, or nullopt if an edit has
  // changed the part. An empty part is behind what earlier edits inserted at the same offset.
  std::optional<TextSpan> current_span_of(TextSpan original_span) const;

  // Returns true if every line feed of the current content follows a carriage return, and there are some.
  bool has_only_crlf() const { return has_only_crlf_; }

  // Returns the line numbers of sorted offsets of the current content, from 1.
  std::vector<std::int64_t> lines_at(const std::vector<std::size_t>& offsets) const;

  // Returns the ranges of lines of the current content that differ from the original content; an empty range
  // where lines were only removed. In order.
  std::vector<LineRange> changed_lines() const;

 private:
  struct Piece {
    bool is_original = true;
    std::size_t begin = 0;  // In the original content, or in added_.
    std::size_t size = 0;
  };

  std::string_view text_of(const Piece& piece) const;
  void index_original_lines();
  std::vector<std::size_t> places_in_original(std::string_view text, std::size_t places_max) const;
  // Appends the pieces that cover `span` of the current content. `at` is the index of a piece at or before
  // the span, and `offset` is where it begins. Both advance.
  void append_pieces(TextSpan span, std::size_t& at, std::size_t& offset, std::vector<Piece>& out) const;
  void replace_each(const std::vector<TextSpan>& spans, const std::string_view* texts, std::size_t step);

  std::string original_;
  std::string added_;
  std::vector<Piece> pieces_;  // No piece is empty.
  std::size_t size_ = 0;
  bool has_edits_ = false;
  bool has_only_crlf_ = false;
  SubstringIndex index_;
  std::optional<BlobId> original_blob_;
  std::vector<std::size_t> original_lines_;  // The offsets of all lines; empty until they are needed.
};

}  // namespace snapgen::core
