#pragma once
// route: messages that are requests of a service's API (`x-snapgen.route`). The file's root schema is the
// request body, and its definition `answer` is the response. The route is the destination.
#include <string>

#include "codegen/model/model.h"

namespace snapgen::codegen {

struct RouteDefinition {
  std::string name;    // The name, such as mcp.validatePackage.
  std::string method;  // The HTTP method, such as POST.
  std::string path;    // The path, such as /v1/analysis/package.
  bool repeatable = false;
  std::optional<RateLimit> rate;
};

// Returns the allowed members of a route, sorted.
std::vector<std::string_view> known_route_keys();

// Reads the route of a valid file; nullopt if it has none.
std::optional<RouteDefinition> route_of(const File& file);

// Reports incomplete and duplicate routes.
void check_routes(const Sources& sources, const CheckedSchemas& checked, Findings& findings);

}  // namespace snapgen::codegen
