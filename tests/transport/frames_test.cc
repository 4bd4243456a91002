#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/transport/channel.h"
#include "runtime/transport/frame_splitter.h"

namespace snapgen {
namespace {

using Texts = std::vector<std::string>;

const std::string oversize = "<oversize>";

void take_all(FrameSplitter& frames, Texts& texts) {
  Frame frame;
  while (frames.next(frame)) {
    texts.push_back(frame.kind == Frame::Kind::oversize ? oversize : std::string(frame.text));
  }
}

void feed(FrameSplitter& frames, std::string_view bytes, Texts& texts) {
  while (!bytes.empty()) {
    std::span<char> space = frames.read_buffer();
    std::size_t count = std::min(space.size(), bytes.size());
    std::memcpy(space.data(), bytes.data(), count);
    frames.commit(count);
    bytes.remove_prefix(count);
    take_all(frames, texts);
  }
}

Texts cut(const std::vector<std::string_view>& pieces,
          std::size_t limit = FrameSplitter::message_bytes_max_default) {
  FrameSplitter frames(limit);
  Texts texts;
  for (std::string_view piece : pieces) feed(frames, piece, texts);
  frames.end_input();
  take_all(frames, texts);
  return texts;
}

std::vector<std::string_view> byte_by_byte(std::string_view bytes) {
  std::vector<std::string_view> pieces;
  for (std::size_t i = 0; i < bytes.size(); ++i) pieces.push_back(bytes.substr(i, 1));
  return pieces;
}

TEST(FramesTest, EachLineIsAMessage) {
  const Texts expected = {"{}", "[1]", "{\"a\":\"\\n\"}"};
  EXPECT_EQ(cut({"{}\n[1]\n{\"a\":\"\\n\"}\n"}), expected);
}

TEST(FramesTest, LinesMayEndWithCrlf) {
  const Texts expected = {"one", "two", "three"};
  EXPECT_EQ(cut({"one\r\ntwo\nthree\r\n"}), expected);
}

TEST(FramesTest, ACarriageReturnElsewhereBelongsToTheMessage) {
  const Texts expected = {"a\rb", "c\r", "\rd"};
  EXPECT_EQ(cut({"a\rb\nc\r\r\n\rd\n"}), expected);
}

TEST(FramesTest, OnlyTheStreamMayBeginWithAByteOrderMark) {
  const std::string_view bytes = "\xEF\xBB\xBF{}\n\xEF\xBB\xBF[]\n";
  EXPECT_EQ(cut({bytes}), (Texts{"{}", "\xEF\xBB\xBF[]"}));
  EXPECT_EQ(cut(byte_by_byte(bytes)), cut({bytes}));
  EXPECT_EQ(cut({"\xEF\xBB\xBF\n{}"}), Texts{"{}"});
}

TEST(FramesTest, EmptyLinesAreIgnored) {
  const Texts expected = {"one", "two"};
  EXPECT_EQ(cut({"\n\r\n\none\n\n\r\ntwo\n\n"}), expected);
}

TEST(FramesTest, TheLastLineNeedsNoNewline) {
  EXPECT_EQ(cut({"one\ntwo"}), (Texts{"one", "two"}));
  EXPECT_EQ(cut({"one\ntwo\r"}), (Texts{"one", "two"}));
  EXPECT_EQ(cut({"one\n"}), (Texts{"one"}));
  EXPECT_EQ(cut({"one\n\r"}), (Texts{"one"}));
  EXPECT_EQ(cut({}), Texts());
}

TEST(FramesTest, AMessageIsReturnedOnlyAfterItsLineHasEnded) {
  FrameSplitter frames;
  Texts texts;
  feed(frames, "one", texts);
  EXPECT_FALSE(frames.has_frame());
  EXPECT_EQ(texts, Texts());
  feed(frames, "\n", texts);
  EXPECT_EQ(texts, Texts{"one"});
}

TEST(FramesTest, AnyBytesAreAccepted) {
  std::string bytes;
  for (int byte = 1; byte < 256; ++byte) {
    if (byte != '\n' && byte != '\r') bytes.push_back(static_cast<char>(byte));
  }
  bytes.push_back('\0');
  EXPECT_EQ(cut({bytes + "\n"}), Texts{bytes});
}

constexpr std::size_t limit = 10;
const std::string_view mixed =
    "one\r\n\n0123456789\r\n0123456789\n01234567890\n01234567890\r\n0123456789\rx\n"
    "0123456789012345678901234567890123456789\n\r\ntwo\r\r\n\xe2\x82\xac\n0123456789\r\nlast";

TEST(FramesTest, MessagesUpToTheLimitAreReturnedAndLongerOnesReportedOnce) {
  const Texts expected = {"one",    "0123456789", "0123456789",   oversize,     oversize, oversize,
                          oversize, "two\r",      "\xe2\x82\xac", "0123456789", "last"};
  EXPECT_EQ(cut({mixed}, limit), expected);
}

TEST(FramesTest, EveryDivisionOfTheStreamGivesTheSameMessages) {
  const Texts expected = cut({mixed}, limit);
  EXPECT_EQ(cut(byte_by_byte(mixed), limit), expected);
  for (std::size_t i = 0; i <= mixed.size(); ++i) {
    EXPECT_EQ(cut({mixed.substr(0, i), mixed.substr(i)}, limit), expected) << i;
    for (std::size_t j = i; j <= mixed.size(); ++j) {
      ASSERT_EQ(cut({mixed.substr(0, i), mixed.substr(i, j - i), mixed.substr(j)}, limit), expected)
          << i << ' ' << j;
    }
  }
}

TEST(FramesTest, AStreamThatEndsAnywhereGivesTheSameMessagesForEveryDivision) {
  for (std::size_t i = 0; i <= mixed.size(); ++i) {
    std::string_view head = mixed.substr(0, i);
    ASSERT_EQ(cut(byte_by_byte(head), limit), cut({head}, limit)) << i;
  }
}

TEST(FramesTest, AnOversizeMessageIsReportedBeforeItsLineEndsAndIsNotStored) {
  FrameSplitter frames(100'000);
  Texts texts;
  feed(frames, std::string(100'002, 'x'), texts);
  EXPECT_EQ(texts, Texts{oversize});
  for (int i = 0; i < 100; ++i) {
    feed(frames, std::string(100'000, 'x'), texts);
    EXPECT_EQ(frames.pending_bytes(), 0u);
  }
  EXPECT_LE(frames.capacity(), 256u * 1024);
  feed(frames, "x\nnext\n", texts);
  EXPECT_EQ(texts, (Texts{oversize, "next"}));
}

TEST(FramesTest, AnOversizeLineWithoutAnEndIsReportedOnce) {
  EXPECT_EQ(cut({"01234567890123"}, limit), Texts{oversize});
  EXPECT_EQ(cut({"01234567890", "123", "456"}, limit), Texts{oversize});
}

TEST(FramesTest, ALongMessageInSmallPiecesTakesLinearTime) {
  FrameSplitter frames;
  Texts texts;
  const std::string piece(200, 'x');
  constexpr std::size_t pieces = 300'000;
  for (std::size_t i = 0; i < pieces; ++i) feed(frames, piece, texts);
  feed(frames, "\n", texts);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].size(), pieces * piece.size());
}

TEST(FramesTest, ALargeMessageDoesNotLeaveALargeBuffer) {
  FrameSplitter frames;
  Texts texts;
  feed(frames, std::string(20 << 20, 'x') + "\nnext", texts);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_GE(frames.capacity(), 4u);
  frames.shrink();
  EXPECT_LE(frames.capacity(), 256u * 1024);
  feed(frames, " one\n", texts);
  EXPECT_EQ(texts.back(), "next one");
}

TEST(FramesTest, TextsOfOneReadRemainValidUntilTheNextRead) {
  FrameSplitter frames;
  const std::string_view bytes = "first\nsecond\nthird\n";
  std::memcpy(frames.read_buffer().data(), bytes.data(), bytes.size());
  frames.commit(bytes.size());
  std::vector<std::string_view> texts;
  Frame frame;
  while (frames.next(frame)) texts.push_back(frame.text);
  const std::vector<std::string_view> expected = {"first", "second", "third"};
  EXPECT_EQ(texts, expected);
}

TEST(FramesTest, AParserMayReadSlightlyBeyondTheText) {
  FrameSplitter frames;
  std::span<char> space = frames.read_buffer();
  std::memset(space.data(), 'x', space.size());
  frames.commit(space.size());
  frames.end_input();
  Frame frame;
  ASSERT_TRUE(frames.next(frame));
  ASSERT_EQ(frame.text.size(), space.size());
  volatile char last = 0;
  for (std::size_t i = 0; i < FrameSplitter::padding; ++i) last = frame.text.data()[frame.text.size() + i];
  static_cast<void>(last);
}

}  // namespace
}  // namespace snapgen
