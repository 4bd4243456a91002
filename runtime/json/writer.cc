#include "runtime/json/writer.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "runtime/json/number.h"
#include "runtime/json/scan.h"

namespace snapgen::json {
namespace {

// The letter after the backslash in the escape of each byte that is not plain; `u` if it has none.
constexpr std::array<char, 128> escape_letters = [] {
  std::array<char, 128> letters{};
  letters.fill('u');
  letters['"'] = '"';
  letters['\\'] = '\\';
  letters['\b'] = 'b';
  letters['\t'] = 't';
  letters['\n'] = 'n';
  letters['\f'] = 'f';
  letters['\r'] = 'r';
  return letters;
}();

// Writes the escape sequence of `byte`, which has 2 or 6 bytes. Returns its end.
char* put_escape(char* out, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  const char letter = escape_letters[value];
  *out++ = '\\';
  *out++ = letter;
  if (letter != 'u') return out;
  *out++ = '0';
  *out++ = '0';
  *out++ = static_cast<char>('0' + (value >> 4));
  *out++ = "0123456789abcdef"[value & 15];
  return out;
}

// Writes and escapes the block at `from`. Reads up to one block more, and returns the end of the output.
char* put_block(char* out, const char* from) {
  std::uint32_t stops = Block32::not_plain(from);
  const char* rest = from;
  while (stops != 0) {
    const int stop = std::countr_zero(stops);
    std::memcpy(out, rest, Block32::size);
    out += from + stop - rest;
    rest = from + stop;
    out = put_escape(out, *rest++);
    stops &= stops - 1;
  }
  std::memcpy(out, rest, Block32::size);
  return out + (from + Block32::size - rest);
}

}  // namespace

void Writer::string(std::string_view utf8) {
  // The loop copies whole blocks into the buffer, and the next copy overwrites the excess. Most strings need
  // only one append() to the output.
  constexpr std::size_t room = std::size_t{6} * Block32::size + Block32::size;
  constexpr std::size_t buffer_bytes = 2048;
  char buffer[buffer_bytes + room];
  const char* const full = buffer + buffer_bytes;
  // A long string would make the output grow, and be copied, several times. Some of its characters are
  // escaped.
  if (utf8.size() > buffer_bytes) out_.reserve(out_.size() + utf8.size() + utf8.size() / 16);
  char* next = buffer;
  *next++ = '"';
  const char* from = utf8.data();
  const char* end = from + utf8.size();
  while (end - from >= 2 * Block32::size) {
    next = put_block(next, from);
    from += Block32::size;
    if (next > full) {
      out_.append(buffer, static_cast<std::size_t>(next - buffer));
      next = buffer;
    }
  }
  while (from != end) {
    const char* stop = plain_end(from, end);
    std::memcpy(next, from, static_cast<std::size_t>(stop - from));
    next += stop - from;
    from = stop;
    if (from != end) next = put_escape(next, *from++);
  }
  *next++ = '"';
  out_.append(buffer, static_cast<std::size_t>(next - buffer));
}

void Writer::integer(std::int64_t value) {
  char buffer[24];
  out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void Writer::unsigned_integer(std::uint64_t value) {
  char buffer[24];
  out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void Writer::number(double value) {
  assert(std::isfinite(value));
  char buffer[number_bytes_max];
  out_.append(buffer, write_number(buffer, value));
}

std::string quoted(std::string_view utf8) {
  std::string out;
  Writer(out).string(utf8);
  return out;
}

std::string number_text(double value) {
  std::string out;
  Writer(out).number(value);
  return out;
}

}  // namespace snapgen::json
