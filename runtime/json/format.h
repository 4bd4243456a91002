#pragma once
// The values of JSON Schema's keyword `format` that are checked.
#include <cstdint>
#include <optional>
#include <string_view>

namespace snapgen::json {

enum class Format : std::uint8_t {
  date_time,      // RFC 3339 section 5.6
  date,           // RFC 3339 full-date
  time,           // RFC 3339 full-time
  duration,       // RFC 3339 appendix A
  email,          // RFC 5321 section 4.1.2 Mailbox
  uri,            // RFC 3986
  uri_reference,  // RFC 3986
  uri_template,   // RFC 6570
  uuid,           // RFC 9562
  ipv4,           // RFC 2673 section 3.2
  ipv6,           // RFC 4291 section 2.2
  hostname,       // RFC 1123
  json_pointer,   // RFC 6901 section 5
  regex,          // a regular expression as in pattern.h
  byte,           // base64, RFC 4648 section 4
};

// Returns the format of a name such as "date-time" in a schema, or nullopt for an unknown name.
std::optional<Format> format_named(std::string_view name);
std::string_view text(Format format);

bool matches_format(Format format, std::string_view utf8);

}  // namespace snapgen::json
