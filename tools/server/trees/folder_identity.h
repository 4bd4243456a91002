#pragma once
// FolderIdentity distinguishes a folder from another one that replaced it at the same path.
#include <cstdint>
#include <optional>
#include <string>

namespace snapgen::tools {

struct FolderIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FolderIdentity&) const = default;
};

// Returns nullopt if `path` does not exist. Follows symlinks.
std::optional<FolderIdentity> identity_of(const std::string& path);

}  // namespace snapgen::tools
