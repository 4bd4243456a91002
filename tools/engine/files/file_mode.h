#pragma once
// FileMode: the mode of a file as git records it.
#include <cstdint>

#include "tools/engine/files/file_stat.h"

namespace snapgen::core {

enum class FileMode : std::uint8_t { plain, executable, symlink };

FileMode mode_of(const FileStat& stat);  // `stat` must be that of a file or symlink.

}  // namespace snapgen::core
