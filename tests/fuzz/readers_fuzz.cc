// Generated readers with values that any bytes select: the first two bytes select the reader, and the others
// make a value of its schema. The reader and the interpreting validator must agree, and a written value must
// read back unchanged.
#include <algorithm>
#include <cstdint>

#include "tests/fuzz/target.h"
#include "tests/readers/judges.h"
#include "tests/readers/table.h"

FUZZ_TARGET(readers) {
  using namespace snapgen::readers;
  static const Judges judges;
  FUZZ_EXPECT(judges.count() == table().size());
  if (size < 2) return 0;
  const std::size_t number = (data[0] + 256U * data[1]) % table().size();
  std::size_t at = 2;
  // Takes one byte for each choice, and two for a choice among many. When no bytes are left, it always
  // selects the first alternative.
  const Values::Below below = [&](std::uint32_t count) {
    std::uint32_t chosen = at < size ? data[at++] : 0;
    if (count > 256 && at < size) chosen = chosen * 256 + data[at++];
    return chosen % count;
  };
  const std::string text = judges.value(number, below);
  const ReadText read = table()[number].read(text);
  FUZZ_EXPECT(read.fits == judges.violations(number, text).empty());
  FUZZ_EXPECT(read.reads_again);
  if (!read.fits) FUZZ_EXPECT(snapgen::json::valid_utf8(read.complaint) && !read.complaint.empty());
  return 0;
}
