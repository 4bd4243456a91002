// Any bytes as a network address: the base URL of a service, a listen address, or a Host header. The first
// byte selects which.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/fetch/service.h"
#include "runtime/streamable/guard.h"
#include "tests/fuzz/target.h"

namespace snapgen {
namespace {

// A valid URL has one origin, and curl parses it in the same way.
void use_base_url(std::string_view url) {
  if (fetch::base_url_fault(url)) return;
  FUZZ_EXPECT(url.find_first_of("@?#\\") == std::string_view::npos);
  FUZZ_EXPECT(std::ranges::all_of(url, [](unsigned char c) { return c > 0x20 && c < 0x7F; }));
  const std::string origin = fetch::origin_of(url);
  FUZZ_EXPECT(origin.starts_with("https://") || origin.starts_with("http://"));
  FUZZ_EXPECT(origin.find('/', origin.find("//") + 2) == std::string::npos);
  FUZZ_EXPECT(!fetch::base_url_fault(origin));
  FUZZ_EXPECT(fetch::origin_of(origin) == origin);
  if (origin.starts_with("http://"))
    FUZZ_EXPECT(streamable::is_local_authority(std::string_view(origin).substr(7)));
}

void use_place(std::string_view text) {
  const Result<Address> place = streamable::parse_address(text);
  if (!place) return;
  FUZZ_EXPECT(!streamable::url_of(*place, "/mcp").empty());
  // Every address outside of loopback requires a token.
  const Result<streamable::AccessRules> access = streamable::access_rules_for(*place, "");
  if (access) FUZZ_EXPECT(access->is_loopback_only);
}

void use_authority(std::string_view text) {
  if (!streamable::is_local_authority(text)) return;
  std::string name(text);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  FUZZ_EXPECT(name.starts_with("localhost") || name.starts_with("127.0.0.1") || name.starts_with("[::1]"));
  const std::string rest = name.substr(name.starts_with("[") ? 5 : 9);
  FUZZ_EXPECT(rest.empty() ||
              (rest[0] == ':' && rest.find_first_not_of("0123456789", 1) == std::string::npos));
}

}  // namespace
}  // namespace snapgen

FUZZ_TARGET(address) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0: snapgen::use_base_url(text); break;
    case 1: snapgen::use_place(text); break;
    default: snapgen::use_authority(text); break;
  }
  return 0;
}
