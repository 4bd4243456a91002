#include "tools/engine/git/status/text_diff.h"

#include <algorithm>
#include <limits>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/git/repository/libgit2.h"

namespace snapgen::core {
namespace {

constexpr std::size_t text_bytes_limit = 1023u << 20;  // git's own limit
constexpr std::size_t heading_bytes_max = 80;          // git's own limit
constexpr std::size_t header_bytes_max = 127;          // git's own limit, including the heading
constexpr std::size_t tail_step = 1024;                // git's own value

bool begins_heading(char c) { return is_letter(c) || c == '_' || c == '$'; }

// Headings scans the lines of the old text once, in step with the hunks, and remembers the last heading.
class Headings {
 public:
  explicit Headings(std::string_view text) : rest_(text) {}

  // Returns the last heading before line `before` (from 0).
  std::string_view at(std::int64_t before) {
    for (std::string_view line; line_ < before && next_line(rest_, line); ++line_)
      if (!line.empty() && begins_heading(line.front())) heading_ = line;
    std::string_view shown = heading_.substr(0, heading_bytes_max);
    const std::size_t last = shown.find_last_not_of(" \t\r\n");
    return shown.substr(0, last == std::string_view::npos ? 0 : last + 1);
  }

 private:
  std::string_view rest_;
  std::int64_t line_ = 0;
  std::string_view heading_;
};

// The payload that libgit2 passes to the callbacks.
struct Output {
  TextDiff diff;
  Headings headings;
  std::size_t bytes_max;

  void add(std::string_view text) {
    if (diff.cut || text.size() > bytes_max - diff.text.size()) {
      diff.cut = true;
    } else {
      diff.text += text;
    }
  }
};

int on_hunk(const git_diff_delta*, const git_diff_hunk* hunk, void* payload) {
  Output& out = *static_cast<Output*>(payload);
  std::string header = "@@ -" + std::to_string(hunk->old_start);
  if (hunk->old_lines != 1) header += "," + std::to_string(hunk->old_lines);
  header += " +" + std::to_string(hunk->new_start);
  if (hunk->new_lines != 1) header += "," + std::to_string(hunk->new_lines);
  header += " @@";
  const std::string_view heading =
      out.headings.at(hunk->old_lines == 0 ? hunk->old_start : hunk->old_start - 1);
  if (!heading.empty()) {
    header += ' ';
    header += heading.substr(0, header_bytes_max - std::min(header_bytes_max, header.size()));
  }
  header += '\n';
  out.add(header);
  return 0;
}

int on_line(const git_diff_delta*, const git_diff_hunk*, const git_diff_line* line, void* payload) {
  Output& out = *static_cast<Output*>(payload);
  switch (line->origin) {
    case GIT_DIFF_LINE_ADDITION: ++out.diff.added_lines; [[fallthrough]];
    case GIT_DIFF_LINE_DELETION:
      if (line->origin == GIT_DIFF_LINE_DELETION) ++out.diff.removed_lines;
      [[fallthrough]];
    case GIT_DIFF_LINE_CONTEXT: out.add(std::string_view(&line->origin, 1)); break;
    default: break;  // The marker `\ No newline at end of file`, with its preceding line feed.
  }
  out.add(std::string_view(line->content, line->content_len));
  return 0;
}

// Without context, git skips the common end of both texts, in steps of a kilobyte and up to a line break.
// This affects which of several equivalent diffs it prints.
std::size_t common_tail(std::string_view before, std::string_view after) {
  std::size_t tail = 0;
  const std::size_t smaller = std::min(before.size(), after.size());
  const auto step = [&](std::string_view text) {
    return text.substr(text.size() - tail - tail_step, tail_step);
  };
  while (tail + tail_step <= smaller && step(before) == step(after)) tail += tail_step;
  const std::size_t line_end = before.substr(before.size() - tail).find('\n');
  return line_end == std::string_view::npos ? 0 : tail - line_end - 1;
}

int on_differing_lines(const git_diff_delta*, const git_diff_hunk* hunk, void* payload) {
  // A side without lines has the number of the line before it.
  const std::int64_t old_begin = hunk->old_lines == 0 ? hunk->old_start : hunk->old_start - 1;
  const std::int64_t new_begin = hunk->new_lines == 0 ? hunk->new_start : hunk->new_start - 1;
  static_cast<std::vector<DifferingLines>*>(payload)->push_back({.old_begin = old_begin,
                                                                 .old_end = old_begin + hunk->old_lines,
                                                                 .new_begin = new_begin,
                                                                 .new_end = new_begin + hunk->new_lines});
  return 0;
}

// Compares two texts by libgit2, which calls the callbacks with `payload`. `tail`: the number of bytes at the
// ends of both texts that are not compared.
Result<Unit> compare_texts(std::string_view before, std::string_view after, std::size_t tail,
                           std::uint32_t context, git_diff_hunk_cb on_each_hunk, git_diff_line_cb on_each_line,
                           void* payload) {
  TRY(git::start_libgit2());
  if (before.size() > text_bytes_limit || after.size() > text_bytes_limit) {
    return Error(ErrorCode::too_large,
                 "A text of more than 1023 MiB cannot be compared. Name the other files.");
  }
  git_diff_options options;
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
  options.context_lines = context;
  options.interhunk_lines = 0;
  options.max_size = std::numeric_limits<git_off_t>::max();
  const int failed =
      git_diff_buffers(before.data(), before.size() - tail, nullptr, after.data(), after.size() - tail,
                       nullptr, &options, nullptr, nullptr, on_each_hunk, on_each_line, payload);
  if (failed == 0) return Unit{};
  const git_error* error = git_error_last();
  return Error(ErrorCode::internal,
               "libgit2 cannot compare these two versions of the file. Read them instead.", {},
               error != nullptr ? error->message : "");
}

}  // namespace

Result<TextDiff> diff_texts(std::string_view before, std::string_view after, std::uint32_t context,
                            std::size_t text_bytes_max) {
  Output out{.diff = {}, .headings = Headings(before), .bytes_max = text_bytes_max};
  const std::size_t tail = context == 0 ? common_tail(before, after) : 0;
  TRY(compare_texts(before, after, tail, context, on_hunk, on_line, &out));
  return std::move(out.diff);
}

Result<std::vector<DifferingLines>> differing_lines(std::string_view before, std::string_view after) {
  std::vector<DifferingLines> all;
  TRY(compare_texts(before, after, 0, 0, on_differing_lines, nullptr, &all));
  return all;
}

}  // namespace snapgen::core
