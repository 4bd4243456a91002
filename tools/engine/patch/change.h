#pragma once
// TreeChange is one change of one path, as a patch plans it and the work tree's writer executes it.
#include <cstdint>
#include <optional>
#include <string>

#include "tools/engine/files/file_mode.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {

struct TreeChange {
  enum class Kind : std::uint8_t {
    write,          // Writes `bytes`.
    copy,           // Writes the original content of `from`.
    chmod,          // Sets `mode` and leaves the content unchanged.
    remove,         // Deletes a file, symlink or anything else but a folder.
    remove_folder,  // Deletes a folder, which must be empty by then.
  };
  Kind kind = Kind::write;
  std::string path;
  FileMode mode = FileMode::plain;  // The new mode.
  // For write and chmod: exactly these permission bits instead of those of the file before, with `mode`.
  std::optional<std::uint32_t> permissions = {};
  std::string bytes;                // For a symlink, its target.
  // For copy: the copied file. For write: the file whose permissions a new file gets; empty: none.
  std::string from;
};

// A change of the work tree, and the files that it expects to find.
struct TreeWrite {
  TreeChange change;
  // The file at the path, without following it; nullopt: nothing, or an empty folder.
  std::optional<FileRecord> existing;
  std::optional<FileRecord> source;  // The file at `from`.
};

}  // namespace snapgen::core
