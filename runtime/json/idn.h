#pragma once
// Internationalised host names (IDNA2008): part of format.h, in a separate file because of its length.
#include <string_view>

namespace snapgen::json {

// RFC 5890: labels of letters and digits of any script, or their A-labels (xn--), within RFC 5892 and 5893. A
// label has at most 63 bytes in ASCII form, a name 253.
bool is_idn_hostname(std::string_view utf8);
// The domain of a mail address, which mail software brings into Unicode's form C before it checks it (RFC
// 6532, section 3.1). A host name has to have that form.
bool is_idn_mail_domain(std::string_view utf8);
// Whether an ASCII label that begins with xn-- is what its own decoding encodes to, and that is allowed.
bool is_a_label(std::string_view label);

}  // namespace snapgen::json
