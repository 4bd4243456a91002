// The texts of history.list, history.rewind and history.undo, and what of a list fits. Times are local, as a
// rewind expects them.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

#include "runtime/base/visible.h"
#include "tools/app/history_words.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"
#include "tools/server/answers/host_text.h"
#include "tools/server/answers/words.h"

namespace snapgen::tools {
namespace {

// Returns a time such as "2026-11-28 14:03:21".
std::string local_words(const std::string& iso) {
  return core::local_time(core::ms_of_iso_time(iso).value_or(0));
}

// ---- The answer of history.list

std::string turn_line(const HistoryListTurn& turn) {
  constexpr std::size_t prompt_bytes_max = 100;
  std::string line = turn.turn + " " + local_words(turn.began);
  if (turn.host) line += " " + *turn.host;
  if (turn.prompt) line += ": " + core::shortened(*turn.prompt, prompt_bytes_max);
  std::ranges::replace(line, '\n', ' ');
  return visible(line) + "\n";
}

// Returns changes such as "a.txt modified, b.txt created (server)". The author is named once for adjacent
// changes.
std::string changes_in_words(const HistoryListMoment& moment, std::size_t changes_max) {
  const std::size_t shown = std::min(moment.changes.size(), changes_max);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const HistoryListChange& change = moment.changes[i];
    text += (i == 0 ? "" : ", ") + quoted_path(change.path) + " " + change_words(change);
    const bool is_last_of_author = i + 1 == shown || moment.changes[i + 1].by != change.by;
    if (is_last_of_author) text += " (" + change.by + ")";
  }
  return text + (shown < moment.changes.size() || moment.change_count ? ", ..." : "");
}

// Returns a line such as "m14 14:03:21 2 files: a.txt modified, b.txt created (server)".
std::string moment_line(const HistoryListMoment& moment, std::size_t changes_max) {
  const std::string time = local_words(moment.at);
  std::string line = moment.moment + " " + time.substr(time.find(' ') + 1) + " " +
                     moment_words(moment, changes_in_words(moment, changes_max));
  std::ranges::replace(line, '\n', ' ');
  return visible(line) + "\n";
}

// Calls `try_add` for each moment, with its turn, until it returns false: then there is no space for that
// moment. Removes this moment and all earlier ones. Returns whether there were any.
template <class TryAdd>
bool cut_moments(HistoryListed& out, const TryAdd& try_add) {
  std::string last;
  for (std::size_t i = 0; i < out.turns.size(); ++i) {
    HistoryListTurn& turn = out.turns[i];
    for (std::size_t j = 0; j < turn.moments.size(); ++j) {
      if (try_add(turn, j)) {
        last = turn.moments[j].moment;
        continue;
      }
      turn.moments.resize(j);
      out.turns.resize(j == 0 ? i : i + 1);
      if (!last.empty()) out.next_cursor = last;
      return true;
    }
  }
  return false;
}

std::string list_words(const HistoryListInput& in, HistoryListed& out, TextLimit limit) {
  // The call for one turn or moment requests its files.
  constexpr std::size_t few_changes = 3;
  const std::size_t changes_max = in.target ? std::string::npos : few_changes;
  std::string lines;
  cut_moments(out, [&](const HistoryListTurn& turn, std::size_t index) {
    const std::string piece =
        (index == 0 ? turn_line(turn) : "") + moment_line(turn.moments[index], changes_max);
    if (!limit.try_consume(piece)) return false;
    lines += piece;
    return true;
  });
  if (out.paused_since) lines += paused_sentence(core::ms_of_iso_time(*out.paused_since).value_or(0)) + "\n";
  if (out.recoverable)
    lines += "a deleted history of this folder, until " + local_words(*out.recoverable) +
             ", has a copy: snap recover restores from it\n";
  if (!out.oldest)
    return lines + "no state is recorded yet" + (out.paused_since ? "" : "; call again in a second") + "\n";
  if (out.turns.empty()) lines += "no changes\n";
  if (out.next_cursor) lines += "there are more; continue with cursor " + *out.next_cursor + "\n";
  return lines + "oldest state " + local_words(*out.oldest) + "\n";
}

// ---- The answers of history.rewind and history.undo

std::string restored_file_line(const RestoredFile& file) {
  return std::string(text(file.kind)) + " " + quoted_path(file.path) + "\n";
}

// Returns the lines of `shown`, and how many others there are of all `count` things.
template <class Item, class TextOf>
std::string counted_lines(const std::vector<Item>& shown, TextOf text_of, std::string_view noun,
                          std::int64_t count, TextLimit& limit) {
  std::string text;
  append_fitting(shown, text_of, noun, limit, text);
  const std::int64_t rest = count - std::ssize(shown);
  if (rest > 0) text += "and " + core::count_with_noun(rest, noun) + "\n";
  return text;
}

// `count` is the number of all files, if not all are in the answer.
std::string restored_files_text(const std::vector<RestoredFile>& files,
                                const std::optional<std::int64_t>& count, TextLimit& limit) {
  return counted_lines(files, restored_file_line, "more file", count.value_or(0), limit);
}

std::string git_line(const std::string& text) { return visible(text) + "\n"; }

std::string undo_with_words(const std::optional<std::string>& moment) {
  return moment ? ", undo with " + *moment : std::string();
}

std::string foreign_line(const HistoryRewindForeign& foreign) {
  return visible("takes away " + quoted_path(foreign.path) + lines_in_words(foreign.lines) + " (" +
                 foreign.by + ")") +
         "\n";
}

// Returns a line such as "only snap_12ab has the content of big.bin".
std::string unrecorded_line(const HistoryRewound& done, const std::string& path) {
  return (done.undo_snapshot_id
              ? "only " + core::short_snapshot_id(*done.undo_snapshot_id) + " has the content of "
              : std::string("the history does not have the content of ")) +
         quoted_path(path) + "\n";
}

std::string spared_line(const HistoryRewindSpared& spared) {
  return "unchanged " + quoted_path(spared.path) + " (" + std::string(text(spared.reason)) + ")\n";
}

// Returns lines for a few of the files, the number of the others, and who can restore the protected ones.
std::string spared_text(const HistoryRewound& done, TextLimit& limit) {
  constexpr std::size_t few_files = 10;
  const std::vector<HistoryRewindSpared>& all = *done.spared;
  const std::vector<HistoryRewindSpared> few(all.begin(), all.begin() + std::min(all.size(), few_files));
  std::string text = counted_lines(few, spared_line, "more unchanged file",
                                   done.spared_count.value_or(std::ssize(all)), limit);
  const auto is_protected = [](const HistoryRewindSpared& each) {
    return each.reason == HistoryRewindSparedReason::protected_file;
  };
  if (std::ranges::any_of(all, is_protected))
    text += "only the user can restore protected files: snap rewind with the same target\n";
  return text;
}

std::string rewound_words(const HistoryRewindInput& in, const HistoryRewound& done, TextLimit limit) {
  const std::string state = done.state.moment + " " + local_words(done.state.at);
  std::string text = done.changes.empty() ? "nothing to change: the files are as after "
                     : in.dry_run         ? "dry run: would rewind to the state after "
                                          : "rewound to the state after ";
  text += state;
  if (!done.changes.empty()) text += ": " + file_count_words(done.changes.size(), done.change_count);
  text += undo_with_words(done.undo_with) + lease_suffix(in, done) + "\n";
  text += restored_files_text(done.changes, done.change_count, limit);
  append_fitting(git_lines(done, in.dry_run, "git: true"), git_line, "more change of git", limit, text);
  if (done.foreign_lines) append_fitting(*done.foreign_lines, foreign_line, "more file", limit, text);
  if (done.unrecorded)
    append_fitting(
        *done.unrecorded, [&](const std::string& path) { return unrecorded_line(done, path); },
        "more such file", limit, text);
  if (done.spared) text += spared_text(done, limit);
  return text;
}

std::string conflict_line(const HistoryUndoConflict& conflict) {
  return visible("conflict " + quoted_path(conflict.path) + lines_in_words(conflict.lines) + ": " +
                 conflict.reason) +
         "\n";
}

// Returns what was done, or why nothing was.
std::string undo_outcome(const HistoryUndoInput& in, const HistoryUndone& undone) {
  const std::string files = file_count_words(undone.files.size(), undone.file_count);
  if (undone.done) return "undone: " + files;
  if (undone.conflicts && !in.partial)
    return "not undone: conflicts, nothing changed; partial: true undoes the rest";
  if (undone.files.empty()) return "nothing to undo";
  return "dry run: would undo " + files;
}

std::string undone_words(const HistoryUndoInput& in, const HistoryUndone& undone, TextLimit limit) {
  std::string text = undo_outcome(in, undone);
  text += undo_with_words(undone.undo_with) + lease_suffix(in, undone) + "\n";
  if (undone.conflicts) append_fitting(*undone.conflicts, conflict_line, "more conflict", limit, text);
  if (undone.done || in.dry_run) text += restored_files_text(undone.files, undone.file_count, limit);
  return text;
}

}  // namespace

std::string host_text(const HistoryListInput& in, HistoryListOutput& out, const TextForm& form) {
  return visit_answer(out, [&](HistoryListed& list) { return list_words(in, list, form.limit); });
}

bool fit_to_limit(const HistoryListInput&, HistoryListOutput& out, TextLimit limit) {
  if (!limit.is_limited()) return false;
  return visit_answer(out, [&](HistoryListed& list) {
    return cut_moments(list, [&](const HistoryListTurn& turn, std::size_t index) {
      // The members of a turn besides its moments.
      constexpr std::size_t turn_bytes = 1000;
      const std::size_t bytes = json::to_json(turn.moments[index]).size() + 1;
      return limit.try_consume(bytes + (index == 0 ? turn_bytes : 0), 0);
    });
  });
}

std::string host_text(const HistoryRewindInput& in, HistoryRewindOutput& out, const TextForm& form) {
  return visit_answer(out, [&](const HistoryRewound& done) { return rewound_words(in, done, form.limit); });
}

std::string host_text(const HistoryUndoInput& in, HistoryUndoOutput& out, const TextForm& form) {
  return visit_answer(out, [&](const HistoryUndone& undone) { return undone_words(in, undone, form.limit); });
}

}  // namespace snapgen::tools
