// The decoder on any bytes: encoding an accepted line must give a line that decodes to the same values.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "schemas/lines.h"
#include "tests/fuzz/target.h"

namespace snapgen {
namespace {

std::size_t longest_number(std::string_view text) {
  std::size_t longest = 0;
  std::size_t digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    longest = std::max(longest, digits);
  }
  return longest;
}

void decode_and_encode(std::string_view text, linefmt::Mode mode) {
  Result<tools::lines::Line> line = tools::lines::decode(text, mode);
  if (!line) return;
  const std::string again = tools::lines::encode(*line, mode);
  Result<tools::lines::Line> same = tools::lines::decode(again, mode);
  // A double from 2^64 on is written without a point, so it is read back as an integer out of range.
  if (!same) {
    FUZZ_EXPECT(longest_number(again) >= 20);
    return;
  }
  // The first encoding of a compressed field normalizes white space; further ones change nothing.
  FUZZ_EXPECT(tools::lines::encode(*same, mode) == again);
}

}  // namespace
}  // namespace snapgen

FUZZ_TARGET(lines) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  snapgen::decode_and_encode(text, snapgen::linefmt::Mode::labeled);
  snapgen::decode_and_encode(text, snapgen::linefmt::Mode::compact);
  return 0;
}
