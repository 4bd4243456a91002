#include "runtime/json/schema/formats.h"

#include <algorithm>
#include <array>

#include "runtime/json/format.h"
#include "runtime/json/format_uri.h"

namespace snapgen::json {
namespace {

// Whether the text is an integer without leading zeros, then `#` or a JSON Pointer
// (draft-bhutton-relative-json-pointer-00).
bool is_relative_json_pointer(std::string_view text) {
  const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  if (digits == 0 || (digits > 1 && text.front() == '0')) return false;
  text.remove_prefix(digits);
  return text == "#" || matches_format(Format::json_pointer, text);
}

struct More {
  std::string_view name;
  bool (*has)(std::string_view utf8);
};

constexpr std::array<More, 5> more = {
    {{"idn-email", [](std::string_view utf8) { return is_email(utf8, true); }},
     {"idn-hostname", is_idn_hostname},
     {"iri", is_iri},
     {"iri-reference", is_iri_reference},
     {"relative-json-pointer", is_relative_json_pointer}}};
// The number in plans of the first format in `more`. Smaller numbers are values of Format.
constexpr std::uint32_t more_from = 64;

}  // namespace

std::optional<std::uint32_t> plan_format_named(std::string_view name) {
  if (const std::optional<Format> known = format_named(name)) return static_cast<std::uint32_t>(*known);
  const auto found = std::ranges::find(more, name, &More::name);
  if (found == more.end()) return std::nullopt;
  return more_from + static_cast<std::uint32_t>(found - more.begin());
}

std::vector<std::string_view> plan_format_names() {
  std::vector<std::string_view> all;
  for (std::uint32_t format = 0; format <= static_cast<std::uint32_t>(Format::byte); ++format)
    all.push_back(plan_format_name(format));
  for (const More& each : more) all.push_back(each.name);
  return all;
}

std::string_view plan_format_name(std::uint32_t format) {
  return format < more_from ? text(static_cast<Format>(format)) : more[format - more_from].name;
}

bool matches_plan_format(std::uint32_t format, std::string_view utf8) {
  return format < more_from ? matches_format(static_cast<Format>(format), utf8)
                            : more[format - more_from].has(utf8);
}

}  // namespace snapgen::json
