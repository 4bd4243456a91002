#include "tools/server/answers/read_answers.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "schemas/substrate/snapshot_changes.h"
#include "schemas/substrate/snapshot_diff.h"
#include "schemas/substrate/snapshot_file.h"
#include "schemas/substrate/snapshot_grep.h"
#include "schemas/substrate/snapshot_list.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/grep.h"
#include "tools/engine/read/list.h"
#include "tools/server/answers/answer_of.h"

namespace snapgen::tools {
namespace {

// ---- Functions for all tools

// Returns the size of a text inside a JSON string, in bytes.
std::size_t encoded_size(std::string_view text) { return json::quoted(text).size() - 2; }

// Returns how many of the items fit as canonical JSON.
template <class Item>
std::size_t count_fitting(const std::vector<Item>& items, TextLimit limit) {
  std::size_t count = 0;
  while (count < items.size() && limit.try_consume(json::to_json(items[count]).size() + 1, 0)) ++count;
  return count;
}

// ---- The answer of snapshot.file

// Returns how many bytes of `content` fit: whole lines, or a part of the first line if that is too long.
std::size_t fitting_bytes(std::string_view content, TextLimit limit, AnswerForm form) {
  const auto cost = [&](std::string_view piece) {
    return form == AnswerForm::text ? piece.size() : encoded_size(piece);
  };
  std::size_t end = 0;
  while (end < content.size()) {
    const std::size_t line_feed = content.find('\n', end);
    const std::size_t next = line_feed == std::string_view::npos ? content.size() : line_feed + 1;
    if (!limit.try_consume(cost(content.substr(end, next - end)), 1)) break;
    end = next;
  }
  if (end != 0 || content.empty()) return end;
  std::size_t size = std::min(content.size(), limit.bytes());
  while (size != 0 && cost(utf8_head(content, size)) > limit.bytes()) size -= size / 8 + 1;
  return utf8_head(content, size).size();
}

struct LinesShown {
  std::int64_t complete = 0;
  bool has_part = false;  // The last line does not end with a line feed.
};

LinesShown lines_of(std::string_view content) {
  return {.complete = std::count(content.begin(), content.end(), '\n'),
          .has_part = !content.empty() && content.back() != '\n'};
}

bool is_encoded(std::string_view content) { return content.starts_with(core::base64_prefix); }

// Returns whether the content is UTF-8 text, which is shown as lines.
template <class File>
bool has_lines(const File& file) {
  return file.total_lines && !is_encoded(file.content);
}

// Cuts the content to the limit, at a line end if it has lines.
template <class File>
void fit_file(File& file, const UnformattedAnswer& answered) {
  std::size_t size = fitting_bytes(file.content, answered.limit, answered.form);
  if (size < file.content.size()) {
    file.truncated = true;
    // Base64 may only be cut between groups of four digits.
    if (is_encoded(file.content) && size > core::base64_prefix.size())
      size -= (size - core::base64_prefix.size()) % 4;
  }
  file.content.resize(size);
  if (!file.truncated || !has_lines(file)) return;
  const std::size_t line_feed = file.content.rfind('\n');
  if (line_feed != std::string::npos) file.content.resize(line_feed + 1);
}

// Returns the line at which to continue after cut content; nullopt if no line is complete.
template <class File>
std::optional<std::int64_t> next_line(const File& file, std::int64_t start_line) {
  const std::int64_t complete = lines_of(file.content).complete;
  if (!file.truncated || !has_lines(file) || complete == 0) return std::nullopt;
  return start_line + complete;
}

// Returns how many bytes of a file are in the content, which may be base64.
std::int64_t shown_bytes_max(std::string_view content) {
  if (!is_encoded(content)) return static_cast<std::int64_t>(content.size());
  const std::string_view digits = content.substr(core::base64_prefix.size());
  const auto padding = std::count(digits.begin(), digits.end(), '=');
  return static_cast<std::int64_t>(digits.size() / 4 * 3) - padding;
}

// Returns the shown part of a file: "6 lines", "lines 10-20 of 60" or "300 bytes".
template <class File>
std::string range_words(const File& file, std::int64_t start_line) {
  if (!has_lines(file)) {
    const std::int64_t shown = shown_bytes_max(file.content);
    if (shown == file.size) return core::count_with_noun(shown, "byte");
    return std::to_string(shown) + " of " + core::count_with_noun(file.size, "byte") +
           (start_line > 1 ? ", from line " + std::to_string(start_line) : "");
  }
  const LinesShown lines = lines_of(file.content);
  const std::int64_t count = lines.complete + (lines.has_part ? 1 : 0);
  if (start_line == 1 && count == *file.total_lines && !file.truncated)
    return core::count_with_noun(count, "line");
  if (count == 0) return "has only " + core::count_with_noun(*file.total_lines, "line");
  const std::string first = std::to_string(start_line);
  const std::string range =
      count == 1 ? "line " + first : "lines " + first + "-" + std::to_string(start_line + count - 1);
  return range + " of " + std::to_string(*file.total_lines);
}

// A later write needs the lease or the blob. Only one is printed, because both would cost more than most file
// contents.
template <class File>
std::string file_text(const File& file, const UnformattedAnswer& answered) {
  const std::int64_t start_line = answered.requested_start_line;
  std::string text = quoted_path(file.path) + " " + range_words(file, start_line);
  const std::string lease = lease_suffix(file, answered.requested_lease_id);
  const bool is_known = lease.empty() || lease.substr(1) == answered.requested_lease_id;
  text += is_known ? " blob " + short_blob_id(file.blob) : lease;
  const std::optional<std::int64_t> next = next_line(file, start_line);
  if (next) text += ", continue with start_line " + std::to_string(*next);
  if (file.truncated && !next) text += ", cut; call again with a larger max_bytes";
  return text + "\n" + file.content;
}

// ---- The answer of snapshot.grep

std::string grep_line(const std::string& path, std::int64_t line, char mark, const std::string& text) {
  return path + mark + std::to_string(line) + mark + " " + text + "\n";
}

// Where the match is if the line was cut before it; else empty.
std::string beyond_of(const SnapshotGrepMatch& match) {
  if (match.col <= static_cast<std::int64_t>(core::grep_line_bytes_max)) return {};
  return " (match at column " + std::to_string(match.col) + ")";
}

// Formats matches as grep does, without repeating context lines: `-` marks context, and `--` separates
// groups.
class GrepLines {
 public:
  explicit GrepLines(const std::vector<SnapshotGrepMatch>& matches) : matches_(matches) {}

