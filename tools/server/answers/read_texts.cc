// The texts of snapshot.file, snapshot.grep and snapshot.list, and what of their outputs fits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/base/text.h"
#include "tools/app/file_lines.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/list.h"
#include "tools/engine/search/grep.h"
#include "tools/server/answers/host_text.h"
#include "tools/server/answers/words.h"

namespace snapgen::tools {
namespace {

// ---- The answer of snapshot.file

// The length of the header of a file among several, about.
constexpr std::size_t file_header_bytes = 100;

// Returns how many bytes of `content` fit: whole lines, or a part of the first line if that is too long.
std::size_t fitting_bytes(std::string_view content, TextLimit limit, AnswerForm form) {
  if (!limit.is_limited()) return content.size();
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
  return {.complete = std::ranges::count(content, '\n'),
          .has_part = !content.empty() && content.back() != '\n'};
}

// Returns whether the content is UTF-8 text, which is shown as lines.
template <class File>
bool has_lines(const File& file) {
  return file.total_lines && !is_encoded(file.content);
}

// Cuts the content to the limit, at a line end if it has lines. Returns whether it cut something.
template <class File>
bool fit_file(File& file, std::int64_t start_line, TextLimit limit, AnswerForm form) {
  limit.try_consume(file.path.size(), 0);
  std::size_t size = fitting_bytes(file.content, limit, form);
  if (size == file.content.size()) return false;
  file.truncated = true;
  // Base64 may only be cut between groups of four digits.
  if (is_encoded(file.content) && size > core::base64_prefix.size())
    size -= (size - core::base64_prefix.size()) % 4;
  file.content.resize(size);
  end_at_line(file, start_line);
  return true;
}

// Returns how many bytes of a file are in the content, which may be base64.
std::int64_t shown_bytes_max(std::string_view content) {
  if (!is_encoded(content)) return static_cast<std::int64_t>(content.size());
  const std::string_view digits = content.substr(core::base64_prefix.size());
  const auto padding = std::ranges::count(digits, '=');
  return static_cast<std::int64_t>(digits.size() / 4 * 3) - padding;
}

// Returns the shown part of a file: "6 lines", "lines 10-20 of 60" or "300 bytes".
template <class File>
std::string range_words(const SnapshotFileInput& in, const File& file) {
  const std::int64_t start_line = in.start_line.value_or(1);
  const std::int64_t size = std::optional<std::int64_t>(file.size).value_or(0);
  if (!has_lines(file)) {
    const std::int64_t shown = shown_bytes_max(file.content);
    if (shown == size) return core::count_with_noun(shown, "byte");
    return std::to_string(shown) + " of " + core::count_with_noun(size, "byte") +
           (start_line > 1 ? ", from line " + std::to_string(start_line) : "");
  }
  const bool is_whole = start_line == 1 && !in.end_line && !file.truncated;
  if (is_whole) return core::count_with_noun(*file.total_lines, "line");
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

// A later write may pass the lease, and an edit of lines the blob.
template <class File>
std::string file_text(const SnapshotFileInput& in, const File& file) {
  std::string text = quoted_path(file.path) + " " + range_words(in, file);
  text += " blob " + short_blob_id(file.blob) + lease_of_read(in, file) + encoding_words(file.encoding);
  if (file.next_start_line)
    text += ", continue with start_line " + std::to_string(*file.next_start_line);
  else if (file.truncated)
    text += ", cut; call again with a larger max_bytes";
  return text.append("\n").append(file.content);
}

// The texts of several files one after the other. The first header has the lease.
template <class Files>
std::string files_text(const SnapshotFileInput& in, Files& all) {
  std::string text;
  for (const SnapshotOneFile& file : all.files) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    const std::string lease = &file == &all.files.front() ? lease_of_read(in, all) : "";
    if (file.problem) {
      text += quoted_path(file.path) + ": " + *file.problem + lease + "\n";
      continue;
    }
    text += quoted_path(file.path) + " " + range_words(in, file) + " blob " + short_blob_id(*file.blob) +
            lease + encoding_words(file.encoding);
    if (file.truncated) text += ", cut; read the rest alone";
    if (file.next_start_line) text += ", from start_line " + std::to_string(*file.next_start_line);
    text.append("\n").append(file.content);
  }
  return text;
}

// Cuts the contents of several files to the limit. Returns whether it cut something.
template <class Files>
bool fit_files(Files& all, TextLimit limit, AnswerForm form) {
  bool is_cut = false;
  for (SnapshotOneFile& file : all.files) {
    is_cut |= fit_file(file, 1, limit, form);
    const std::size_t used = form == AnswerForm::text ? file.content.size() : encoded_size(file.content);
    limit.try_consume(std::min(limit.bytes(), used + file.path.size() + file_header_bytes),
                      static_cast<std::size_t>(lines_of(file.content).complete + 1));
  }
  return is_cut;
}

// ---- The answer of snapshot.grep

std::string grep_line(const std::string& path, std::int64_t line, char mark, const std::string& text) {
  return (path.empty() ? "" : path + mark) + std::to_string(line) + mark + text + "\n";
}

// Where the match is if the line was cut before it; else empty.
std::string beyond_of(const SnapshotGrepMatch& match) {
  if (match.col <= static_cast<std::int64_t>(core::grep_line_bytes_max)) return {};
  return " (match at column " + std::to_string(match.col) + ")";
}

// A file with more lines than this is a group: its path is on a line before them, and not on each.
constexpr std::size_t ungrouped_lines_max = 5;

// Formats matches as grep does, without repeating context lines: `-` marks context, and `--` separates lines
// that are not adjacent.
class GrepLines {
 public:
  explicit GrepLines(const std::vector<SnapshotGrepMatch>& matches) : matches_(matches) {}

