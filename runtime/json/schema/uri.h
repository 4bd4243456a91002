#pragma once
// URIs as names of schemas: the part of RFC 3986 section 5 that schemas need.
#include <string>
#include <string_view>

namespace snapgen::json {

// Resolves `reference` against `base` (section 5.2.2) and removes dot segments. A base without a scheme is
// treated as a path.
std::string resolved_uri(std::string_view base, std::string_view reference);

struct SplitUri {
  std::string resource;  // The URI without its fragment.
  std::string fragment;  // The fragment without `#`, percent-decoded.
};
SplitUri split_uri(std::string_view uri);

}  // namespace snapgen::json
