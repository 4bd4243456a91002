// `snap history` lists recorded changes, `snap rewind` returns to a recorded state, and `snap undo` undoes
// one change.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "schemas/substrate/history_list.h"
#include "schemas/substrate/history_rewind.h"
#include "schemas/substrate/history_undo.h"
#include "tools/app/history_words.h"
#include "tools/app/path_lines.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/path_words.h"
#include "tools/cli/record_moment.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/operations/history/take_moment.h"

namespace snapgen::tools {
namespace {

// ---- snap history

struct TimelineOptions {
  std::string target;
  std::vector<std::string> paths;
  std::int64_t limit = 20;
  bool records = false;
  bool pause = false;
  bool resume = false;
};

// Records the present state.
Result<int> record(const Invocation& invocation) {
  const core::TakenMoment taken = TRY(record_moment(invocation));
  const std::string moment = "m" + std::to_string(taken.number);
  return print_answer(
      invocation, core::JsonObject().add("moment", moment).finish(),
      taken.is_new ? "Recorded " + moment + ".\n" : "Nothing has changed since " + moment + ".\n");
}

std::string time_of(const std::string& iso, const Terminal& out) {
  return time_text(core::ms_of_iso_time(iso).value_or(0), out);
}

// Returns changes such as "3 files: a.txt modified (server), b.txt deleted (outside), ...".
std::string recorded_changes_text(const HistoryListMoment& moment) {
  std::string changes;
  for (const HistoryListChange& each : moment.changes)
    changes += (changes.empty() ? "" : ", ") + displayed_path(each.path) + " " + change_words(each) + " (" +
               each.by + ")";
  return moment_words(moment, changes + (moment.change_count ? ", ..." : ""));
}

std::string turns_text(const HistoryListed& list, const Terminal& out) {
  std::string text;
  for (const HistoryListTurn& turn : list.turns) {
    AlignedRows heading;
    std::string about = turn.host.value_or("");
    if (turn.prompt) about += (about.empty() ? "" : ": ") + *turn.prompt;
    heading.add({{turn.turn, Colour::bold}, {time_of(turn.began, out), Colour::dim}, {std::move(about)}});
    AlignedRows rows;
    for (const HistoryListMoment& moment : turn.moments)
      rows.add({{moment.moment, Colour::bold},
                {time_of(moment.at, out), Colour::dim},
                {recorded_changes_text(moment)}});
    text += heading.text(out) + rows.text(out, 2);
  }
  if (list.next_cursor) text += "There are earlier moments; raise --limit.\n";
  if (list.paused_since) text += paused_sentence(core::ms_of_iso_time(*list.paused_since).value_or(0)) + "\n";
  if (list.recoverable)
    text += "A deleted history of this folder, until " + time_of(*list.recoverable, out) +
            ", has a copy: snap recover restores from it.\n";
  if (!list.oldest) return text + "The history is empty.\n";
  if (list.turns.empty()) text += "No changes.\n";
  return text + "The oldest state is of " + time_of(*list.oldest, out) + ".\n";
}

// Pauses the history, or resumes it and records what changed meanwhile.
Result<Unit> pause_or_resume(ToolCaller& caller, bool pause) {
  core::MomentTaker* const taker = TRY(caller.app().history());
  if (pause) return taker->log().pause();
  TRY(taker->log().resume());
  TRY(taker->take(core::MomentCause::call, core::MomentPace::normal, caller.stop()));
  return Unit{};
}

Result<int> show_timeline(const Invocation& invocation, const TimelineOptions& options) {
  if (options.records) return record(invocation);
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  if (options.pause || options.resume) TRY(pause_or_resume(*caller, options.pause));
  caller->set_argument_names({{"max_moments", "--limit"}, {"paths", "--path"}, {"target", "TARGET"}});
  HistoryListInput input{.max_moments = options.limit};
  if (!options.target.empty()) input.target = options.target;
  TRY(caller->resolve_paths(options.paths, input.paths));
  const ToolAnswer<HistoryListOutput> listed = TRY(caller->call<HistoryListOutput>(input));
  return print_answer(invocation, listed.json(),
                      turns_text(std::get<HistoryListed>(listed.output), invocation.out));
}

// ---- snap rewind and snap undo

// Returns a row for each file. `count` is the number of all, if there are more than `files` has.
std::string restored_rows(const std::vector<RestoredFile>& files, const std::optional<std::int64_t>& count,
                          const Terminal& out) {
  AlignedRows rows;
  for (const RestoredFile& each : files) {
    const Colour colour = each.kind == RestoredFileKind::deleted ? Colour::red : Colour::dim;
    rows.add({{std::string(text(each.kind)), colour}, {displayed_path(each.path)}});
  }
  return rows.text(out, 2) + (count ? "  ...\n" : "");
}

// Returns the sentence that ends the text of a command that changed something.
std::string way_back(const std::optional<std::string>& undo_with) {
  return undo_with ? " To go back: snap undo " + *undo_with + "\n" : "\n";
}

struct RewindOptions {
  std::string target;
  std::vector<std::string> paths;
  bool dry_run = false;
  bool git = false;
};

std::string rewound_text(const HistoryRewound& done, bool dry_run, const Terminal& out) {
  std::string words = restored_rows(done.changes, done.change_count, out);
  if (done.foreign_lines)
    for (const HistoryRewindForeign& each : *done.foreign_lines)
      words += printable("Takes away " + displayed_path(each.path) + lines_in_words(each.lines) + " (" +
                         each.by + ")") +
               "\n";
  if (done.spared)
    words += file_count_words(done.spared->size(), done.spared_count) + " not changed, for example " +
             displayed_path(done.spared->front().path) + " (" +
             std::string(text(done.spared->front().reason)) + ").\n";
  if (done.unrecorded && done.undo_snapshot_id)
    words += "The history does not have the content of " + file_count_words(done.unrecorded->size(), {}) +
             ", for example " + displayed_path(done.unrecorded->front()) +
             ". To return it: snap snapshot restore " + core::short_snapshot_id(*done.undo_snapshot_id) +
             "\n";
  const std::string state = "the state after " + done.state.moment + ", " + time_of(done.state.at, out);
  for (const std::string& line : git_lines(done, dry_run, "--git")) words += printable(line) + "\n";
  if (done.changes.empty())
    words += "Nothing to change: the files are in " + state + ".";
  else
    words += (dry_run ? "Would rewind " : "Rewound ") +
             file_count_words(done.changes.size(), done.change_count) + " to " + state + ".";
  if (done.git && done.git->moved_back && done.undo_with)
    return words + " To go back: snap rewind " + *done.undo_with + " --git\n";
  return words + way_back(done.undo_with);
}

Result<int> rewind(const Invocation& invocation, const RewindOptions& options) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  caller->set_argument_names({{"git", "--git"}, {"paths", "PATH"}, {"target", "TARGET"}});
  HistoryRewindInput input{.dry_run = options.dry_run, .git = options.git, .target = options.target};
  TRY(caller->resolve_paths(options.paths, input.paths));
  const ToolAnswer<HistoryRewindOutput> done = TRY(caller->call<HistoryRewindOutput>(input));
  return print_answer(invocation, done.json(),
                      rewound_text(std::get<HistoryRewound>(done.output), options.dry_run, invocation.out));
}

struct UndoOptions {
  std::string target;
  std::vector<std::string> paths;
  bool partial = false;
  bool dry_run = false;
};

// Converts the typed paths as ToolCaller::resolve_paths(), without the lines at their ends. Errors: as that
// function.
Result<std::optional<std::vector<std::string>>> paths_with_lines(ToolCaller& caller,
                                                                 const std::vector<std::string>& typed) {
  std::vector<std::string> names;
  std::vector<std::string> lines;
  for (const std::string& each : typed) {
    PathLines divided = path_lines_of(each);
    names.push_back(std::move(divided.path));
    lines.push_back(divided.lines.empty() ? "" : ":" + divided.lines);
  }
  std::optional<std::vector<Path>> paths;
  TRY(caller.resolve_paths(names, paths));
  for (std::size_t i = 0; paths && i < paths->size(); ++i) (*paths)[i] += lines[i];
  return paths;
}

std::string undone_text(const HistoryUndone& undone, const UndoOptions& options, const Terminal& out) {
  std::string words;
  if (undone.done || options.dry_run) words = restored_rows(undone.files, undone.file_count, out);
  if (undone.conflicts)
    for (const HistoryUndoConflict& each : *undone.conflicts)
      words += printable("Conflict: " + displayed_path(each.path) + lines_in_words(each.lines) + ". " +
                         each.reason) +
               "\n";
  const std::string files = file_count_words(undone.files.size(), undone.file_count);
  if (undone.done) return words + "Undone in " + files + "." + way_back(undone.undo_with);
  if (undone.conflicts && !options.partial)
    return words + "Nothing was changed. --partial undoes what has no conflict.\n";
  return words + (undone.files.empty() ? "Nothing to undo.\n" : "Would undo the change in " + files + ".\n");
}

Result<int> undo(const Invocation& invocation, const UndoOptions& options) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  caller->set_argument_names({{"paths", "PATH"}, {"target", "TARGET"}});
  HistoryUndoInput input{
      .dry_run = options.dry_run, .partial = options.partial, .paths = {}, .target = options.target};
  input.paths = TRY(paths_with_lines(*caller, options.paths));
  const ToolAnswer<HistoryUndoOutput> made = TRY(caller->call<HistoryUndoOutput>(input));
  const auto& undone = std::get<HistoryUndone>(made.output);
  return print_answer(invocation, made.json(), undone_text(undone, options, invocation.out),
                      undone.conflicts ? exit_failed_or_found : exit_done);
}

}  // namespace

