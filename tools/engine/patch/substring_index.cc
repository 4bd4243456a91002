#include "tools/engine/patch/substring_index.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace snapgen::core {
namespace {

// The places of a text that occurs more often are not stored.
constexpr std::size_t indexed_places_max = 100'000;
// The bytes to hash are chosen among the first bytes of a text.
constexpr std::size_t probed_bytes_max = 256;
constexpr std::size_t filter_bits = std::size_t{1} << 16;

template <class Key>
Key key_at(const char* bytes) {
  Key key;
  std::memcpy(&key, bytes, sizeof key);
  return key;
}

template <class Key>
std::size_t slot_of(Key key) {
  constexpr std::uint64_t odd_factor = 0x9e37'79b9'7f4a'7c15;
  return static_cast<std::size_t>((std::uint64_t{key} * odd_factor) >> 48);
}

// Returns the offset of the bytes that are the key of the fewest other texts, because each offset of the
// content with a key is compared with all texts of the key, and edits of one file often begin alike. Among
// these, it is that of the bytes with the most different values, so that indentation is not a key.
// `candidates` has the other texts by their keys.
template <class Key, class Candidates>
std::size_t best_key_offset(std::string_view text, const Candidates& candidates) {
  std::size_t best = 0;
  std::pair<std::size_t, std::size_t> least{SIZE_MAX, SIZE_MAX};
  const std::size_t last = std::min(text.size(), probed_bytes_max) - sizeof(Key);
  for (std::size_t at = 0; at <= last; ++at) {
    std::bitset<256> values;
    for (const char byte : text.substr(at, sizeof(Key))) values.set(static_cast<unsigned char>(byte));
    const auto others = candidates.find(key_at<Key>(text.data() + at));
    const std::size_t count = others == candidates.end() ? 0 : others->second.size();
    const std::pair rank(count, sizeof(Key) - values.count());
    if (rank >= least) continue;
    least = rank;
    best = at;
  }
  return best;
}

}  // namespace

std::vector<std::size_t> places_in(std::string_view content, std::string_view text, std::size_t places_max) {
  std::vector<std::size_t> places;
  std::size_t from = 0;
  while (places.size() < places_max && from + text.size() <= content.size()) {
    const void* found = ::memmem(content.data() + from, content.size() - from, text.data(), text.size());
    if (found == nullptr) break;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - content.data());
    places.push_back(at);
    from = at + 1;
  }
  return places;
}

SubstringIndex::SubstringIndex(std::string_view content, const std::vector<std::string_view>& texts) {
  scan<std::uint64_t>(content, texts);
  scan<std::uint32_t>(content, texts);
}

// Scans for the texts whose keys have this size.
template <class Key>
void SubstringIndex::scan(std::string_view content, const std::vector<std::string_view>& texts) {
  struct Candidate {
    std::string_view text;
    std::size_t key_offset = 0;
    std::vector<std::size_t>* places = nullptr;
  };
  std::unordered_map<Key, std::vector<Candidate>> candidates;
  auto filter = std::make_unique<std::bitset<filter_bits>>();
  for (const std::string_view text : texts) {
    const bool is_long = text.size() >= sizeof(std::uint64_t);
    if (text.size() < sizeof(Key) || is_long != (sizeof(Key) == sizeof(std::uint64_t))) continue;
    const auto [place, is_new] = places_.try_emplace(text);
    if (!is_new) continue;
    const std::size_t offset = best_key_offset<Key>(text, candidates);
    const Key key = key_at<Key>(text.data() + offset);
    filter->set(slot_of(key));
    candidates[key].push_back({.text = text, .key_offset = offset, .places = &place->second});
  }
  if (candidates.empty()) return;
  for (std::size_t at = 0; at + sizeof(Key) <= content.size(); ++at) {
    const Key key = key_at<Key>(content.data() + at);
    if (!(*filter)[slot_of(key)]) continue;
    const auto found = candidates.find(key);
    if (found == candidates.end()) continue;
    for (const Candidate& candidate : found->second) {
      if (candidate.places->size() > indexed_places_max || at < candidate.key_offset) continue;
      const std::size_t begin = at - candidate.key_offset;
      if (content.substr(begin, candidate.text.size()) == candidate.text) candidate.places->push_back(begin);
    }
  }
  std::erase_if(places_, [](const auto& entry) { return entry.second.size() > indexed_places_max; });
}

const std::vector<std::size_t>* SubstringIndex::places_of(std::string_view text) const {
  const auto found = places_.find(text);
  return found == places_.end() ? nullptr : &found->second;
}

}  // namespace snapgen::core
