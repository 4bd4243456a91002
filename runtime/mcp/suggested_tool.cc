#include <algorithm>
#include <string>
#include <vector>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "runtime/mcp/catalog.h"

namespace snapgen::mcp {
namespace {

constexpr std::size_t name_bytes_max = 128;  // A longer text is not a misspelt tool name.
constexpr std::size_t begun_bytes_min = 3;   // With fewer letters, a name does not count as abbreviated.
constexpr std::size_t slip_edits_max = 2;
constexpr std::size_t too_far = name_bytes_max;

std::string folded(std::string_view name) {
  std::string out = to_lower(name);
  for (char& byte : out)
    if (byte == '.' || byte == '-') byte = '_';
  return out;
}

std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = name.find('_', begin);
    words.push_back(name.substr(begin, end == std::string_view::npos ? end : end - begin));
  }
  return words;
}

// Whether `full` begins with `name`, or `name` is `full` without some of its middle words.
bool abbreviates(std::string_view name, std::string_view full) {
  if (name.size() >= begun_bytes_min && full.starts_with(name)) return true;
  const std::vector<std::string_view> given = words_of(name);
  const std::vector<std::string_view> words = words_of(full);
  if (given.size() < 2 || given.front() != words.front() || given.back() != words.back()) return false;
  std::size_t found = 0;
  for (const std::string_view word : words)
    if (found != given.size() && word == given[found]) ++found;
  return found == given.size();
}

// Returns the number of edits between two words, or too_far if it exceeds `edits_max` or a third of the
// letters.
std::size_t edits_of_word(std::string_view a, std::string_view b, std::size_t edits_max = too_far) {
  const std::size_t limit = std::min(edits_max, std::max<std::size_t>(1, std::max(a.size(), b.size()) / 3));
  const std::size_t edits = edit_distance(a, b, limit);
  return edits > limit ? too_far : edits;
}

std::size_t edits_between(std::string_view a, std::string_view b) {
  const auto differ = std::ranges::mismatch(a, b);
  const auto same = static_cast<std::size_t>(differ.in1 - a.begin());
  const std::size_t prefix = same == 0 ? std::string_view::npos : a.rfind('_', same - 1);
  if (prefix != std::string_view::npos) {
    a.remove_prefix(prefix + 1);
    b.remove_prefix(prefix + 1);
  }
  const std::vector<std::string_view> words_a = words_of(a);
  const std::vector<std::string_view> words_b = words_of(b);
  if (words_a.size() != words_b.size()) return edits_of_word(a, b, slip_edits_max);
  std::size_t edits = 0;
  for (std::size_t i = 0; i != words_a.size(); ++i) edits += edits_of_word(words_a[i], words_b[i]);
  return edits;
}

bool destroys(const Tool& tool) {
  return tool.listing[listing_form_count - 1][0].find(R"("destructiveHint":true)") != std::string_view::npos;
}

}  // namespace

bool is_same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && folded(a) == folded(b);
}

const Tool* suggested_tool(std::string_view name, std::span<const Tool* const> tools) {
  if (name.size() > name_bytes_max) return nullptr;
  const std::string folded_name = folded(name);
  const Tool* full = nullptr;
  std::size_t fulls = 0;
  const Tool* nearest = nullptr;
  std::size_t nearest_edits = too_far;
  for (const Tool* each : tools) {
    const std::string known = folded(each->safe_name);
    if (abbreviates(folded_name, known)) {
      full = each;
      ++fulls;
    }
    const std::size_t edits = edits_between(folded_name, known);
    if (edits >= nearest_edits || (edits > slip_edits_max && destroys(*each))) continue;
    nearest = each;
    nearest_edits = edits;
  }
  // If `name` abbreviates several tools' names, none of them is more likely than the others.
  return fulls == 1 ? full : nearest;
}

}  // namespace snapgen::mcp
