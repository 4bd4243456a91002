#include "codegen/emit/perfect_hash.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

#include "runtime/base/name_hash.h"

namespace snapgen::codegen {

PerfectHash perfect_hash(const std::vector<std::string>& names) {
  PerfectHash table;
  std::size_t slots = std::bit_ceil(std::max<std::size_t>(names.size() + names.size() / 4, 1));
  std::size_t buckets = std::bit_ceil(std::max<std::size_t>(names.size() / 2, 1));
  table.slots.assign(slots, PerfectHash::none);
  table.seeds.assign(buckets, 0);
  std::vector<std::vector<std::uint16_t>> by_bucket(buckets);
  for (std::size_t i = 0; i < names.size(); ++i)
    by_bucket[name_hash(names[i], 0) & (buckets - 1)].push_back(static_cast<std::uint16_t>(i));
  // The fullest buckets are placed first, while most slots are free.
  std::multimap<std::size_t, std::size_t, std::greater<>> order;
  for (std::size_t i = 0; i < buckets; ++i) order.emplace(by_bucket[i].size(), i);
  for (const auto& [count, bucket] : order) {
    const std::vector<std::uint16_t>& members = by_bucket[bucket];
    if (count == 0) break;
    for (std::uint32_t seed = 1;; ++seed) {
      std::vector<std::size_t> taken;
      for (std::uint16_t index : members) {
        std::size_t slot = name_hash(names[index], seed) & (slots - 1);
        bool free = table.slots[slot] == PerfectHash::none && std::ranges::find(taken, slot) == taken.end();
        if (!free) break;
        taken.push_back(slot);
      }
      if (taken.size() != members.size()) continue;
      for (std::size_t i = 0; i < members.size(); ++i) table.slots[taken[i]] = members[i];
      table.seeds[bucket] = seed;
      break;
    }
  }
  return table;
}

}  // namespace snapgen::codegen
