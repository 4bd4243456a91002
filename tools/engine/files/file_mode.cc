#include "tools/engine/files/file_mode.h"

#include "tools/engine/files/root.h"

namespace snapgen::core {

FileMode mode_of(const FileStat& stat) {
  if (kind_of(stat) == FileKind::symlink) return FileMode::symlink;
  return is_executable(stat) ? FileMode::executable : FileMode::plain;
}

}  // namespace snapgen::core
