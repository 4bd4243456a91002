#include "tools/app/check_answer.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "tools/app/report_cache.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {
namespace {

using core::count_with_noun;
using core::shortened;

constexpr std::size_t tokens_max = 194;
// The line repeats what the summary says, so it leaves the space to the messages there.
constexpr std::size_t issues_bytes_max = 70;
constexpr std::size_t issues_max = 3;
constexpr std::size_t summary_findings_max = 5;
constexpr std::size_t path_bytes_max = 80;
// The limits of a finding's sentence, the first that fits; the last if there is little space.
constexpr std::array<std::size_t, 4> finding_bytes_max = {300, 200, 140, 100};
constexpr std::array<std::size_t, 3> asked_finding_bytes_max = {600, 300,
                                                                100};  // If a client asks for a number.
constexpr std::size_t finding_tokens_min = 25;  // Space that a long finding leaves for each of the next ones.
// The most that a finding takes, if path and sentence are multi-byte characters.
constexpr std::size_t finding_tokens_max = 190;
constexpr std::size_t note_bytes_max = 200;
constexpr std::size_t short_note_bytes_max = 130;  // The limit if findings follow the note.
// The limit of what was skipped, and of what was checked, if there are findings: those matter more.
constexpr std::size_t short_part_bytes_max = 70;
constexpr std::size_t short_reminder_bytes_max = 100;
constexpr std::size_t long_note_bytes_max = 4000;  // The limit if a client asks for a number of findings.

// Returns an upper bound for any tokenizer: one token for each four letters or digits of a word or number,
// one for each other ASCII character, and three for a character beyond ASCII.
std::size_t tokens_of(std::string_view text) {
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    bool (*same)(char) = is_letter(text[i]) ? is_letter : is_digit;
    while (end < text.size() && same(text[end])) ++end;
    if (end > i) {
      tokens += (end - i + 3) / 4;
      i = end;
      continue;
    }
    const unsigned char c = static_cast<unsigned char>(text[i++]);
    if (c >= 0xc0)
      tokens += 3;
    else if (c > ' ' && c < 0x80)
      ++tokens;
  }
  return tokens;
}

lines::Mark line_mark(core::CheckMark mark) {
  switch (mark) {
    case core::CheckMark::skipped: return lines::Mark::skipped;
    case core::CheckMark::pass: return lines::Mark::pass;
    case core::CheckMark::fail: break;
  }
  return lines::Mark::fail;
}

// Cuts the beginning of a path, because its end is more informative.
std::string short_path(const std::string& path) {
  std::string text = core::path_in_sentence(path);
  if (text.size() <= path_bytes_max) return text;
  return std::string("…").append(utf8_tail(text, path_bytes_max));
}

std::string place_of(const core::CheckFinding& one) {
  if (one.path.empty()) return {};
  return short_path(one.path) + (one.line > 0 ? ":" + std::to_string(one.line) : "");
}

// Returns the code of a finding, or "test " and the name of a failed test that has no location.
std::string code_of(const core::CheckFinding& one) {
  return one.is_test && one.path.empty() ? "test " + one.code : one.code;
}

// Returns the location and code of a finding, such as "src/a.ts:3 TS2322".
std::string issue_of(const core::CheckFinding& one) {
  const std::string location = place_of(one);
  const std::string what = one.code.empty() ? shortened(one.message, 40) : shortened(code_of(one), 40);
  return location.empty() ? what : what.empty() ? location : location + " " + what;
}

// Returns the location and text of a finding, such as "src/a.ts:3: TS2322 Type 'string' is not assignable
// (recorded: run the generator)".
std::string sentence_of(const core::CheckFinding& one, std::size_t bytes_max) {
  std::string what = code_of(one);
  if (!one.message.empty())
    what += (what.empty() ? "" : one.is_test ? ": " : " ") + core::without_full_stop(one.message);
  if (one.prevention.empty())
    what = shortened(what, bytes_max);
  else
    what = shortened(what, bytes_max / 2) + " (recorded: " + shortened(one.prevention, bytes_max / 2) + ")";
  const std::string location = place_of(one);
  return location.empty() ? what : location + ": " + what;
}

