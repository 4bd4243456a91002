#include "runtime/json/pattern.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include <re2/re2.h>

#include "runtime/base/ascii.h"

namespace snapgen::json {
namespace {

RE2::Options options() {
  RE2::Options out;
  out.set_log_errors(false);
  out.set_encoding(RE2::Options::EncodingUTF8);
  return out;
}

// `\s` and `\S` inside a character class in RE2 syntax: WhiteSpace and LineTerminator of ECMA-262, and all
// other characters.
constexpr std::string_view space_set =
    R"(\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr std::string_view other_set =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e})"
    R"(\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";

// The long and short names of Unicode's general categories (UAX 44). RE2 knows only the short ones.
constexpr std::pair<std::string_view, std::string_view> categories[] = {
    {"Letter", "L"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Open_Punctuation", "Ps"},
    {"Close_Punctuation", "Pe"},
    {"Initial_Punctuation", "Pi"},
    {"Final_Punctuation", "Pf"},
    {"Other_Punctuation", "Po"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Line_Separator", "Zl"},
    {"Paragraph_Separator", "Zp"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Format", "Cf"},
    {"Private_Use", "Co"},
};

// Translates a regular expression from ECMA-262 to RE2 syntax. RE2 then rejects what neither supports.
class Translator {
 public:
  explicit Translator(std::string_view source) : rest_(source) {}

  std::string translated() {
    while (!rest_.empty()) {
      if (rest_.front() == '\\')
        escape();
      else if (in_class_)
        in_class();
      else
        outside();
    }
    return std::move(out_);
  }

  // Returns an escape or group in the expression that only RE2 supports and not ECMA-262; empty if there is
  // none.
  const std::string& refused() const { return refused_; }

 private:
  void copy(std::size_t count) {
    out_ += rest_.substr(0, count);
    rest_.remove_prefix(std::min(count, rest_.size()));
  }

  void put(std::string_view text, std::size_t consumed) {
    out_ += text;
    rest_.remove_prefix(consumed);
  }

  void outside() {
    if (rest_.starts_with("[^]")) return put(R"([\x{0}-\x{10ffff}])", 3);
    if (rest_.starts_with("[]")) return put(R"([^\x{0}-\x{10ffff}])", 2);
    if (rest_.starts_with("(?") &&
        (rest_.size() == 2 || std::string_view(":=!<").find(rest_[2]) == std::string_view::npos))
      refused_ = rest_.substr(0, 3);
    if (rest_.starts_with("(?<") && rest_.size() > 3 && rest_[3] != '=' && rest_[3] != '!')
      return put("(?P<", 3);
    if (rest_.front() == '.') return put(R"([^\x{a}\x{d}\x{2028}\x{2029}])", 1);
    if (rest_.front() == '$') return put(R"(\z)", 1);
    if (rest_.front() == '[') {
      in_class_ = true;
      return copy(rest_.starts_with("[^") ? 2 : 1);
    }
    copy(1);
  }

  void in_class() {
    if (rest_.front() == ']') in_class_ = false;
    if (rest_.front() == '[') return put(R"(\[)", 1);  // RE2 would read "[:alpha:]" as a class.
    copy(1);
  }

  void put_set(std::string_view set) {
    if (in_class_) return put(set, 2);
    put("[", 2);
    out_.append(set).append("]");
  }

  void escape() {
    const char letter = rest_.size() > 1 ? rest_[1] : '\0';
    switch (letter) {
      case 's': return put_set(space_set);
      case 'S': return put_set(other_set);
      case 'u': return code_point();
      case 'p':
      case 'P': return property();
      case 'c':
        if (rest_.size() > 2 && is_letter(rest_[2])) {
          const int control = rest_[2] & 31;
          out_ += "\\x{";
          out_ += control > 15 ? "1" : "";
          out_ += "0123456789abcdef"[control & 15];
          return put("}", 3);
        }
        return copy(2);
      case '0': return put(R"(\x{0})", 2);
      case 'b': return in_class_ ? put(R"(\x{8})", 2) : copy(2);
      case '/':
      case '-': return put(letter == '/' ? "/" : R"(\-)", 2);
      case 'A':
      case 'z':
      case 'C':
      case 'Q':
      case 'E':
      case 'a': refused_ = rest_.substr(0, 2); return copy(2);
      default: return copy(2);
    }
  }

  // Translates \p{Letter} to \p{L} and \p{Script=Greek} to \p{Greek}, because RE2 accepts only short category
  // names, and scripts without "Script=".
  void property() {
    const std::size_t end = rest_.find('}');
    if (end == std::string_view::npos || rest_[2] != '{') return copy(2);
    std::string_view name = rest_.substr(3, end - 3);
    name.remove_prefix(name.find('=') + 1);
    for (const auto& [full, brief] : categories) {
      if (name == full) name = brief;
    }
    out_.append(rest_.substr(0, 3)).append(name);
    put("}", end + 1);
  }

  // Returns the value of the four digits after `\u` at the front of `text`, or -1 if there are none.
  static int unit(std::string_view text) {
    if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
    int value = 0;
    for (const char digit : text.substr(2, 4)) {
      if (!is_hex_digit(digit)) return -1;
      value = value * 16 + (digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
    }
    return value;
  }

  void code_point() {
    if (rest_.starts_with("\\u{")) return put("\\x{", 3);
    const int high = unit(rest_);
    if (high < 0) return copy(2);
    int point = high;
    std::size_t consumed = 6;
    const int low = high >= 0xD800 && high <= 0xDBFF ? unit(rest_.substr(6)) : -1;
    if (low >= 0xDC00 && low <= 0xDFFF) {
      point = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
      consumed = 12;
    }
    out_ += "\\x{";
    for (int shift = 20; shift >= 0; shift -= 4) out_ += "0123456789abcdef"[point >> shift & 15];
    put("}", consumed);
  }

  std::string_view rest_;
  std::string out_;
  std::string refused_;
  bool in_class_ = false;
};

}  // namespace

class Pattern::Compiled {
 public:
  explicit Compiled(std::string_view source) : expression(Translator(source).translated(), options()) {}
  RE2 expression;
};

Pattern::~Pattern() { delete compiled_.load(std::memory_order_acquire); }

bool Pattern::matches(std::string_view utf8) const {
  const Compiled* compiled = compiled_.load(std::memory_order_acquire);
  if (compiled == nullptr) {
    auto made = std::make_unique<const Compiled>(source_);
    // If several threads compile the pattern at once, the first result is used.
    if (compiled_.compare_exchange_strong(compiled, made.get(), std::memory_order_acq_rel))
      compiled = made.release();
  }
  assert(compiled->expression.ok());
  return RE2::PartialMatch(re2::StringPiece(utf8.data(), utf8.size()), compiled->expression);
}

std::optional<std::string> pattern_error(std::string_view source) {
  Translator translator(source);
  const RE2 expression(translator.translated(), options());
  if (!translator.refused().empty())
    return (translator.refused()[0] == '(' ? "unknown kind of group: " : "unknown escape: ") +
           translator.refused();
  if (expression.ok()) return std::nullopt;
  switch (expression.error_code()) {
    case RE2::ErrorBadPerlOp: return "look-around is not supported: " + expression.error_arg();
    case RE2::ErrorBadEscape: return "unknown escape or back-reference: " + expression.error_arg();
    default: return expression.error();
  }
}

}  // namespace snapgen::json
