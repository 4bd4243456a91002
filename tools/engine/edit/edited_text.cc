#include "tools/engine/edit/edited_text.h"

#include <algorithm>
#include <cassert>

#include "tools/engine/patch/sides.h"

namespace snapgen::core {
namespace {

// A part of the current content that replaces a part of the original one.
struct ChangedPart {
  TextSpan before;  // In the original content.
  TextSpan after;   // In the current content.
};

bool begins_with_line_end(std::string_view text) { return !text.empty() && text.front() == '\n'; }

// Removes what both sides have in common at their ends, and moves the part to the beginning of a line if it
// consists of whole lines. Returns false if nothing remains.
bool narrow(std::string_view original, std::string_view current, ChangedPart& part) {
  TextSpan& before = part.before;
  TextSpan& after = part.after;
  while (before.begin < before.end && after.begin < after.end &&
         original[before.begin] == current[after.begin]) {
    ++before.begin;
    ++after.begin;
  }
  while (before.begin < before.end && after.begin < after.end &&
         original[before.end - 1] == current[after.end - 1]) {
    --before.end;
    --after.end;
  }
  if (before.begin == before.end && after.begin == after.end) return false;
  // "\nb" before a line feed is the line "b\n" after it.
  const bool inserts = before.begin == before.end;
  if (!inserts && after.begin != after.end) return true;
  const std::string_view changed = inserts ? current.substr(after.begin, after.end - after.begin)
                                           : original.substr(before.begin, before.end - before.begin);
  const bool is_followed = after.end == current.size() || current[after.end] == '\n';
  if (begins_with_line_end(changed) && is_followed) {
    ++after.begin;
    after.end = std::min(after.end + 1, current.size());
    if (!inserts) after.begin = after.end;
    const std::size_t skipped = inserts && before.end == original.size() ? 0 : 1;
    before = {.begin = before.begin + skipped, .end = before.end + skipped};
  }
  return true;
}

}  // namespace

EditedText::EditedText(std::string original) : original_(std::move(original)), size_(original_.size()) {
  if (size_ > 0) pieces_.push_back({.is_original = true, .begin = 0, .size = size_});
  const LineEndKinds ends = line_ends_of(original_);
  has_only_crlf_ = ends.has_crlf && !ends.has_lf;
}

EditedText::EditedText(std::string original, const BlobId& original_blob) : EditedText(std::move(original)) {
  original_blob_ = original_blob;
}

std::string_view EditedText::text_of(const Piece& piece) const {
  return std::string_view(piece.is_original ? original_ : added_).substr(piece.begin, piece.size);
}

const BlobId& EditedText::original_blob() {
  if (!original_blob_) original_blob_ = blob_id_of(original_);
  return *original_blob_;
}

void EditedText::index_original_lines() {
  if (!original_lines_.empty() || original_.empty()) return;
  original_lines_.push_back(0);
  for (std::size_t feed = original_.find('\n'); feed != std::string::npos && feed + 1 < original_.size();
       feed = original_.find('\n', feed + 1))
    original_lines_.push_back(feed + 1);
}

std::int64_t EditedText::original_line_count() {
  index_original_lines();
  return static_cast<std::int64_t>(original_lines_.size());
}

std::optional<std::size_t> EditedText::original_line_offset(std::int64_t line) {
  const std::int64_t count = original_line_count();
  if (line < 1 || line > count + 1) return std::nullopt;
  return line == count + 1 ? original_.size() : original_lines_[static_cast<std::size_t>(line - 1)];
}

std::string EditedText::bytes() const { return bytes_in({.begin = 0, .end = size_}); }

std::string EditedText::bytes_in(TextSpan span) const {
  std::string bytes;
  bytes.reserve(span.end - span.begin);
  std::size_t offset = 0;
  for (const Piece& piece : pieces_) {
    if (offset >= span.end) break;
    const std::size_t begin = std::max(span.begin, offset);
    const std::size_t end = std::min(span.end, offset + piece.size);
    if (begin < end) bytes += text_of(piece).substr(begin - offset, end - begin);
    offset += piece.size;
  }
  return bytes;
}

void EditedText::prepare_search(const std::vector<std::string_view>& texts) {
  index_ = SubstringIndex(original_, texts);
}

std::vector<std::size_t> EditedText::places_in_original(std::string_view text, std::size_t places_max) const {
  if (const std::vector<std::size_t>* known = index_.places_of(text)) return *known;
  return places_in(original_, text, places_max);
}

std::vector<std::size_t> EditedText::places_of(std::string_view text, std::size_t places_max) const {
  assert(!text.empty());
  if (!has_edits_) {
    std::vector<std::size_t> places = places_in_original(text, places_max);
    places.resize(std::min(places.size(), places_max));
    return places;
  }
  // An occurrence is within a long piece of the original content, or it begins and ends within a window: the
  // text around and between such pieces.
  const std::vector<std::size_t> originals = places_in_original(text, SIZE_MAX);
  std::vector<std::size_t> places;
  std::string window;
  std::size_t window_begin = 0;
  auto search_window = [&] {
    if (window.size() < text.size()) return;
    for (const std::size_t at : places_in(window, text, places_max)) places.push_back(window_begin + at);
  };
  const std::size_t overlap = text.size() - 1;
  std::size_t offset = 0;
  for (const Piece& piece : pieces_) {
    const std::string_view bytes = text_of(piece);
    if (!piece.is_original || bytes.size() < text.size()) {
      window += bytes;
    } else {
      window += bytes.substr(0, overlap);
      search_window();
      auto at = std::ranges::lower_bound(originals, piece.begin);
      for (; at != originals.end() && *at + text.size() <= piece.begin + piece.size; ++at)
        places.push_back(offset + (*at - piece.begin));
      window = bytes.substr(bytes.size() - overlap);
      window_begin = offset + bytes.size() - overlap;
    }
    offset += piece.size;
    if (places.size() >= places_max) break;
  }
  if (places.size() < places_max) search_window();
  places.resize(std::min(places.size(), places_max));
  return places;
}

void EditedText::append_pieces(TextSpan span, std::size_t& at, std::size_t& offset,
                               std::vector<Piece>& out) const {
  while (at < pieces_.size() && offset < span.end) {
    const Piece& piece = pieces_[at];
    const std::size_t begin = std::max(span.begin, offset);
    const std::size_t end = std::min(span.end, offset + piece.size);
    if (begin < end)
      out.push_back(
          {.is_original = piece.is_original, .begin = piece.begin + (begin - offset), .size = end - begin});
    if (offset + piece.size > span.end) break;
    offset += piece.size;
    ++at;
  }
}

// `step` is 0 if all spans have the same text.
void EditedText::replace_each(const std::vector<TextSpan>& spans, const std::string_view* texts,
                              std::size_t step) {
  std::vector<Piece> pieces;
  pieces.reserve(pieces_.size() + 2 * spans.size());
  std::size_t at = 0;
  std::size_t offset = 0;
  std::size_t copied = 0;
  std::size_t size = size_;
  std::optional<Piece> shared;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    assert(spans[i].begin >= copied && spans[i].end >= spans[i].begin && spans[i].end <= size_);
    const std::string_view text = texts[i * step];
    append_pieces({.begin = copied, .end = spans[i].begin}, at, offset, pieces);
    copied = spans[i].end;
    size = size - (spans[i].end - spans[i].begin) + text.size();
    if (text.empty()) continue;
    if (step != 0 || !shared) {
      shared = Piece{.is_original = false, .begin = added_.size(), .size = text.size()};
      added_ += text;
    }
    pieces.push_back(*shared);
  }
  append_pieces({.begin = copied, .end = size_}, at, offset, pieces);
  pieces_ = std::move(pieces);
  size_ = size;
  has_edits_ = true;
}

