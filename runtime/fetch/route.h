#pragma once
// Route is an endpoint of a service's API. From a schema file with x-snapgen.route, the code generator makes
// a header with a Route constant. If the request is a struct, the header also declares:
//
//   constexpr fetch::Route route_of(const ValidatePackages*);
//   PackageVerdicts answer_of(const ValidatePackages*);   // never defined: it names the type
#include <cstdint>
#include <string_view>

namespace snapgen::fetch {

enum class Method : std::uint8_t { get, post };

struct Route {
  std::string_view name;  // Such as mcp.validatePackage.
  Method method = Method::post;
  std::string_view path;              // Appended to the service's base URL; begins with a slash.
  bool repeatable = false;            // Sending the request twice has no further effect.
  std::uint32_t rate_per_minute = 0;  // Requests allowed per minute; 0: unlimited.
  std::uint32_t rate_burst = 0;       // Requests allowed at once, in a burst.
};

// The type of a service's response to a request of type Request.
template <class Request>
using ResponseTo = decltype(answer_of(static_cast<const Request*>(nullptr)));

}  // namespace snapgen::fetch
