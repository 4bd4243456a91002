#pragma once
// perfect_hash: a table that finds each of a fixed set of names with one lookup.
#include <cstdint>
#include <string>
#include <vector>

namespace snapgen::codegen {

// hash(name, seed) selects a bucket; hashing the name with the bucket's seed selects the slot. See
// name_hash.h.
struct PerfectHash {
  std::vector<std::uint32_t> seeds;  // One per bucket; the count is a power of two.
  std::vector<std::uint16_t> slots;  // Index of the name, or `none`; the count is a power of two.
  static constexpr std::uint16_t none = 0xffff;
};

// The names must be distinct and fewer than 65535.
PerfectHash perfect_hash(const std::vector<std::string>& names);

}  // namespace snapgen::codegen
