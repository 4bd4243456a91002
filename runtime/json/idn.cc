#include "runtime/json/idn.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/json/format_uri.h"
#include "runtime/json/pattern.h"

namespace snapgen::json {
namespace {

using Points = std::vector<char32_t>;

struct Range {
  char32_t first, last;
};

// Letters, marks and digits that RFC 5892 does not allow: by its exceptions, since they are not stable under
// NFKC and case folding, or as jamo and marks that are to be ignored (from Unicode 14). Ranges may hold what
// is no letter.
constexpr Range disallowed[] = {
    {0xaa, 0xba},       {0x133, 0x133},    {0x140, 0x140},     {0x149, 0x149},     {0x17f, 0x17f},
    {0x1c6, 0x1cc},     {0x1f3, 0x1f3},    {0x2b0, 0x2b8},     {0x2e0, 0x2e4},     {0x340, 0x341},
    {0x343, 0x345},     {0x34f, 0x34f},    {0x374, 0x374},     {0x37a, 0x37a},     {0x3d0, 0x3d6},
    {0x3f0, 0x3f2},     {0x3f5, 0x3f5},    {0x587, 0x587},     {0x640, 0x640},     {0x675, 0x678},
    {0x7fa, 0x7fa},     {0x958, 0x95f},    {0x9dc, 0x9df},     {0xa33, 0xa33},     {0xa36, 0xa36},
    {0xa59, 0xa5b},     {0xa5e, 0xa5e},    {0xb5c, 0xb5d},     {0xe33, 0xe33},     {0xeb3, 0xeb3},
    {0xedc, 0xedd},     {0xf43, 0xf43},    {0xf4d, 0xf4d},     {0xf52, 0xf52},     {0xf57, 0xf57},
    {0xf5c, 0xf5c},     {0xf69, 0xf69},    {0xf73, 0xf73},     {0xf75, 0xf79},     {0xf81, 0xf81},
    {0xf93, 0xf93},     {0xf9d, 0xf9d},    {0xfa2, 0xfa2},     {0xfa7, 0xfa7},     {0xfac, 0xfac},
    {0xfb9, 0xfb9},     {0x10fc, 0x10fc},  {0x1100, 0x11ff},   {0x13f8, 0x13fd},   {0x17b4, 0x17b5},
    {0x180b, 0x180f},   {0x1c80, 0x1c88},  {0x1d2c, 0x1d2e},   {0x1d30, 0x1d3a},   {0x1d3c, 0x1d4d},
    {0x1d4f, 0x1d6a},   {0x1d78, 0x1d78},  {0x1d9b, 0x1dbf},   {0x1e9a, 0x1e9b},   {0x1f71, 0x1f71},
    {0x1f73, 0x1f73},   {0x1f75, 0x1f75},  {0x1f77, 0x1f77},   {0x1f79, 0x1f79},   {0x1f7b, 0x1f7b},
    {0x1f7d, 0x1fa7},   {0x1fb2, 0x1fb4},  {0x1fb7, 0x1fc4},   {0x1fc7, 0x1fc7},   {0x1fd3, 0x1fd3},
    {0x1fe3, 0x1fe3},   {0x1ff2, 0x1ff4},  {0x1ff7, 0x2149},   {0x2c7c, 0x2c7d},   {0x2d6f, 0x2d6f},
    {0x302e, 0x303b},   {0x309f, 0x309f},  {0x30ff, 0x30ff},   {0x3131, 0x318e},   {0xa69c, 0xa69d},
    {0xa770, 0xa770},   {0xa7f2, 0xa7f4},  {0xa7f8, 0xa7f9},   {0xa960, 0xa97c},   {0xab5c, 0xab5f},
    {0xab69, 0xabbf},   {0xd7b0, 0xfa0d},  {0xfa10, 0xfa10},   {0xfa12, 0xfa12},   {0xfa15, 0xfa1e},
    {0xfa20, 0xfa20},   {0xfa22, 0xfa22},  {0xfa25, 0xfa26},   {0xfa2a, 0xfb1d},   {0xfb1f, 0xfe0f},
    {0xfe70, 0xfe72},   {0xfe74, 0xffdc},  {0x10781, 0x107ba}, {0x1d165, 0x1d7ff}, {0x1ee00, 0x1fbf9},
    {0x2f800, 0x2fa1d}, {0xe0100, 0xe01ef}};

// Canonical_Combining_Class 9.
constexpr char32_t viramas[] = {
    0x94d,   0x9cd,   0xa4d,   0xacd,   0xb4d,   0xbcd,   0xc4d,   0xccd,   0xd3b,   0xd3c,   0xd4d,
    0xdca,   0xe3a,   0xeba,   0xf84,   0x1039,  0x103a,  0x1714,  0x1715,  0x1734,  0x17d2,  0x1a60,
    0x1b44,  0x1baa,  0x1bab,  0x1bf2,  0x1bf3,  0x2d7f,  0xa806,  0xa82c,  0xa8c4,  0xa953,  0xa9c0,
    0xaaf6,  0xabed,  0x10a3f, 0x11046, 0x11070, 0x1107f, 0x110b9, 0x11133, 0x11134, 0x111c0, 0x11235,
    0x112ea, 0x1134d, 0x11442, 0x114c2, 0x115bf, 0x1163f, 0x116b6, 0x1172b, 0x11839, 0x1193d, 0x1193e,
    0x119e0, 0x11a34, 0x11a47, 0x11a99, 0x11c3f, 0x11d44, 0x11d45, 0x11d97};

std::string encoded(char32_t point) {
  std::string out;
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      out += static_cast<char>(0xE0 | point >> 12);
    } else {
      out += static_cast<char>(0xF0 | point >> 18);
      out += static_cast<char>(0x80 | (point >> 12 & 0x3F));
    }
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
  }
  return out += static_cast<char>(0x80 | (point & 0x3F));
}

