#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/ascii.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "schemas/substrate/history_list.h"
#include "tools/app/work_history.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/output_file.h"
#include "tools/cli/path_words.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/server/listeners/ui_copy.h"
#include "tools/server/trees/find_workspace.h"
#include "tools/work/history/history.h"

namespace snapgen::tools {
namespace {

using core::EventKind;
using core::HistoryEvent;

struct LogOptions {
  std::string since;
  std::optional<std::size_t> limit;
  std::vector<std::string> kinds;
};

// Each `snap report` overwrites this file. Like all of .snapback, git does not show it.
constexpr std::string_view default_report = ".snapback/report.html";

constexpr std::int64_t changes_max = 200;  // Moments in a report.

struct ReportOptions {
  std::string file;
  // If the option was not typed, the file is default_report in the workspace.
  const CLI::Option* typed = nullptr;
  bool force = false;
};

struct Found {
  std::string workspace;
  core::History history;
};

Result<Found> read(const Invocation& invocation) {
  Found found;
  found.workspace = TRY(resolve_workspace(WorkspaceSources::of_command(invocation.workspace)));
  found.history = TRY(read_work_history(found.workspace));
  return found;
}

// Parses "2026-11-22", "2026-11-22T10:00", or a duration before now: "90s", "30m", "2h", "3d", "1w".
std::optional<std::int64_t> parsed_moment(std::string_view text) {
  constexpr std::string_view letters = "smhdw";
  constexpr std::int64_t seconds[] = {1, 60, 3600, 86400, 604800};
  constexpr std::size_t digits_max = 9;
  const std::size_t unit = text.empty() ? std::string_view::npos : letters.find(text.back());
  if (unit == std::string_view::npos) return core::ms_of_iso_time(text);
  text.remove_suffix(1);
  const bool is_number = !text.empty() && text.size() <= digits_max && std::ranges::all_of(text, is_digit);
  if (!is_number) return std::nullopt;
  return core::now_ms() - std::stoll(std::string(text)) * seconds[unit] * 1000;
}

Colour event_colour(const HistoryEvent& event) {
  if (event.state == "fail" || event.state == "abandoned" || event.state == "high") return Colour::red;
  if (event.state == "blocked" || event.state == "medium") return Colour::yellow;
  if (event.state == "pass" || event.state == "completed" || event.state == "low") return Colour::green;
  return Colour::plain;
}

// Returns the names of the first files in brackets, and how many more of `count` there are; empty if no name
// is known.
std::string some_files(const std::vector<std::string>& files, std::int64_t count) {
  constexpr std::size_t shown_max = 3;
  std::string out;
  const std::size_t shown = std::min(files.size(), shown_max);
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ", ") + displayed_path(files[i]);
  const auto rest = count - static_cast<std::int64_t>(shown);
  if (shown > 0 && rest > 0) out += " and " + std::to_string(rest) + " more";
  return out.empty() ? out : "  [" + out + "]";
}
std::string event_files(const HistoryEvent& event) { return some_files(event.files, event.file_count); }

// Returns what a restore did: "1 file put back  [a.txt], 1 removed  [b.txt]".
std::string restored(const HistoryEvent& event) {
  const std::int64_t back = event.file_count - event.deleted_file_count;
  std::string text;
  if (back > 0 || event.deleted_file_count == 0)
    text = core::count_with_noun(back, "file") + " put back" + some_files(core::restored_files(event), back);
  if (event.deleted_file_count == 0) return text;
  text += text.empty() ? core::count_with_noun(event.deleted_file_count, "file")
                       : ", " + std::to_string(event.deleted_file_count);
  return text + " removed" + some_files(event.deleted_files, event.deleted_file_count);
}

// Returns the text of an event's row, which follows the id.
std::string event_in_words(const HistoryEvent& event) {
  using core::count_with_noun;
  switch (event.kind) {
    case EventKind::snapshot:
      return count_with_noun(event.file_count, "file") + ", " +
             size_text(static_cast<std::uint64_t>(std::max<std::int64_t>(event.bytes, 0))) +
             (core::titled(event).empty() ? "" : ": " + core::titled(event));
    case EventKind::task:
      if (event.state == "started") return core::titled(event) + event_files(event);
      if (!event.changes_were_counted) return core::titled(event) + " (its changes were not counted)";
      return core::titled(event) + " (+" + std::to_string(event.added_lines) + "/-" +
             std::to_string(event.removed_lines) + " lines in " + count_with_noun(event.file_count, "file") +
             ")";
    case EventKind::check: {
      std::string text = event.title + ": " + count_with_noun(event.errors, "error") + ", " +
                         count_with_noun(event.warnings, "warning");
      if (event.tests.all() > 0)
        text += ", " + std::to_string(event.tests.passed) + " of " +
                count_with_noun(event.tests.all(), "test") + " passed";
      return text;
    }
    case EventKind::restore: {
      std::string text = restored(event);
      if (!event.safety_snapshot_id.empty())
        text += "; the previous content is in " + core::short_snapshot_id(event.safety_snapshot_id);
      return text;
    }
    case EventKind::risk:
      return count_with_noun(event.points, "point") + ": " + event.title + event_files(event);
    case EventKind::learning: return event.title;
    case EventKind::violation: break;
  }
  return event.title + event_files(event);
}

// Returns the id of an event in the form that other commands accept.
std::string event_id(const HistoryEvent& event) {
  if (event.kind == EventKind::snapshot) return core::short_snapshot_id(event.id);
  if (event.kind == EventKind::restore) return core::short_snapshot_id(event.snapshot_id);
  if (event.kind == EventKind::check) return event.task_id;
  return event.id;
}

void say_unread(const Invocation& invocation, const core::History& history) {
  const std::string unread = core::unread_sentence(history.unread_sources);
  if (!unread.empty())
    static_cast<void>(invocation.error_output.print(
        invocation.error_output.paint(Colour::yellow, printable(unread)) + "\n"));
}

Result<int> log(const Invocation& invocation, const LogOptions& options) {
  std::optional<std::int64_t> since;
  if (!options.since.empty()) {
    since = parsed_moment(options.since);
    if (!since)
      return Error(ErrorCode::invalid_argument, "--since " + options.since +
                                                    " is not a time. Use 2026-11-22, 2026-11-22T10:00 (UTC), "
                                                    "or 90s, 30m, 2h, 3d, 1w for a time ago.");
  }
  Found found = TRY(read(invocation));
  say_unread(invocation, found.history);
  const std::string& others = found.history.other_snapshots_sentence;
  if (!others.empty())
    static_cast<void>(
        invocation.error_output.print(invocation.error_output.paint(Colour::dim, printable(others)) + "\n"));
  std::string array;
  AlignedRows rows;
  std::size_t count = 0;
  for (const HistoryEvent& event : found.history.events) {
    const std::string kind(text(event.kind));
    if (since && event.at_ms < *since) break;
    if (!options.kinds.empty() &&
        std::find(options.kinds.begin(), options.kinds.end(), kind) == options.kinds.end())
      continue;
    if (options.limit && count == *options.limit) break;
    ++count;
    array += (array.empty() ? "" : ",") + json::to_json(work_event_of(event));
    rows.add({{.text = time_text(event.at_ms, invocation.out), .colour = Colour::dim},
              {.text = kind, .colour = Colour::cyan},
              {.text = event.state, .colour = event_colour(event)},
              {.text = event_id(event), .colour = Colour::bold},
              {.text = event_in_words(event)}});
  }
  if (!invocation.prints_json && rows.empty() && invocation.out.is_terminal)
    return print_answer(
        invocation, "",
        found.history.events.empty() ? "Nothing has happened here yet.\n" : "Nothing of that kind.\n");
  return print_answer(invocation, "[" + array + "]",
                      invocation.prints_json ? std::string() : rows.text(invocation.out));
}

// Returns the path of the report. Errors: as make_snapback_folder(); permission_denied (.snapback is a
// symlink).
Result<OutputFile> place_of_report(const std::string& workspace, const ReportOptions& options) {
  if (options.typed->count() > 0) return OutputFile{.path = options.file, .force = options.force};
  TRY(core::make_snapback_folder(workspace));
  if (!std::filesystem::is_directory(std::filesystem::symlink_status(workspace + "/.snapback")))
    return Error(ErrorCode::permission_denied,
                 core::not_a_folder_sentence(".snapback") + " Name a file for the report.");
  return OutputFile{.path = workspace + "/" + std::string(default_report), .force = true};
}

Result<HistoryListed> latest_changes(ToolCaller& caller) {
  const HistoryListInput input{.max_moments = changes_max};
  ToolAnswer<HistoryListOutput> listed = TRY(caller.call<HistoryListOutput>(input));
  return std::get<HistoryListed>(std::move(listed.output));
}

Result<int> report(const Invocation& invocation, const ReportOptions& options) {
  const bool to_stdout = options.file == "-";
  if (to_stdout && invocation.prints_json)
    return Error(ErrorCode::invalid_argument,
                 "Standard output can receive either the page or JSON. Omit - or --json.");
  Found found = TRY(read(invocation));
  say_unread(invocation, found.history);
  const std::size_t event_count = found.history.events.size();
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  const Result<HistoryListed> changes = latest_changes(*caller);
  const std::string page =
      TRY(page_copy(caller->app(), work_of(std::move(found.history)), changes, caller->stop()));
  if (to_stdout) {
    TRY(invocation.out.print(page));
    return exit_done;
  }
  OutputFile file = TRY(place_of_report(found.workspace, options));
  TRY(write_output(caller->app(), file, page));
  if (invocation.prints_json)
    return print_answer(invocation,
                        "{\"bytes\":" + std::to_string(page.size()) +
                            ",\"events\":" + std::to_string(event_count) +
                            ",\"path\":" + json::quoted(core::text_of_bytes(file.path)) + "}",
                        "");
  return print_answer(invocation, "",
                      "Written: " + printable(file.path) + " (" +
                          core::count_with_noun(static_cast<std::int64_t>(event_count), "event") + ")\n");
}

}  // namespace

