#include "runtime/json/proposal.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/json/writer.h"

namespace snapgen::json {

constexpr std::size_t listed_max = 12;  // More names help nobody to find one.

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

}  // namespace snapgen::json