// Of valid UTF-8.
Points decoded_points(std::string_view utf8) {
  Points out;
  for (const char byte : utf8) {
    const auto bits = static_cast<unsigned char>(byte);
    if ((bits & 0xC0) == 0x80)
      out.back() = out.back() << 6 | (bits & 0x3FU);
    else
      out.push_back(bits < 0x80   ? bits
                    : bits < 0xE0 ? bits & 0x1FU
                    : bits < 0xF0 ? bits & 0x0FU
                                  : bits & 0x07U);
  }
  return out;
}

bool is_of(const Pattern& pattern, char32_t point) { return pattern.matches(encoded(point)); }

bool is_virama(char32_t point) { return std::ranges::find(viramas, point) != std::end(viramas); }

constinit const Pattern letter(R"(^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$)");
constinit const Pattern mark(R"(^\p{M}$)");
constinit const Pattern nonspacing(R"(^[\p{Mn}\p{Me}]$)");
constinit const Pattern greek(R"(^\p{Greek}$)");
constinit const Pattern hebrew(R"(^\p{Hebrew}$)");
constinit const Pattern japanese(R"(^[\p{Hiragana}\p{Katakana}\p{Han}]$)");
constinit const Pattern joining(R"(^[\p{Arabic}\p{Syriac}\p{Mandaic}\p{Mongolian}\p{Nko}\p{Phags_Pa}]$)");
// Arabic letters that join to the one before them alone.
constinit const Pattern joins_backwards(
    "^[\u0622-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06C0\u06C3-"
    "\u06CB\u06CD"
    "\u06CF\u06D2\u06D3\u06D5\u06EE\u06EF]$");

// RFC 5892 appendix A. `at` is the index of a code point whose use depends on its neighbours.
bool fits_context(const Points& label, std::size_t at) {
  const auto before = [&] { return at > 0 ? label[at - 1] : U'\0'; };
  const auto after = [&] { return at + 1 < label.size() ? label[at + 1] : U'\0'; };
  const auto any = [&](char32_t first, char32_t last) {
    return std::ranges::any_of(label, [&](char32_t each) { return each >= first && each <= last; });
  };
  const char32_t point = label[at];
  if (point == 0xB7) return before() == U'l' && after() == U'l';
  if (point == 0x375) return after() != 0 && is_of(greek, after());
  if (point == 0x5F3 || point == 0x5F4) return before() != 0 && is_of(hebrew, before());
  if (point == 0x30FB)
    return std::ranges::any_of(label, [](char32_t each) { return each != 0x30FB && is_of(japanese, each); });
  if (point >= 0x660 && point <= 0x669) return !any(0x6F0, 0x6F9);
  if (point >= 0x6F0 && point <= 0x6F9) return !any(0x660, 0x669);
  if (before() != 0 && is_virama(before())) return true;
  if (point == 0x200D) return false;
  // Zero width non-joiner: between letters that would join.
  std::size_t left = at;
  while (left > 0 && is_of(nonspacing, label[left - 1])) --left;
  std::size_t right = at + 1;
  while (right < label.size() && is_of(nonspacing, label[right])) ++right;
  return left > 0 && right < label.size() && is_of(joining, label[left - 1]) &&
         !is_of(joins_backwards, label[left - 1]) && is_of(joining, label[right]);
}

