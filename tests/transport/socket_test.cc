// Sockets on libuv: accepting, reading, writing, ending and errors.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/async/loop.h"
#include "runtime/transport/line_channel.h"
#include "runtime/uv/uv_port.h"
#include "tests/transport/child.h"

namespace snapgen {
namespace {

Fd connected(const Address& address) {
  Fd peer(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  to.sin_port = htons(address.port);
  inet_pton(AF_INET, address.host.c_str(), &to.sin_addr);
  EXPECT_EQ(::connect(peer.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0) << std::strerror(errno);
  return peer;
}

struct Arrivals final : Acceptor::Listener {
  explicit Arrivals(Loop& loop) : came(loop) {}
  void on_waiting_peer() override { came.set(); }
  Event came;
};

Task<Unit> next_peer(Acceptor& acceptor, Arrivals& arrivals) {
  acceptor.set_listener(&arrivals);
  acceptor.watch_for_peers(true);
  Result<Unit> came = co_await arrivals.came.wait(std::stop_token());
  acceptor.watch_for_peers(false);
  arrivals.came.reset();
  co_return came;
}

struct Sockets : testing::Test {
  std::unique_ptr<UvPort> port = *UvPort::create();
  Loop loop{*port};
  Arrivals arrivals{loop};
};

Task<std::string> first_line(LineChannel& channel) {
  Task<bool> waiting = channel.wait(std::stop_token());
  Result<bool> more = co_await std::move(waiting);
  Frame frame;
  if (!more || !*more || !channel.next(frame)) co_return std::string("(end)");
  co_return std::string(frame.text);
}

TEST_F(Sockets, CarryBytesBothWaysUntilEachSideEnds) {
  Result<std::unique_ptr<Acceptor>> acceptor = port->listen({});
  ASSERT_TRUE(acceptor);
  EXPECT_NE((*acceptor)->address().port, 0);
  Fd peer = connected((*acceptor)->address());
  ASSERT_TRUE(loop.run(next_peer(**acceptor, arrivals)));
  Result<std::unique_ptr<Stream>> stream = (*acceptor)->accept();
  ASSERT_TRUE(stream && *stream);
  Result<std::unique_ptr<Stream>> none = (*acceptor)->accept();
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, nullptr);

  LineChannel channel(loop, **stream);
  ASSERT_EQ(::write(peer.get(), "hello\n", 6), 6);
  EXPECT_EQ(*loop.run(first_line(channel)), "hello");
  channel.send("good day");
  channel.flush();
  (*stream)->end();
  char said[64];
  ASSERT_EQ(::recv(peer.get(), said, 9, MSG_WAITALL), 9);
  EXPECT_EQ(std::string_view(said, 9), "good day\n");
  EXPECT_EQ(::read(peer.get(), said, sizeof said), 0) << "the server has ended its output";
  // The peer has ended its output and can still read.
  ASSERT_EQ(::write(peer.get(), "bye\n", 4), 4);
  EXPECT_EQ(*loop.run(first_line(channel)), "bye");
  ASSERT_EQ(::shutdown(peer.get(), SHUT_WR), 0);
  EXPECT_EQ(*loop.run(first_line(channel)), "(end)");
}

TEST_F(Sockets, CloseWithTheirStreamsButNotWithTheirAcceptor) {
  Result<std::unique_ptr<Acceptor>> acceptor = port->listen({});
  ASSERT_TRUE(acceptor);
  Fd peer = connected((*acceptor)->address());
  ASSERT_TRUE(loop.run(next_peer(**acceptor, arrivals)));
  Result<std::unique_ptr<Stream>> stream = (*acceptor)->accept();
  ASSERT_TRUE(stream && *stream);
  acceptor->reset();
  EXPECT_EQ((*stream)->write("x").bytes, 1U);
  stream->reset();
  char byte = 0;
  EXPECT_EQ(::read(peer.get(), &byte, 1), 1);
  EXPECT_EQ(::read(peer.get(), &byte, 1), 0);
}

TEST_F(Sockets, APortOfAnotherServerCannotBeUsed) {
  Result<std::unique_ptr<Acceptor>> first = port->listen({});
  ASSERT_TRUE(first);
  Result<std::unique_ptr<Acceptor>> second = port->listen((*first)->address());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::unavailable);
  EXPECT_NE(second.error().message.find(std::to_string((*first)->address().port)), std::string::npos);
}

TEST_F(Sockets, ListenOnNumericAddressesOnly) {
  for (const char* host : {"localhost", "", "127.0.0", "[::1]", "example.org", "::1%lo"}) {
    Result<std::unique_ptr<Acceptor>> refused = port->listen({.host = host});
    ASSERT_FALSE(refused) << host;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument) << host;
  }
}

TEST(Address, OnlyLoopbackAddressesAreOfThisMachine) {
  EXPECT_TRUE(is_loopback({.host = "127.0.0.1"}));
  EXPECT_TRUE(is_loopback({.host = "::1"}));
  EXPECT_FALSE(is_loopback({.host = "0.0.0.0"}));
  EXPECT_FALSE(is_loopback({.host = "::"}));
  EXPECT_FALSE(is_loopback({.host = "192.168.1.127"}));
}

}  // namespace
}  // namespace snapgen
