#include "tools/engine/edit/pattern.h"

#include <algorithm>
#include <optional>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

std::size_t value_of(char digit) { return static_cast<std::size_t>(digit - '0'); }

// A reference to a group at the beginning of a text.
struct Reference {
  std::size_t group = 0;
  std::size_t size = 0;  // In bytes.
};

// Reads $1, $12 or ${12}. Of two digits, the second one is text if the pattern has fewer groups.
std::optional<Reference> reference_at(std::string_view text, std::size_t group_count) {
  const bool has_brace = text.size() > 1 && text[1] == '{';
  std::size_t at = has_brace ? 2 : 1;
  if (!is_digit_at(text, at)) return std::nullopt;
  Reference reference{.group = value_of(text[at++]), .size = 0};
  if (is_digit_at(text, at)) {
    const std::size_t longer = reference.group * 10 + value_of(text[at]);
    if (has_brace || longer <= group_count) {
      reference.group = longer;
      ++at;
    }
  }
  if (has_brace && (at >= text.size() || text[at++] != '}')) return std::nullopt;
  reference.size = at;
  return reference;
}

bool is_part_of_word(std::string_view text, Regex::Match match) {
  return (match.begin > 0 && is_ascii_word_character(text[match.begin - 1])) ||
         (match.end < text.size() && is_ascii_word_character(text[match.end]));
}

}  // namespace

std::string Replacement::search_pattern(const PatternEdit& edit) {
  // The groups of the pattern keep their numbers.
  return edit.word && !edit.fixed ? "\\b(?:" + edit.pattern + ")\\b" : edit.pattern;
}

Result<Replacement> Replacement::make(const PatternEdit& edit) {
  if (edit.pattern.find('\n') != std::string::npos)
    return Error(
        ErrorCode::invalid_argument,
        "pattern contains a line feed, but each line is searched separately. Replace a text of several "
        "lines with old and new.");
  Result<Regex> compiled =
      Regex::compile(search_pattern(edit), {.literal = edit.fixed, .ignore_case = false});
  if (!compiled) {
    Error error = std::move(compiled).error();
    error.message += " Pass fixed to replace plain text.";
    return error;
  }
  Replacement replacement(*std::move(compiled), edit.fixed && edit.word);
  if (edit.fixed) {
    replacement.parts_.push_back({.text = edit.new_text});
    return replacement;
  }
  TRY(replacement.parse_new_text(edit.new_text));
  return replacement;
}

Result<Unit> Replacement::parse_new_text(std::string_view text) {
  const std::size_t group_count = regex_.group_count();
  Part literal;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.front() == '\\' && is_digit_at(rest, 1))
      return Error(ErrorCode::invalid_argument, "new refers to a group as \\" + std::string(1, rest[1]) +
                                                    ". Write $" + std::string(1, rest[1]) +
                                                    ", or pass fixed if you want this text itself.");
    if (rest.starts_with("$$")) {
      literal.text += '$';
      at += 2;
      continue;
    }
    const std::optional<Reference> reference =
        rest.front() == '$' ? reference_at(rest, group_count) : std::nullopt;
    if (!reference) {
      literal.text += rest.front();
      ++at;
      continue;
    }
    if (reference->group > group_count)
      return Error(ErrorCode::invalid_argument,
                   "new refers to the group $" + std::to_string(reference->group) + ", but pattern has " +
                       std::to_string(group_count) + " groups. Write $$ for a dollar sign.");
    if (!literal.text.empty()) parts_.push_back(std::exchange(literal, Part()));
    parts_.push_back({.text = {}, .group = reference->group, .is_group = true});
    at += reference->size;
  }
  if (!literal.text.empty()) parts_.push_back(std::move(literal));
  return Unit{};
}

std::string Replacement::new_text(std::string_view text,
                                  const std::vector<std::optional<Regex::Match>>& groups) const {
  std::string made;
  for (const Part& part : parts_) {
    if (!part.is_group) {
      made += part.text;
    } else if (const std::optional<Regex::Match>& group = groups[part.group]) {
      made += text.substr(group->begin, group->end - group->begin);
    }
  }
  return made;
}

PatternMatches Replacement::matches_in(std::string_view text) const {
  PatternMatches matches;
  std::int64_t line = 1;
  std::size_t counted = 0;  // `line` counts the line feeds before this offset.
  std::size_t from = 0;
  while (from < text.size()) {
    const std::optional<Regex::Match> first = regex_.find(text, from);
    if (!first) break;
    const std::size_t end = std::min(text.find('\n', first->begin), text.size());
    // The first match again, with its groups, and those after it in the line.
    for (std::size_t at = first->begin; at < end;) {
      const std::vector<std::optional<Regex::Match>> groups = regex_.find_groups(text, at, end);
      if (groups.empty()) break;
      const Regex::Match match = *groups.front();
      at = std::max(match.end, match.begin + 1);
      if (match.begin == match.end) continue;
      if (fixed_word_ && is_part_of_word(text, match)) {
        at = match.begin + 1;
        continue;
      }
      line += std::ranges::count(text.substr(counted, match.begin - counted), '\n');
      counted = match.begin;
      matches.spans.push_back({.begin = match.begin, .end = match.end});
      matches.new_texts.push_back(new_text(text, groups));
      matches.lines.push_back(line);
    }
    from = end + 1;
  }
  return matches;
}

}  // namespace snapgen::core
