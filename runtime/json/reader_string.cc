// The part of Reader for strings: escapes, and fast paths for long texts.
#include <array>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"

namespace snapgen::json {
namespace {

// The value of each byte as a hexadecimal digit, or -1 if it is none.
constexpr std::array<std::int8_t, 256> hex_digits = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < 10; ++i) values['0' + i] = static_cast<std::int8_t>(i);
  for (std::size_t i = 0; i < 6; ++i) values['a' + i] = values['A' + i] = static_cast<std::int8_t>(10 + i);
  return values;
}();

// The character of each one-letter escape `\x`; 0 if there is none.
constexpr std::array<char, 256> simple_escapes = [] {
  std::array<char, 256> values{};
  values['"'] = '"';
  values['\\'] = '\\';
  values['/'] = '/';
  values['b'] = '\b';
  values['f'] = '\f';
  values['n'] = '\n';
  values['r'] = '\r';
  values['t'] = '\t';
  return values;
}();

char simple_escape(char letter) { return simple_escapes[static_cast<unsigned char>(letter)]; }

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Returns a mask of the bytes that a backslash escapes, from a mask of the backslashes. `carry` tells whether
// the previous block's last byte was an unescaped backslash, and is updated for this block. An addition
// carries a bit through runs of backslashes: Langdale and Lemire, "Parsing Gigabytes of JSON per Second",
// section 3.1.1.
std::uint64_t escaped_bytes(std::uint64_t backslashes, std::uint64_t& carry) {
  backslashes &= ~carry;
  const std::uint64_t behind = backslashes << 1 | carry;
  constexpr std::uint64_t even = 0x5555555555555555U;
  const std::uint64_t odd_starts = backslashes & ~even & ~behind;
  const std::uint64_t ends = odd_starts + backslashes;
  carry = ends < backslashes ? 1 : 0;
  return (even ^ (ends << 1)) & behind;
}

}  // namespace

bool Reader::read_code_unit(const char* where, std::uint32_t& unit) {
  if (end_ - at_ < 4) return fail(where, "an escape is cut short");
  const auto digit = [this](int i) -> int { return hex_digits[static_cast<unsigned char>(at_[i])]; };
  const int value = digit(0) << 12 | digit(1) << 8 | digit(2) << 4 | digit(3);
  if (value < 0) return fail(where, "an escape with a digit that is not hexadecimal");
  unit = static_cast<std::uint32_t>(value);
  at_ += 4;
  return true;
}

