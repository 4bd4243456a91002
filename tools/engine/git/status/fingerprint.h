#pragma once
// The fingerprint of a work tree, byte-exact with git.
//
// Our engine computes it for the states that it fully understands. For all others it runs the git program,
// without optional locks, hooks and fsmonitor. Reading never writes into the repository.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {

struct Fingerprint {
  std::string head_oid;     // HEAD's commit; empty for an unborn branch and without git.
  std::string index_oid;    // The output of `git write-tree`; empty if it fails, and without git.
  std::string status_hash;  // SHA-256 of `git status --porcelain=v1 -z`, in lower-case hex.

  bool operator==(const Fingerprint&) const = default;
};

// One record of `git status --porcelain=v1 -z`.
struct StatusEntry {
  char index_status = ' ';     // X: the difference between HEAD and the index
  char worktree_status = ' ';  // Y: the difference between the index and the work tree
  std::string path;            // Relative to the root; a collapsed untracked folder ends in '/'.
  std::string original_path;   // The source of a rename or copy; otherwise empty.

  bool operator==(const StatusEntry&) const = default;
};

enum class StatusEngine : std::uint8_t { own, git };

struct GitStatus {
  Fingerprint fingerprint;
  std::string porcelain_output;             // The output of `git status --porcelain=v1 -z`.
  std::vector<StatusEntry> entries;         // `porcelain_output`, parsed, in git's order.
  StatusEngine engine = StatusEngine::own;  // The engine that computed it.
  std::string git_needed_reason;            // Why git was needed; empty for our engine.
  bool shows_untracked = true;  // False: the configuration hides untracked files, or may hide them.
};

// Returns the current status. Errors: unavailable (git is needed and missing, or failed; the message contains
// its name), cancelled, repo_changed (the repository changed repeatedly while it was read).
Result<GitStatus> read_status(const Repository& repository, std::stop_token stop = {});

// A status and the files, from one walk unless git is needed. Errors: as read_status(), list_files().
struct StatusAndFiles {
  GitStatus status;
  FileListing files;
};
Result<StatusAndFiles> read_status_and_files(const Repository& repository, std::stop_token stop = {});

Result<Fingerprint> fingerprint(const Repository& repository, std::stop_token stop = {});

}  // namespace snapgen::core
