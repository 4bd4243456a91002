#include "runtime/json/proposal.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/json/writer.h"

namespace snapgen::json {

constexpr std::size_t listed_max = 12;  // More names would not help the reader of the error.

std::string suggestion_clause(std::string_view word, std::span<const std::string_view> known) {
  if (const std::optional<std::string_view> meant = nearest_name(word, known))
    return "; did you mean " + quoted(*meant) + "?";
  if (known.empty() || known.size() > listed_max) return {};
  std::vector<std::string_view> names(known.begin(), known.end());
  std::ranges::sort(names);
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "; known: " : ", ") + quoted(name);
  return all;
}

std::string shortened(std::string text) {
  constexpr std::size_t shown_max = 60;
  if (text.size() <= shown_max) return text;
  return std::string(utf8_head(text, shown_max)) + "...";
}

}  // namespace snapgen::json