  // Returns the lines of the match at `index`. Call it for all matches in order.
  std::string of(std::size_t index) {
    const SnapshotGrepMatch& match = matches_[index];
    const bool is_same_file = index != 0 && matches_[index - 1].path == match.path;
    if (!is_same_file) last_line_ = 0;
    const std::string path = quoted_path(match.path);
    const std::vector<std::string> none;
    const std::vector<std::string>& before = match.before ? *match.before : none;
    const std::vector<std::string>& after = match.after ? *match.after : none;
    std::string out;
    std::int64_t line = match.line - static_cast<std::int64_t>(before.size());
    if (match.before && index != 0 && (!is_same_file || line > last_line_ + 1)) out += "--\n";
    for (const std::string& each : before) {
      if (line > last_line_) out += grep_line(path, line, '-', each);
      ++line;
    }
    out += grep_line(path, match.line, ':', match.text + beyond_of(match));
    last_line_ = match.line;
    const bool is_followed = index + 1 < matches_.size() && matches_[index + 1].path == match.path;
    for (const std::string& each : after) {
      if (is_followed && last_line_ + 1 >= matches_[index + 1].line) break;
      out += grep_line(path, ++last_line_, '-', each);
    }
    return out;
  }

 private:
  const std::vector<SnapshotGrepMatch>& matches_;
  std::int64_t last_line_ = 0;  // The number of the last line of this file that was printed.
};

template <class Found>
std::string grep_text(const Found& found, const UnformattedAnswer& answered) {
  TextLimit limit = answered.limit;
  std::string lines;
  std::size_t shown = 0;
  GrepLines all(found.matches);
  for (; shown < found.matches.size(); ++shown) {
    const std::string piece = all.of(shown);
    if (!limit.try_consume(piece)) break;
    lines += piece;
  }
  const auto total = static_cast<std::int64_t>(found.matches.size());
  std::string text = (found.truncated ? "at least " : "") + std::to_string(total) +
                     (total == 1 ? " match" : " matches") + " in " +
                     core::count_with_noun(found.files_searched, "file") + " searched" +
                     lease_suffix(found, answered.requested_lease_id) + "\n";
  const bool is_cut = shown < found.matches.size();
  if (is_cut)
    text += "first " + std::to_string(shown) + " shown; narrow the search with the pattern, paths or globs\n";
  if (found.truncated && !is_cut)
    text +=
        "there are more; narrow the search with the pattern, paths or globs, or raise max_matches or "
        "max_files\n";
  return text + skipped_line(json::to_json(found.skipped)) + lines;
}

template <class Found>
void fit_grep(Found& found, TextLimit limit) {
  const std::size_t count = count_fitting(found.matches, limit);
  if (count < found.matches.size()) found.truncated = true;
  found.matches.resize(count);
}

// ---- The answer of snapshot.list

// Files of this size or more are listed with their size, because reading them takes several calls.
constexpr std::int64_t large_file_bytes = 20'000;

std::string entry_line(const SnapshotListEntry& entry) {
  std::string line = quoted_path(entry.path);
  if (entry.type == SnapshotListEntryType::folder) line += "/";
  if (entry.type == SnapshotListEntryType::symlink) line += " (symlink)";
  if (entry.size.value_or(0) >= large_file_bytes) line += " (" + std::to_string(*entry.size) + " bytes)";
  return line + "\n";
}

// Returns whether the entries of a folder follow it. Then the folder needs no separate line.
bool is_followed_by_content(const std::vector<SnapshotListEntry>& entries, std::size_t index) {
  return entries[index].type == SnapshotListEntryType::folder && index + 1 < entries.size() &&
         entries[index + 1].path.starts_with(entries[index].path + "/");
}

// Removes the entries after the first `count`.
template <class Page>
void cut_list(Page& page, std::size_t count) {
  if (count == page.entries.size()) return;
  page.entries.resize(count);
  page.truncated = true;
  if (count == 0) return;
  const Result<std::string> last = core::path_from_text(page.entries.back().path);
  if (last) page.next_cursor = core::cursor_after(*last);
}

template <class Page>
std::string list_text(Page& page, const UnformattedAnswer& answered) {
  constexpr bool is_snapshot = std::is_same_v<Page, SnapshotListImmutable>;
  TextLimit limit = answered.limit;
  std::string lines;
  std::size_t shown = 0;
  std::int64_t count = 0;
  for (; shown < page.entries.size(); ++shown) {
    if (is_followed_by_content(page.entries, shown)) continue;
    const std::string piece = entry_line(page.entries[shown]);
    if (!limit.try_consume(piece)) break;
    lines += piece;
    ++count;
  }
  cut_list(page, shown);
  std::string text = std::to_string(count) + (count == 1 ? " entry" : " entries") +
                     lease_suffix(page, answered.requested_lease_id) + "\n";
  if (page.next_cursor) text += "there are more; continue with cursor " + *page.next_cursor + "\n";
  // A snapshot contains no folders without files.
  if (is_snapshot && page.entries.empty()) text += "the snapshot contains nothing there\n";
  return text + skipped_line(json::to_json(page.skipped)) + lines;
}

// ---- The answer of snapshot.diff

// Returns the offsets of the parts of a diff; each part is about one file.
std::vector<std::size_t> parts_of(std::string_view diff) {
  constexpr std::string_view head = "diff --";
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < diff.size();) {
    if (at == 0 || diff.substr(at).starts_with(head)) begins.push_back(at);
    const std::size_t line_feed = diff.find('\n', at);
    if (line_feed == std::string_view::npos) break;
    at = line_feed + 1;
  }
  return begins;
}

// Maximum number of omitted files that are named; further ones are only counted.
constexpr std::size_t omitted_files_named = 20;
constexpr std::size_t omitted_line_bytes = 150;  // Typical length of the line about one omitted file.

// Removes the parts of the diff that do not fit, and marks their files as omitted.
template <class Diff>
void fit_diff(Diff& out, TextLimit limit, AnswerForm form) {
  const std::vector<std::size_t> begins = parts_of(out.diff);
  std::vector<SnapshotDiffFile*> files;  // The files that have a part in the diff.
  for (SnapshotDiffFile& file : out.files)
    if (!file.omitted.value_or(false)) files.push_back(&file);
  const bool are_matched = files.size() == begins.size();
  if (form == AnswerForm::text)
    limit.try_consume(std::min(out.files.size(), omitted_files_named) * omitted_line_bytes,
                      std::min(out.files.size(), omitted_files_named));
  else if (!limit.try_consume(json::to_json(out.files).size(), 0)) {
    out.files.resize(count_fitting(out.files, limit));
    out.diff.clear();
    out.truncated = true;
    return;
  }
  std::string fitting;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : out.diff.size();
    const std::string_view part = std::string_view(out.diff).substr(begins[i], end - begins[i]);
    const bool fits =
        form == AnswerForm::text ? limit.try_consume(part) : limit.try_consume(encoded_size(part), 0);
    if (fits) {
      fitting += part;
      continue;
    }
    out.truncated = true;
    if (are_matched) files[i]->omitted = true;
  }
  out.diff = std::move(fitting);
}

