#pragma once
// Optional test material in a folder beside the project's folder. Tests that need it are skipped if it is
// missing.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#ifndef SNAPGEN_SHARED_DEFAULT  // set by the build: the folder beside the project's
#define SNAPGEN_SHARED_DEFAULT "../shared"
#endif

namespace snapgen::json {

inline std::filesystem::path shared(const std::string& below) {
  const char* folder = std::getenv("SNAPGEN_SHARED");
  return std::filesystem::path(folder ? folder : SNAPGEN_SHARED_DEFAULT) / below;
}

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace snapgen::json

// Skips the test if `path` does not exist.
#define SNAPGEN_NEEDS(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << (path).string() << " is not on this machine"
