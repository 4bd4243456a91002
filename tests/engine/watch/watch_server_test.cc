// Requests to the watch server that its clients never send.
#include "tools/engine/watch/watch_server.h"

#include <cerrno>
#include <chrono>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include "tests/engine/watch/watched.h"
#include "tools/engine/watch/watch_messages.h"
#include "tools/engine/watch/watch_socket.h"

namespace snapgen::core {
namespace {

using watch_messages::encode;
using watch_messages::encode_hello;
using watch_messages::Kind;
using watch_messages::Tree;

constexpr std::string_view served_tree = "mkdir ../offers; new; put a.txt a; put src/deep/c.txt c; save";
constexpr int response_max_ms = 10'000;

// Sends a request and returns the response; empty if the server ends the connection.
std::string response_to(const Fd& socket, std::string_view request) {
  EXPECT_EQ(::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string response(watch_messages::bytes_max, '\0');
  pollfd readable{.fd = socket.get(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&readable, 1, response_max_ms), 1);
  const ssize_t got = ::recv(socket.get(), response.data(), response.size(), 0);
  response.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return response;
}

TEST(WatchServer, ClientsFollowNoSymlink) {
  Watched own(served_tree);
  ASSERT_TRUE(own.arm());
  own.scratch.run("mkdir ../linked; ln -s ../offers/watch-* ../linked/");
  EXPECT_FALSE(OfferedWatches(own.scratch.outside("linked")).connect_next());
  own.scratch.run("test -L ../linked/watch-*");
  EXPECT_TRUE(OfferedWatches(own.scratch.outside("offers")).connect_next());
}

TEST(WatchServer, RejectsAnotherTreeAndMalformedRequests) {
  Watched own(served_tree);
  ASSERT_TRUE(own.arm());
  const std::optional<Tree> tree = watch_messages::tree_at(own.scratch.repo());
  ASSERT_TRUE(tree);
  const auto connect = [&] { return OfferedWatches(own.scratch.outside("offers")).connect_next(); };
  const auto changed = [&](std::uint64_t Tree::* member) {
    Tree other = *tree;
    ++(other.*member);
    return encode_hello(other);
  };
  Tree elsewhere = *tree;
  elsewhere.root += "/../repo";
  std::string of_another_version = encode_hello(*tree);
  ++of_another_version[1];
  for (const std::string& request :
       {changed(&Tree::device), changed(&Tree::inode), changed(&Tree::mounts_device),
        changed(&Tree::mounts_inode), encode_hello(elsewhere), of_another_version, std::string("h"),
        std::string("x"), encode(Kind::next), encode(Kind::folders), encode(Kind::add, "src"),
        encode(Kind::events), std::string(watch_messages::bytes_max + 1, 'h')}) {
    const Fd socket = connect();
    ASSERT_TRUE(socket);
    EXPECT_EQ(response_to(socket, request), "") << shown(request);
  }
  for (const std::string& request :
       {encode_hello(*tree), encode(Kind::add, "../offers"), encode(Kind::add, "/"),
        encode(Kind::add, "src//deep"), encode(Kind::lost)}) {
    const Fd socket = connect();
    ASSERT_TRUE(socket);
    EXPECT_EQ(response_to(socket, encode_hello(*tree)).substr(0, 2), std::string("F\0", 2));
    EXPECT_EQ(response_to(socket, request), "") << shown(request);
  }
  own.expect_git("put a.txt edited");
}

TEST(WatchServer, EndsAConnectionThatReadsNoResponse) {
  Watched own(served_tree);
  ASSERT_TRUE(own.arm());
  const Fd socket = OfferedWatches(own.scratch.outside("offers")).connect_next();
  ASSERT_TRUE(socket);
  const std::string hello = encode_hello(*watch_messages::tree_at(own.scratch.repo()));
  EXPECT_NE(response_to(socket, hello), "");
  const std::string request = encode(Kind::folders);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  ssize_t sent = 1;
  while (sent > 0 || (errno == EAGAIN && std::chrono::steady_clock::now() < deadline))
    sent = ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  EXPECT_TRUE(errno == EPIPE || errno == ECONNRESET) << errno;
  own.expect_git("put a.txt edited");
}

}  // namespace
}  // namespace snapgen::core
