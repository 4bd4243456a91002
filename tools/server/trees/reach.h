#pragma once
// Reach: the folders that a server may serve, and, where the kernel has Landlock, write.
//
// A server whose workspace is named at its start, or that listens for connections, chooses its reach then. A
// server with only one host learns its workspace from the host's first call, and chooses its reach at that
// time: the folders that the host has named so far. Folders outside of them cannot be added later, because a
// process cannot undo its confinement.
//
// A thread is confined if the thread that starts it is. So no thread may start before the reach is settled,
// except the one that launches programs from outside (UvPort::launch_from_outside).
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/confinement.h"
#include "runtime/base/log.h"
#include "runtime/base/result.h"
#include "tools/server/trees/folder_identity.h"

namespace snapgen::tools {

class Reach {
 public:
  enum class Bound {
    none,        // Every folder may be served, and the server is not confined: --no-confine.
    kernel,      // The reach limits the server only if the kernel confines it.
    everywhere,  // The reach limits the server on every kernel: clients may be other users.
  };
  // `confines`: whether the kernel is asked to confine the process.
  Reach(const Log& log, Bound bound, bool confines) : log_(log), bound_(bound), confines_(confines) {}
  Reach(Reach&&) = delete;

  // Confines the process to these work trees, with their git folders. Called once at most.
  void set_bounds(const std::vector<std::string>& trees);

  // Settles the reach for the trees that are `named`, if it is not settled. Errors: permission_denied (`tree`
  // is out of reach), with what to do.
  Result<Unit> admit(const std::string& tree, const std::vector<std::string>& named);

 private:
  // A folder below which trees may be served.
  struct Bounded {
    std::string path;
    std::optional<FolderIdentity> identity;  // When the reach was settled.
  };
  enum class Covered { yes, no, replaced };
  Covered covers(const std::string& tree) const;

  const Log log_;
  const Bound bound_;
  const bool confines_;
  bool has_bounds_ = false;
  bool is_bounded_ = false;   // Only folders below `folders_` may be served.
  bool is_confined_ = false;  // By the kernel, to the folders themselves and not to their paths.
  std::vector<Bounded> folders_;
};

}  // namespace snapgen::tools
