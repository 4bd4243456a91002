#include "tools/server/answers/answers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/base/visible.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/render.h"
#include "schemas/substrate/snapshot_file.h"
#include "schemas/substrate/snapshot_grep.h"
#include "schemas/substrate/snapshot_list.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/grep.h"
#include "tools/engine/read/list.h"
#include "tools/server/answers/answer_of.h"
#include "tools/server/answers/change_answers.h"
#include "tools/server/answers/error_text.h"
#include "tools/server/answers/outline.h"
#include "tools/server/answers/unformatted_answer.h"

namespace snapgen::tools {
namespace {

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
  return {.complete = std::ranges::count(content, '\n'),
          .has_part = !content.empty() && content.back() != '\n'};
}

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
  const auto padding = std::ranges::count(digits, '=');
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

// ---- The answers of families with a common envelope, and of tools that are unknown to this server

// Members about the connection to the browser, which a model does not need.
constexpr std::array<std::string_view, 5> transport_members = {"attempts", "message_id", "payload",
                                                               "round_trip_ms", "status"};

// Returns the summary, the other members, and the proposed calls of a facade tool.
std::string facade_answer(const UnformattedAnswer& answered) {
  std::string text(answered.summary);
  if (!text.empty()) text += "\n";
  append_outline(text, json::member_json(answered.structured, "data"), {}, answered.summary);
  return visible(text + next_actions_text(json::member_json(answered.structured, "next_actions")));
}

// Returns the answer of the browser or of the bridge.
std::string bridge_answer(const UnformattedAnswer& answered) {
  std::string text;
  append_outline(text, answered.structured, transport_members);
  append_outline(text, json::member_json(answered.structured, "payload"));
  return visible(std::move(text));
}

// Returns all structured content, whatever its schema.
std::string plain_answer(const UnformattedAnswer& answered) {
  std::string text;
  append_outline(text, answered.structured);
  return visible(text.empty() ? std::string(answered.structured) : std::move(text));
}

// ---- HostCall

using AnswerShaper = std::string (*)(const UnformattedAnswer&);

struct ToolAnswer {
  std::string_view tool;  // The name of the tool, with dots.
  AnswerShaper shape;
  bool is_limited = false;     // The host's limit also applies to the JSON form.
  bool has_max_bytes = false;  // The tool has an argument max_bytes.
};

constexpr std::array tool_answers = {
    ToolAnswer{.tool = "snapshot.changes", .shape = &changes_answer, .is_limited = true},
    ToolAnswer{.tool = "snapshot.create", .shape = &snapshot_create_answer},
    ToolAnswer{.tool = "snapshot.diff", .shape = &diff_answer, .is_limited = true, .has_max_bytes = true},
    ToolAnswer{.tool = "snapshot.export", .shape = &snapshot_export_answer},
    ToolAnswer{.tool = "snapshot.file", .shape = &file_answer, .is_limited = true, .has_max_bytes = true},
    ToolAnswer{.tool = "snapshot.grep", .shape = &grep_answer, .is_limited = true},
    ToolAnswer{.tool = "snapshot.info", .shape = &snapshot_info_answer},
    ToolAnswer{.tool = "snapshot.list", .shape = &list_answer, .is_limited = true},
    ToolAnswer{.tool = "workspace.apply_patch", .shape = &apply_patch_answer},
    ToolAnswer{.tool = "workspace.delete", .shape = &delete_answer},
    ToolAnswer{.tool = "workspace.write_file", .shape = &write_file_answer},
};

ToolAnswer answer_of_tool(const mcp::Tool& tool) {
  const auto found = std::ranges::find(tool_answers, tool.name, &ToolAnswer::tool);
  if (found != tool_answers.end()) return *found;
  if (tool.family == "facade") return {.tool = tool.name, .shape = &facade_answer};
  if (tool.family == "bridge") return {.tool = tool.name, .shape = &bridge_answer};
  return {.tool = tool.name, .shape = &plain_answer};
}

// The parts of a CallToolResult, which is the result of tools/call.
struct ResultParts {
  std::string text;             // The text of the first content block.
  std::string summary;          // The text of the second content block.
  std::string_view structured;  // The structured content as JSON; empty if there is none.
  bool is_error = false;
};

// Returns the text of a content block; empty for other types of blocks.
std::string text_of_block(json::Reader& in) {
  std::string text, type;
  json::read_members(in, "text", text, "type", type);
  return type == "text" ? text : std::string();
}

// Reads the parts of `object`, a result as one JSON object. It must outlive the returned parts.
ResultParts parts_of_result(std::string_view object) {
  ResultParts parts;
  json::Reader in(object);
  std::string_view name;
  if (!in.begin_object()) return parts;
  while (in.next_key(name)) {
    if (name == "content" && in.begin_array()) {
      for (std::size_t i = 0; in.next_element(); ++i) {
        std::string text = text_of_block(in);
        if (i == 0)
          parts.text = std::move(text);
        else if (i == 1)
          parts.summary = std::move(text);
      }
    } else if (name == "isError") {
      in.boolean(parts.is_error);
    } else if (name == "structuredContent") {
      in.raw(parts.structured);
    } else {
      in.skip();
    }
  }
  return parts;
}

// Removes the lease from the first line if the call passed it, because the client then knows it.
std::string without_lease(std::string text, const std::string& lease_id) {
  if (lease_id.empty()) return text;
  const std::string words = " " + lease_id;
  const std::size_t at = text.substr(0, text.find('\n')).find(words);
  if (at != std::string::npos) text.erase(at, words.size());
  return text;
}

}  // namespace

