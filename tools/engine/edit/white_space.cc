#include "tools/engine/edit/white_space.h"

#include <map>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

std::string_view indentation_of(std::string_view line) {
  const std::size_t end = line.find_first_not_of(" \t");
  return end == std::string_view::npos ? line : line.substr(0, end);
}

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Translates the indentation of the wanted lines to that of the file.
class Indentation {
 public:
  // Adds a pair of lines that are not blank.
  void add(std::string_view wanted, std::string_view file) {
    const auto [known, is_new] = pairs_.try_emplace(std::string(wanted), file);
    if (!is_new && known->second != file) known->second = std::nullopt;
    uses_tabs_ = uses_tabs_ || file.find('\t') != std::string_view::npos;
    uses_blanks_ = uses_blanks_ || file.find(' ') != std::string_view::npos;
  }

  // Finds what one level is in both, after all pairs are added.
  void find_level() {
    const std::string* above_wanted = nullptr;
    const std::string* above_file = nullptr;
    for (const auto& [wanted, file] : pairs_) {
      if (!file) continue;
      const bool is_deeper = above_wanted != nullptr && wanted.starts_with(*above_wanted) &&
                             file->starts_with(*above_file) && file->size() > above_file->size();
      if (is_deeper && level_wanted_.empty()) {
        level_wanted_ = wanted.substr(above_wanted->size());
        level_file_ = file->substr(above_file->size());
      }
      above_wanted = &wanted;
      above_file = &*file;
    }
  }

  std::optional<std::string> translated(std::string_view indentation) const {
    if (const auto known = pairs_.find(indentation); known != pairs_.end()) return known->second;
    const std::optional<std::string>* best = nullptr;
    std::string_view best_wanted;
    for (const auto& [wanted, file] : pairs_) {
      if (!indentation.starts_with(wanted) || (best != nullptr && wanted.size() < best_wanted.size()))
        continue;
      best = &file;
      best_wanted = wanted;
    }
    if (best == nullptr) return outdented(indentation);
    if (!*best) return std::nullopt;
    const std::optional<std::string> deeper = in_levels(indentation.substr(best_wanted.size()));
    if (!deeper) return std::nullopt;
    return **best + *deeper;
  }

 private:
  std::optional<std::string> in_levels(std::string_view rest) const {
    std::string text;
    while (!level_wanted_.empty() && take_prefix(rest, level_wanted_)) text += level_file_;
    const bool mixes = (rest.find(' ') != std::string_view::npos && uses_tabs_ && !uses_blanks_) ||
                       (rest.find('\t') != std::string_view::npos && uses_blanks_);
    if (mixes) return std::nullopt;
    return text += rest;
  }

  // For a line that is less indented than all wanted ones.
  std::optional<std::string> outdented(std::string_view indentation) const {
    for (const auto& [wanted, file] : pairs_) {
      if (!file || !std::string_view(wanted).starts_with(indentation)) continue;
      const std::optional<std::string> missing =
          in_levels(std::string_view(wanted).substr(indentation.size()));
      if (!missing || !file->ends_with(*missing)) return std::nullopt;
      return file->substr(0, file->size() - missing->size());
    }
    return std::nullopt;
  }

  // nullopt: the same indentation has several translations.
  std::map<std::string, std::optional<std::string>, std::less<>> pairs_;
  std::string level_wanted_;
  std::string level_file_;
  bool uses_tabs_ = false;
  bool uses_blanks_ = false;
};

}  // namespace

std::vector<std::int64_t> places_without_white_space(const FileLines& file, const FileLines& wanted) {
  std::vector<std::int64_t> places;
  for (std::int64_t line = 1; line + wanted.count() - 1 <= file.count(); ++line) {
    std::int64_t matched = 0;
    while (matched < wanted.count() &&
           trimmed(file.line(line + matched)) == trimmed(wanted.line(matched + 1)))
      ++matched;
    if (matched == wanted.count()) places.push_back(line);
  }
  return places;
}

TextSpan span_of_lines(const FileLines& file, std::int64_t line, const FileLines& wanted) {
  const std::int64_t last = line + wanted.count() - 1;
  const TextSpan whole{.begin = file.offset(line), .end = file.offset(last + 1)};
  if (wanted.has_newline(wanted.count())) return whole;
  return {.begin = whole.begin, .end = file.offset(last) + without_carriage_return(file.line(last)).size()};
}

std::optional<std::string> reindented(const FileLines& file, std::int64_t line, const FileLines& wanted,
                                      std::string_view new_text) {
  Indentation indentation;
  for (std::int64_t i = 0; i < wanted.count(); ++i)
    if (!trimmed(wanted.line(i + 1)).empty())
      indentation.add(indentation_of(wanted.line(i + 1)), indentation_of(file.line(line + i)));
  indentation.find_level();
  std::string text;
  std::int64_t unused = 1;  // The first line of `wanted` that may be equal to the next new line.
  const FileLines new_lines(new_text);
  for (std::int64_t number = 1; number <= new_lines.count(); ++number) {
    const std::string_view new_line = new_lines.line(number);
    const std::string_view end = new_line.substr(without_carriage_return(new_line).size());
    const bool is_blank = trimmed(new_line).empty();
    std::int64_t equal = unused;
    while (!is_blank && equal <= wanted.count() && wanted.line(equal) != new_line) ++equal;
    if (is_blank) {
      text += without_carriage_return(new_line);
    } else if (equal <= wanted.count()) {
      text += without_carriage_return(file.line(line + equal - 1));
      unused = equal + 1;
    } else {
      const std::string_view old_indentation = indentation_of(new_line);
      const std::optional<std::string> translated = indentation.translated(old_indentation);
      if (!translated) return std::nullopt;
      text += *translated;
      text += without_carriage_return(new_line).substr(old_indentation.size());
    }
    text += end;
    if (new_lines.has_newline(number)) text += '\n';
  }
  return text;
}

}  // namespace snapgen::core
