#pragma once
// SnapshotNote: data about a snapshot that is not part of its id: time, message, origin and permissions.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/snapshots/privacy.h"

namespace snapgen::core {

struct ManifestStats {
  std::int64_t file_count = 0;
  std::int64_t bytes = 0;
};

// The workspace of a snapshot. The work trees of a repository, and the folders within each, share one store.
struct SnapshotOrigin {
  std::string prefix;   // The workspace's folder within its work tree: "", or a path with a final slash.
  std::string tree_id;  // Identifies the work tree on this machine.

  bool operator==(const SnapshotOrigin&) const = default;
};

// Proves which files did not exist at `taken_ms`: nothing existed at the `absent_paths`, and the `folders`
// had no files except the captured ones and those at or below the `unknown_paths`.
struct SnapshotScope {
  std::vector<std::string> folders;  // Captured folders, as far as they were listed; "" is the workspace.
  // Paths in `folders` that are nested repositories, unreadable, or ignored by git.
  std::vector<std::string> unknown_paths;
  // For an undo snapshot: the files that its change created, also ignored ones. Files in `folders` that git
  // does not ignore may be missing in this list.
  std::vector<std::string> absent_paths;
  std::int64_t taken_ms = 0;  // Since 1970.

  // Whether the scope proves that a path that was not captured did not exist.
  bool proves_absence(std::string_view path) const;
  // Whether the path belongs to the captured part. A diff shows ignored and unreadable files of this part as
  // missing, as git does.
  bool covers(std::string_view path) const;
};

struct SnapshotCapture {
  SnapshotOrigin origin;
  SnapshotScope scope;  // The scope of the latest capture at `origin` that captured a folder.
  Privacy privacy;      // The privacy of the latest capture at `origin`.
};

struct SnapshotNote {
  std::string hex;
  std::string message;          // The latest message; may be empty.
  std::int64_t created_ms = 0;  // When the snapshot was first made, since 1970.
  std::int64_t latest_ms = 0;   // When it was last made.
  bool is_undo = false;         // Made by the server before it replaced the content, not by a client.
  ManifestStats stats;
  // The latest capture at each origin, newest first. Of too many, the oldest are dropped, except the latest
  // of each prefix. Empty if the note was lost.
  std::vector<SnapshotCapture> captures;

  // The scope of the capture at `origin`. An empty scope, which proves nothing, if there was none.
  SnapshotScope scope_at(const SnapshotOrigin& origin) const;
  // The scope of the capture at `origin`, or else of the same folder in another work tree: which part of the
  // workspace was captured.
  SnapshotScope nearest_scope_at(const SnapshotOrigin& origin) const;
  // The privacy of the latest capture at `origin`, or else of the same folder in another work tree.
  Privacy privacy_at(const SnapshotOrigin& origin) const;
  // Whether the snapshot's paths are relative to a workspace with this prefix.
  bool is_of_prefix(std::string_view prefix) const;

 private:
  const SnapshotCapture* nearest_to(const SnapshotOrigin& origin) const;
};

std::string encoded_snapshot_note(const SnapshotNote& note);
// Parses a note. Returns nullopt if the text is damaged.
std::optional<SnapshotNote> parse_snapshot_note(const std::string& hex, std::string_view text);

// Adds a capture to those of the same snapshot. If it captured no folder, it inherits the earlier scope.
void add_capture(std::vector<SnapshotCapture>& captures, SnapshotCapture capture);

}  // namespace snapgen::core
