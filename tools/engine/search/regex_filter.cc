#include "tools/engine/search/regex_filter.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include "runtime/base/ascii.h"

namespace snapgen::core {
namespace {

constexpr int required_bytes_min = 3;
constexpr std::size_t atom_bytes_min = 2;
constexpr std::size_t atoms_max = 8;  // Searching for more is as slow as the expression.
constexpr std::size_t required_max = 64;

// The most frequent bytes in source code and prose, most frequent first.
constexpr std::string_view common = " etaoinsrlcdu_mpfhg\n\tb(),.;0vy1w-*=x/>2k";

bool equals_folded(const char* text, std::string_view atom) {
  return std::equal(atom.begin(), atom.end(), text, [](char a, char b) { return a == to_lower(b); });
}

// Whether a `k` or `s` in a required text may match a non-ASCII character, which a search for ASCII bytes
// misses. It may if a part of the expression ignores case, or has escapes or non-ASCII characters.
bool may_fold(const std::string& source) {
  for (std::size_t at = source.find("(?"); at != std::string::npos; at = source.find("(?", at + 2)) {
    if (source.compare(at, 3, "(?:") != 0) return true;
  }
  return source.find("\\x") != std::string::npos || source.find("\\p") != std::string::npos ||
         std::ranges::any_of(source, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Returns the longest part of `text` that a search for ASCII bytes can find; empty if that is too short.
std::string searchable_atom(std::string_view text, bool ignores_case) {
  std::string_view best;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    bool ends = i == text.size() || static_cast<unsigned char>(text[i]) >= 0x80 ||
                (ignores_case && (text[i] == 'k' || text[i] == 's'));
    if (!ends) continue;
    if (i - begin > best.size()) best = text.substr(begin, i - begin);
    begin = i + 1;
  }
  return std::string(best.size() < atom_bytes_min ? std::string_view() : best);
}

std::size_t rarity(char c) { return std::min(common.find(c), common.size()); }

}  // namespace

RegexFilter::RegexFilter(const std::string& source, bool ignores_case) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(!ignores_case);
  options.set_never_nl(true);
  auto filter = std::make_unique<re2::FilteredRE2>(required_bytes_min);
  int id = 0;
  if (filter->Add(source, options, &id) != RE2::NoError) return;
  std::vector<std::string> required;
  filter->Compile(&required);
  if (required.empty() || required.size() > required_max) return;
  ignores_case = ignores_case || may_fold(source);
  std::vector<int> unsearchable;
  for (const std::string& text : required) {
    atoms_.push_back(searchable_atom(text, ignores_case));
    if (atoms_.back().empty()) unsearchable.push_back(static_cast<int>(atoms_.size()) - 1);
  }
  std::vector<int> candidates;
  filter->AllPotentials(unsearchable, &candidates);
  // The pattern can match without a searchable atom, so a filter would exclude no text.
  if (!candidates.empty()) return;
  filter_ = std::move(filter);
  choose_covering_atoms();
}

// Chooses covering_atoms_: removes parts that are not needed, the shortest first. Few and long leads are
// found faster.
void RegexFilter::choose_covering_atoms() {
  for (std::size_t i = 0; i < atoms_.size(); ++i)
    if (!atoms_[i].empty()) covering_atoms_.push_back(i);
  std::vector<std::size_t> order = covering_atoms_;
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return atoms_[a].size() < atoms_[b].size(); });
  for (const std::size_t atom : order) {
    std::vector<std::size_t> fewer = covering_atoms_;
    std::erase(fewer, atom);
    std::vector<int> others;
    for (std::size_t i = 0; i < atoms_.size(); ++i)
      if (std::ranges::find(fewer, i) == fewer.end()) others.push_back(static_cast<int>(i));
    std::vector<int> candidates;
    filter_->AllPotentials(others, &candidates);
    if (candidates.empty()) covering_atoms_ = std::move(fewer);
  }
  // If there are too many parts, only the leads and the longest others are searched for. The rest are assumed
  // to occur.
  std::size_t count = covering_atoms_.size();
  std::ranges::reverse(order);
  for (const std::size_t atom : order) {
    if (std::ranges::find(covering_atoms_, atom) != covering_atoms_.end()) continue;
    if (++count > atoms_max) atoms_[atom].clear();
  }
  if (covering_atoms_.size() <= atoms_max) return;
  filter_.reset();
  covering_atoms_.clear();
}

RegexFilter::~RegexFilter() = default;

bool RegexFilter::may_match(const std::function<bool(std::size_t atom)>& may_contain_atom) const {
  if (!filter_) return true;
  std::vector<int> found;
  bool some = false;
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    if (!atoms_[i].empty() && !may_contain_atom(i)) continue;
    some = some || !atoms_[i].empty();
    found.push_back(static_cast<int>(i));
  }
  if (!some) return false;
  std::vector<int> candidates;
  filter_->AllPotentials(found, &candidates);
  return !candidates.empty();
}

std::size_t find_ignoring_case(std::string_view text, std::string_view atom) {
  if (atom.size() > text.size()) return std::string_view::npos;
  // Tests 16 positions at a time for the two bytes of the part that are rarest in source code.
  using Block = std::uint8_t __attribute__((vector_size(16)));
  using Halves = std::uint64_t __attribute__((vector_size(16)));
  std::size_t rarest = 0;
  for (std::size_t i = 1; i < atom.size(); ++i) {
    if (rarity(atom[i]) > rarity(atom[rarest])) rarest = i;
  }
  std::size_t second = rarest == 0 ? atom.size() - 1 : 0;
  for (std::size_t i = 0; i < atom.size(); ++i) {
    if (i != rarest && rarity(atom[i]) > rarity(atom[second])) second = i;
  }
  const Block first_byte = Block{} + static_cast<std::uint8_t>(atom[rarest]);
  const Block second_byte = Block{} + static_cast<std::uint8_t>(atom[second]);
  const std::uint8_t first_mask = is_lower(atom[rarest]) ? 0x20 : 0;
  const std::uint8_t second_mask = is_lower(atom[second]) ? 0x20 : 0;
  const Block first_case = Block{} + first_mask;
  const Block second_case = Block{} + second_mask;
  const char* data = text.data();
  std::size_t places = text.size() - atom.size() + 1;
  std::size_t at = 0;
  for (; at + sizeof(Block) <= places; at += sizeof(Block)) {
    Block first;
    Block other;
    std::memcpy(&first, data + at + rarest, sizeof first);
    std::memcpy(&other, data + at + second, sizeof other);
    const Block hits =
        static_cast<Block>(((first | first_case) == first_byte) & ((other | second_case) == second_byte));
    Halves halves;
    std::memcpy(&halves, &hits, sizeof halves);
    if ((halves[0] | halves[1]) == 0) continue;
    for (std::size_t i = 0; i < sizeof(Block); ++i) {
      if (hits[i] != 0 && equals_folded(data + at + i, atom)) return at + i;
    }
  }
  for (; at < places; ++at) {
    if (equals_folded(data + at, atom)) return at;
  }
  return std::string_view::npos;
}

}  // namespace snapgen::core
