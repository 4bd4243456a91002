// Tests UvStream directly; tests/transport tests it below a channel, in a child process.
#include <array>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/async/loop.h"
#include "runtime/async/stream.h"
#include "runtime/base/result.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {
namespace {

class UvStreamTest : public testing::Test {
 protected:
  std::unique_ptr<Stream> open(int in, int out) { return std::move(*port->open(in, out)); }

  std::unique_ptr<UvPort> port = std::move(*UvPort::create());
  Loop loop{*port};
};

// Reads a few bytes at each call.
class SlowReader final : public Stream::Listener {
 public:
  SlowReader(ReadyQueue& loop, Stream& stream, std::size_t step) : ended(loop), stream_(stream), step_(step) {
    stream_.set_listener(this);
    stream_.watch_readable(true);
  }
  void on_readable() override {
    ++calls;
    if (calls % 3 == 0) {
      // Disables and enables reading, so that unread bytes are offered again.
      stream_.watch_readable(false);
      stream_.watch_readable(true);
      return;
    }
    std::array<char, 4096> some;
    Stream::Transferred moved = stream_.read(std::span(some).first(step_));
    text.append(some.data(), moved.bytes);
    if (!moved.closed) return;
    stream_.watch_readable(false);
    ended.set();
  }
  void on_writable() override {}

  Event ended;
  std::string text;
  std::size_t calls = 0;

 private:
  Stream& stream_;
  std::size_t step_;
};

Task<Unit> wait_for(Event& event) {
  Result<Unit> came = co_await event.wait(std::stop_token());
  co_return came;
}

struct File {
  explicit File(const std::string& text) : file(std::tmpfile()) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fflush(file);
    std::fseek(file, 0, SEEK_SET);
  }
  File(File&&) = delete;
  ~File() { std::fclose(file); }
  int fd() const { return ::fileno(file); }
  std::FILE* file;
};

TEST_F(UvStreamTest, UnreadBytesAreOfferedAgain) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + " ";
  File file(text);
  {
    std::unique_ptr<Stream> stream = open(file.fd(), file.fd());
    SlowReader reader(loop, *stream, 1000);
    EXPECT_TRUE(loop.run(wait_for(reader.ended)));
    EXPECT_EQ(reader.text, text);
  }
  int fds[2];
  ASSERT_EQ(::pipe2(fds, O_CLOEXEC), 0);
  ASSERT_EQ(::write(fds[1], text.data(), 10'000), 10'000);
  ::close(fds[1]);
  {
    std::unique_ptr<Stream> stream = open(fds[0], fds[0]);
    SlowReader reader(loop, *stream, 7);
    EXPECT_TRUE(loop.run(wait_for(reader.ended)));
    EXPECT_EQ(reader.text, text.substr(0, 10'000));
  }
  ::close(fds[0]);
}

TEST_F(UvStreamTest, AStreamMayBeClosedWhileThePoolReadsItsFile) {
  File file(std::string(100'000, 'x'));
  for (int i = 0; i < 20; ++i) {
    std::unique_ptr<Stream> stream = open(file.fd(), file.fd());
    stream->watch_readable(true);
  }
  SUCCEED() << "a sanitizer reports whether the pool wrote to the freed stream";
}

class Writable final : public Stream::Listener {
 public:
  explicit Writable(ReadyQueue& loop) : came(loop) {}
  void on_readable() override {}
  void on_writable() override { came.set(); }
  Event came;
};

TEST_F(UvStreamTest, AFullSocketAcceptsMoreAfterThePeerHasRead) {
  int fds[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
  {
    std::unique_ptr<Stream> stream = open(fds[0], fds[0]);
    Writable writable(loop);
    stream->set_listener(&writable);
    const std::string piece(64 * 1024, 'x');
    std::size_t written = 0;
    for (std::size_t bytes = 1; bytes > 0; written += bytes) {
      Stream::Transferred moved = stream->write(piece);
      EXPECT_FALSE(moved.closed);
      bytes = moved.bytes;
    }
    EXPECT_GT(written, 0u);
    std::string read(written, '\0');
    ASSERT_EQ(::recv(fds[1], read.data(), read.size(), MSG_WAITALL), static_cast<ssize_t>(written));
    stream->watch_writable(true);
    EXPECT_TRUE(loop.run(wait_for(writable.came)));
    EXPECT_GT(stream->write(piece).bytes, 0u);
    ::close(fds[1]);
    while (!stream->write(piece).closed) {
    }
    EXPECT_TRUE(stream->write(piece).closed);
  }
  ::close(fds[0]);
}

TEST_F(UvStreamTest, AStreamOnABadDescriptorIsClosedInBothDirections) {
  int fd = ::dup(2);
  ::close(fd);
  std::unique_ptr<Stream> stream = open(fd, fd);
  SlowReader reader(loop, *stream, 10);
  EXPECT_TRUE(loop.run(wait_for(reader.ended)));
  EXPECT_EQ(reader.text, "");
  EXPECT_TRUE(stream->write("x").closed);
}

}  // namespace
}  // namespace snapgen
