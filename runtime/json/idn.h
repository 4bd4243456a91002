#pragma once
// Checks of internationalised host names (IDNA2008), for the formats of format.h.
#include <string_view>

namespace snapgen::json {

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
