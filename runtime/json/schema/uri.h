#pragma once
// URIs as names of schemas: RFC 3986 section 5, as far as names need it.
#include <string>
#include <string_view>

namespace snapgen::json {

// `reference` seen from `base` (section 5.2.2), with dot segments removed. A base without a scheme works like
// a path.
std::string resolved_uri(std::string_view base, std::string_view reference);

struct SplitUri {
  std::string resource;  // Without the fragment.
  std::string fragment;  // Without `#`, percent-decoded.
};
SplitUri split_uri(std::string_view uri);

}  // namespace snapgen::json
