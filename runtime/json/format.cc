#include "runtime/json/format.h"

#include <algorithm>
#include <array>

#include "runtime/base/text.h"
#include "runtime/json/format_uri.h"
#include "runtime/json/pattern.h"

namespace snapgen::json {
namespace {

struct Name {
  Format format;
  std::string_view name;
};

constexpr std::array<Name, 15> names = {{
    {Format::date_time, "date-time"},
    {Format::date, "date"},
    {Format::time, "time"},
    {Format::duration, "duration"},
    {Format::email, "email"},
    {Format::uri, "uri"},
    {Format::uri_reference, "uri-reference"},
    {Format::uri_template, "uri-template"},
    {Format::uuid, "uuid"},
    {Format::ipv4, "ipv4"},
    {Format::ipv6, "ipv6"},
    {Format::hostname, "hostname"},
    {Format::json_pointer, "json-pointer"},
    {Format::regex, "regex"},
    {Format::byte, "byte"},
}};

// Consumes tokens from the front of a text. Each function returns whether it succeeded.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_letter(char upper) { return take(upper) || take(static_cast<char>(upper | 32)); }
  // Consumes exactly `count` decimal digits, and sets `out` to their value.
  bool number(int count, int& out) {
    if (rest_.size() < static_cast<std::size_t>(count)) return false;
    out = 0;
    for (int i = 0; i < count; ++i) {
      const char digit = rest_[static_cast<std::size_t>(i)];
      if (!is_digit(digit)) return false;
      out = out * 10 + (digit - '0');
    }
    rest_.remove_prefix(static_cast<std::size_t>(count));
    return true;
  }
  // Consumes all digits at the front, of which there must be at least one.
  bool digits() {
    const std::size_t count =
        static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_digit) - rest_.begin());
    rest_.remove_prefix(count);
    return count > 0;
  }

 private:
  std::string_view rest_;
};

bool take_date(Cursor& in) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!in.number(4, year) || !in.take('-') || !in.number(2, month) || !in.take('-') || !in.number(2, day))
    return false;
  constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12) return false;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day >= 1 && day <= days[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

bool take_time(Cursor& in) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!in.number(2, hour) || !in.take(':') || !in.number(2, minute) || !in.take(':') ||
      !in.number(2, second)) {
    return false;
  }
  if (in.take('.') && !in.digits()) return false;
  int offset_minutes = 0;
  if (!in.take_letter('Z')) {
    const bool east = in.take('+');
    int hours = 0;
    int minutes = 0;
    if (!east && !in.take('-')) return false;
    if (!in.number(2, hours) || !in.take(':') || !in.number(2, minutes) || hours > 23 || minutes > 59)
      return false;
    offset_minutes = (hours * 60 + minutes) * (east ? 1 : -1);
  }
  if (hour > 23 || minute > 59 || second > 60) return false;
  constexpr int day_minutes = 24 * 60;
  const int utc = (hour * 60 + minute - offset_minutes + day_minutes) % day_minutes;
  return second < 60 || utc == day_minutes - 1;  // Second 60, a leap second, is the last one of a day in UTC.
}

bool is_date(std::string_view text) {
  Cursor in(text);
  return take_date(in) && in.done();
}

bool is_time(std::string_view text) {
  Cursor in(text);
  return take_time(in) && in.done();
}

bool is_date_time(std::string_view text) {
  Cursor in(text);
  return take_date(in) && in.take_letter('T') && take_time(in) && in.done();
}

// Consumes the elements of a duration, such as 1Y2M. Their units must be in the order of `units` and leave
// none out between the first and the last. Sets `any` to whether there is an element.
bool take_elements(Cursor& in, std::string_view units, bool& any) {
  std::size_t next = 0;
  any = false;
  while (true) {
    const Cursor before = in;
    if (!in.digits()) return true;
    std::size_t unit = next;
    while (unit < units.size() && !in.take(units[unit])) ++unit;
    if (unit == units.size() || (any && unit != next)) {
      in = before;
      return false;
    }
    any = true;
    next = unit + 1;
  }
}

