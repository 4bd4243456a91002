#pragma once
// Templates of resource URIs: the subset of RFC 6570 that servers need, for matching and expanding.
//
//   {name}    one path segment (section 3.2.2)
//   {+name}   at the end: the rest of the URI, slashes included (section 3.2.3)
//
//   snapgen://snapshots/{snapshot_id}/files/{+path}
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::mcp {

using UriVariables = std::map<std::string, std::string, std::less<>>;

// Returns the values of the variables in `uri`, percent-decoded and never empty. Returns nullopt if the URI
// does not match, or has a broken escape or NUL.
std::optional<UriVariables> match_uri(std::string_view uri_template, std::string_view uri);

// Returns the URI with these values; match_uri() does the reverse. A variable without a value becomes empty.
std::string expand_uri(std::string_view uri_template, const UriVariables& variables);

}  // namespace snapgen::mcp
