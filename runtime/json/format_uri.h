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

// Whether the text is an internationalised host name (RFC 5890, 5892 and 5893). Its labels are letters and
// digits of any script, or their A-labels (xn--). In ASCII form, a label has at most 63 bytes and a name 253.
bool is_idn_hostname(std::string_view utf8);
// Whether the text is the domain of an internationalised mail address. Mail software converts it to Unicode's
// normal form C before it checks it (RFC 6532, section 3.1). A host name must already have that form.
bool is_idn_mail_domain(std::string_view utf8);
// Whether an ASCII label that begins with xn-- is valid: encoding its decoded form gives the label again, and
// the decoded form is allowed.
bool is_valid_punycode_label(std::string_view label);

}  // namespace snapgen::json
