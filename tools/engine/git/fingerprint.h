#pragma once
// The fingerprint of a work tree (substrate specification, section 2.2), byte-exact with git.
//
// Our own engine settles the states it can prove; every other state is handed to the git program, which is
// run without optional locks, hooks and fsmonitor. Reading never writes into the repository.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/files.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core {

struct Fingerprint {
  std::string head_oid;     // HEAD's commit; empty while the branch is unborn, and without git.
  std::string index_oid;    // What `git write-tree` would print; empty where it would fail, and without git.
  std::string status_hash;  // SHA-256 of what `git status --porcelain=v1 -z` prints; lower-case hex.

  bool operator==(const Fingerprint&) const = default;
};

// One record of `git status --porcelain=v1 -z`.
struct StatusEntry {
  char index = ' ';           // X: how the index differs from HEAD
  char worktree = ' ';        // Y: how the work tree differs from the index
  std::string path;           // relative to the root; a collapsed untracked folder ends in '/'
  std::string original_path;  // of a rename or copy; else empty

  bool operator==(const StatusEntry&) const = default;
};

enum class Engine : std::uint8_t { own, git };

struct Status {
  Fingerprint fingerprint;
  std::string bytes;                 // what git prints
  std::vector<StatusEntry> entries;  // the same, parsed, in git's order
  Engine engine = Engine::own;       // who settled it
  std::string reason;                // why git was needed; empty for our own engine
  bool shows_untracked = true;       // False: the configuration hides untracked files, or may do so.
};

// Errors: unavailable (git is needed and not installed, or it failed; the message names it), cancelled,
// repo_changed (the repository kept changing while it was read).
Result<Status> read_status(const Repository& repository, std::stop_token stop = {});

// A status, and the files as list_files() tells them, of one walk where git need not be asked. Errors: of
// both.
struct StatusAndFiles {
  Status status;
  FileListing files;
};
Result<StatusAndFiles> read_status_and_files(const Repository& repository, std::stop_token stop = {});

Result<Fingerprint> fingerprint(const Repository& repository, std::stop_token stop = {});

}  // namespace snapgen::core
