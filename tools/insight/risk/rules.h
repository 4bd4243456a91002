#pragma once
// The table of what makes a change risky by what the files are. A file counts for every rule that it meets,
// a rule counts once.
#include <cstdint>
#include <span>
#include <string_view>

namespace snapgen::core {

struct RiskRule {
  std::string_view name;    // secrets
  std::string_view reason;  // "secrets": for the sentence "auth.ts: authentication".
  int points = 0;
  // Each a list of words separated by spaces, all lower-case. A path meets the rule by any of:
  std::string_view words;       // a word of any of its components: login_form.ts has login, form and ts
  std::string_view names;       // the whole name of the file
  std::string_view folders;     // the whole name of a folder above it
  std::string_view endings;     // the end of the file's name
  std::string_view beginnings;  // the beginning of the file's name
  std::string_view paths;       // the beginning of the whole path
};

// The heaviest first.
std::span<const RiskRule> risk_rules();

// Whether a path, as the core has it, meets the rule. Capitals do not matter.
bool meets(const RiskRule& rule, std::string_view path);

}  // namespace snapgen::core