// Removes the parts of a base64 diff that are not UTF-8, and marks their files as omitted, so that the other
// parts can be read as text. A diff of only such parts remains base64. Returns the number of removed parts.
template <class Diff>
std::int64_t omit_non_utf8_parts(Diff& out) {
  if (!is_encoded(out.diff)) return 0;
  const Result<std::string> bytes = core::bytes_of_text(out.diff);
  if (!bytes) return 0;
  const std::vector<std::size_t> begins = parts_of(*bytes);
  std::vector<SnapshotDiffFile*> files;
  for (SnapshotDiffFile& file : out.files)
    if (!file.omitted.value_or(false)) files.push_back(&file);
  if (files.size() != begins.size()) return 0;
  std::string readable;
  std::vector<SnapshotDiffFile*> unreadable;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : bytes->size();
    const std::string_view part = std::string_view(*bytes).substr(begins[i], end - begins[i]);
    if (json::valid_utf8(part))
      readable += part;
    else
      unreadable.push_back(files[i]);
  }
  if (readable.empty()) return 0;
  for (SnapshotDiffFile* file : unreadable) file->omitted = true;
  out.diff = std::move(readable);
  out.truncated = true;
  return static_cast<std::int64_t>(unreadable.size());
}

template <class Diff>
std::string diff_text(const Diff& out, std::string_view lease_id, std::int64_t non_utf8) {
  const auto files = static_cast<std::int64_t>(out.files.size());
  const bool has_omitted = std::any_of(out.files.begin(), out.files.end(), [](const SnapshotDiffFile& file) {
    return file.omitted.value_or(false);
  });
  const bool has_more_files = out.truncated && !has_omitted;
  std::string text = (has_more_files ? "first " + core::count_with_noun(files, "changed file")
                                     : core::count_with_noun(files, "file") + " changed") +
                     lease_suffix(out, lease_id) + "\n";
  std::size_t omitted = 0;
  for (const SnapshotDiffFile& file : out.files) {
    if (!file.omitted.value_or(false) || ++omitted > omitted_files_named) continue;
    text += "omitted " + quoted_path(file.path) + " +" + std::to_string(file.added) + " -" +
            std::to_string(file.removed) + "\n";
  }
  if (omitted > omitted_files_named)
    text += "omitted " + std::to_string(omitted - omitted_files_named) + " more files\n";
  if (non_utf8 > 0)
    text += core::count_with_noun(non_utf8, "omitted file") +
            " not in UTF-8; name only such files with paths to get base64\n";
  if (static_cast<std::int64_t>(omitted) > non_utf8)
    text += "name only the omitted files with paths, or pass a larger max_bytes\n";
  if (has_more_files) text += "there are more; narrow with paths, or raise max_files\n";
  if constexpr (requires { out.untracked; })
    if (out.untracked)
      text += core::count_with_noun(*out.untracked, "untracked file") +
              " not shown; untracked: true shows them\n";
  return text + skipped_line(json::to_json(out.skipped)) + out.diff;
}

