#include "tools/insight/syntax/json5.h"

#include <algorithm>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "tools/engine/base/json_comments.h"
#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

bool is_name_character(char c) {
  return is_ascii_word_character(c) || c == '$' || c == '\\' || static_cast<unsigned char>(c) >= 0x80;
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
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
    while (skip_space()) {
      const char c = rest_.front();
      if (c == '"' || c == '\'')
        take_string(c);
      else if (is_digit(c) || c == '+' || c == '-' || c == '.')
        take_number();
      else if (is_name_character(c))
        take_name();
      else
        take(1);
    }
    return without_json_comments(out_);  // Only trailing commas are left.
  }

 private:
  void take(std::size_t count) {
    out_ += rest_.substr(0, count);
    rest_.remove_prefix(count);
  }

  // Replaces the text by `json` and its line breaks.
  void replace(std::size_t count, std::string_view json) {
    out_ += json;
    out_.append(static_cast<std::size_t>(std::ranges::count(rest_.substr(0, count), '\n')), '\n');
    rest_.remove_prefix(count);
  }

  // Skips blanks and comments. Returns false at the end of the text.
  bool skip_space() {
    constexpr std::string_view no_break_space = "\xC2\xA0";
    while (!rest_.empty()) {
      const std::size_t close = rest_.starts_with("/*") ? rest_.find("*/", 2) : rest_.npos;
      if (std::string_view(" \t\r\n\v\f").find(rest_.front()) != std::string_view::npos)
        replace(1, " ");
      else if (rest_.starts_with(no_break_space))
        replace(no_break_space.size(), " ");
      else if (rest_.starts_with("//"))
        replace(std::min(rest_.find_first_of("\r\n"), rest_.size()), " ");
      else if (close != rest_.npos)
        replace(close + 2, " ");
      else
        return true;
    }
    return false;
  }

  void take_string(char quote) {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote && rest_[end] != '\n') {
      const bool continues = rest_.substr(end).starts_with("\\\r\n");
      end += continues ? 3 : rest_[end] == '\\' ? 2 : 1;
    }
    if (end < rest_.size() && rest_[end] == quote)
      replace(end + 1, R"("")");
    else
      take(1);
  }

  void take_number() {
    const bool has_sign = rest_.front() == '+' || rest_.front() == '-';
    std::size_t end = has_sign ? 1 : 0;
    while (end < rest_.size()) {
      const bool is_exponent_sign = (rest_[end] == '+' || rest_[end] == '-') && end > 0 &&
                                    (rest_[end - 1] == 'e' || rest_[end - 1] == 'E');
      if (!is_name_character(rest_[end]) && rest_[end] != '.' && !is_exponent_sign) break;
      ++end;
    }
    const std::string_view number = rest_.substr(has_sign ? 1 : 0, end - (has_sign ? 1 : 0));
    if (is_json5_number(number))
      replace(end, "0");
    else
      take(1);
  }

  void take_name() {
    const auto last = std::ranges::find_if_not(rest_, is_name_character);
    const std::string_view name = rest_.substr(0, static_cast<std::size_t>(last - rest_.begin()));
    rest_.remove_prefix(name.size());
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
