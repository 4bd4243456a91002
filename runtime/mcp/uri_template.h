#pragma once
// Templates of resource URIs, as far as servers need RFC 6570, in both directions:
//
//   {name}    a part between two slashes (section 3.2.2)
//   {+name}   at the end: all that follows, slashes included (section 3.2.3)
//
//   snapgen://snapshots/{snapshot_id}/files/{+path}
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::mcp {

using UriVariables = std::map<std::string, std::string, std::less<>>;

// What the variables stand for in `uri`, percent-decoded; none of them is empty. None: the URI is not of this
// form, or says something that no text can be made of (a broken escape, NUL).
std::optional<UriVariables> match_uri(std::string_view uri_template, std::string_view uri);

// The URI in which the variables have these values, and match_uri() finds them. A variable without a value is
// left out.
std::string expand_uri(std::string_view uri_template, const UriVariables& variables);

}  // namespace snapgen::mcp
