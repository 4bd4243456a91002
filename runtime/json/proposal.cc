#include "runtime/json/proposal.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/json/writer.h"

namespace snapgen::json {

constexpr std::size_t listed_max = 12;  // A longer list does not help.

std::string proposal(std::string_view said, std::span<const std::string_view> known) {
  if (const std::optional<std::string_view> meant = nearest(said, known))
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
  std::size_t end = shown_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

}  // namespace snapgen::json