bool is_allowed(const Points& label, std::size_t at) {
  const char32_t point = label[at];
  if (point < 0x80)
    return point == U'-' || (point >= U'0' && point <= U'9') || (point >= U'a' && point <= U'z');
  if (point == 0xB7 || point == 0x375 || point == 0x5F3 || point == 0x5F4 || point == 0x30FB ||
      point == 0x200C || point == 0x200D || (point >= 0x660 && point <= 0x669) ||
      (point >= 0x6F0 && point <= 0x6F9))
    return fits_context(label, at);
  for (const char32_t each : {0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007}) {
    if (point == each) return true;
  }
  const auto range = std::ranges::lower_bound(disallowed, point, {}, &Range::last);
  return (range == std::end(disallowed) || point < range->first) && is_of(letter, point);
}

// Classes of the bidirectional algorithm, as far as the rule asks for them; R and AL are one.
enum class Bidi : std::uint8_t { left, right, arabic_number, european_number, mark, other };

Bidi bidi_of(char32_t point) {
  if ((point >= U'0' && point <= U'9') || (point >= 0x6F0 && point <= 0x6F9)) return Bidi::european_number;
  if ((point >= 0x660 && point <= 0x669) || (point >= 0x10D30 && point <= 0x10D39))
    return Bidi::arabic_number;
  if (point == U'-' || point == 0xB7 || point == 0x375 || point == 0x30FB || point == 0x200C ||
      point == 0x200D)
    return Bidi::other;
  const bool right = (point >= 0x590 && point <= 0x8FF) || (point >= 0xFB1D && point <= 0xFDFF) ||
                     (point >= 0xFE70 && point <= 0xFEFF) || (point >= 0x10800 && point <= 0x10FFF) ||
                     (point >= 0x1E800 && point <= 0x1EFFF);
  if (point >= 0x300 && is_of(nonspacing, point)) return Bidi::mark;
  return right ? Bidi::right : Bidi::left;
}

bool is_right_to_left(const Points& label) {
  return std::ranges::any_of(label, [](char32_t each) {
    const Bidi its = bidi_of(each);
    return its == Bidi::right || its == Bidi::arabic_number;
  });
}

// RFC 5893 section 2, of a label of a name with something that is written from right to left.
bool fits_bidi(const Points& label) {
  const Bidi first = bidi_of(label.front());
  if (first != Bidi::left && first != Bidi::right) return false;
  bool numbers[2] = {};
  for (const char32_t each : label) {
    const Bidi its = bidi_of(each);
    if (its == Bidi::arabic_number) numbers[0] = true;
    if (its == Bidi::european_number) numbers[1] = true;
    if (first == Bidi::right ? its == Bidi::left : its == Bidi::right || its == Bidi::arabic_number)
      return false;
  }
  if (numbers[0] && numbers[1]) return false;
  const auto last = std::ranges::find_if(label.rbegin(), label.rend(),
                                         [](char32_t each) { return bidi_of(each) != Bidi::mark; });
  return bidi_of(*last) != Bidi::other;
}

// ---- RFC 3492

constexpr std::uint32_t base = 36, t_min = 1, t_max = 26;

std::uint32_t adapted(std::uint32_t delta, std::uint32_t count, bool first) {
  delta = first ? delta / 700 : delta / 2;
  delta += delta / count;
  std::uint32_t k = 0;
  for (; delta > (base - t_min) * t_max / 2; k += base) delta /= base - t_min;
  return k + (base - t_min + 1) * delta / (delta + 38);
}

std::uint32_t threshold(std::uint32_t k, std::uint32_t bias) {
  return k <= bias ? t_min : k >= bias + t_max ? t_max : k - bias;
}

// Behind xn--, in lower case; none if it is no Punycode.
std::optional<Points> from_punycode(std::string_view text) {
  Points out;
  const std::size_t dash = text.rfind('-');
  if (dash != std::string_view::npos) {
    out.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(dash));
    text.remove_prefix(dash + 1);
  }
  std::uint64_t point = 128;
  std::uint64_t index = 0;
  std::uint32_t bias = 72;
  while (!text.empty()) {
    const std::uint64_t before = index;
    std::uint64_t weight = 1;
    for (std::uint32_t k = base;; k += base) {
      if (text.empty()) return std::nullopt;
      const char byte = text.front();
      text.remove_prefix(1);
      if (!is_alphanumeric(byte)) return std::nullopt;
      const auto digit = static_cast<std::uint32_t>(is_digit(byte) ? byte - '0' + 26 : (byte | 32) - 'a');
      index += digit * weight;
      if (index > 0xFFFFFFFF) return std::nullopt;
      const std::uint32_t t = threshold(k, bias);
      if (digit < t) break;
      weight *= base - t;
      if (weight > 0xFFFFFFFF) return std::nullopt;
    }
    const std::uint64_t count = out.size() + 1;
    bias =
        adapted(static_cast<std::uint32_t>(index - before), static_cast<std::uint32_t>(count), before == 0);
    point += index / count;
    index %= count;
    if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return std::nullopt;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(index), static_cast<char32_t>(point));
    ++index;
  }
  return out;
}