std::optional<AnswerChoice> answer_choice_named(std::string_view name) {
  if (name == "auto") return AnswerChoice::by_host;
  if (name == "json") return AnswerChoice::json;
  if (name == "text") return AnswerChoice::text;
  return std::nullopt;
}

HostTraits traits_for(std::string_view client, AnswerChoice choice) {
  HostTraits host = host_traits(client);
  if (choice == AnswerChoice::json) {
    host.answer_form = AnswerForm::json;
    host.omitted_members = {};
  }
  if (choice == AnswerChoice::text) host.answer_form = AnswerForm::text;
  return host;
}

mcp::OutputSchemaForm output_schema_form_for(const HostTraits& host) {
  if (host.answer_form == AnswerForm::text) return {.detail = mcp::OutputSchemaDetail::none};
  if (!host.reads_output_schema) return {.detail = mcp::OutputSchemaDetail::brief};
  return {.detail = mcp::OutputSchemaDetail::merged, .omitted_members = host.omitted_members};
}

HostCall::HostCall(const HostTraits& host, const mcp::Tool& tool, std::string_view arguments)
    : host_(host), tool_(tool), given_arguments_(arguments) {
  if (changes_answers() || !host_.added_argument.empty()) change_arguments();
}

void HostCall::change_arguments() {
  std::string kept = "{";
  json::Writer writer(kept);
  bool has_added = false;
  json::Reader in(given_arguments_);
  if (in.peek() != json::Kind::object || !in.begin_object()) return;
  std::string_view key;
  while (in.next_key(key)) {
    const std::string name(key);
    std::string_view value;
    in.raw(value);
    if (name == "start_line") json::Reader(value).integer(start_line_);
    if (name == "lease_id" && json::Reader(value).peek() == json::Kind::string)
      json::Reader(value).string(lease_id_);
    has_max_bytes_ = has_max_bytes_ || name == "max_bytes";
    const bool is_added = !host_.added_argument.empty() && name == host_.added_argument;
    has_added = has_added || is_added;
    if (is_added) continue;
    if (kept.size() > 1) writer.text(",");
    writer.string(name);
    writer.text(":");
    writer.text(value);
  }
  in.end();
  if (!in.syntax_ok()) return;  // The tool itself reports the syntax error.
  const TextLimit limit(host_);
  const bool adds_length =
      answer_of_tool(tool_).has_max_bytes && !has_max_bytes_ && host_.shown_bytes_max != 0;
  if (!has_added && !adds_length) return;
  if (adds_length) {
    writer.text(kept.size() > 1 ? ",\"max_bytes\":" : "\"max_bytes\":");
    writer.unsigned_integer(std::max<std::size_t>(limit.bytes(), 1));
  }
  writer.text("}");
  changed_arguments_ = std::move(kept);
}

void HostCall::shape_result(std::string& result, std::size_t begin) const {
  if (!changes_answers()) return;
  const std::string object = "{" + result.substr(begin) + "}";
  const ResultParts parts = parts_of_result(object);
  const bool is_text = host_.answer_form == AnswerForm::text;
  if (parts.is_error) {
    if (!is_text) return;
    result.resize(begin);
    return mcp::append_error(result, error_text(parts.text));
  }
  const ToolAnswer answer = answer_of_tool(tool_);
  if (parts.structured.empty()) return;
  std::string shaped(parts.structured);
  if (is_text || answer.is_limited)
    shaped = answer.shape({.structured = parts.structured,
                           .summary = parts.summary,
                           .requested_start_line = start_line_,
                           .requested_lease_id = lease_id_,
                           .form = host_.answer_form,
                           .limit = has_max_bytes_ ? TextLimit() : TextLimit(host_)});
  if (!is_text && !host_.omitted_members.empty())
    shaped = json::without_members(shaped, host_.omitted_members);
  if (!is_text && shaped == parts.structured) return;
  result.resize(begin);
  if (is_text)
    mcp::append_text_block(result, without_lease(shaped, lease_id_));
  else
    mcp::append_text_and_structured(result, shaped);
}

}  // namespace snapgen::tools
