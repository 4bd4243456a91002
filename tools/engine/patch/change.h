#pragma once
// TreeChange: what becomes of one path of a tree. What a patch plans, what the work tree's writer carries
// out.
#include <cstdint>
#include <optional>
#include <string>

#include "tools/engine/store/file_record.h"
#include "tools/engine/store/manifest.h"

namespace snapgen::core {

struct TreeChange {
  enum class Kind : std::uint8_t {
    write,          // holds `bytes` afterwards
    copy,           // holds what `from` held before
    chmod,          // keeps its content and gets `mode`
    remove,         // a file, symlink or anything else but a folder goes away
    remove_folder,  // a folder goes away, which must be empty by then
  };
  Kind kind = Kind::write;
  std::string path;
  FileMode mode = FileMode::plain;  // Afterwards.
  std::string bytes;                // Of a symlink: its target.
  std::string from;
};

// A change of the live tree, and what must stand there for it to go ahead.
struct TreeWrite {
  TreeChange change;
  std::optional<FileRecord> existing;  // At the path, itself not followed; none: nothing, or an empty folder.
  std::optional<FileRecord> source;    // Of a copy: at `from`.
};

}  // namespace snapgen::core
