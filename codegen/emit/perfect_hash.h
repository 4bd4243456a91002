#pragma once
// perfect_hash: makes a table that finds each of a fixed set of names with one lookup.
#include <cstdint>
#include <string>
#include <vector>

namespace snapgen::codegen {

// The table: hash(name, seed) selects a bucket, and the hash of the name with the bucket's seed selects the
// slot. See name_hash.h.
struct PerfectHash {
  std::vector<std::uint32_t> seeds;  // One per bucket; their number is a power of two.
  std::vector<std::uint16_t> slots;  // The index of a name, or `none`; their number is a power of two.
  static constexpr std::uint16_t none = 0xffff;
};

// Makes the table. The names must be distinct and fewer than 65535.
PerfectHash perfect_hash(const std::vector<std::string>& names);

}  // namespace snapgen::codegen