void EditedText::replace(const std::vector<TextSpan>& spans, std::string_view text) {
  if (spans.empty()) return;
  if (has_only_crlf_ && line_ends_of(text).has_lf) has_only_crlf_ = false;
  replace_each(spans, &text, 0);
}

void EditedText::replace(const std::vector<TextSpan>& spans, const std::vector<std::string>& texts) {
  if (spans.empty()) return;
  if (has_only_crlf_ &&
      std::ranges::any_of(texts, [](const std::string& text) { return line_ends_of(text).has_lf; }))
    has_only_crlf_ = false;
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  replace_each(spans, views.data(), 1);
}

std::optional<TextSpan> EditedText::current_span_of(TextSpan original_span) const {
  if (original_span.begin == original_.size()) return TextSpan{.begin = size_, .end = size_};
  std::size_t offset = 0;
  std::size_t last_end = 0;     // The end of the last original piece in the original content,
  std::size_t last_offset = 0;  // and in the current one.
  std::optional<std::size_t> begin;
  for (const Piece& piece : pieces_) {
    if (!piece.is_original) {
      // Text that was inserted within the part.
      if (begin && last_end < original_span.end) return std::nullopt;
    } else {
      const std::size_t end = piece.begin + piece.size;
      if (begin && last_end < original_span.end && piece.begin != last_end) return std::nullopt;
      const bool holds_begin = piece.begin <= original_span.begin && original_span.begin < end;
      if (!begin && holds_begin) begin = offset + (original_span.begin - piece.begin);
      if (!begin && piece.begin > original_span.begin) {
        // The text behind the beginning was replaced. An empty part is before the replacement.
        const bool is_border = original_span.begin == original_span.end && original_span.begin == last_end;
        if (!is_border) return std::nullopt;
        return TextSpan{.begin = last_offset, .end = last_offset};
      }
      last_end = end;
      last_offset = offset + piece.size;
    }
    offset += piece.size;
  }
  if (!begin || last_end < original_span.end) return std::nullopt;
  return TextSpan{.begin = *begin, .end = *begin + (original_span.end - original_span.begin)};
}

