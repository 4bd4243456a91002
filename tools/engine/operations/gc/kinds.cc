#include "tools/engine/operations/gc/kinds.h"

#include <filesystem>
#include <system_error>

#include "tools/engine/files/beneath.h"
#include "tools/engine/store/leases/lease_folder.h"

namespace snapgen::core {

std::int64_t bytes_below(const std::string& folder) {
  std::error_code failed;
  std::int64_t sum = 0;
  for (auto it = std::filesystem::recursive_directory_iterator(folder, failed);
       !failed && it != std::filesystem::recursive_directory_iterator(); it.increment(failed)) {
    std::error_code ignored;
    const std::uintmax_t bytes = it->is_regular_file(ignored) ? it->file_size(ignored) : 0;
    if (!ignored) sum += static_cast<std::int64_t>(bytes);
  }
  return sum;
}

std::vector<DataUsage> data_usages(const std::string& root, const std::string& store,
                                   const std::string& tree_folder, const StoreLimits& limits) {
  // Files behind a symlink do not belong to the server and are not counted.
  const auto below_state = [&](const char* name) {
    const std::string folder = std::string(".snapback/") + name;
    return is_state_folder(root, folder) ? bytes_below(root + "/" + folder) : 0;
  };
  const std::string leases = tree_folder + "/leases";
  return {
      {.name = "snapshots",
       .bytes = bytes_below(store + "/blobs") + bytes_below(store + "/snapshots"),
       .bytes_max = limits.snapshot_bytes_max,
       .setting = "quota_bytes"},
      {.name = "leases",
       .bytes = static_cast<std::int64_t>(lease_bytes_in(leases)),
       .bytes_max = limits.lease_bytes_max,
       .setting = "lease_quota_bytes"},
      {.name = "logs",
       .bytes = below_state("logs"),
       .bytes_max = limits.log_bytes_max,
       .setting = "log_quota_bytes"},
      {.name = "caches", .bytes = bytes_below(tree_folder) - bytes_below(leases)},
      {.name = "records",
       .bytes = bytes_below(store + "/records") + below_state("session") + below_state("learnings") +
                below_state("ctx")},
  };
}

}  // namespace snapgen::core
