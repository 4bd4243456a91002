#include "tools/engine/edit/text_edits.h"

#include <algorithm>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/edit/white_space.h"
#include "tools/engine/git/status/text_diff.h"
#include "tools/engine/patch/file_lines.h"
#include "tools/engine/patch/nearest.h"
#include "tools/engine/patch/sides.h"
#include "tools/engine/patch/similar_text.h"

namespace snapgen::core {
namespace {

constexpr std::size_t shown_places_max = 20;
// An old text that occurs more often is not counted to its end.
constexpr std::size_t counted_places_max = 100'000;
constexpr std::size_t diff_lines_max = 40;
constexpr std::size_t diff_bytes_max = 4 << 10;
constexpr std::string_view crlf_note = "all lines of the file end in CR LF, so LF was sent as CR LF";

EditFault fault_of(EditFaultReason reason, std::string message) {
  return EditFault{.edit = 0, .path = {}, .reason = reason, .message = std::move(message)};
}

std::vector<TextSpan> spans_at(const std::vector<std::size_t>& places, std::size_t size) {
  std::vector<TextSpan> spans;
  for (const std::size_t offset : places)
    if (spans.empty() || offset >= spans.back().end) spans.push_back({.begin = offset, .end = offset + size});
  return spans;
}

// Returns the lines of the first places, as many as an answer shows.
std::vector<std::int64_t> shown_lines_at(const EditedText& text, std::vector<std::size_t> places) {
  places.resize(std::min(places.size(), shown_places_max));
  return text.lines_at(places);
}

EditFault ambiguous_fault(const EditedText& text, std::vector<std::size_t> places,
                          std::string_view old_text) {
  EditFault fault;
  fault.reason = EditFaultReason::ambiguous;
  fault.lines_total = static_cast<std::int64_t>(places.size());
  const bool is_counted = places.size() < counted_places_max;
  fault.lines = shown_lines_at(text, std::move(places));
  fault.message =
      "old occurs " + std::string(is_counted ? "" : "more than ") + std::to_string(fault.lines_total) +
      " times. Send more of the lines around it" +
      (old_text.find('\n') == std::string_view::npos ? ", or all: true to replace each." : ", or all: true.");
  return fault;
}

EditFault missing_text_fault(const TextEdit& edit, const EditedText& text, std::string_view old_text,
                             std::string_view new_text, const EditReport& report) {
  // A new text that is a part of the old one may be a part of what old was to be.
  if (is_distinctive(new_text) && old_text.find(new_text) == std::string_view::npos) {
    const std::vector<std::size_t> places = text.places_of(new_text, 1);
    if (!places.empty()) {
      EditFault fault = fault_of(EditFaultReason::already_applied,
                                 "new is already in the file and old is not. Leave the edit out.");
      fault.lines = text.lines_at(places);
      return fault;
    }
  }
  EditFault fault = fault_of(EditFaultReason::context_mismatch, "old is not in the file");
  std::optional<SimilarText> similar;
  if (report.wants_details) {
    const std::string bytes = text.bytes();
    const FileLines lines(bytes);
    similar = SimilarTextSearch(lines).find(old_text);
  }
  if (!similar) {
    fault.message += ". Read the file again, and copy old from it.";
    return fault;
  }
  const bool is_tolerable = similar->what_differs == "indentation" && !edit.tolerates_white_space;
  fault.message += ", but line " + std::to_string(similar->nearest.line) +
                   (similar->what_differs.empty() ? std::string(" is similar")
                                                  : " differs only in " + similar->what_differs) +
                   ". Send old as the file has it" + (is_tolerable ? ", or tolerance: whitespace." : ".");
  if (edit.tolerates_white_space && !similar->what_differs.empty())
    fault.message += " tolerance compares whole lines, with at least four letters and with the same words.";
  fault.lines.push_back(similar->nearest.line);
  for (const std::int64_t line : similar->other_lines) fault.lines.push_back(line);
  fault.lines_total = static_cast<std::int64_t>(fault.lines.size());
  fault.nearest = std::move(similar->nearest);
  if (text.has_only_crlf()) remove_carriage_returns(*fault.nearest);
  return fault;
}

std::string lines_in_words(std::int64_t first, std::int64_t last) {
  return first == last ? "line " + std::to_string(first)
                       : "lines " + std::to_string(first) + "-" + std::to_string(last);
}

// Applies an edit whose old text occurs with other white space at the ends of its lines.
std::optional<EditFault> apply_without_white_space(EditedText& text, std::string_view old_text,
                                                   std::string_view new_text, EditReport& report,
                                                   bool& is_applied) {
  const std::string bytes = text.bytes();
  const FileLines file(bytes);
  const FileLines wanted(old_text);
  if (!is_distinctive(old_text)) return std::nullopt;
  const std::vector<std::int64_t> places = places_without_white_space(file, wanted);
  if (places.empty()) return std::nullopt;
  if (places.size() > 1) {
    EditFault fault = fault_of(EditFaultReason::ambiguous,
                               "old occurs " + std::to_string(places.size()) +
                                   " times with other white space. Send old as the file has it.");
    fault.lines_total = static_cast<std::int64_t>(places.size());
    fault.lines.assign(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(
                                                            std::min(places.size(), shown_places_max)));
    return fault;
  }
  const std::int64_t line = places.front();
  std::optional<std::string> indented = reindented(file, line, wanted, new_text);
  if (!indented) {
    EditFault fault = fault_of(EditFaultReason::context_mismatch,
                               "line " + std::to_string(line) +
                                   " differs from old only in white space, but the indentation of new "
                                   "cannot be derived from it. Send old and new as the file has them.");
    fault.lines.push_back(line);
    fault.nearest = differences_at(file, old_text, line);
    return fault;
  }
  text.replace({span_of_lines(file, line, wanted)}, *indented);
  report.note = lines_in_words(line, line + wanted.count() - 1) +
                " matched with other white space, and new was indented as the file is";
  is_applied = true;
  return std::nullopt;
}

// Says which lines an edit by line numbers replaced, so that its author sees a number that is off by one.
std::string replaced_lines_note(const LinesEdit& edit, std::string_view replaced) {
  constexpr std::size_t bytes_max = 60;
  auto quoted = [](std::string_view line) {
    line = trimmed(line);
    if (!json::valid_utf8(line)) return std::string("bytes that are not UTF-8");
    const std::string_view head = utf8_head(line, bytes_max);
    return "`" + std::string(head) + (head.size() < line.size() ? "…`" : "`");
  };
  std::string_view rest = replaced, line, first;
  if (next_line(rest, first)) line = first;
  while (next_line(rest, line)) continue;
  return "replaced " + lines_in_words(edit.first_line, edit.last_line) + ": " + quoted(first) +
         (edit.last_line > edit.first_line ? " to " + quoted(line) : "");
}

// Says that new lines begin with the line above them, or end with the one below: then a number is probably
// off by one. Empty if they do not.
std::string repeated_line_note(std::string_view lines, std::string_view above, std::string_view below) {
  const auto last_of = [](std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    return text.substr(text.rfind('\n') + 1);
  };
  const auto first_of = [](std::string_view text) { return text.substr(0, text.find('\n')); };
  const auto repeats = [](std::string_view line, std::string_view next) {
    return line == next && is_distinctive(line);
  };
  if (repeats(first_of(lines), last_of(above)))
    return "new begins with the line above it, which is there twice now";
  if (repeats(last_of(lines), first_of(below)))
    return "new ends with the line below it, which is there twice now";
  return {};
}

// A diff from the content that an edit names to the present one, at most so many lines as an answer shows.
std::string shown_diff(std::string_view before, std::string_view now) {
  const Result<TextDiff> diff = diff_texts(before, now, 1, diff_bytes_max);
  if (!diff) return {};
  std::string_view rest = diff->text, line;
  std::string shown;
  for (std::size_t count = 0; count < diff_lines_max && next_line(rest, line); ++count)
    shown += std::string(line) + "\n";
  if (!rest.empty() || diff->cut) shown += "(cut)\n";
  return shown;
}

// Returns true if the edit makes `now` of a content that the file had.
bool makes(LinesEdit edit, const std::string& content, const std::string& now) {
  EditedText text(content);
  edit.blob_prefix = text.original_blob().hex();
  EditReport report;
  return !apply_lines_edit(edit, text, std::nullopt, report) && text.bytes() == now;
}

}  // namespace

bool has_around(const EditedText& text, std::size_t offset, std::string_view old_text,
                std::string_view new_text) {
  if (new_text.size() == old_text.size() || !is_distinctive(new_text)) return false;
  const bool adds_lines = std::ranges::count(new_text, '\n') > std::ranges::count(old_text, '\n');
  const auto byte_at = [&](std::size_t at) { return text.bytes_in({.begin = at, .end = at + 1}).front(); };
  for (std::size_t at = new_text.find(old_text); at != std::string_view::npos;
       at = new_text.find(old_text, at + 1)) {
    // A lone brace, or a blank line, may well be added beside another one.
    if (adds_lines && !is_distinctive(new_text.substr(0, at)) &&
        !is_distinctive(new_text.substr(at + old_text.size())))
      continue;
    const std::size_t begin = offset - at;
    const std::size_t end = begin + new_text.size();
    if (at > offset || end > text.size() || text.bytes_in({.begin = begin, .end = end}) != new_text) continue;
    const bool begins_within = begin > 0 && are_of_one_word(byte_at(begin - 1), new_text.front());
    const bool ends_within = end < text.size() && are_of_one_word(new_text.back(), byte_at(end));
    if (!begins_within && !ends_within) return true;
  }
  return false;
}

std::string with_line_ends_of(const EditedText& text, std::string_view lines) {
  const LineEndKinds ends = line_ends_of(lines);
  if (!text.has_only_crlf() || !ends.has_lf || ends.has_crlf) return std::string(lines);
  std::string adapted;
  for (const char byte : lines) {
    if (byte == '\n') adapted += '\r';
    adapted += byte;
  }
  return adapted;
}

std::optional<EditFault> apply_text_edit(const TextEdit& edit, EditedText& text, EditReport& report) {
  const std::string old_text = with_line_ends_of(text, edit.old_text);
  const std::string new_text = with_line_ends_of(text, edit.new_text);
  if (old_text.empty())
    return fault_of(EditFaultReason::malformed,
                    "old is empty. To insert, send the line next to it as old, and both as new.");
  const std::vector<std::size_t> places = text.places_of(old_text, edit.all ? SIZE_MAX : counted_places_max);
  if (places.empty()) {
    bool is_applied = false;
    if (edit.tolerates_white_space) {
      std::optional<EditFault> fault =
          apply_without_white_space(text, old_text, new_text, report, is_applied);
      if (fault || is_applied) return fault;
    }
    return missing_text_fault(edit, text, old_text, new_text, report);
  }
  if (!edit.all && places.size() > 1) return ambiguous_fault(text, places, old_text);
  const bool is_made = std::ranges::all_of(
      places, [&](std::size_t offset) { return has_around(text, offset, old_text, new_text); });
  if (is_made) {
    EditFault fault = fault_of(EditFaultReason::already_applied,
                               "new is already there, around old. Leave the edit out; to add the text again, "
                               "send old with more of the text around it.");
    fault.lines = shown_lines_at(text, places);
    return fault;
  }
  if (old_text.size() != edit.old_text.size() || new_text.size() != edit.new_text.size())
    report.note = crlf_note;
  text.replace(spans_at(places, old_text.size()), new_text);
  return std::nullopt;
}

bool has_blob_of(const LinesEdit& edit, EditedText& text) {
  return text.original_blob().hex().starts_with(edit.blob_prefix);
}

std::optional<EditFault> apply_lines_edit(const LinesEdit& edit, EditedText& text,
                                          const std::optional<std::string>& stored_content,
                                          EditReport& report) {
  const std::string& original = text.original();
  if (!has_blob_of(edit, text)) {
    const std::string blob = text.original_blob().hex().substr(0, 10);
    if (stored_content && makes(edit, *stored_content, original))
      return fault_of(EditFaultReason::already_applied,
                      "the file is already as this edit made it. Leave the edit out.");
    EditFault fault = fault_of(EditFaultReason::changed, "the file has now the blob " + blob);
    if (stored_content) {
      fault.message += ", and differs as shown. Send the lines of the present content, and its blob.";
      fault.diff = shown_diff(*stored_content, original);
    } else {
      fault.message += ", and is not known to have had the one that the edit names. Read the file again.";
    }
    return fault;
  }
  const bool inserts = edit.last_line == edit.first_line - 1;
  const std::optional<std::size_t> begin = text.original_line_offset(edit.first_line);
  const std::optional<std::size_t> end = inserts ? begin : text.original_line_offset(edit.last_line + 1);
  if (!begin || !end || edit.last_line < edit.first_line - 1 || (!inserts && *begin == original.size())) {
    return fault_of(
        EditFaultReason::context_mismatch,
        edit.last_line < edit.first_line - 1
            ? "end_line is before start_line. To insert before start_line, send the line before it "
              "as end_line."
            : "the file has only " + count_with_noun(text.original_line_count(), "line") + ".");
  }
  const std::optional<TextSpan> span = text.current_span_of({.begin = *begin, .end = *end});
  if (!span)
    return fault_of(
        EditFaultReason::overlap,
        "an earlier edit of this call has changed these lines. The numbers are those of the blob; "
        "send one edit for all of these lines.");
  std::string lines = with_line_ends_of(text, edit.new_text);
  if (lines.size() != edit.new_text.size()) report.note = crlf_note;
  const std::string_view line_end = text.has_only_crlf() ? "\r\n" : "\n";
  const bool ends_file = *end == original.size();
  const bool lacks_final_newline = ends_file && !original.empty() && !original.ends_with('\n');
  if (inserts && lacks_final_newline && !lines.empty()) {
    lines.insert(0, line_end);
  } else if (!lines.empty() && !lines.ends_with('\n') && !lacks_final_newline) {
    lines += line_end;
  }
  const std::string_view view = original;
  const std::string replaced =
      inserts ? std::string() : replaced_lines_note(edit, view.substr(*begin, *end - *begin));
  for (const std::string& note :
       {replaced, repeated_line_note(lines, view.substr(0, *begin), view.substr(*end))})
    if (!note.empty()) report.note += (report.note.empty() ? "" : "; ") + note;
  text.replace({*span}, lines);
  return std::nullopt;
}

}  // namespace snapgen::core
