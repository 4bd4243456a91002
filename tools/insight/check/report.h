#pragma once
// CheckReport: the results of a check, from programs and from static checks.
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/check/command.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {

// What is known about when an error came.
enum class FindingAge : std::uint8_t {
  unknown,
  found_now,     // An earlier check with the same program did not find it.
  found_before,  // An earlier check found it, too.
  unclear,       // There are more equal errors than the earlier check found.
  elsewhere,     // It is in a file that the task neither changed nor affects, so it is probably older.
};

// The earlier check with which findings are compared.
enum class EarlierCheck : std::uint8_t { none, previous, before_task };

struct CheckFinding {
  std::string path;         // Relative to the root, or as printed if it is outside; may be empty.
  std::int64_t line = 0;    // The first line is 1; 0 means unknown.
  std::int64_t column = 0;  // The first column is 1; 0 means unknown.
  bool is_error = true;
  std::string code;     // The code, such as TS2322, or the name of a test; may be empty.
  std::string message;  // One line of UTF-8 text.
  // How to prevent it, as an earlier task recorded it. One line, or empty.
  std::string prevention = {};
  // For a file that a change affects, the number of imports from it to a changed file. Lower numbers are
  // listed first.
  std::int64_t distance = 0;
  bool is_test = false;      // The finding is a failed test, and `code` is its name.
  bool is_document = false;  // The finding is about a document, so a program's findings are listed first.
  FindingAge age = FindingAge::unknown;

  bool is_older() const { return age == FindingAge::found_before || age == FindingAge::elsewhere; }

  friend bool operator==(const CheckFinding&, const CheckFinding&) = default;
};

inline constexpr std::string_view syntax_code = "syntax";  // The code of syntax errors that no program found.

// Returns the message with the prevention in brackets: "Type 'x' is not assignable (recorded: use y)".
std::string full_message(const CheckFinding& finding);
// Returns the text without the full stop at its end, as a part of a sentence.
std::string without_full_stop(std::string text);

// A tool that ran and could have found an error.
struct CheckedTool {
  std::string tool;             // The name of the tool, such as "tsc" or "JSON syntax".
  std::int64_t file_count = 0;  // The number of files it was given; 0 if it finds its files itself.
  bool is_partial = false;      // The tool overlooks errors that a compiler finds.

  friend bool operator==(const CheckedTool&, const CheckedTool&) = default;
};

struct TestCounts {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
  std::int64_t todo = 0;  // Tests that are marked as work to do. They cannot fail, and may not have run.
  std::int64_t all() const { return passed + failed + skipped + todo; }
  void add(const TestCounts& other);
};

enum class CheckMark : std::uint8_t { skipped, pass, fail };

// The number of findings that a report stores. Further ones are only counted.
inline constexpr std::size_t stored_findings_max = 500;

struct CheckReport {
  std::array<CheckMark, 4> marks{};  // The result of each Subsystem; see mark().
  std::array<bool, 4> blocked{};     // Whether each Subsystem cannot pass; see block().
  CheckMark static_checks_mark =
      CheckMark::skipped;        // The result of the static checks, except those that count as lint.
  std::int64_t error_count = 0;  // The number of errors, with failed tests.
  std::int64_t warning_count = 0;
  TestCounts tests;
  std::vector<CheckFinding> findings;  // The stored findings; sort() brings them into order.
  std::int64_t unstored_findings = 0;  // Number of findings that are counted but not stored.
  std::vector<CheckedTool> checked;    // The tools that ran, each once.
  std::vector<SkippedCheck> skipped;
  std::vector<std::string> notes;  // Full sentences for the reader of the report.
  // A program ran, or the syntax of a file was checked whole. Import cycles and documents say less about
  // code.
  bool has_checked_code = false;
  std::vector<std::string> uncovered;  // The files, without documents, whose syntax was not checked whole.
  std::set<Language> compiled;         // The languages for which a compiler or a build ran.
  // The languages for which a compiler ran that reads only the files of a project, and those of `uncovered`
  // that are in none.
  std::set<Language> compiled_projects;
  std::set<std::string> outside_projects;
  bool has_run_any_build = false;  // A build or type check ran whose languages are not known.
  EarlierCheck compared_with = EarlierCheck::none;  // What tells the age of findings.
  // The numbers of errors by age, set by sort().
  std::int64_t found_now_count = 0, found_before_count = 0, elsewhere_count = 0;
  bool is_informational = false;  // The report lists facts that can be neither right nor wrong.
  std::string reminder;           // A sentence about the patterns that no check can detect, or empty.

  CheckMark& mark(Subsystem subsystem) { return marks[static_cast<std::size_t>(subsystem)]; }
  CheckMark mark(Subsystem subsystem) const;
  // Marks that a part of the subsystem could not run. The subsystem then cannot pass, even if its other parts
  // passed.
  void block(Subsystem subsystem) { blocked[static_cast<std::size_t>(subsystem)] = true; }
  // Returns the files that neither a parser of their language nor a compiler checked.
  std::vector<std::string> unchecked_files() const;
  // Counts an error or a warning, and stores it if fewer than stored_findings_max are stored.
  void count_finding(CheckFinding finding);
  // Stores a finding that is neither an error nor a warning, such as an affected file.
  void list_finding(CheckFinding finding);
  // Adds a tool that ran. If the tool is already listed, adds the number of files to its entry.
  void add_checked(CheckedTool part);
  // Records a result of a part of the subsystem: a failure outweighs a pass, and a pass outweighs a skip.
  void add_mark(Subsystem subsystem, CheckMark mark);
  CheckMark overall() const;  // Returns fail if any part failed, else pass if any part passed.
  // Returns whether no check was skipped, and a compiler ran for all code of which only a part was checked.
  bool is_complete() const;
  // Returns the tools as text, such as "tsc, JSON syntax (2 files)"; empty if nothing was checked.
  std::string checked_tools_text() const;
  void add(CheckReport other);
  // Sorts errors first, those that are older last, then by distance, then findings in `first` (sorted
  // paths), then those of programs, then syntax errors, which cause others, then by path and line. Removes
  // duplicates, which then count once, joins tests that failed at one place with one message, and leaves out
  // all but stored_findings_max.
  void sort(const std::vector<std::string>& first);
};

}  // namespace snapgen::core
