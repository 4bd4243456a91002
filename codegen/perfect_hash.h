#pragma once
// perfect_hash: a table in which each of a fixed set of names is found by one look.
#include <cstdint>
#include <string>
#include <vector>

namespace snapgen::codegen {

// hash(name, seed) picks a bucket; the bucket's seed, hashed again with the name, picks the slot. See
// name_hash.h.
struct PerfectHash {
  std::vector<std::uint32_t> seeds;  // One for each bucket; a power of two of them.
  std::vector<std::uint16_t> slots;  // Index of the name, or `none`; a power of two of them.
  static constexpr std::uint16_t none = 0xffff;
};

// The names are distinct; fewer than 65535.
PerfectHash perfect_hash(const std::vector<std::string>& names);

}  // namespace snapgen::codegen
