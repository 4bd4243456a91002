// FrameSplitter on any bytes: however the bytes are divided into reads, the messages must equal those of a
// simple split at newlines.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/transport/channel.h"
#include "runtime/transport/frame_splitter.h"
#include "tests/fuzz/target.h"

namespace snapgen {
namespace {

using Texts = std::vector<std::string>;

// The newline ensures that no message equals this text.
const std::string oversize = "an oversize message \n";

// A simple implementation of the same rules.
Texts cut_plainly(std::string_view bytes, std::size_t limit) {
  Texts texts;
  while (!bytes.empty()) {
    std::size_t end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > limit) {
      texts.push_back(oversize);
    } else if (!line.empty()) {
      texts.emplace_back(line);
    }
  }
  return texts;
}

void take_all(FrameSplitter& frames, Texts& texts) {
  Frame frame;
  while (frames.next(frame)) {
    texts.push_back(frame.kind == Frame::Kind::oversize ? oversize : std::string(frame.text));
  }
}

// Divides the bytes into reads of the sizes in `steps`, repeatedly; without `steps`, each read is as large as
// possible.
Texts cut(std::string_view bytes, std::size_t limit, std::span<const std::uint8_t> steps) {
  FrameSplitter frames(limit);
  Texts texts;
  for (std::size_t i = 0; !bytes.empty(); ++i) {
    std::size_t step = steps.empty() ? bytes.size() : steps[i % steps.size()] + std::size_t{1};
    std::span<char> space = frames.read_buffer();
    FUZZ_EXPECT(!space.empty());
    std::size_t count = std::min({step, space.size(), bytes.size()});
    std::memcpy(space.data(), bytes.data(), count);
    frames.commit(count);
    bytes.remove_prefix(count);
    take_all(frames, texts);
    FUZZ_EXPECT(frames.pending_bytes() <= limit + 1);
  }
  frames.end_input();
  take_all(frames, texts);
  FUZZ_EXPECT(frames.pending_bytes() == 0);
  return texts;
}

}  // namespace
}  // namespace snapgen

// The first byte is the limit, the second the number of following bytes that are sizes of reads; the rest is
// the stream.
FUZZ_TARGET(frames) {
  using namespace snapgen;
  if (size < 2) return 0;
  std::size_t limit = data[0];
  std::span<const std::uint8_t> rest(data + 2, size - 2);
  std::span<const std::uint8_t> steps = rest.first(std::min<std::size_t>(data[1] % 8, rest.size()));
  rest = rest.subspan(steps.size());
  std::string_view bytes(reinterpret_cast<const char*>(rest.data()), rest.size());
  const Texts expected = cut_plainly(bytes, limit);
  const std::uint8_t single[] = {0};
  FUZZ_EXPECT(cut(bytes, limit, {}) == expected);
  FUZZ_EXPECT(cut(bytes, limit, single) == expected);
  FUZZ_EXPECT(cut(bytes, limit, steps) == expected);
  return 0;
}
