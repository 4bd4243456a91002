#pragma once
// The table of risk rules. A file counts for every rule that it meets; a rule counts once.
#include <cstdint>
#include <span>
#include <string_view>

namespace snapgen::core {

struct RiskRule {
  std::string_view name;    // The name of the rule, such as "secrets".
  std::string_view reason;  // Part of a sentence such as "auth.ts: authentication".
  int points = 0;
  // Each member is a list of lower-case words, separated by spaces. A path meets the rule if any of these
  // matches:
  std::string_view words = {};       // A word of any path component; login_form.ts has login, form and ts.
  std::string_view names = {};       // The name of the file.
  std::string_view folders = {};     // The name of a folder above the file.
  std::string_view endings = {};     // The end of the file's name.
  std::string_view beginnings = {};  // The beginning of the file's name.
  std::string_view paths = {};       // The beginning of the whole path.
  // Only code and data meet the rule. A test of payments, or their style sheet or manual, handles none.
  bool is_of_code = false;
};

// Returns all rules, sorted by points, descending.
std::span<const RiskRule> risk_rules();

// Returns whether a path meets the rule, ignoring case.
bool meets(const RiskRule& rule, std::string_view path);

}  // namespace snapgen::core
