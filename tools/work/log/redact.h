#pragma once
// redact: removes likely secrets from a text for a log.
#include <string>
#include <string_view>

namespace snapgen::core {

// Replaces keys of well-known services, JSON web tokens, private keys, passwords in URLs, the word after
// `Bearer`, and values assigned to names such as password, secret, token or api_key by `[redacted]`. It
// checks the form of the text, so a secret that looks like a word is not found. Redact before quoting:
// redacted JSON may be invalid.
std::string redact(std::string_view text);

}  // namespace snapgen::core
