#include "tools/engine/search/regex.h"

#include <algorithm>

#include <re2/re2.h>

#include "tools/engine/search/regex_filter.h"

namespace snapgen::core {

namespace {

// Whether the expression contains \C (any byte), which could match line feeds.
bool matches_any_byte(std::string_view source) {
  while (true) {
    const std::size_t escape = source.find('\\');
    if (escape == std::string_view::npos || escape + 1 == source.size()) return false;
    const char letter = source[escape + 1];
    if (letter == 'C') return true;
    source.remove_prefix(escape + 2);
    if (letter == 'Q') source.remove_prefix(std::min(source.find("\\E"), source.size()));
  }
}

}  // namespace

class Regex::Compiled {
 public:
  Compiled(const std::string& source, const RE2::Options& options)
      : re2(source, options),
        filter(options.literal() ? RE2::QuoteMeta(source) : source, !options.case_sensitive()) {}
  RE2 re2;
  RegexFilter filter;
};

Regex::Regex(std::unique_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::compile(std::string_view source, Options options) {
  if (!options.literal && matches_any_byte(source)) {
    return Error(ErrorCode::invalid_argument,
                 "The regular expression has \\C, which is not supported because it matches line feeds and "
                 "parts of characters; write . for any character of a line.");
  }
  RE2::Options re2_options;
  re2_options.set_log_errors(false);
  re2_options.set_literal(options.literal);
  re2_options.set_case_sensitive(!options.ignore_case);
  re2_options.set_never_nl(true);
  constexpr std::string_view multiline = "(?m)";
  std::string text = std::string(options.literal ? "" : multiline).append(source);
  auto compiled = std::make_unique<const Compiled>(text, re2_options);
  if (compiled->re2.ok()) return Regex(std::move(compiled));
  std::string why = compiled->re2.error();
  if (const std::size_t ours = why.find(multiline); ours != std::string::npos)
    why.erase(ours, multiline.size());
  return Error(ErrorCode::invalid_argument, "The regular expression is not RE2 syntax: " + why + ".");
}

std::optional<Regex::Match> Regex::find(std::string_view text, std::size_t from) const {
  return find(text, from, text.size());
}

std::optional<Regex::Match> Regex::find(std::string_view text, std::size_t from, std::size_t end) const {
  re2::StringPiece whole(text.data(), text.size());
  re2::StringPiece found;
  if (!compiled_->re2.Match(whole, from, end, RE2::UNANCHORED, &found, 1)) return std::nullopt;
  auto begin = static_cast<std::size_t>(found.data() - text.data());
  return Match{.begin = begin, .end = begin + found.size()};
}

std::size_t Regex::group_count() const {
  return static_cast<std::size_t>(compiled_->re2.NumberOfCapturingGroups());
}

std::vector<std::optional<Regex::Match>> Regex::find_groups(std::string_view text, std::size_t from,
                                                            std::size_t end) const {
  const re2::StringPiece whole(text.data(), text.size());
  std::vector<re2::StringPiece> found(group_count() + 1);
  std::vector<std::optional<Match>> groups;
  if (!compiled_->re2.Match(whole, from, end, RE2::UNANCHORED, found.data(), static_cast<int>(found.size())))
    return groups;
  for (const re2::StringPiece& part : found) {
    if (part.data() == nullptr) {
      groups.emplace_back();
      continue;
    }
    const auto begin = static_cast<std::size_t>(part.data() - text.data());
    groups.emplace_back(Match{.begin = begin, .end = begin + part.size()});
  }
  return groups;
}

const std::vector<std::string>& Regex::atoms() const { return compiled_->filter.atoms(); }

bool Regex::may_match(const std::function<bool(std::size_t atom)>& may_contain_atom) const {
  return compiled_->filter.may_match(may_contain_atom);
}

const std::vector<std::size_t>& Regex::covering_atoms() const { return compiled_->filter.covering_atoms(); }

}  // namespace snapgen::core
