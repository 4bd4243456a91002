#pragma once
// name_hash: a fast hash of short names. The hash is the same on every machine, because the code generator
// writes tables of hashes that are searched at run time.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace snapgen {

inline std::uint32_t name_hash(std::string_view name, std::uint32_t seed) {
  static_assert(std::endian::native == std::endian::little, "the words below would differ");
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  std::uint64_t hash = (seed + 1) * factor ^ name.size();
  const char* at = name.data();
  std::size_t left = name.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    hash = (hash ^ word) * factor;
    hash ^= hash >> 32;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, at, left);
  hash = (hash ^ word) * factor;
  hash ^= hash >> 29;
  hash *= factor;
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace snapgen