std::string counts_of(const core::CheckReport& report) {
  std::string text;
  if (report.error_count + report.warning_count > 0)
    text = count_with_noun(report.error_count, "error") + " and " +
           count_with_noun(report.warning_count, "warning") + ".";
  const core::TestCounts& tests = report.tests;
  if (tests.all() == 0) return text;
  // Some runners name the failed tests, and do not print how many passed.
  const bool only_failed = tests.passed == 0 && tests.failed > 0;
  text += (text.empty() ? "" : " ") + (only_failed ? count_with_noun(tests.failed, "test") + " failed"
                                                   : count_with_noun(tests.passed, "test") + " passed");
  if (tests.failed > 0 && !only_failed) text += ", " + std::to_string(tests.failed) + " failed";
  if (tests.skipped > 0) text += ", " + std::to_string(tests.skipped) + " skipped";
  if (tests.todo > 0) text += ", " + std::to_string(tests.todo) + " todo";
  return text + ".";
}

// Returns a sentence with the reasons why parts of the workspace were not checked, each once: first those
// that are never cut, then those of programs, then what the workspace does not have. Names as many as fit
// into `bytes_max`, and counts the others.
std::string skipped_of(const core::CheckReport& report, std::size_t bytes_max) {
  std::vector<const core::SkippedCheck*> reasons;
  for (const core::SkippedCheck& each : report.skipped)
    if (std::ranges::none_of(reasons, [&](const auto* other) { return other->reason == each.reason; }))
      reasons.push_back(&each);
  if (reasons.empty()) return {};
  std::ranges::stable_sort(reasons, {}, [](const core::SkippedCheck* one) {
    return std::pair(!one->is_withheld, one->is_absent);
  });
  std::string text;
  std::size_t used = 0;
  std::size_t left_out = 0;
  for (const core::SkippedCheck* one : reasons) {
    const std::string reason = one->is_withheld ? one->reason : shortened(one->reason, note_bytes_max);
    if (!one->is_withheld && (used += reason.size()) > bytes_max) {
      ++left_out;
      continue;
    }
    text += (text.empty() ? "" : "; ") + reason;
  }
  if (left_out > 0)
    text += (text.empty() ? count_with_noun(static_cast<std::int64_t>(left_out), "part")
                          : "; " + std::to_string(left_out) + " more");
  return "Skipped: " + text + ".";
}

std::string checked_of(const core::CheckReport& report, std::size_t bytes_max) {
  const std::string text = report.checked_tools_text();
  return text.empty() ? text : shortened("Checked: " + text, bytes_max) + ".";
}

// Returns a sentence about the findings from `end` on, which the summary does not name, and how to list them;
// empty if there are none. The line names the findings before `in_line`.
std::string rest_of(const CheckedWork& work, std::size_t end, std::size_t in_line,
                    const FindingSelection& list) {
  if (work.left_out_after(end) == 0) return {};
  const std::int64_t unnamed = work.left_out_after(std::max(end, in_line));
  if (end >= work.report.findings.size())
    return std::to_string(unnamed) + " more" + (unnamed == 1 ? " is" : " are") +
           " counted and not listed: correct some first.";
  const std::string cursor = list.has_cursors ? ": cursor " + cursor_at(work.id, end) : "";
  if (unnamed == 0) return list.has_cursors ? "In full" + cursor + "." : std::string();
  return std::to_string(unnamed) + " more" + cursor + ".";
}

std::string verdict_of(const core::CheckReport& report) {
  switch (report.overall()) {
    case core::CheckMark::skipped:
      return report.is_informational  ? "done"
             : report.skipped.empty() ? "had nothing to do"
                                      : "checked nothing";
    case core::CheckMark::pass: return report.is_complete() ? "passed" : "passed as far as it ran";
    case core::CheckMark::fail: break;
  }
  return "failed";
}

