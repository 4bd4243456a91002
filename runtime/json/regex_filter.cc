#include "runtime/json/regex_filter.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include "runtime/base/ascii.h"

namespace snapgen::json {
namespace {

constexpr int required_bytes_min = 3;
constexpr std::size_t part_bytes_min = 2;
constexpr std::size_t parts_max = 8;  // Searching for more is as slow as the expression.
constexpr std::size_t required_max = 64;

// The most frequent bytes in source code and prose, most frequent first.
constexpr std::string_view common = " etaoinsrlcdu_mpfhg\n\tb(),.;0vy1w-*=x/>2k";

bool equals_folded(const char* text, std::string_view part) {
  return std::equal(part.begin(), part.end(), text, [](char a, char b) { return a == to_lower(b); });
}

// Whether a `k` or `s` in a required text may match a non-ASCII character, which a search for ASCII bytes
// misses. It may if a part of the expression ignores case, or has escapes or non-ASCII characters.
bool may_fold(const std::string& source) {
  for (std::size_t at = source.find("(?"); at != std::string::npos; at = source.find("(?", at + 2)) {
    if (source.compare(at, 3, "(?:") != 0) return true;
  }
  return source.find("\\x") != std::string::npos || source.find("\\p") != std::string::npos ||
         std::any_of(source.begin(), source.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Returns the longest part of `text` that a search for ASCII bytes can find; empty if that is too short.
std::string searchable_part(std::string_view text, bool folds) {
  std::string_view best;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    bool ends = i == text.size() || static_cast<unsigned char>(text[i]) >= 0x80 ||
                (folds && (text[i] == 'k' || text[i] == 's'));
    if (!ends) continue;
    if (i - begin > best.size()) best = text.substr(begin, i - begin);
    begin = i + 1;
  }
  return std::string(best.size() < part_bytes_min ? std::string_view() : best);
}

std::size_t rarity(char c) { return std::min(common.find(c), common.size()); }

}  // namespace

RegexFilter::RegexFilter(const std::string& source, bool folds) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(!folds);
  options.set_never_nl(true);
  auto filter = std::make_unique<re2::FilteredRE2>(required_bytes_min);
  int id = 0;
  if (filter->Add(source, options, &id) != RE2::NoError) return;
  std::vector<std::string> required;
  filter->Compile(&required);
  if (required.empty() || required.size() > required_max) return;
  folds = folds || may_fold(source);
  std::vector<int> unsearchable;
  for (const std::string& text : required) {
    parts_.push_back(searchable_part(text, folds));
    if (parts_.back().empty()) unsearchable.push_back(static_cast<int>(parts_.size()) - 1);
  }
  std::vector<int> candidates;
  filter->AllPotentials(unsearchable, &candidates);
  if (!candidates.empty()) return;  // Such a filter never excludes a text.
  filter_ = std::move(filter);
  choose_leads();
}

// Chooses leads_: removes parts that are not needed, the shortest first. Few and long leads are found faster.
void RegexFilter::choose_leads() {
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i].empty()) leads_.push_back(i);
  std::vector<std::size_t> order = leads_;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts_[a].size() < parts_[b].size(); });
  for (const std::size_t part : order) {
    std::vector<std::size_t> fewer = leads_;
    std::erase(fewer, part);
    std::vector<int> others;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (std::find(fewer.begin(), fewer.end(), i) == fewer.end()) others.push_back(static_cast<int>(i));
    std::vector<int> candidates;
    filter_->AllPotentials(others, &candidates);
    if (candidates.empty()) leads_ = std::move(fewer);
  }
  // If there are too many parts, only the leads and the longest others are searched for. The rest are assumed
  // to occur.
  std::size_t kept = leads_.size();
  std::reverse(order.begin(), order.end());
  for (const std::size_t part : order) {
    if (std::find(leads_.begin(), leads_.end(), part) != leads_.end()) continue;
    if (++kept > parts_max) parts_[part].clear();
  }
  if (leads_.size() <= parts_max) return;
  filter_.reset();
  leads_.clear();
}

RegexFilter::~RegexFilter() = default;

bool RegexFilter::may_match(const std::function<bool(std::size_t part)>& may_hold) const {
  if (!filter_) return true;
  std::vector<int> found;
  bool some = false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!parts_[i].empty() && !may_hold(i)) continue;
    some = some || !parts_[i].empty();
    found.push_back(static_cast<int>(i));
  }
  if (!some) return false;
  std::vector<int> candidates;
  filter_->AllPotentials(found, &candidates);
  return !candidates.empty();
}

std::size_t find_folded(std::string_view text, std::string_view part) {
  if (part.size() > text.size()) return std::string_view::npos;
  // Tests 16 positions at a time for the two bytes of the part that are rarest in source code.
  using Block = std::uint8_t __attribute__((vector_size(16)));
  using Halves = std::uint64_t __attribute__((vector_size(16)));
  std::size_t rarest = 0;
  for (std::size_t i = 1; i < part.size(); ++i) {
    if (rarity(part[i]) > rarity(part[rarest])) rarest = i;
  }
  std::size_t second = rarest == 0 ? part.size() - 1 : 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (i != rarest && rarity(part[i]) > rarity(part[second])) second = i;
  }
  const Block first_byte = Block{} + static_cast<std::uint8_t>(part[rarest]);
  const Block second_byte = Block{} + static_cast<std::uint8_t>(part[second]);
  const std::uint8_t first_mask = is_lower(part[rarest]) ? 0x20 : 0;
  const std::uint8_t second_mask = is_lower(part[second]) ? 0x20 : 0;
  const Block first_case = Block{} + first_mask;
  const Block second_case = Block{} + second_mask;
  const char* data = text.data();
  std::size_t places = text.size() - part.size() + 1;
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
      if (hits[i] != 0 && equals_folded(data + at + i, part)) return at + i;
    }
  }
  for (; at < places; ++at) {
    if (equals_folded(data + at, part)) return at;
  }
  return std::string_view::npos;
}

}  // namespace snapgen::json
