#include "tools/engine/store/blobs/codec.h"

#include <gtest/gtest.h>

#include "tests/engine/contents.h"

namespace snapgen::core {
namespace {

TEST(Codec, BothLevelsRoundTripAndRejectWrongSizes) {
  for (const std::size_t size : {600, 4096, 262'145, 1 << 20, (1 << 20) + 1}) {
    const std::string content = prose(size, 3);
    for (const CompressionEffort effort : {CompressionEffort::thorough, CompressionEffort::quick}) {
      std::string stored;
      const Codec codec = compress(content, stored, effort);
      EXPECT_EQ(codec, effort == CompressionEffort::quick && size <= lz4_bytes_max ? Codec::lz4 : Codec::zstd)
          << size;
      const Result<std::string> back = decompressed(codec, stored, size);
      ASSERT_TRUE(back) << size;
      EXPECT_TRUE(*back == content) << size;
      for (const std::uint64_t lie : {std::uint64_t{0}, std::uint64_t{size - 1}, std::uint64_t{size + 1},
                                      std::uint64_t{1} << 50, ~std::uint64_t{0}})
        EXPECT_FALSE(decompressed(codec, stored, lie)) << size << " " << lie;
      EXPECT_FALSE(decompressed(codec, stored.substr(0, stored.size() - 1), size)) << size;
    }
    std::string stored;
    EXPECT_EQ(compress(noise(size, 4), stored, CompressionEffort::quick), Codec::raw) << size;
  }
}

}  // namespace
}  // namespace snapgen::core
