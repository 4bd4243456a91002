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
  // A word of any path component; login_form.ts has login, form and ts. Style sheets, texts and pictures do
  // not match, because a manual or an icon of payments handles none.
  std::string_view words = {};
  std::string_view words_of_others = {};  // A path with such a word does not meet the rule.
  std::string_view names = {};            // The name of the file.
  std::string_view folders = {};          // The name of a folder above the file.
  std::string_view endings = {};          // The end of the file's name.
  std::string_view beginnings = {};       // The beginning of the file's name.
  std::string_view paths = {};            // The beginning of the whole path.
  bool is_of_code = false;                // A test of such code does not meet the rule.
};

// Returns all rules, sorted by points, descending.
std::span<const RiskRule> risk_rules();

// Returns whether a path meets the rule, ignoring case.
bool meets(const RiskRule& rule, std::string_view path);

}  // namespace snapgen::core
