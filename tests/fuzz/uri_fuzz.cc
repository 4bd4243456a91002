// Templates of resource URIs. An input is a template, a line break, and a URI. The values that match in the
// URI are expanded into the template, and the result must match again.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/mcp/uri_template.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(uri) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string_view uri_template = input.substr(0, end);
  const std::optional<snapgen::mcp::UriVariables> found =
      snapgen::mcp::match_uri(uri_template, input.substr(end + 1));
  if (!found) return 0;
  const std::string again = snapgen::mcp::expand_uri(uri_template, *found);
  const std::optional<snapgen::mcp::UriVariables> same = snapgen::mcp::match_uri(uri_template, again);
  // Adjacent variables do not match, because the first one takes the text of both.
  if (same) FUZZ_EXPECT(*same == *found);
  return 0;
}
