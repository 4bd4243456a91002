#pragma once
// Route: where a request of a service's API goes. Of a schema file that says x-snapgen.route the generated
// header has a constant, and for requests that are structs
//
//   constexpr fetch::Route route_of(const ValidatePackages*);
//   PackageVerdicts answer_of(const ValidatePackages*);   // never defined: it names the type
#include <cstdint>
#include <string_view>

namespace snapgen::fetch {

enum class Method : std::uint8_t { get, post };

struct Route {
  std::string_view name;  // mcp.validatePackage
  Method method = Method::post;
  std::string_view path;              // Behind the service's base URL; begins with a slash.
  bool repeatable = false;            // Asking twice does no more than asking once.
  std::uint32_t rate_per_minute = 0;  // How often it may be asked; 0: as often as anybody likes.
  std::uint32_t rate_burst = 0;       // Of these at once.
};

// What a request is answered with.
template <class Request>
using AnswerTo = decltype(answer_of(static_cast<const Request*>(nullptr)));

}  // namespace snapgen::fetch
