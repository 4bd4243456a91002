#pragma once
// Integers in the store's files, copied from memory: little-endian.
#include <bit>
#include <concepts>
#include <cstring>
#include <string>

namespace snapgen::core {

static_assert(std::endian::native == std::endian::little, "the store's integers are copied unchanged");

template <std::integral T>
void append_integer(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <std::integral T>
T integer_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace snapgen::core
