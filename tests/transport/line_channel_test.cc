#include "runtime/transport/line_channel.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/transport/channel.h"
#include "tests/sim/sim_port.h"
#include "tests/transport/memory.h"
#include "tests/transport/pace.h"

namespace snapgen {
namespace {

using Texts = std::vector<std::string>;

class LineChannelTest : public testing::Test {
 protected:
  sim::SimPort port{1};
  Loop loop{port};
};

Task<Texts> read_all(Channel& channel, std::stop_token stop) {
  Texts texts;
  for (;;) {
    Frame frame;
    while (channel.next(frame)) {
      texts.push_back(frame.kind == Frame::Kind::oversize ? "<oversize>" : std::string(frame.text));
    }
    Result<bool> more = co_await channel.wait(stop);
    if (!*more) break;
  }
  co_return texts;
}

TEST_F(LineChannelTest, MessagesArriveWholeAtAnyPace) {
  for (std::size_t step : {1u, 2u, 3u, 7u, 100u}) {
    MemoryPeer peer(loop, in_steps(step, 1, 1));
    LineChannel channel(loop, peer, 10);
    peer.send("one\r\n\ntwo\n01234567890123456789\nlast");
    peer.end_sending();
    Result<Texts> texts = loop.run(read_all(channel, {}));
    EXPECT_EQ(*texts, (Texts{"one", "two", "<oversize>", "last"})) << step;
  }
}

TEST_F(LineChannelTest, AllMessagesOfOneReadAreReceivedWithoutWaiting) {
  auto body = [](Loop& home) -> Task<Unit> {
    MemoryPeer peer(home);
    LineChannel channel(home, peer);
    peer.send("one\ntwo\nthree\n");
    Frame frame;
    EXPECT_FALSE(channel.next(frame));
    Result<bool> more = co_await channel.wait(std::stop_token());
    EXPECT_TRUE(*more);
    Frame first;
    EXPECT_TRUE(channel.next(first));
    Result<bool> ready = co_await channel.wait(std::stop_token());
    EXPECT_TRUE(*ready) << "unread messages remain";
    EXPECT_TRUE(channel.next(frame));
    EXPECT_TRUE(channel.next(frame));
    EXPECT_EQ(first.text, "one");
    EXPECT_EQ(frame.text, "three");
    EXPECT_FALSE(channel.next(frame));
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(LineChannelTest, AStopEndsTheWaitAndTheChannelRemainsUsable) {
  auto body = [](Loop& home) -> Task<Unit> {
    MemoryPeer peer(home);
    LineChannel channel(home, peer);
    std::stop_source stop;
    TaskScope scope(home);
    auto waits = [](Channel& inner, std::stop_token token, bool& result) -> Task<Unit> {
      Result<bool> more = co_await inner.wait(token);
      result = *more;
      co_return Unit{};
    };
    bool more = true;
    scope.spawn(waits(channel, stop.get_token(), more));
    stop.request_stop();
    co_await scope.join();
    EXPECT_FALSE(more);
    peer.send("later\n");
    Result<bool> came = co_await channel.wait(std::stop_token());
    EXPECT_TRUE(*came);
    Frame frame;
    EXPECT_TRUE(channel.next(frame));
    EXPECT_EQ(frame.text, "later");
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(LineChannelTest, NothingIsReadWhileNoReceiverWaits) {
  auto body = [](Loop& home) -> Task<Unit> {
    MemoryPeer peer(home, in_steps(1000, 1000, 1000));
    LineChannel channel(home, peer);
    for (int i = 0; i < 500; ++i) peer.send("a message\nanother 1\n");
    Result<bool> more = co_await channel.wait(std::stop_token());
    EXPECT_TRUE(*more);
    std::vector<std::string_view> texts;
    Frame frame;
    while (channel.next(frame)) texts.push_back(frame.text);
    Result<Unit> slept = co_await Sleep(home, std::stop_token(), Millis(1000));
    static_cast<void>(slept);
    EXPECT_EQ(peer.unread(), 9000u);
    EXPECT_EQ(texts.size(), 100u);
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(texts[i], i % 2 ? "another 1" : "a message");
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(LineChannelTest, ASlowPeerReceivesEverythingAndDrainedWaits) {
  auto body = [](Loop& home) -> Task<Unit> {
    MemoryPeer peer(home, in_steps(1, 7, 20));
    LineChannel channel(home, peer);
    std::string expected;
    for (int i = 0; i < 100; ++i) {
      std::string message = "message " + std::to_string(i);
      if (i % 2) {
        channel.send(message);
      } else {
        channel.outgoing_buffer().append(message);
        channel.commit_outgoing();
      }
      expected += message + "\n";
      if (i % 10 == 9) channel.flush();
    }
    EXPECT_EQ(channel.unsent_bytes(), expected.size() - 20);
    Result<bool> some = co_await channel.wait_drained(500, std::stop_token());
    EXPECT_TRUE(*some);
    EXPECT_LE(channel.unsent_bytes(), 500u);
    EXPECT_GT(channel.unsent_bytes(), 400u);
    Result<bool> all = co_await channel.wait_drained(0, std::stop_token());
    EXPECT_TRUE(*all);
    while (peer.received().size() < expected.size()) {
      peer.received_more().reset();
      Result<Unit> took = co_await peer.received_more().wait(std::stop_token());
      static_cast<void>(took);
    }
    EXPECT_EQ(peer.received(), expected);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(LineChannelTest, NothingIsWrittenBeforeFlush) {
  MemoryPeer peer(loop);
  LineChannel channel(loop, peer);
  channel.send("one");
  channel.send("two");
  EXPECT_EQ(channel.unsent_bytes(), 8u);
  channel.flush();
  EXPECT_EQ(channel.unsent_bytes(), 0u);
}

TEST_F(LineChannelTest, AStopEndsTheWaitForAPeerThatDoesNotRead) {
  auto body = [](Loop& home) -> Task<Unit> {
    MemoryPeer peer(home, in_steps(1, 1, 3));
    peer.pause_reading();
    LineChannel channel(home, peer);
    channel.send("more than three bytes");
    TaskScope scope(home);
    auto drains = [](Channel& inner, std::stop_token token, bool& result) -> Task<Unit> {
      Result<bool> drained = co_await inner.wait_drained(0, token);
      result = *drained;
      co_return Unit{};
    };
    bool drained = true;
    scope.spawn(drains(channel, scope.stop(), drained));
    scope.cancel();
    co_await scope.join();
    EXPECT_FALSE(drained);
    EXPECT_GT(channel.unsent_bytes(), 0u);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(LineChannelTest, APeerThatDoesNotReadTimesOut) {
  auto body = [](Loop& home) -> Task<Unit> {
    MemoryPeer peer(home, in_steps(1, 1, 3));
    LineChannel channel(home, peer, FrameSplitter::message_bytes_max_default, Millis(2));
    channel.send("more than three bytes");
    Result<bool> slowly = co_await channel.wait_drained(0, std::stop_token());
    EXPECT_TRUE(*slowly) << "a peer that makes progress is not limited in time";
    peer.pause_reading();
    channel.send("more than three bytes");
    Result<bool> never = co_await channel.wait_drained(0, std::stop_token());
    EXPECT_FALSE(*never);
    peer.resume_reading();
    Result<bool> after_all = co_await channel.wait_drained(0, std::stop_token());
    EXPECT_TRUE(*after_all) << "nothing was dropped";
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(LineChannelTest, AClosedReaderClosesTheChannel) {
  auto body = [](Loop& home) -> Task<Unit> {
    MemoryPeer peer(home, in_steps(1, 1, 3));
    LineChannel channel(home, peer);
    channel.send("more than three bytes");
    channel.flush();
    EXPECT_GT(channel.unsent_bytes(), 0u);
    peer.stop_reading();
    Result<bool> drained = co_await channel.wait_drained(0, std::stop_token());
    EXPECT_FALSE(*drained);
    Result<bool> more = co_await channel.wait(std::stop_token());
    EXPECT_FALSE(*more);
    channel.send("dropped");
    channel.flush();
    EXPECT_EQ(channel.unsent_bytes(), 0u);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

TEST_F(LineChannelTest, AClosedReaderWakesWaitingReceivers) {
  auto body = [](Loop& home) -> Task<Unit> {
    MemoryPeer peer(home, in_steps(1, 1, 3));
    LineChannel channel(home, peer);
    TaskScope scope(home);
    auto reads = [](Channel& inner, Texts& list) -> Task<Unit> {
      Result<Texts> texts = co_await read_all(inner, std::stop_token());
      list = *texts;
      list.push_back("closed");
      co_return Unit{};
    };
    Texts texts;
    scope.spawn(reads(channel, texts));
    peer.stop_reading();
    channel.send("into the void");
    channel.flush();
    co_await scope.join();
    EXPECT_EQ(texts, Texts{"closed"});
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop)));
}

}  // namespace
}  // namespace snapgen
