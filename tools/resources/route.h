#pragma once
// ResourceRoute: one kind of resource: its URI, and what reads it.
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mcp/uri_template.h"
#include "tools/app.h"

namespace snapgen::tools {

// What a resource holds: bytes, which are text if they can be.
struct ResourceContent {
  std::string bytes;
  std::string mime_type;
};

// What tells that a resource may have changed.
struct ResourceSigns {
  bool worktree = false;           // The watch of the whole work tree.
  std::vector<std::string> paths;  // Absolute: files, or folders with what is in them.
};

struct ResourceRoute {
  std::string_view uri;  // Or a template of URIs (uri_template.h).
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view mime_type;  // Empty: each has its own.
  // Blocks. Errors: not_found, invalid_argument, and those of the core.
  Result<ResourceContent> (*read)(App& app, const mcp::UriVariables& variables, const std::stop_token& stop);
  // Blocks. Null: such a resource never changes.
  Result<ResourceSigns> (*signs)(App& app, const mcp::UriVariables& variables) = nullptr;

  bool is_template() const { return uri.find('{') != std::string_view::npos; }
};

// What is larger is read in parts, by a tool.
inline constexpr std::size_t resource_bytes_max = 1 << 20;

inline constexpr std::string_view json_type = "application/json";
inline constexpr std::string_view markdown_type = "text/markdown";

inline constexpr std::string_view worktree_uri = "snapgen://worktree";
inline constexpr std::string_view file_uri = "snapgen://files/{+path}";
inline constexpr std::string_view snapshots_uri = "snapgen://snapshots";
inline constexpr std::string_view snapshot_uri = "snapgen://snapshots/{snapshot_id}";
inline constexpr std::string_view snapshot_file_uri = "snapgen://snapshots/{snapshot_id}/files/{+path}";
inline constexpr std::string_view tasks_uri = "snapgen://tasks";
inline constexpr std::string_view task_uri = "snapgen://tasks/{task_id}";
inline constexpr std::string_view learnings_uri = "snapgen://learnings";
inline constexpr std::string_view reference_uri = "snapgen://reference/{+page}";

// Of each kind, by what they are about.
std::span<const ResourceRoute> worktree_routes();
std::span<const ResourceRoute> snapshot_routes();
std::span<const ResourceRoute> work_routes();
std::span<const ResourceRoute> reference_routes();

// By the URI or template itself; null if there is none.
const ResourceRoute* route_of(std::string_view uri);

// The media type that a file's name says; text/plain if it says none.
std::string_view mime_type_of(std::string_view path);

}  // namespace snapgen::tools
