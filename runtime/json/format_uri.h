#pragma once
// The address formats of format.h, in a separate file because of its length.
#include <string_view>

#include "runtime/base/ascii.h"

namespace snapgen::json {

bool is_ipv4(std::string_view text);           // four decimal numbers without leading zeros
bool is_ipv6(std::string_view text);           // without a zone
bool is_uri(std::string_view text);            // RFC 3986 section 3: with a scheme
bool is_uri_reference(std::string_view text);  // section 4.1
// RFC 3987: as above with characters beyond ASCII; any of those are accepted.
bool is_iri(std::string_view utf8);
bool is_iri_reference(std::string_view utf8);
bool is_email(std::string_view utf8, bool international);  // RFC 5321; RFC 6531 if it is international
bool is_uri_template(std::string_view text);               // RFC 6570 section 2

}  // namespace snapgen::json