  // Returns the lines of the match at `index`. Call it for all matches in order.
  std::string of(std::size_t index) {
    const SnapshotGrepMatch& match = matches_[index];
    const bool is_same_file = index != 0 && matches_[index - 1].path == match.path;
    const bool is_followed = index + 1 < matches_.size() && matches_[index + 1].path == match.path;
    const std::vector<std::string> none;
    const std::vector<std::string>& before = match.before ? *match.before : none;
    const std::vector<std::string>& after = match.after ? *match.after : none;
    std::string out;
    if (!is_same_file) {
      last_line_ = 0;
      path_ = quoted_path(match.path);
      if (line_count_from(index) > ungrouped_lines_max) out = std::exchange(path_, {}) + "\n";
    }
    std::int64_t line = match.line - static_cast<std::int64_t>(before.size());
    if (match.before && index != 0 && (!is_same_file || line > last_line_ + 1)) out.insert(0, "--\n");
    for (const std::string& each : before) {
      if (line > last_line_) out += grep_line(path_, line, '-', each);
      ++line;
    }
    out += grep_line(path_, match.line, ':', match.text + beyond_of(match));
    last_line_ = match.line;
    for (const std::string& each : after) {
      if (is_followed && last_line_ + 1 >= matches_[index + 1].line) break;
      out += grep_line(path_, ++last_line_, '-', each);
    }
    return out;
  }

 private:
  // Returns at least the number of lines that are printed for the file of the match at `index`, its first.
  std::size_t line_count_from(std::size_t index) const {
    std::size_t count = 0;
    for (std::size_t i = index; i < matches_.size() && matches_[i].path == matches_[index].path; ++i)
      count += 1 + (matches_[i].before ? matches_[i].before->size() : 0) +
               (matches_[i].after ? matches_[i].after->size() : 0);
    return count;
  }

