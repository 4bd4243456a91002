#pragma once
// A store in a temporary folder, and its files.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/engine/folder.h"
#include "tools/engine/store/blobs/blob_store.h"

namespace snapgen::core {

inline std::unique_ptr<BlobStore> opened(const std::string& folder) { return *open_segment_store(folder); }

inline std::vector<std::string> segments_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".seg") names.push_back(entry.path().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::uint64_t bytes_on_disk(const std::string& folder) {
  std::uint64_t sum = 0;
  for (const std::string& name : segments_in(folder)) sum += std::filesystem::file_size(name);
  return sum;
}

}  // namespace snapgen::core