bool Reader::read_code_point(std::uint32_t& point) {
  const char* where = at_ - 2;
  if (!read_code_unit(where, point)) return false;
  if (is_low_surrogate(point)) return fail(where, "a lone surrogate");
  if (!is_high_surrogate(point)) return true;
  if (end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') return fail(where, "a lone surrogate");
  at_ += 2;
  std::uint32_t low;
  if (!read_code_unit(at_ - 2, low)) return false;
  if (!is_low_surrogate(low)) return fail(where, "a lone surrogate");
  point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
  return true;
}

bool Reader::skip_escape() {
  if (end_ - at_ < 2) return fail(at_, "unterminated string");
  const char letter = at_[1];
  if (simple_escape(letter) == 0 && letter != 'u') return fail(at_, "an unknown escape");
  at_ += 2;
  std::uint32_t point;
  return letter != 'u' || read_code_point(point);
}

bool Reader::decode_escape(char*& out) {
  if (end_ - at_ < 2) return fail(at_, "unterminated string");
  const char letter = at_[1];
  const char simple = simple_escape(letter);
  if (simple != 0) {
    *out++ = simple;
    at_ += 2;
    return true;
  }
  if (letter != 'u') return fail(at_, "an unknown escape");
  at_ += 2;
  std::uint32_t point;
  if (!read_code_point(point)) return false;
  out = put_utf8(out, point);
  return true;
}

bool Reader::skip_string() {
  ++at_;
  for (;;) {
    at_ = plain_end(at_, end_);
    if (at('\\')) skip_blocks();
    if (at('"')) {
      ++at_;
      return true;
    }
    if (at('\\')) {
      if (!skip_escape()) return false;
    } else if (at_ == end_) {
      return fail(at_, "unterminated string");
    } else if (!is_plain(*at_)) {
      return fail(at_, "a control character in a string");
    }
  }
}

void Reader::skip_blocks() {
  std::uint64_t carry = 0;
  while (end_ - at_ >= Block64::size) {
    const Block64 block(at_);
    std::uint64_t escaped = 0;
    std::uint64_t stops = block.quotes | block.controls;
    if ((block.backslashes | carry) != 0) {
      escaped = escaped_bytes(block.backslashes, carry);
      const std::uint64_t simple = block.quotes | block.backslashes | Block64::escape_letters(at_);
      stops = (block.quotes & ~escaped) | block.controls | (escaped & ~simple);
    }
    if (stops == 0) {
      at_ += Block64::size;
      continue;
    }
    const int first = std::countr_zero(stops);
    at_ += first;
    if ((escaped >> first & 1) == 0) return;
    --at_;  // Back to the backslash of a \u or an invalid escape.
    carry = 0;
    do {
      if (at_[1] != 'u' || !skip_escape()) return;
    } while (end_ - at_ >= 2 && *at_ == '\\');
  }
  if (carry != 0) --at_;
}

void Reader::unescape_block(char*& out) {
  const char* rest = at_;
  std::uint32_t stops = Block32::not_plain(at_);
  while (stops != 0) {
    const int stop = std::countr_zero(stops);
    std::memcpy(out, rest, Block32::size);
    out += at_ + stop - rest;
    rest = at_ + stop;
    const char simple = *rest == '\\' ? simple_escape(rest[1]) : '\0';
    if (simple == 0) {
      at_ = rest;
      return;
    }
    *out++ = simple;
    rest += 2;
    stops &= ~(std::uint32_t{3} << stop);
  }
  const char* end = at_ + Block32::size;
  if (rest < end) {
    std::memcpy(out, rest, Block32::size);
    out += end - rest;
    rest = end;
  }
  at_ = rest;
}

bool Reader::unescape(const char* from, std::string& out) {
  out.assign(from, static_cast<std::size_t>(at_ - from));
  // The loop copies whole blocks into the buffer, and the next copy overwrites the excess. This is faster
  // than appending many short pieces to a string.
  constexpr std::size_t room = std::size_t{2} * Block32::size;
  char buffer[2048 + room];
  const char* const full = buffer + 2048;
  char* next = buffer;
  for (;;) {
    if (next > full) {
      out.append(buffer, static_cast<std::size_t>(next - buffer));
      next = buffer;
    }
    if (end_ - at_ >= static_cast<std::ptrdiff_t>(room)) {
      unescape_block(next);
    } else {
      while (at_ != end_ && is_plain(*at_)) *next++ = *at_++;
    }
    if (at('\\')) {
      if (!decode_escape(next)) return false;
    } else if (at('"')) {
      out.append(buffer, static_cast<std::size_t>(next - buffer));
      ++at_;
      return true;
    } else if (at_ == end_) {
      return fail(at_, "unterminated string");
    } else if (!is_plain(*at_)) {
      return fail(at_, "a control character in a string");
    }
  }
}

bool Reader::string_slow(std::string& out) {
  skip_space();
  if (!at('"')) return report_wrong_kind("a string");
  const char* from = at_ + 1;
  at_ = plain_end(from, end_);
  if (!at('"')) return unescape(from, out);
  out.assign(from, static_cast<std::size_t>(at_ - from));
  ++at_;
  return true;
}

bool Reader::string_slow(std::string_view& out) {
  skip_space();
  if (!at('"')) return report_wrong_kind("a string");
  const char* from = at_ + 1;
  at_ = plain_end(from, end_);
  if (at('"')) {
    out = std::string_view(from, static_cast<std::size_t>(at_ - from));
    ++at_;
    return true;
  }
  if (!unescape(from, scratch_)) return false;
  out = scratch_;
  return true;
}

}  // namespace snapgen::json
