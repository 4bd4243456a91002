#pragma once
// URIs as names of schemas: the subset of RFC 3986 section 5 that names need.
#include <string>
#include <string_view>

namespace snapgen::json {

// Resolves `reference` against `base` (section 5.2.2) and removes dot segments. A base without a scheme is
// treated as a path.
std::string resolved_uri(std::string_view base, std::string_view reference);

struct SplitUri {
  std::string resource;  // Without the fragment.
  std::string fragment;  // Without `#`, percent-decoded.
};
SplitUri split_uri(std::string_view uri);

}  // namespace snapgen::json
