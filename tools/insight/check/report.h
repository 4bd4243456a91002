#pragma once
// CheckReport: the results of a check, from programs and from static checks.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/insight/check/command.h"

namespace snapgen::core {

struct CheckFinding {
  std::string path;         // Relative to the root; as printed if it is outside; or empty.
  std::int64_t line = 0;    // From 1; 0: unknown.
  std::int64_t column = 0;  // From 1; 0: unknown.
  bool is_error = true;
  std::string code;     // TS2322, no-unused-vars, a test's name; or empty.
  std::string message;  // One line of UTF-8.
  // What earlier work recorded to prevent it; one line, or empty.
  std::string prevention = {};
  // Of an affected file: the number of imports from it to a changed file. Lower numbers are listed first.
  std::int64_t distance = 0;
  bool is_test = false;  // `code` is the name of a failed test.

  friend bool operator==(const CheckFinding&, const CheckFinding&) = default;
};

// The message, and the prevention in brackets: "Type 'x' is not assignable (recorded: run the generator)".
std::string full_message(const CheckFinding& finding);
// A tool that ran and could have found an error.
struct CheckedPart {
  std::string tool;         // "tsc", "JSON syntax".
  std::int64_t files = 0;   // 0: all that the tool finds itself.
  bool is_partial = false;  // It overlooks errors that a compiler finds.

  friend bool operator==(const CheckedPart&, const CheckedPart&) = default;
};

struct TestCounts {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
  std::int64_t all() const { return passed + failed + skipped; }
};

enum class CheckMark : std::uint8_t { skipped, pass, fail };

// The number of findings that are stored; all are counted.
inline constexpr std::size_t findings_kept_max = 500;

struct CheckReport {
  std::array<CheckMark, 4> marks{};       // Indexed by Subsystem; see mark().
  std::array<bool, 4> blocked{};          // Likewise; see block().
  CheckMark looked = CheckMark::skipped;  // For the static checks, except those that count as lint.
  std::int64_t errors = 0;                // Includes failed tests.
  std::int64_t warnings = 0;
  TestCounts tests;
  std::vector<CheckFinding> findings;  // In the order of sort().
  std::int64_t left_out = 0;           // Findings that are counted but not stored.
  std::vector<CheckedPart> checked;    // Each tool once.
  std::vector<SkippedCheck> skipped;
  std::vector<std::string> notes;  // Full sentences.
  bool only_informs = false;       // It lists facts that can be neither right nor wrong.
  std::string reminder;            // A sentence with the patterns that no check can detect; or empty.

  CheckMark& mark(Subsystem subsystem) { return marks[static_cast<std::size_t>(subsystem)]; }
  CheckMark mark(Subsystem subsystem) const;
  // Something of the subsystem could not run, so that it passes no more, whatever else of it passed.
  void block(Subsystem subsystem) { blocked[static_cast<std::size_t>(subsystem)] = true; }
  // Counts an error or a warning. Stores the first findings_kept_max.
  void count(CheckFinding finding);
  // Stores a finding that is neither an error nor a warning, such as an affected file.
  void list(CheckFinding finding);
  // Adds the files to those of the same tool.
  void add_checked(CheckedPart part);
  // A failure remains one; a subsystem that ran is no longer skipped.
  void add_mark(Subsystem subsystem, CheckMark mark);
  CheckMark overall() const;  // fail if any part failed, else pass if any part passed.
  // Whether nothing was skipped, and code that was checked in part was also compiled.
  bool is_whole() const;
  // For example "tsc, JSON syntax (2 files)"; empty: nothing was checked.
  std::string checked_in_words() const;
  void add(CheckReport other);
  // Sorts errors first, then by distance, then findings in `first` (sorted paths), then by path and line.
  // Removes duplicates, which then count once, and leaves out all but findings_kept_max.
  void sort(const std::vector<std::string>& first);
};

}  // namespace snapgen::core
