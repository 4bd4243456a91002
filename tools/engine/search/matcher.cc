#include "tools/engine/search/matcher.h"

#include <algorithm>
#include <cstring>

#include "tools/engine/search/regex_filter.h"

namespace snapgen::core {
namespace {

constexpr std::size_t none = std::string_view::npos;

std::size_t end_of_line(std::string_view text, std::size_t at) {
  const void* found = at < text.size() ? std::memchr(text.data() + at, '\n', text.size() - at) : nullptr;
  return found == nullptr ? text.size()
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::size_t begin_of_line(std::string_view text, std::size_t at) {
  const void* found = at > 0 ? ::memrchr(text.data(), '\n', at) : nullptr;
  return found == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1;
}

std::optional<Regex::Match> find_literal(std::string_view text, std::string_view literal, std::size_t from,
                                         std::size_t end) {
  const void* found = ::memmem(text.data() + from, end - from, literal.data(), literal.size());
  if (found == nullptr) return std::nullopt;
  const auto begin = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  return Regex::Match{.begin = begin, .end = begin + literal.size()};
}

}  // namespace

LineMatcher::LineMatcher(std::string literal, std::optional<Regex> regex)
    : literal_(std::move(literal)), regex_(std::move(regex)) {
  if (!regex_) trigram_queries_.emplace_back(literal_);
  if (regex_)
    for (const std::string& part : regex_->atoms()) trigram_queries_.emplace_back(part);
}

bool LineMatcher::may_match(const TrigramFilter& trigram_filter) const {
  if (trigram_filter.kind() == TrigramFilter::Kind::binary) return false;
  if (!regex_) return trigram_filter.may_contain(trigram_queries_.front());
  return regex_->may_match(
      [&](std::size_t part) { return trigram_filter.may_contain(trigram_queries_[part]); });
}

Result<LineMatcher> LineMatcher::make(std::string_view pattern, bool fixed, bool ignore_case) {
  if (pattern.empty())
    return Error(ErrorCode::invalid_argument, "The pattern is empty. Pass the text to search for.");
  if (pattern.find('\n') != none) {
    return Error(
        ErrorCode::invalid_argument,
        "The pattern contains a line feed, but each line is searched separately. Pass one line of it.");
  }
  if (fixed && !ignore_case) return LineMatcher(std::string(pattern), std::nullopt);
  Result<Regex> compiled = Regex::compile(pattern, {.literal = fixed, .ignore_case = ignore_case});
  if (!compiled) {
    Error error = std::move(compiled).error();
    error.message += " Pass fixed to search for plain text.";
    return error;
  }
  Regex regex = *std::move(compiled);
  return LineMatcher({}, std::move(regex));
}

// Finds the next line that may match. Each match contains one of a few literal texts, and finding those is
// much faster than running the regex.
class LineMatcher::LiteralPositions {
 public:
  LiteralPositions(const std::optional<Regex>& regex, std::string_view text) : text_(text) {
    if (!regex) return;
    for (const std::size_t part : regex->covering_atoms())
      leads_.push_back({.part = regex->atoms()[part], .at = 0});
    for (Lead& lead : leads_) lead.at = find_ignoring_case(text, lead.part);
  }
  // Whether such literal texts of the regex are known.
  bool known() const { return !leads_.empty(); }
  // The offset of the first of these texts at or after `from`, or npos.
  std::size_t next(std::size_t from) {
    std::size_t first = none;
    for (Lead& lead : leads_) {
      if (lead.at < from) {
        const std::size_t found = find_ignoring_case(text_.substr(from), lead.part);
        lead.at = found == none ? none : from + found;
      }
      first = std::min(first, lead.at);
    }
    return first;
  }

 private:
  struct Lead {
    std::string_view part;
    std::size_t at;
  };
  std::string_view text_;
  std::vector<Lead> leads_;
};

// Finds the first match at or after `from`, which is the beginning of a line.
std::optional<Regex::Match> LineMatcher::find(std::string_view text, std::size_t from,
                                              LiteralPositions& leads) const {
  if (regex_ && leads.known()) {
    for (std::size_t at = leads.next(from); at != none; at = leads.next(from)) {
      const std::size_t end = end_of_line(text, at);
      const std::optional<Regex::Match> match = regex_->find(text, begin_of_line(text, at), end);
      if (match) return match;
      if (end == text.size()) break;
      from = end + 1;
    }
    return std::nullopt;
  }
  if (regex_) return regex_->find(text, from);
  return find_literal(text, literal_, from, text.size());
}

std::vector<std::int64_t> LineMatcher::more_columns(std::string_view text, Regex::Match first,
                                                    const LineMatch& line) const {
  std::vector<std::int64_t> columns;
  // After an empty match, the search continues one byte later.
  std::size_t from = std::max(first.end, first.begin + 1);
  while (from < line.end && columns.size() + 1 < columns_max) {
    const std::optional<Regex::Match> match =
        regex_ ? regex_->find(text, from, line.end) : find_literal(text, literal_, from, line.end);
    if (!match) break;
    if (match->end > match->begin)
      columns.push_back(static_cast<std::int64_t>(match->begin - line.begin) + 1);
    from = std::max(match->end, match->begin + 1);
  }
  return columns;
}

std::vector<LineMatch> LineMatcher::lines(std::string_view text, std::size_t lines_max) const {
  std::vector<LineMatch> found;
  std::int64_t line = 1;
  std::size_t counted = 0;  // `line` counts the line feeds before this offset.
  std::size_t from = 0;
  LiteralPositions leads(regex_, text);
  // There is no line after a final line feed.
  while (from < text.size() && found.size() < lines_max) {
    const std::optional<Regex::Match> first = find(text, from, leads);
    if (!first) break;
    const std::size_t at = first->begin;
    if (at == text.size() && text.back() == '\n') break;
    LineMatch match{.begin = begin_of_line(text, at), .end = end_of_line(text, at)};
    line += std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                       text.begin() + static_cast<std::ptrdiff_t>(match.begin), '\n');
    counted = match.begin;
    match.line = line;
    match.column = static_cast<std::int64_t>(at - match.begin) + 1;
    match.more_columns = more_columns(text, *first, match);
    from = match.end + 1;
    found.push_back(std::move(match));
  }
  return found;
}

}  // namespace snapgen::core
