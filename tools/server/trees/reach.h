#pragma once
// Reach: the folders that a server may serve and, if the kernel has Landlock, write to.
//
// A server whose workspace is named at its start, or that listens for connections, sets its reach at the
// start. A server with only one host learns its workspace from the host's first call, and sets its reach
// then, to the folders that the host has named so far. No folders can be added later, because a process
// cannot undo its confinement.
//
// A thread inherits the confinement of the thread that starts it. So no thread may start before the reach is
// set, except the one that launches programs from outside (UvPort::launch_from_helper_thread).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/confinement.h"
#include "runtime/base/log.h"
#include "runtime/base/result.h"

namespace snapgen::tools {

// The cause of an error for a workspace that this server may not serve.
inline constexpr std::string_view unreachable_workspace_cause = "outside of the served folders";

struct FolderIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FolderIdentity&) const = default;
};

// Returns nullopt if `path` does not exist. Follows symlinks.
std::optional<FolderIdentity> identity_of(const std::string& path);

class Reach {
 public:
  enum class Enforcement {
    none,    // Every folder may be served, and the server is not confined: --no-confine.
    kernel,  // The reach limits the server only if the kernel confines it.
    always,  // The reach limits the server on every kernel: clients may be other users.
  };
  // `confines` is true to ask the kernel to confine the process.
  Reach(const Log& log, Enforcement bound, bool confines)
      : log_(log), bound_(bound), confines_process_(confines) {}
  Reach(Reach&&) = delete;

  // Confines the process to these work trees and their git folders. Call it at most once.
  void confine_to(const std::vector<std::string>& trees);

  // Sets the reach to the trees in `named`, unless it is already set. Errors: unavailable (`tree` is
  // out of reach), with what to do.
  Result<Unit> admit(const std::string& tree, const std::vector<std::string>& named);

 private:
  // A folder below which trees may be served.
  struct BoundFolder {
    std::string path;
    std::optional<FolderIdentity> identity;  // The identity that the folder had when the reach was set.
  };
  enum class Covered { yes, no, replaced };
  Covered covers(const std::string& tree) const;

  const Log log_;
  const Enforcement bound_;
  const bool confines_process_;
  bool has_bounds_ = false;
  bool is_bounded_ = false;  // Whether only folders below `folders_` may be served.
  // The kernel confines the process to these folders; a new folder at the same path is not one of them.
  bool is_confined_ = false;
  std::vector<BoundFolder> folders_;
};

}  // namespace snapgen::tools
