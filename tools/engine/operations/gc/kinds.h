#pragma once
// Kinds: the disk space of each kind of a workspace's data, and its limit.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// The limits under "store" in `.snapback/config.json` (schemas/common/store_settings.json), in bytes.
struct StoreLimits {
  std::int64_t snapshot_bytes_max = std::int64_t{20} << 30;
  std::int64_t lease_bytes_max = std::int64_t{64} << 20;  // Per work tree.
  std::int64_t log_bytes_max = std::int64_t{32} << 20;
};

struct DataUsage {
  std::string_view name;
  std::int64_t bytes = 0;
  std::optional<std::int64_t> bytes_max = {};  // nullopt: no limit; it grows with the files and the work.
  std::string_view setting = {};               // The setting for bytes_max; empty: none.

  // Whether more than 4/5 of the limit is used.
  bool is_nearly_full() const { return bytes_max && bytes > *bytes_max / 5 * 4; }
};

// The kinds of a workspace's data. `root`: the workspace. `store`: from store_folder_of(). `tree_folder`:
// from tree_folder(). Ignores unreadable files.
std::vector<DataUsage> data_usages(const std::string& root, const std::string& store,
                                   const std::string& tree_folder, const StoreLimits& limits);

// The total size of all files below `folder`; 0 if it does not exist.
std::int64_t bytes_below(const std::string& folder);

}  // namespace snapgen::core
