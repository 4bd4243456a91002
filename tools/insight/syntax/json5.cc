#include "tools/insight/syntax/json5.h"

#include <algorithm>

#include "runtime/base/ascii.h"
#include "tools/engine/base/json_comments.h"
#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

bool is_name_character(char c) {
  return is_ascii_word_character(c) || c == '$' || c == '\\' || static_cast<unsigned char>(c) >= 0x80;
}

// Returns the length of the white space of one character with which the text begins, or 0.
std::size_t space_at_front(std::string_view text) {
  if (text.empty()) return 0;
  if (std::string_view(" \t\r\n\v\f").find(text.front()) != std::string_view::npos) return 1;
  for (std::string_view space : {"\xC2\xA0", "\xE1\x9A\x80", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF",
                                 "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"})
    if (text.starts_with(space)) return space.size();
  // The spaces of different widths, U+2000 to U+200A.
  return text.size() > 2 && text.starts_with("\xE2\x80") && static_cast<unsigned char>(text[2]) <= 0x8A ? 3
                                                                                                        : 0;
}

// Returns the length of the escape with which the text begins, or 0 if it is malformed.
std::size_t escape_at_front(std::string_view text) {
  if (text.size() < 2) return 0;
  const char c = text[1];
  if (c == '\r') return text.substr(2).starts_with('\n') ? 3 : 2;
  if (is_digit(c)) return c == '0' && (text.size() == 2 || !is_digit(text[2])) ? 2 : 0;
  if (c != 'x' && c != 'u') return 2;
  const std::string_view digits = text.substr(2, c == 'x' ? 2 : 4);
  return digits.size() == (c == 'x' ? 2 : 4) && std::ranges::all_of(digits, &is_hex_digit) ? 2 + digits.size()
                                                                                           : 0;
}

// Returns whether a text without a sign is a number of JSON5.
bool is_json5_number(std::string_view text) {
  if (text == "Infinity" || text == "NaN") return true;
  if (text.starts_with("0x") || text.starts_with("0X"))
    return text.size() > 2 && text.find_first_not_of("0123456789abcdefABCDEF", 2) == text.npos;
  const auto take_digits = [&] {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  const bool leads_with_zero = text.starts_with('0');
  const std::size_t whole = take_digits();
  if (leads_with_zero && whole > 1) return false;
  const bool has_dot = text.starts_with('.');
  if (has_dot) text.remove_prefix(1);
  const std::size_t fraction = has_dot ? take_digits() : 0;
  if (whole + fraction == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  return text.empty();
}

class Json5Converter {
 public:
  explicit Json5Converter(std::string_view text) : rest_(text) {}

  std::string run() && {
    while (skip_space()) {
      const char c = rest_.front();
      if (c == '"' || c == '\'')
        take_string(c);
      else if (is_digit(c) || c == '+' || c == '-' || c == '.')
        take_number();
      else if (is_name_character(c))
        take_name();
      else
        replace(1, rest_.substr(0, 1));
    }
    return without_json_comments(out_);  // Only trailing commas are left.
  }

 private:
  // Replaces the text by `json` and its line breaks.
  void replace(std::size_t count, std::string_view json) {
    out_ += json;
    out_.append(static_cast<std::size_t>(std::ranges::count(rest_.substr(0, count), '\n')), '\n');
    rest_.remove_prefix(count);
  }

  // Ends the text with an error, `count` bytes further. What follows an error does not matter.
  void fail(std::size_t count) {
    replace(std::min(count, rest_.size()), "");
    out_ += '\\';
    rest_ = {};
  }

  // Skips blanks and comments. Returns false at the end of the text.
  bool skip_space() {
    while (!rest_.empty()) {
      const std::size_t space = space_at_front(rest_);
      if (space > 0) {
        replace(space, " ");
      } else if (rest_.starts_with("//")) {
        replace(std::min(rest_.find_first_of("\r\n"), rest_.size()), " ");
      } else if (rest_.starts_with("/*")) {
        const std::size_t close = rest_.find("*/", 2);
        if (close == rest_.npos)
          fail(0);
        else
          replace(close + 2, " ");
      } else {
        return true;
      }
    }
    return false;
  }

  void take_string(char quote) {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote && rest_[end] != '\n' && rest_[end] != '\r') {
      const std::size_t count = rest_[end] == '\\' ? escape_at_front(rest_.substr(end)) : 1;
      if (count == 0) return fail(end);
      end += count;
    }
    if (end < rest_.size() && rest_[end] == quote)
      replace(end + 1, R"("")");
    else
      fail(end);
  }

  void take_number() {
    const bool has_sign = rest_.front() == '+' || rest_.front() == '-';
    std::size_t end = has_sign ? 1 : 0;
    while (end < rest_.size() && space_at_front(rest_.substr(end)) == 0) {
      const bool is_exponent_sign = (rest_[end] == '+' || rest_[end] == '-') && end > 0 &&
                                    (rest_[end - 1] == 'e' || rest_[end - 1] == 'E');
      if (!is_name_character(rest_[end]) && rest_[end] != '.' && !is_exponent_sign) break;
      ++end;
    }
    if (is_json5_number(rest_.substr(has_sign ? 1 : 0, end - (has_sign ? 1 : 0))))
      replace(end, "0");
    else
      fail(0);
  }

  void take_name() {
    std::size_t end = 0;
    while (end < rest_.size() && is_name_character(rest_[end]) && space_at_front(rest_.substr(end)) == 0) {
      const bool is_escape = rest_[end] == '\\';
      if (is_escape && !rest_.substr(end).starts_with("\\u")) return fail(end);
      const std::size_t count = is_escape ? escape_at_front(rest_.substr(end)) : 1;
      if (count == 0) return fail(end);
      end += count;
    }
    const std::string_view name = rest_.substr(0, end);
    rest_.remove_prefix(end);
    const std::size_t at = out_.size();
    const bool is_key = skip_space() && rest_.front() == ':';
    const bool is_number = name == "Infinity" || name == "NaN";
    out_.insert(at, is_key ? R"("")" : is_number ? std::string_view("0") : name);
  }

  std::string_view rest_;
  std::string out_;
};

}  // namespace

std::string json_of_json5(std::string_view text) { return Json5Converter(text).run(); }

}  // namespace snapgen::core
