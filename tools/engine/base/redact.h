#pragma once
// redact: removes likely secrets from a text that is stored.
#include <string>
#include <string_view>

namespace snapgen::core {

// Replaces keys of well-known services, JSON web tokens, private keys, passwords in URLs, addresses of
// webhooks, the credential after `Bearer` or `Basic`, and values assigned to names such as password, secret,
// token or api_key by `[redacted]`. It checks the form of the text, so a secret that looks like a word is not
// found. Redact before quoting: redacted JSON may be invalid.
std::string redact(std::string_view text);

// Does as redact(). Returns whether the text changed.
bool redact_in_place(std::string& text);

inline constexpr std::string_view redacted_sentence = "A likely secret in it was replaced by [redacted].";

}  // namespace snapgen::core
