#include "tools/engine/git/walk/ignore.h"

#include "runtime/base/text.h"
#include "tools/engine/base/plain_text.h"

namespace snapgen::core::git {
namespace {

// Removes trailing blanks, unless a backslash precedes them.
std::string_view trimmed_pattern(std::string_view line) {
  std::size_t end = std::string_view::npos;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ') {
      if (end == std::string_view::npos) end = i;
      continue;
    }
    if (line[i] == '\\' && ++i == line.size()) return line;
    end = std::string_view::npos;
  }
  return line.substr(0, end);
}

}  // namespace

IgnoreRules::IgnoreRules(std::string bytes, bool fold_case)
    : bytes_(std::move(bytes)), fold_case_(fold_case) {
  std::string_view rest = bytes_, line;
  take_prefix(rest, byte_order_mark);
  while (next_line(rest, line)) {
    if (line.empty() || line.front() == '#') continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    add(trimmed_pattern(line.substr(0, line.find('\0'))));
  }
}

void IgnoreRules::add(std::string_view line) {
  if (line.empty() || line == "!" || line == "/" || line == "!/") return;  // Such a pattern matches nothing.
  rules_.emplace_back(line, fold_case_);
}

IgnoreVerdict IgnoreRules::verdict_of(std::string_view path, bool is_folder) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->folders_only() && !is_folder) continue;
    if (rule->matches(path)) return rule->negative() ? IgnoreVerdict::not_ignored : IgnoreVerdict::ignored;
  }
  return IgnoreVerdict::undecided;
}

void IgnoreStack::add_base(std::shared_ptr<const IgnoreRules> rules) { base_.push_back(std::move(rules)); }

void IgnoreStack::push(std::size_t prefix_bytes, std::shared_ptr<const IgnoreRules> rules) {
  folders_.push_back({prefix_bytes, std::move(rules)});
}

IgnoreVerdict IgnoreStack::verdict_of(std::string_view path, bool is_folder) const {
  for (auto level = folders_.rbegin(); level != folders_.rend(); ++level) {
    if (!level->rules) continue;
    const IgnoreVerdict verdict = level->rules->verdict_of(path.substr(level->prefix_bytes), is_folder);
    if (verdict != IgnoreVerdict::undecided) return verdict;
  }
  for (auto rules = base_.rbegin(); rules != base_.rend(); ++rules) {
    const IgnoreVerdict verdict = (*rules)->verdict_of(path, is_folder);
    if (verdict != IgnoreVerdict::undecided) return verdict;
  }
  return IgnoreVerdict::undecided;
}

}  // namespace snapgen::core::git
