#pragma once
// HistoryOptions: what the history records and retains (schemas/common/history_settings.json).
#include <cstddef>
#include <cstdint>
#include <string>

#include "tools/engine/store/history/thin_history.h"

namespace snapgen::core {

struct HistoryOptions {
  HistoryLimits limits;
  std::int64_t file_bytes_max = 20 << 20;  // Larger files are left out.
  std::size_t files_max = 1'000'000;       // No moments are taken of larger trees.
  // Of the files that git ignores in folders that it does not ignore, so many and of this size are recorded.
  std::size_t ignored_files_max = 200;
  std::int64_t ignored_bytes_max = 64 << 10;
  std::string copies_folder = {};  // As StoreCopy; empty: no copy is made.
};

}  // namespace snapgen::core