// ---- The answer of snapshot.changes

std::string change_line(const SnapshotChange& change) {
  std::string line = std::string(text(change.status)) + " ";
  if (change.from) line += quoted_path(*change.from) + " -> ";
  return line + quoted_path(change.path) + "\n";
}

template <class Changes>
std::string changes_text(const Changes& changes, const UnformattedAnswer& answered) {
  TextLimit limit = answered.limit;
  std::string lines;
  std::size_t shown = 0;
  for (; shown < changes.changes.size(); ++shown) {
    const std::string piece = change_line(changes.changes[shown]);
    if (!limit.try_consume(piece)) break;
    lines += piece;
  }
  std::string text = core::count_with_noun(changes.total, "change") +
                     lease_suffix(changes, answered.requested_lease_id) + "\n";
  if (changes.total > static_cast<std::int64_t>(shown))
    text += "first " + std::to_string(shown) + " shown; narrow with paths\n";
  if constexpr (requires { changes.skipped; }) text += skipped_line(json::to_json(changes.skipped));
  return text + lines;
}

}  // namespace

std::string file_answer(const UnformattedAnswer& answered) {
  const auto answer_of = [&](auto& file) {
    UnformattedAnswer left = answered;
    left.limit.try_consume(file.path.size(), 0);
    fit_file(file, left);
    if (answered.form == AnswerForm::text) return file_text(file, answered);
    file.next_start_line = next_line(file, answered.requested_start_line);
    return json::to_json(file);
  };
  return format_output<SnapshotFileOutput>(answered.structured, &read_snapshot_file_output, answer_of);
}

