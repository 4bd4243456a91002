#pragma once
// Route: where a request of a service's API goes. One for each schema file that says x-snapgen.route; the
// generated header of that file declares
//
//   fetch::Route route_of(const ValidatePackage*);
//   ValidatePackageAnswer answer_of(const ValidatePackage*);   // never defined: it names the type
#include <cstdint>
#include <string_view>

namespace snapgen::fetch {

enum class Method : std::uint8_t { get, post };

struct Route {
  std::string_view name;  // mcp.validatePackage
  Method method = Method::post;
  std::string_view path;    // Behind the service's base URL; begins with a slash.
  bool repeatable = false;  // Asking twice does no more than asking once.
};

// What a request is answered with.
template <class Request>
using AnswerTo = decltype(answer_of(static_cast<const Request*>(nullptr)));

}  // namespace snapgen::fetch