bool is_duration(std::string_view text) {
  Cursor in(text);
  if (!in.take('P')) return false;
  Cursor weeks = in;
  if (weeks.digits() && weeks.take('W')) return weeks.done();
  bool dates = false;
  bool times = false;
  if (!take_elements(in, "YMD", dates)) return false;
  if (!in.take('T')) return dates && in.done();
  return take_elements(in, "HMS", times) && times && in.done();
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex_digit(text[i])) return false;
  }
  return true;
}

// Whether the text is a host name (RFC 1123 section 2.1). Its xn-- labels must also be valid in IDNA2008.
bool is_hostname(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view label = text.substr(begin, end - begin);
    if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') return false;
    if (!std::ranges::all_of(label, [](char byte) { return is_alphanumeric(byte) || byte == '-'; }))
      return false;
    const bool ace =
        label.size() > 3 && (label[0] | 32) == 'x' && (label[1] | 32) == 'n' && label.substr(2, 2) == "--";
    if (ace && !is_valid_punycode_label(label)) return false;
    if (end == text.size()) return true;
    begin = end + 1;
  }
}

bool is_address_literal(std::string_view inside) {
  constexpr std::string_view ipv6_tag = "IPv6:";
  if (inside.starts_with(ipv6_tag)) return is_ipv6(inside.substr(ipv6_tag.size()));
  return is_ipv4(inside);
}

bool is_quoted_local_part(std::string_view text, bool international) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
  text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && ++i == text.size()) return false;
    const bool beyond = static_cast<unsigned char>(text[i]) >= 0x80;
    if (beyond ? !international : text[i] < ' ' || text[i] > '~') return false;
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) return false;
  }
  return true;
}

bool is_dotted_local_part(std::string_view text, bool international) {
  bool dot = true;  // A leading dot is not allowed.
  for (const char byte : text) {
    if (byte == '.' && dot) return false;
    dot = byte == '.';
    if (!dot && !is_alphanumeric(byte) && !(international && static_cast<unsigned char>(byte) >= 0x80) &&
        std::string_view("!#$%&'*+-/=?^_`{|}~").find(byte) == std::string_view::npos)
      return false;
  }
  return !dot;
}

bool is_json_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') continue;
    if (++i == text.size() || (text[i] != '0' && text[i] != '1')) return false;
  }
  return true;
}

}  // namespace

bool is_email(std::string_view text, bool international) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string_view local = text.substr(0, at);
  const std::string_view domain = text.substr(at + 1);
  if (local.size() > 64 ||
      !(is_dotted_local_part(local, international) || is_quoted_local_part(local, international)))
    return false;
  if (domain.starts_with('[') && domain.ends_with(']'))
    return is_address_literal(domain.substr(1, domain.size() - 2));
  return international ? is_idn_mail_domain(domain) : is_hostname(domain);
}

std::optional<Format> format_named(std::string_view name) {
  for (const Name& known : names) {
    if (known.name == name) return known.format;
  }
  return std::nullopt;
}

std::string_view text(Format format) { return names[static_cast<std::size_t>(format)].name; }

bool matches_format(Format format, std::string_view utf8) {
  switch (format) {
    case Format::date_time: return is_date_time(utf8);
    case Format::date: return is_date(utf8);
    case Format::time: return is_time(utf8);
    case Format::duration: return is_duration(utf8);
    case Format::email: return is_email(utf8, false);
    case Format::uri: return is_uri(utf8);
    case Format::uri_reference: return is_uri_reference(utf8);
    case Format::uri_template: return is_uri_template(utf8);
    case Format::uuid: return is_uuid(utf8);
    case Format::ipv4: return is_ipv4(utf8);
    case Format::ipv6: return is_ipv6(utf8);
    case Format::hostname: return is_hostname(utf8);
    case Format::json_pointer: return is_json_pointer(utf8);
    case Format::regex: return !pattern_error(utf8).has_value();
    case Format::byte: return base64_decoded(utf8).has_value();
  }
  return false;
}

}  // namespace snapgen::json
