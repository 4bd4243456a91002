#include "tools/engine/patch/binary.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <zlib.h>

#include "tools/engine/patch/file_header.h"

namespace snapgen::core {
namespace {

constexpr std::string_view alphabet =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
constexpr std::uint8_t no_digit = 255;
constexpr std::size_t inflate_step = 256 * 1024;

constexpr std::array<std::uint8_t, 256> digits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(no_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    table[static_cast<std::uint8_t>(alphabet[i])] = static_cast<std::uint8_t>(i);
  return table;
}();

// Decodes the number of bytes in a line: A-Z are 1 to 26, a-z 27 to 52; 0 for anything else.
std::size_t bytes_of_letter(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::size_t>(c - 'A') + 1;
  if (c >= 'a' && c <= 'z') return static_cast<std::size_t>(c - 'a') + 27;
  return 0;
}

// Decodes five digits to four bytes, the most significant first.
bool group_value(std::string_view group, std::uint32_t& value) {
  std::uint64_t sum = 0;
  for (char c : group) {
    std::uint8_t digit = digits[static_cast<std::uint8_t>(c)];
    if (digit == no_digit) return false;
    sum = sum * 85 + digit;
  }
  value = static_cast<std::uint32_t>(sum);
  return sum <= 0xffffffffU;
}

bool well_formed(std::string_view line) {
  std::size_t bytes = bytes_of_letter(line.front());
  std::string_view groups = line.substr(1);
  if (bytes == 0 || groups.size() != (bytes + 3) / 4 * 5) return false;
  for (; !groups.empty(); groups.remove_prefix(5)) {
    std::uint32_t value = 0;
    if (!group_value(groups.substr(0, 5), value)) return false;
  }
  return true;
}

// Decodes a line that is well formed.
void append_decoded(std::string_view line, std::string& out) {
  std::size_t bytes = bytes_of_letter(line.front());
  for (std::string_view groups = line.substr(1); bytes > 0; groups.remove_prefix(5)) {
    std::uint32_t value = 0;
    group_value(groups.substr(0, 5), value);
    for (int shift = 24; shift >= 0 && bytes > 0; shift -= 8, --bytes)
      out += static_cast<char>((value >> shift) & 0xff);
  }
}

Error damaged_data_error() {
  return Error(ErrorCode::invalid_argument,
               "the binary data of the patch is damaged; make it again with git diff --binary");
}

Error over_limit_error(std::int64_t bytes_max) {
  return Error(ErrorCode::too_large,
               "the patch makes a file larger than the limit of " + std::to_string(bytes_max) + " bytes");
}

// Inflates one complete zlib stream of exactly `size` bytes. The buffer grows with the output: `size` may be
// wrong.
Result<std::string> inflated(std::string_view packed, std::size_t size) {
  z_stream stream = {};
  const int started = inflateInit(&stream);
  if (started != Z_OK)
    return Error(ErrorCode::internal,
                 std::string("zlib could not be started: ") + zError(started) + "; try again");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  int status = Z_OK;
  while (status == Z_OK && out.size() <= size) {
    std::size_t before = out.size();
    out.resize(before + std::min(size - before + 1, inflate_step));  // One more, to detect an excess.
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(out.size() - before);
    status = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  bool whole = status == Z_STREAM_END && stream.avail_in == 0 && out.size() == size;
  inflateEnd(&stream);
  if (!whole) return damaged_data_error();
  return out;
}

// Parses a size at the start of a delta: seven bits per byte, the least significant first.
bool take_size(std::string_view& delta, std::uint64_t& size) {
  size = 0;
  for (int shift = 0; shift < 63 && !delta.empty(); shift += 7) {
    auto byte = static_cast<std::uint8_t>(delta.front());
    delta.remove_prefix(1);
    size |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) return true;
  }
  return false;
}

// Parses the bytes of a copy instruction that `bits` marks as present, the least significant first.
bool take_bytes(std::string_view& delta, unsigned bits, std::size_t& value) {
  value = 0;
  for (unsigned shift = 0; bits != 0; bits >>= 1, shift += 8) {
    if ((bits & 1U) == 0) continue;
    if (delta.empty()) return false;
    value |= std::size_t{static_cast<std::uint8_t>(delta.front())} << shift;
    delta.remove_prefix(1);
  }
  return true;
}

}  // namespace

std::optional<PatchFault> read_binary_hunk(PatchLines& lines, BinaryHunk& out) {
  if (std::optional<PatchFault> fault = fault_of_header_line(lines)) return fault;
  std::string_view line = lines.header_line();
  out.patch_line = lines.number();
  if (line.starts_with("literal ")) {
    out.form = BinaryHunk::Form::literal;
    line.remove_prefix(8);
  } else if (line.starts_with("delta ")) {
    out.form = BinaryHunk::Form::delta;
    line.remove_prefix(6);
  } else {
    return PatchFault{lines.number(),
                      "binary data must begin with a line that reads literal or delta and a size"};
  }
  auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), out.inflated_bytes);
  if (error != std::errc() || end != line.data() + line.size() || out.inflated_bytes < 0)
    return PatchFault{lines.number(), "the size of the binary data is not a number"};
  lines.advance();

  std::size_t begin = lines.offset();
  while (!lines.at_end() && !lines.header_line().empty()) {
    if (std::optional<PatchFault> fault = fault_of_header_line(lines)) return fault;
    if (!well_formed(lines.header_line()))
      return PatchFault{lines.number(), "this is not a line of base85 data"};
    lines.advance();
  }
  out.lines = lines.text().substr(begin, lines.offset() - begin);
  if (lines.at_end())
    return PatchFault{lines.number(), "the patch ends inside binary data, which a blank line ends"};
  if (out.lines.empty()) return PatchFault{out.patch_line, "there is no binary data below this line"};
  lines.advance();
  return std::nullopt;
}

