#pragma once
// ResourceRoute: a kind of resource, with its URI or template and its functions.
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mcp/uri_template.h"
#include "schemas/mcp/skill.h"
#include "tools/app/app.h"
#include "tools/app/resource_uris.h"

namespace snapgen::tools {

// The content of a resource. It is sent as text if the bytes are UTF-8.
struct ResourceContent {
  std::string bytes;
  std::string mime_type;
};

// The files and folders to watch for changes of a resource.
struct WatchedPaths {
  bool worktree = false;           // True to watch the whole work tree.
  std::vector<std::string> paths;  // Absolute paths of files, or of folders whose entries are watched.
};

struct ResourceRoute {
  std::string_view uri;  // A URI, or a URI template (uri_template.h).
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view mime_type;  // The media type; empty if it depends on the content.
  // Returns the content. Blocks. Errors: not_found, invalid_argument, and those of the engine.
  Result<ResourceContent> (*read)(App& app, const mcp::UriVariables& variables, const std::stop_token& stop);
  // Returns what to watch for changes. Blocks. Null if the resource never changes.
  Result<WatchedPaths> (*watched_paths)(App& app, const mcp::UriVariables& variables) = nullptr;
  bool needs_worktree = true;  // False if it needs no work tree and read() does not block.

  bool is_template() const { return uri.find('{') != std::string_view::npos; }
};

inline constexpr std::string_view json_type = "application/json";
inline constexpr std::string_view markdown_type = "text/markdown";

// Each returns the routes of one subject.
std::span<const ResourceRoute> worktree_routes();
std::span<const ResourceRoute> snapshot_routes();
std::span<const ResourceRoute> work_routes();
std::span<const ResourceRoute> reference_routes();
std::span<const ResourceRoute> skill_routes();

// Returns the skills, whose files skill_routes() has.
std::vector<mcp::Skill> skills();

// Returns the route with exactly this URI or template; null if there is none.
const ResourceRoute* route_of(std::string_view uri);

// Returns the media type for a file name; text/plain if it is unknown.
std::string_view mime_type_of(std::string_view path);

}  // namespace snapgen::tools