void add_log_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<LogOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "log",
       .description = "List what happened in the workspace, the latest first: snapshots, tasks, checks, "
                      "restores, acknowledged risks, learnings and violations.",
       .examples = {{"snap log --since 2h", "the last two hours"},
                    {"snap log --kind restore --kind check", ""},
                    {"snap log --limit 20 --json | jq '.[].title'", ""}}},
      [options](const Invocation& parsed) { return log(parsed, *options); });
  command
      .add_option("--since", options->since, "Only events since a date or time (UTC), or 30m, 2h, 3d ago.")
      ->type_name("TIME");
  command.add_option("-n,--limit", options->limit, "At most this many.")
      ->check(CLI::Range(0, 1000000))
      ->type_name("COUNT");
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < core::event_kind_count; ++i)
    kinds.emplace_back(text(static_cast<EventKind>(i)));
  command.add_option("--kind", options->kinds, "Only events of this kind; can be given several times.")
      ->check(CLI::IsMember(kinds))
      ->type_name("KIND");
}

void add_report_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "report",
       .description =
           "Write the page of snap ui as one HTML file: the recorded changes with their diffs, tasks, checks "
           "and risk. It cannot change anything, and sends no requests.",
       .examples = {{"snap report", ".snapback/report.html in the workspace, overwritten each time"},
                    {"snap report /tmp/week.html", ""},
                    {"snap report - | gzip > report.html.gz", ""}}},
      [options](const Invocation& parsed) { return report(parsed, *options); });
  options->typed = command.add_option(
      "FILE", options->file,
      "The file to write; - is standard output. Default: .snapback/report.html in the workspace.");
  command.add_flag("--force", options->force, "Overwrite an existing file.");
}

}  // namespace snapgen::tools
