#pragma once
// ResourceRoute: one kind of resource: its URI, and what reads it.
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mcp/uri_template.h"
#include "tools/app/app.h"
#include "tools/app/resource_uris.h"

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
  bool reads_tree = true;  // False: it is the same without a work tree, and read() does not block.

  bool is_template() const { return uri.find('{') != std::string_view::npos; }
};

inline constexpr std::string_view json_type = "application/json";
inline constexpr std::string_view markdown_type = "text/markdown";

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
