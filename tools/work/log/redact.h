#pragma once
// redact: a text that goes into a log, without what looks like a secret.
#include <string>
#include <string_view>

namespace snapgen::core {

// Keys of well-known services, JSON web tokens, private keys, passwords in URLs, what follows `Bearer`, and
// what is assigned to a name such as password, secret, token or api_key, become `[redacted]`. By what they
// look like: a secret that looks like a word stays. Of a text before it is quoted: what is left of JSON may
// be none.
std::string redact(std::string_view text);

}  // namespace snapgen::core
