#pragma once
// Reads files of a workspace by path, for callers that need a Root only once. A path cannot lead outside the
// workspace, and a file above the size limit of its kind is not read.
//
// All files below `.snapback/` are read through read_state_file() or open_state_file(): a cloned repository
// or an applied patch may have put symlinks there, at any level.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

// The default size limit: far more than the server writes into a settings, context or task file.
inline constexpr std::uint64_t state_bytes_max = 1 << 20;

// Reads a whole file; `path` is relative to the workspace `root`. Errors: as Root::open_file(); too_large;
// unavailable.
Result<std::string> read_beneath(const std::string& root, std::string_view path, std::uint64_t bytes_max,
                                 SymlinkPolicy links);

// Like read_beneath(), but rejects a symlink at any component. Errors: as read_beneath(); permission_denied
// (a symlink).
Result<std::string> read_state_file(const std::string& root, std::string_view path,
                                    std::uint64_t bytes_max = state_bytes_max);
Result<OpenedPath> open_state_file(const std::string& root, std::string_view path);
Result<OpenedPath> open_state_folder(const std::string& root, std::string_view path);
// Returns the stat of the path. Errors: as read_state_file().
Result<FileStat> stat_state_path(const std::string& root, std::string_view path);
// Returns true if the path is a folder and no component is a symlink.
bool is_state_folder(const std::string& root, std::string_view path);

}  // namespace snapgen::core