// Returns a sentence about the errors that are older than the task or the last check, and listed last; empty
// if it is not known.
std::string older_errors_of(const core::CheckReport& report) {
  const std::string check = report.compared_with == core::EarlierCheck::previous
                                ? "the previous check"
                                : "the last check before the task";
  const std::int64_t older = report.found_before_count + report.elsewhere_count;
  if (older == 0) {
    const bool are_new = report.found_now_count > 0 && report.found_now_count == report.error_count;
    return are_new ? "All are new since " + check + "." : "";
  }
  const std::string number = older == 1 ? "" : std::to_string(older) + " ";
  const std::string which = older < report.error_count ? "The last " + number : older == 1 ? "The " : "All ";
  const std::string file = older == 1 ? "a file" : "files";
  return which + (older == 1 ? "error is " : "errors are ") +
         (report.elsewhere_count == 0 ? "known from " + check
          : report.found_before_count == 0
              ? "in " + file + " that the task does not affect, so probably there before"
              : "known from " + check + ", or in files that the task does not affect") +
         ".";
}

// Returns what to do about the errors.
std::string advice_of(const core::CheckReport& report) {
  const std::string older = older_errors_of(report);
  if (report.found_before_count + report.elsewhere_count == report.error_count && !older.empty() &&
      report.compared_with != core::EarlierCheck::previous)
    return older;
  return "Correct these and check again." + (older.empty() ? "" : " " + older);
}

// The first findings as one line, and the index after the last of them.
std::pair<lines::CheckLine, std::size_t> line_of(const CheckedWork& work) {
  using core::Subsystem;
  const core::CheckReport& report = work.report;
  lines::CheckLine line{
      .status = line_mark(report.overall()),
      .err = report.error_count,
      .warn = report.warning_count,
      .ts = line_mark(std::max(report.mark(Subsystem::types), report.mark(Subsystem::build))),
      .lint = line_mark(report.mark(Subsystem::lint)),
      .tests = line_mark(report.mark(Subsystem::tests)),
      .issues = {}};
  std::size_t end = work.first;
  for (; end < std::min(report.findings.size(), work.first + issues_max); ++end) {
    const std::string next = (end == work.first ? "" : "; ") + issue_of(report.findings[end]);
    if (end > work.first && line.issues.size() + next.size() > issues_bytes_max) break;
    line.issues += next;
  }
  return {std::move(line), end};
}

// Writes the summary of a check within a budget of tokens: counts, notes, findings, and what was checked and
// skipped.
class SummaryWriter {
 public:
  SummaryWriter(const CheckedWork& work, const FindingSelection& list)
      : work_(work),
        report_(work.report),
        list_(list),
        // The answer is short, unless the client asks for a number of findings, or for further ones.
        is_short_(!list.limit && work.first == 0),
        listed_max_(std::min(static_cast<std::size_t>(list.limit.value_or(summary_findings_max)),
                             core::stored_findings_max)),
        has_findings_(work.first < work.report.findings.size()),
        is_crowded_(is_short_ && has_findings_),
        only_places_(work.report.error_count + work.report.warning_count == 0),
        summary_(work.title + " " + verdict_of(work.report) + ".") {
    const std::size_t part_bytes_max = !is_short_      ? long_note_bytes_max
                                       : has_findings_ ? short_part_bytes_max
                                                       : note_bytes_max;
    reminder_ = shortened(report_.reminder, is_crowded_ ? short_reminder_bytes_max : note_bytes_max);
    skipped_ = skipped_of(report_, is_crowded_ ? 0 : part_bytes_max);
    checked_ = checked_of(report_, part_bytes_max);
    if (report_.overall() == core::CheckMark::fail) advice_ = advice_of(report_);
  }

