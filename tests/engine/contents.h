#pragma once
// Compressible and incompressible contents of any size.
#include <random>
#include <string>

namespace snapgen::core {

inline std::string noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

inline std::string prose(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes;
  while (bytes.size() < size)
    bytes += "word" + std::to_string(random() % 50) + (random() % 9 == 0 ? "\n" : " ");
  bytes.resize(size);
  return bytes;
}

}  // namespace snapgen::core
