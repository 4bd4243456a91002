#pragma once
// Files of a workspace by their paths, for who needs no Root for longer: what somebody else put there leads
// nowhere outside, and what is larger than its kind gets is not read.
//
// All that stands below `.snapback/` is read by read_state_file(), or through open_state_file(): whoever
// sends a repository, or has a patch applied, may have put symlinks there, on any level.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"

namespace snapgen::core {

// Settings, contexts, tasks: their writers make far less.
inline constexpr std::uint64_t state_bytes_max = 1 << 20;

// The whole of a file; `path` is relative to the workspace `root`. Errors: as Root::open_file(); too_large;
// unavailable.
Result<std::string> read_beneath(const std::string& root, std::string_view path, std::uint64_t bytes_max,
                                 Links links);

// The same without a symlink on the way or at its end. Errors: as above; permission_denied names the symlink.
Result<std::string> read_state_file(const std::string& root, std::string_view path,
                                    std::uint64_t bytes_max = state_bytes_max);
Result<Opened> open_state_file(const std::string& root, std::string_view path);
Result<Opened> open_state_folder(const std::string& root, std::string_view path);
// What stands there. Errors: as above.
Result<FileStat> look_at_state(const std::string& root, std::string_view path);
// Whether a folder stands there, and only folders above it.
bool is_state_folder(const std::string& root, std::string_view path);

}  // namespace snapgen::core