  // `line` is the line before the summary, which shows the findings before the index `in_line`.
  std::string write(const lines::CheckLine& line, std::size_t in_line, linefmt::Mode mode) && {
    reserve(tokens_of(linefmt::with_summary(lines::encode(line, mode), summary_)));
    add(counts_of(report_), " ");
    if (only_places_) add_notes_before_places();
    const std::size_t end = add_findings();
    if (end > work_.first) summary_ += ".";
    const std::string rest = rest_of(work_, end, list_.limit ? end : in_line, list_);
    if (!rest.empty()) summary_ += " " + rest;
    if (!only_places_) add_notes();
    add_parts();
    if (!reminder_.empty()) summary_ += " " + reminder_;
    if (!advice_.empty()) summary_ += " " + advice_;
    return std::move(summary_);
  }

 private:
  std::size_t first_unlisted() const { return std::min(report_.findings.size(), work_.first + listed_max_); }
  // Without findings, the checked parts are what the verdict means.
  bool always_names_checked() const { return is_short_ && !has_findings_; }

  // Sets the budget, without the space for the sentences that are added last.
  void reserve(std::size_t used) {
    const std::size_t budget = is_short_ ? tokens_max : tokens_max + listed_max_ * finding_tokens_max;
    left_ = budget - used;
    std::size_t reserved = tokens_of(advice_) + tokens_of(reminder_);
    if (is_short_) reserved += tokens_of(skipped_);
    if (always_names_checked()) reserved += tokens_of(checked_);
    if (work_.left_out_after(first_unlisted()) > 0)
      reserved += tokens_of(rest_of(work_, work_.first, work_.first, list_));
    left_ -= std::min(left_, reserved);
  }

  bool add(const std::string& text, std::string_view before) {
    const std::size_t tokens = tokens_of(text) + tokens_of(before);
    if (text.empty() || tokens > left_) return false;
    left_ -= tokens;
    summary_ += std::string(before) + text;
    return true;
  }

  bool add_note(const std::string& note) {
    return add(note, " ") || add(shortened(note, short_note_bytes_max), " ") ||
           add(shortened(note, short_part_bytes_max), " ");
  }

  void add_notes() {
    std::vector<std::string> notes;
    std::size_t needed = 0;
    for (const std::string& each : report_.notes) {
      notes.push_back(shortened(each, is_crowded_ ? short_note_bytes_max : note_bytes_max));
      needed += tokens_of(notes.back());
    }
    const auto left_out_words = [&](std::size_t count) {
      return " " + count_with_noun(static_cast<std::int64_t>(count), "note") + " left out: check with limit.";
    };
    const std::size_t mark = tokens_of(left_out_words(notes.size()));
    // An informational report consists of its notes, so the answer says how many were left out.
    if (needed <= left_ || mark > left_ || !is_short_ || !report_.is_informational) {
      for (const std::string& each : notes) add(each, " ");
      return;
    }
    left_ -= mark;
    std::size_t left_out = 0;
    for (const std::string& each : notes) left_out += add_note(each) ? 0 : 1;
    if (left_out > 0) summary_ += left_out_words(left_out);
  }

  // Without errors and warnings, the findings are files that an edit affects.
  std::string_view beginning() const {
    if (!only_places_) return " ";
    return work_.first == 0 ? " Affected, nearest first: " : " Further affected: ";
  }

  // The nearest files matter more than the last notes.
  void add_notes_before_places() {
    std::string nearest(has_findings_ ? beginning() : "");
    for (std::size_t i = work_.first; i < std::min(report_.findings.size(), work_.first + issues_max); ++i)
      nearest += place_of(report_.findings[i]) + ", ";
    const std::size_t for_nearest = std::min(left_ / 2, tokens_of(nearest));
    left_ -= for_nearest;
    add_notes();
    left_ += for_nearest;
  }