std::string to_punycode(const Points& label) {
  std::string out;
  for (const char32_t each : label) {
    if (each < 0x80) out += static_cast<char>(each);
  }
  std::uint32_t done = static_cast<std::uint32_t>(out.size());
  const std::uint32_t basic = done;
  if (basic > 0) out += '-';
  char32_t point = 128;
  std::uint32_t delta = 0;
  std::uint32_t bias = 72;
  while (done < label.size()) {
    char32_t next = 0x110000;
    for (const char32_t each : label) {
      if (each >= point) next = std::min(next, each);
    }
    delta += static_cast<std::uint32_t>(next - point) * (done + 1);
    point = next;
    for (const char32_t each : label) {
      if (each < point) ++delta;
      if (each != point) continue;
      std::uint32_t rest = delta;
      for (std::uint32_t k = base;; k += base) {
        const std::uint32_t t = threshold(k, bias);
        const std::uint32_t digit = rest < t ? rest : t + (rest - t) % (base - t);
        out += "abcdefghijklmnopqrstuvwxyz0123456789"[digit];
        if (rest < t) break;
        rest = (rest - t) / (base - t);
      }
      bias = adapted(delta, done + 1, done == basic);
      delta = 0;
      ++done;
    }
    ++delta;
    ++point;
  }
  return out;
}

// ---- labels

constexpr std::size_t label_max = 63;
constexpr std::size_t name_max = 253;

bool is_u_label(const Points& label) {
  if (label.empty() || label.front() == U'-' || label.back() == U'-') return false;
  if (label.size() > 3 && label[2] == U'-' && label[3] == U'-') return false;
  if (is_of(mark, label.front())) return false;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (!is_allowed(label, i)) return false;
  }
  return true;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& byte : out) {
    if (is_letter(byte)) byte = static_cast<char>(byte | 32);
  }
  return out;
}

bool has_ace_prefix(std::string_view label) { return lower(label.substr(0, 4)) == "xn--"; }

std::optional<Points> from_a_label(std::string_view label) {
  const std::string rest = lower(label.substr(4));
  std::optional<Points> out = from_punycode(rest);
  if (!out || std::ranges::all_of(*out, [](char32_t each) { return each < 0x80; })) return std::nullopt;
  if (!is_u_label(*out) || to_punycode(*out) != rest) return std::nullopt;
  return out;
}

// The label's code points, and the size of its ASCII form; none if it is not allowed.
std::optional<Points> label_of(std::string_view text, std::size_t& ascii_size) {
  if (text.empty()) return std::nullopt;
  if (has_ace_prefix(text)) {
    ascii_size = text.size();
    return from_a_label(text);
  }
  const bool ascii =
      std::ranges::all_of(text, [](char each) { return static_cast<unsigned char>(each) < 0x80; });
  Points points = decoded_points(ascii ? lower(text) : text);
  ascii_size = ascii ? text.size() : 4 + to_punycode(points).size();
  if (ascii_size > label_max || !is_u_label(points)) return std::nullopt;
  return points;
}

}  // namespace

bool is_a_label(std::string_view label) {
  const std::optional<Points> points = from_a_label(label);
  return points && (!is_right_to_left(*points) || fits_bidi(*points));
}

bool is_idn_hostname(std::string_view utf8) {
  // A long text is refused before it is decoded: no code point of a name needs less than a byte of its ASCII
  // form.
  if (utf8.size() > 4 * name_max) return false;
  std::vector<Points> labels;
  std::size_t size = 0;
  while (true) {
    std::size_t end = utf8.size();
    std::size_t dot = 0;
    for (const std::string_view each : {".", "\u3002", "\uFF0E", "\uFF61"}) {
      if (const std::size_t at = utf8.find(each); at < end) {
        end = at;
        dot = each.size();
      }
    }
    std::size_t ascii_size = 0;
    std::optional<Points> label = label_of(utf8.substr(0, end), ascii_size);
    if (!label) return false;
    labels.push_back(std::move(*label));
    size += ascii_size + (size > 0 ? 1 : 0);
    if (dot == 0) break;
    utf8.remove_prefix(end + dot);
  }
  if (size > name_max) return false;
  return std::ranges::none_of(labels, is_right_to_left) || std::ranges::all_of(labels, fits_bidi);
}

}  // namespace snapgen::json
