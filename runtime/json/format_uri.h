#pragma once
// The formats of format.h that are addresses: IP addresses, URIs and mail addresses.
#include <string_view>

#include "runtime/base/ascii.h"

namespace snapgen::json {

bool is_ipv4(std::string_view text);           // an IPv4 address: four numbers without leading zeros
bool is_ipv6(std::string_view text);           // an IPv6 address without a zone
bool is_uri(std::string_view text);            // with a scheme (RFC 3986 section 3)
bool is_uri_reference(std::string_view text);  // RFC 3986 section 4.1
// An IRI is a URI with non-ASCII characters (RFC 3987), all of which are accepted.
bool is_iri(std::string_view utf8);
bool is_iri_reference(std::string_view utf8);
bool is_email(std::string_view utf8, bool international);  // RFC 5321; RFC 6531 if it is international
bool is_uri_template(std::string_view text);               // RFC 6570 section 2

}  // namespace snapgen::json
