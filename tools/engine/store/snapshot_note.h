#pragma once
// SnapshotNote: what people want to know of a snapshot and is no part of its id: when, why, of what, and who
// could read it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/privacy.h"

namespace snapgen::core {

struct ManifestStats {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
};

// Which workspace: the work trees of a repository, and the folders within each, share one store.
struct SnapshotOrigin {
  std::string prefix;  // Of the workspace within its work tree: "", or a folder with its final slash.
  std::string tree;    // Names the one folder on this machine.

  bool operator==(const SnapshotOrigin&) const = default;
};

// What the snapshot's taking proves of paths that it does not hold: below `folders`, and not below
// `unknown`, there was no file at `taken_ms`.
struct SnapshotScope {
  std::vector<std::string> folders;  // Captured as far as they are listed; "" is the workspace.
  // In them: nested repositories, what could not be read, and what git ignored.
  std::vector<std::string> unknown;
  std::int64_t taken_ms = 0;  // Since 1970.
};

struct SnapshotTaking {
  SnapshotOrigin place;
  SnapshotScope scope;  // Of the latest taking here that captured a folder.
  Privacy privacy;      // Of the latest.
};

struct SnapshotNote {
  std::string hex;
  std::string message;          // The latest one given; may be empty.
  std::int64_t created_ms = 0;  // When the snapshot was first made, since 1970,
  std::int64_t latest_ms = 0;   // and last.
  bool undo = false;            // Made by the server before it replaced the content, never by a client.
  ManifestStats stats;
  // One of each place, the latest first, and of each prefix one at least; none if the note was lost.
  std::vector<SnapshotTaking> takings;

  // An empty one if it was not taken there: it proves nothing.
  SnapshotScope scope_at(const SnapshotOrigin& place) const;
  // Of the latest taking there, or else of another work tree's same folder.
  Privacy privacy_at(const SnapshotOrigin& place) const;
  // Whether its paths mean what they mean in a workspace with this prefix.
  bool is_of(std::string_view prefix) const;
};

std::string encoded_note(const SnapshotNote& note);
// None if it is damaged.
std::optional<SnapshotNote> decoded_note(const std::string& hex, std::string_view text);

// Among those of the same snapshot. A place's earlier scope stays where this taking captured no folder.
void note_taking(std::vector<SnapshotTaking>& takings, SnapshotTaking taking);

}  // namespace snapgen::core
