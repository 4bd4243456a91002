#pragma once
// Kinds: what each kind of data of a workspace takes on disk, and how much it may take.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// What `.snapback/config.json` says under "store" (schemas/common/store_settings.json); in bytes.
struct StoreLimits {
  std::int64_t snapshots = std::int64_t{20} << 30;
  std::int64_t leases = std::int64_t{64} << 20;  // Of a work tree.
  std::int64_t logs = std::int64_t{32} << 20;
};

struct KindOfData {
  std::string_view name;
  std::int64_t bytes = 0;
  std::optional<std::int64_t> bytes_max = {};  // Nullopt: it grows with the files and the work alone.
  std::string_view setting = {};               // The one that says bytes_max; empty: none does.

  // Whether more than four fifths of what it may take are used.
  bool is_nearly_full() const { return bytes_max && bytes > *bytes_max / 5 * 4; }
};

// `root`: the workspace. `store`: as store_folder_of(). `tree_folder`: as tree_folder(). What cannot be read
// counts as nothing.
std::vector<KindOfData> kinds_of_data(const std::string& root, const std::string& store,
                                      const std::string& tree_folder, const StoreLimits& limits);

// What all files below `folder` hold; 0 if it is not there.
std::int64_t bytes_below(const std::string& folder);

}  // namespace snapgen::core