Result<std::string> apply_binary_hunk(const BinaryHunk& hunk, std::string_view before,
                                      std::int64_t bytes_max) {
  if (hunk.inflated_bytes > bytes_max) return over_limit_error(bytes_max);
  std::string packed;
  packed.reserve(hunk.lines.size() / 5 * 4);
  for (PatchLines lines(hunk.lines); !lines.at_end(); lines.advance())
    append_decoded(lines.header_line(), packed);
  if (packed.size() > 0xffffffffU) return over_limit_error(bytes_max);
  Result<std::string> data = inflated(packed, static_cast<std::size_t>(hunk.inflated_bytes));
  if (!data || hunk.form == BinaryHunk::Form::literal) return data;
  return apply_delta(*data, before, bytes_max);
}

Result<std::string> apply_delta(std::string_view delta, std::string_view base, std::int64_t bytes_max) {
  std::uint64_t base_size = 0;
  std::uint64_t size = 0;
  if (!take_size(delta, base_size) || !take_size(delta, size)) return damaged_data_error();
  if (base_size != base.size())
    return Error(ErrorCode::invalid_argument, "the binary data changes a file of " +
                                                  std::to_string(base_size) + " bytes, but this one has " +
                                                  std::to_string(base.size()) +
                                                  "; make the patch again from the current file");
  if (size > static_cast<std::uint64_t>(bytes_max)) return over_limit_error(bytes_max);
  std::string out;
  while (!delta.empty()) {
    auto instruction = static_cast<std::uint8_t>(delta.front());
    delta.remove_prefix(1);
    std::string_view piece;
    if ((instruction & 0x80U) != 0) {
      std::size_t offset = 0;
      std::size_t count = 0;
      if (!take_bytes(delta, instruction & 0x0fU, offset) ||
          !take_bytes(delta, (instruction >> 4) & 0x07U, count))
        return damaged_data_error();
      if (count == 0) count = 0x10000;
      if (offset > base.size() || count > base.size() - offset) return damaged_data_error();
      piece = base.substr(offset, count);
    } else {
      if (instruction == 0 || instruction > delta.size()) return damaged_data_error();
      piece = delta.substr(0, instruction);
      delta.remove_prefix(instruction);
    }
    if (piece.size() > size - out.size()) return damaged_data_error();
    out += piece;
  }
  if (out.size() != size) return damaged_data_error();
  return out;
}

}  // namespace snapgen::core
