#pragma once
// CheckReport: what a check found, of whatever kind: programs that ran, or files that were looked at.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/insight/check/command.h"

namespace snapgen::core {

struct CheckFinding {
  std::string
      path;  // From the root, as the core has paths; as it was printed if it lies elsewhere; or empty.
  std::int64_t line = 0;    // From 1; 0: unknown.
  std::int64_t column = 0;  // From 1; 0: unknown.
  bool is_error = true;
  std::string code;     // TS2322, no-unused-vars, a test's name; or empty.
  std::string message;  // One line of UTF-8.

  friend bool operator==(const CheckFinding&, const CheckFinding&) = default;
};

struct TestCounts {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
  std::int64_t all() const { return passed + failed + skipped; }
};

enum class CheckMark : std::uint8_t { skipped, pass, fail };

// How many findings are kept; all are counted.
inline constexpr std::size_t findings_kept_max = 500;

struct CheckReport {
  std::array<CheckMark, 4> marks{};       // By Subsystem.
  CheckMark looked = CheckMark::skipped;  // Of imports and documents, which are none of these.
  std::int64_t errors = 0;                // Failed tests among them.
  std::int64_t warnings = 0;
  TestCounts tests;
  std::vector<CheckFinding> findings;  // In the order in which sort() leaves them.
  std::vector<SkippedCheck> skipped;
  std::vector<std::string> notes;  // Sentences.

  CheckMark& mark(Subsystem subsystem) { return marks[static_cast<std::size_t>(subsystem)]; }
  CheckMark mark(Subsystem subsystem) const { return marks[static_cast<std::size_t>(subsystem)]; }
  // A failure stays one; what ran is no longer skipped.
  void add_mark(Subsystem subsystem, CheckMark mark);
  CheckMark overall() const;  // A failure anywhere; else a pass anywhere.
  void add(CheckReport other);
  // Errors first; then those in `first` (paths, sorted); then by path and line. Equal ones become one, and
  // the kept ones are at most findings_kept_max.
  void sort(const std::vector<std::string>& first);
};

}  // namespace snapgen::core
