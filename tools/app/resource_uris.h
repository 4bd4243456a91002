#pragma once
// The URIs and URI templates of this server's resources (runtime/mcp/uri_template.h).
#include <cstddef>
#include <string_view>

namespace snapgen::tools {

inline constexpr std::string_view worktree_uri = "snapgen://worktree";
inline constexpr std::string_view file_uri = "snapgen://files/{+path}";
inline constexpr std::string_view snapshots_uri = "snapgen://snapshots";
inline constexpr std::string_view snapshot_uri = "snapgen://snapshots/{snapshot_id}";
inline constexpr std::string_view snapshot_file_uri = "snapgen://snapshots/{snapshot_id}/files/{+path}";
inline constexpr std::string_view tasks_uri = "snapgen://tasks";
inline constexpr std::string_view task_uri = "snapgen://tasks/{task_id}";
inline constexpr std::string_view learnings_uri = "snapgen://learnings";
inline constexpr std::string_view reference_uri = "snapgen://reference/{+page}";

// Larger contents are not resources; a tool reads them in parts.
inline constexpr std::size_t resource_bytes_max = 1 << 20;

}  // namespace snapgen::tools