  // Adds findings in order while they fit. Returns the index after the last of them.
  std::size_t add_findings() {
    const std::size_t listed_end = only_places_ && !list_.limit ? report_.findings.size() : first_unlisted();
    std::size_t end = work_.first;
    for (; end < listed_end; ++end) {
      const std::string_view before = end == work_.first ? beginning() : only_places_ ? ", " : "; ";
      const std::size_t following = std::min(listed_end, report_.findings.size()) - end - 1;
      const core::CheckFinding& one = report_.findings[end];
      if (!(only_places_ ? add(place_of(one), before) : add_finding(one, before, following))) break;
    }
    return end;
  }

  // Adds the sentence about a finding, or at least its location.
  bool add_finding(const core::CheckFinding& one, std::string_view before, std::size_t following) {
    const std::span<const std::size_t> limits =
        is_short_ ? std::span<const std::size_t>(finding_bytes_max) : asked_finding_bytes_max;
    for (const std::size_t bytes_max : limits) {
      const std::string sentence = sentence_of(one, bytes_max);
      const bool leaves_space = tokens_of(sentence) + following * finding_tokens_min <= left_;
      if ((leaves_space || bytes_max == limits.back()) && add(sentence, before)) return true;
    }
    return add(issue_of(one), before) || add(place_of(one), before);
  }

  // Adds what was checked and what was skipped.
  void add_parts() {
    if (is_crowded_) {  // The findings need the space.
      left_ += tokens_of(skipped_);
      if (!add(skipped_of(report_, note_bytes_max), " ") &&
          !add(skipped_of(report_, short_part_bytes_max), " ") && !skipped_.empty())
        summary_ += " " + skipped_;
      add(checked_, " ");
      return;
    }
    if (!always_names_checked())
      add(checked_, " ");
    else if (!checked_.empty())
      summary_ += " " + checked_;
    if (!skipped_.empty()) summary_ += " " + skipped_;
  }

  const CheckedWork& work_;
  const core::CheckReport& report_;
  const FindingSelection& list_;
  const bool is_short_;
  const std::size_t listed_max_;
  const bool has_findings_;
  const bool is_crowded_;
  const bool only_places_;
  std::string summary_;
  std::string reminder_, skipped_, checked_, advice_;
  std::size_t left_ = 0;  // The tokens that may still be added.
};

}  // namespace

std::string check_report_json(const core::CheckReport& report) {
  std::string checked, findings;
  for (const core::CheckedTool& each : report.checked) {
    core::JsonObject tool;
    if (each.file_count > 0) tool.add("files", each.file_count);
    checked += (checked.empty() ? "" : ",") + tool.add("tool", each.tool).finish();
  }
  for (const core::CheckFinding& each : report.findings) {
    core::JsonObject finding;
    finding.add("code", each.code);
    if (each.column > 0) finding.add("column", each.column);
    if (each.is_older()) finding.add_json("earlier", "true");
    finding.add_json("error", each.is_error ? "true" : "false");
    if (each.line > 0) finding.add("line", each.line);
    finding.add("message", core::full_message(each));
    if (!each.path.empty()) finding.add("path", core::text_of_path(each.path));
    findings += (findings.empty() ? "" : ",") + finding.finish();
  }
  std::vector<std::string> notes = report.notes;
  if (!report.reminder.empty()) notes.push_back(report.reminder);
  return core::JsonObject()
      .add_json("checked", "[" + checked + "]")
      .add_json("findings", "[" + findings + "]")
      .add("left_out", report.unstored_findings)
      .add("notes", notes)
      .add_json("skipped", core::json_list(report.skipped, &core::SkippedCheck::reason))
      .add_json("tests", core::JsonObject()
                             .add("failed", report.tests.failed)
                             .add("passed", report.tests.passed)
                             .add("skipped", report.tests.skipped)
                             .add("todo", report.tests.todo)
                             .finish())
      .finish();
}

CheckAnswer format_check_answer(const CheckedWork& work, const FindingSelection& list, linefmt::Mode mode) {
  auto [line, in_line] = line_of(work);
  std::string summary = SummaryWriter(work, list).write(line, in_line, mode);
  return {.line = std::move(line), .summary = std::move(summary)};
}

}  // namespace snapgen::tools