std::vector<std::int64_t> EditedText::lines_at(const std::vector<std::size_t>& offsets) const {
  std::vector<std::int64_t> lines;
  std::int64_t line = 1;
  std::size_t offset = 0;
  std::size_t next = 0;
  for (const Piece& piece : pieces_) {
    const std::string_view bytes = text_of(piece);
    std::size_t counted = 0;
    for (; next < offsets.size() && offsets[next] < offset + piece.size; ++next) {
      const std::string_view part = bytes.substr(counted, offsets[next] - offset - counted);
      line += std::ranges::count(part, '\n');
      counted += part.size();
      lines.push_back(line);
    }
    if (next == offsets.size()) return lines;
    line += std::ranges::count(bytes.substr(counted), '\n');
    offset += piece.size;
  }
  lines.resize(offsets.size(), line);
  return lines;
}

std::vector<LineRange> EditedText::changed_lines() const {
  if (!has_edits_) return {};
  const std::string current = bytes();
  std::vector<LineRange> ranges;
  std::int64_t line = 1;  // The line of `counted`.
  std::size_t counted = 0;
  auto advance_to = [&](std::size_t offset) {
    if (offset > counted)
      line += std::ranges::count(std::string_view(current).substr(counted, offset - counted), '\n');
    counted = std::max(counted, offset);
    return line;
  };
  auto add = [&](ChangedPart part) {
    if (!narrow(original_, current, part)) return;
    const std::int64_t first = advance_to(part.after.begin);
    const bool begins_line = part.after.begin == 0 || current[part.after.begin - 1] == '\n';
    // Otherwise the rest of a line follows, which is changed even if the new text ends with a newline.
    const bool ends_line =
        part.before.end == 0 || part.before.end >= original_.size() || original_[part.before.end - 1] == '\n';
    const bool removes_lines = part.after.begin == part.after.end && begins_line && ends_line;
    const std::int64_t last =
        part.after.begin == part.after.end ? first : advance_to(part.after.end - (ends_line ? 1 : 0));
    const LineRange range = removes_lines ? LineRange{.first = first - 1, .count = 0}
                                          : LineRange{.first = first, .count = last - first + 1};
    if (!ranges.empty() && range.count > 0) {
      LineRange& before = ranges.back();
      if (before.count > 0 && before.first + before.count >= range.first) {
        before.count = std::max(before.first + before.count, range.first + range.count) - before.first;
        return;
      }
    }
    ranges.push_back(range);
  };
  // The parts between the pieces of the original content.
  ChangedPart part;
  std::size_t offset = 0;
  for (const Piece& piece : pieces_) {
    if (piece.is_original) {
      part.before.end = piece.begin;
      part.after.end = offset;
      if (part.before.begin != part.before.end || part.after.begin != part.after.end) add(part);
      part.before.begin = piece.begin + piece.size;
      part.after.begin = offset + piece.size;
    }
    offset += piece.size;
  }
  part.before.end = original_.size();
  part.after.end = size_;
  if (part.before.begin != part.before.end || part.after.begin != part.after.end) add(part);
  return ranges;
}

}  // namespace snapgen::core