std::string grep_answer(const UnformattedAnswer& answered) {
  const auto answer_of = [&](auto& found) {
    if (answered.form == AnswerForm::text) return grep_text(found, answered);
    fit_grep(found, answered.limit);
    return json::to_json(found);
  };
  return format_output<SnapshotGrepOutput>(answered.structured, &read_snapshot_grep_output, answer_of);
}

std::string list_answer(const UnformattedAnswer& answered) {
  const auto answer_of = [&](auto& page) {
    if (answered.form == AnswerForm::text) return list_text(page, answered);
    cut_list(page, count_fitting(page.entries, answered.limit));
    return json::to_json(page);
  };
  return format_output<SnapshotListOutput>(answered.structured, &read_snapshot_list_output, answer_of);
}

std::string diff_answer(const UnformattedAnswer& answered) {
  const auto answer_of = [&](auto& out) {
    if (answered.form != AnswerForm::text) {
      fit_diff(out, answered.limit, answered.form);
      return json::to_json(out);
    }
    const std::int64_t non_utf8 = omit_non_utf8_parts(out);
    fit_diff(out, answered.limit, answered.form);
    return diff_text(out, answered.requested_lease_id, non_utf8);
  };
  return format_output<SnapshotDiffOutput>(answered.structured, &read_snapshot_diff_output, answer_of);
}

std::string changes_answer(const UnformattedAnswer& answered) {
  const auto answer_of = [&](auto& changes) {
    if (answered.form == AnswerForm::text) return changes_text(changes, answered);
    const std::size_t count = count_fitting(changes.changes, answered.limit);
    if (count < changes.changes.size()) changes.truncated = true;
    changes.changes.resize(count);
    return json::to_json(changes);
  };
  return format_output<SnapshotChangesOutput>(answered.structured, &read_snapshot_changes_output, answer_of);
}

}  // namespace snapgen::tools
