#pragma once
// route: messages that are the requests of a service's API (`x-snapgen.route`). The file's own schema is the
// body, its definition `answer` what comes back; where it goes is said by the route.
#include <string>

#include "codegen/model.h"

namespace snapgen::codegen {

struct RouteWords {
  std::string name;    // mcp.validatePackage
  std::string method;  // POST
  std::string path;    // /v1/analysis/package
  bool repeatable = false;
  std::optional<Rate> rate;
};

// The members of a route; sorted.
std::vector<std::string_view> known_route_keys();

// What a file says, of a file in order; none: it is no route.
std::optional<RouteWords> route_of(const File& file);

// Routes that are not whole, or say the same as another, are findings.
void check_routes(const Sources& sources, const Checked& checked, Findings& findings);

// Of a unit that is a route: find_things_route, and by the request's type, if that is a class, its route and
// the type of its answer. Empty for all others.
std::string route_constants(const Unit& unit);

}  // namespace snapgen::codegen