void add_history_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<TimelineOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "history",
       .description = "List the recorded changes of the workspace, the latest first: turns, their moments, "
                      "the files that each changed, and what changed them.",
       .examples = {{"snap history --limit 5", "the last five moments"},
                    {"snap history --path src", "changes in src only"},
                    {"snap history t12", "the moments of a turn"},
                    {"snap history --record", "a moment now, for a script or where no server runs"},
                    {"snap history --pause", "record nothing until --resume"}}},
      [options](const Invocation& parsed) { return show_timeline(parsed, *options); });
  command.add_option("TARGET", options->target, "Only this turn or moment, such as t12 or m14.");
  command
      .add_option("--path", options->paths,
                  "Only changes of this file or folder; can be given several times.")
      ->type_name("PATH");
  command.add_option("-n,--limit", options->limit, "At most this many moments. Default: 20.")
      ->check(CLI::Range(1, 200))
      ->type_name("COUNT");
  command.add_flag("--record", options->records, "Record the present state now, and list nothing.");
  CLI::Option* const pause =
      command.add_flag("--pause", options->pause, "Record nothing, in all servers, until --resume.");
  command.add_flag("--resume", options->resume, "Record again after --pause, also what changed meanwhile.")
      ->excludes(pause);
}

void add_rewind_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<RewindOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "rewind",
       .description = "Return the workspace, or only some paths, to the state before a moment, a turn or a "
                      "time. It takes away all later changes there, and prints how to bring them back.",
       .examples = {{"snap rewind m14 --dry-run", "what would change"},
                    {"snap rewind t12 src", "a folder, as it was before a turn"},
                    {"snap rewind m14 --git", "also what a git reset or checkout moved"},
                    {"snap rewind '10 minutes ago'", ""}}},
      [options](const Invocation& parsed) { return rewind(parsed, *options); });
  command
      .add_option("TARGET", options->target,
                  "A moment (m14), a turn (t12), or a time: 14:03, '2026-11-28 14:03' or '5 minutes ago'.")
      ->required();
  command.add_option("PATH", options->paths, "Files or folders. Default: everything.");
  command.add_flag("--git", options->git,
                   "Also move HEAD, all local branches and the index back. Not with PATH.");
  command.add_flag("--dry-run", options->dry_run, "Show what would change, and change nothing.");
}

void add_undo_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<UndoOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "undo",
       .description = "Undo what one moment, turn or undo snapshot changed, and retain all later changes. "
                      "If lines were changed again, nothing changes without --partial.",
       .examples = {{"snap undo m14", "one moment"},
                    {"snap undo t12 src/a.c:10-20", "what a turn changed in these lines"},
                    {"snap undo snap_911f530210 --dry-run", "what would change"}},
       .exit_codes = "0 done; 1 it failed, or there are conflicts; 2 the command line is wrong."},
      [options](const Invocation& parsed) { return undo(parsed, *options); });
  command
      .add_option("TARGET", options->target, "A moment (m14), a turn (t12), or the id of an undo snapshot.")
      ->required();
  command.add_option("PATH", options->paths,
                     "Files or folders, or lines of the present file as PATH:10-20. Default: all that the "
                     "change has.");
  command.add_flag("--partial", options->partial, "Undo what has no conflict.");
  command.add_flag("--dry-run", options->dry_run, "Show what would change, and change nothing.");
}

}  // namespace snapgen::tools