  const std::vector<SnapshotGrepMatch>& matches_;
  std::string path_;            // The path that each line begins with; empty in a group.
  std::int64_t last_line_ = 0;  // The number of the last line of this file that was printed.
};

// The answer that has files instead of lines.
template <class Found>
std::string grep_files_text(const SnapshotGrepInput& in, const Found& found, TextLimit limit) {
  std::string lines;
  std::size_t shown = 0;
  for (const SnapshotGrepFile& file : *found.files) {
    const std::string line =
        quoted_path(file.path) + (file.lines ? ":" + std::to_string(*file.lines) : "") + "\n";
    if (!limit.try_consume(line)) break;
    lines += line;
    ++shown;
  }
  const auto total = static_cast<std::int64_t>(found.files->size());
  std::string text = (found.truncated ? "at least " : "") + core::count_with_noun(total, "file") +
                     (in.output == SnapshotGrepInputOutput::files_without ? " without" : " with") +
                     " a match, of " + std::to_string(found.files_searched) + " searched" +
                     lease_of_read(in, found) + "\n";
  if (shown < found.files->size())
    text += "first " + std::to_string(shown) + " shown; narrow the search with the pattern, paths or globs\n";
  return text + skipped_line(found.skipped) + lines;
}

template <class Found>
std::string grep_text(const SnapshotGrepInput& in, const Found& found, TextLimit limit) {
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
                     lease_of_read(in, found) + "\n";
  const bool is_cut = shown < found.matches.size();
  if (is_cut)
    text += "first " + std::to_string(shown) + " shown; narrow the search with the pattern, paths or globs\n";
  if (found.truncated && !is_cut)
    text +=
        "there are more; narrow the search with the pattern, paths or globs, or raise max_matches or "
        "max_files\n";
  return text + encoding_lines(found.matches) + skipped_line(found.skipped) + lines;
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
  if (entries[index].type != SnapshotListEntryType::folder) return false;
  // Other paths may be between a folder and its content: `test`, `test-d`, `test/a`.
  const std::string below = entries[index].path + "/";
  const auto after = std::ranges::lower_bound(entries.begin() + static_cast<std::ptrdiff_t>(index),
                                              entries.end(), below, {}, &SnapshotListEntry::path);
  return after != entries.end() && after->path.starts_with(below);
}

// Removes the entries after the first `count`. Returns whether there were any.
template <class Page>
bool cut_list(Page& page, std::size_t count) {
  if (count == page.entries.size()) return false;
  page.entries.resize(count);
  page.truncated = true;
  if (count == 0) return true;
  const Result<std::string> last = core::path_from_text(page.entries.back().path);
  if (last) page.next_cursor = core::cursor_after(*last);
  return true;
}

template <class Page>
std::string list_text(const SnapshotListInput& in, Page& page, TextLimit limit) {
  constexpr bool is_snapshot = std::is_same_v<Page, SnapshotListImmutable>;
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
  std::string text =
      std::to_string(count) + (count == 1 ? " entry" : " entries") + lease_of_read(in, page) + "\n";
  if (page.next_cursor) text += "there are more; continue with cursor " + *page.next_cursor + "\n";
  // A snapshot contains no folders without files.
  if (is_snapshot && page.entries.empty()) text += "the snapshot contains nothing there\n";
  return text + skipped_line(page.skipped) + lines;
}

}  // namespace

std::string host_text(const SnapshotFileInput& in, SnapshotFileOutput& out, const TextForm& form) {
  return visit_answer(out, [&](auto& file) {
    if constexpr (requires { file.files; }) {
      fit_files(file, form.limit, AnswerForm::text);
      return files_text(in, file);
    } else {
      fit_file(file, in.start_line.value_or(1), form.limit, AnswerForm::text);
      return file_text(in, file);
    }
  });
}

bool fit_to_limit(const SnapshotFileInput& in, SnapshotFileOutput& out, TextLimit limit) {
  return visit_answer(out, [&](auto& file) {
    if constexpr (requires { file.files; })
      return fit_files(file, limit, AnswerForm::json);
    else
      return fit_file(file, in.start_line.value_or(1), limit, AnswerForm::json);
  });
}

std::string host_text(const SnapshotGrepInput& in, SnapshotGrepOutput& out, const TextForm& form) {
  return visit_answer(out, [&](const auto& found) {
    return found.files ? grep_files_text(in, found, form.limit) : grep_text(in, found, form.limit);
  });
}

bool fit_to_limit(const SnapshotGrepInput&, SnapshotGrepOutput& out, TextLimit limit) {
  const auto cut = [&](auto& items) {
    const std::size_t count = count_fitting(items, limit);
    if (count == items.size()) return false;
    items.resize(count);
    return true;
  };
  return visit_answer(out, [&](auto& found) {
    const bool is_cut = found.files ? cut(*found.files) : cut(found.matches);
    found.truncated = found.truncated || is_cut;
    return is_cut;
  });
}

std::string host_text(const SnapshotListInput& in, SnapshotListOutput& out, const TextForm& form) {
  return visit_answer(out, [&](auto& page) { return list_text(in, page, form.limit); });
}

bool fit_to_limit(const SnapshotListInput&, SnapshotListOutput& out, TextLimit limit) {
  return visit_answer(out, [&](auto& page) { return cut_list(page, count_fitting(page.entries, limit)); });
}

}  // namespace snapgen::tools
