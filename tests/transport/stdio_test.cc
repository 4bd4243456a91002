#include "runtime/transport/stdio.h"

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/transport/frame_splitter.h"
#include "tests/transport/child.h"

namespace snapgen {
namespace {

namespace fs = std::filesystem;

std::string echo_program() { return fs::read_symlink("/proc/self/exe").parent_path() / "stdio_echo"; }

Fd open_file(const fs::path& path, int flags) { return Fd(::open(path.c_str(), flags | O_CLOEXEC, 0644)); }

Pipe make_socketpair() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) std::abort();
  return {Fd(fds[0]), Fd(fds[1])};
}

bool is_non_blocking(int fd) { return ::fcntl(fd, F_GETFL) & O_NONBLOCK; }

class StdioTest : public testing::Test {
 protected:
  StdioTest() {
    std::signal(SIGPIPE, SIG_IGN);
    std::string name = (fs::temp_directory_path() / "stdio_test_XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  ~StdioTest() override { fs::remove_all(folder); }

  fs::path write_file(std::string_view text) {
    fs::path path = folder / "input";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string read_file(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  fs::path folder;
  Fd null = open_file("/dev/null", O_RDWR);
};

std::string numbered_lines(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += "{\"id\":" + std::to_string(i) + "}\n";
  return lines;
}

// A program under test with a pipe at both ends.
struct Piped {
  Pipe in = make_pipe();
  Pipe out = make_pipe();
  Child child;
  explicit Piped(int standard_error)
      : child(echo_program(), {in.read_end.get(), out.write_end.get(), standard_error}) {
    out.write_end.reset();
  }
};

TEST_F(StdioTest, PipesCarryEveryMessageAndEofEndsTheProgram) {
  Piped piped(2);
  std::string lines = numbered_lines(10'000);
  std::thread writer([&] {
    write_all(piped.in.write_end.get(), lines);
    piped.in.write_end.reset();
  });
  EXPECT_EQ(read_bytes(piped.out.read_end.get()), lines);
  writer.join();
  EXPECT_EQ(piped.child.exit_code(), 0);
}

TEST_F(StdioTest, EachMessageIsAnsweredBeforeTheNextArrives) {
  Piped piped(2);
  for (int i = 0; i < 100; ++i) {
    std::string line = "{\"id\":" + std::to_string(i) + "}\n";
    ASSERT_TRUE(write_all(piped.in.write_end.get(), line));
    ASSERT_EQ(read_bytes(piped.out.read_end.get(), line.size()), line);
  }
  piped.in.write_end.reset();
  EXPECT_EQ(piped.child.exit_code(), 0);
}

TEST_F(StdioTest, OneSocketMayServeBothDirections) {
  Pipe pair = make_socketpair();
  int child_end = pair.write_end.get();
  Child child(echo_program(), {child_end, child_end, 2});
  std::string lines = numbered_lines(1000);
  std::thread writer([&] {
    write_all(pair.read_end.get(), lines);
    ::shutdown(pair.read_end.get(), SHUT_WR);
  });
  EXPECT_EQ(read_bytes(pair.read_end.get(), lines.size()), lines);
  writer.join();
  EXPECT_EQ(child.exit_code(), 0);
  EXPECT_FALSE(is_non_blocking(child_end)) << "the description is shared, so its mode is restored";
}

TEST_F(StdioTest, FilesWorkAtBothEnds) {
  std::string lines = numbered_lines(50'000);
  Fd in = open_file(write_file(lines + "a last line"), O_RDONLY);
  Fd out = open_file(folder / "output", O_WRONLY | O_CREAT);
  Child child(echo_program(), {in.get(), out.get(), 2});
  EXPECT_EQ(child.exit_code(), 0);
  EXPECT_EQ(read_file(folder / "output"), lines + "a last line\n");
}

TEST_F(StdioTest, AnOutputFileOpenedForAppendingIsAppendedTo) {
  std::ofstream(folder / "output") << "before\n";
  Fd in = open_file(write_file("one\n"), O_RDONLY);
  Fd out = open_file(folder / "output", O_WRONLY | O_APPEND);
  Child child(echo_program(), {in.get(), out.get(), 2});
  EXPECT_EQ(child.exit_code(), 0);
  EXPECT_EQ(read_file(folder / "output"), "before\none\n");
}

TEST_F(StdioTest, ATerminalWorksAndKeepsItsMode) {
  int main_end = -1;
  int child_end = -1;
  termios raw{};
  ::cfmakeraw(&raw);
  ASSERT_EQ(::openpty(&main_end, &child_end, nullptr, &raw, nullptr), 0);
  Fd terminal(main_end);
  Fd slave(child_end);
  for (int fd : {main_end, child_end}) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  Child child(echo_program(), {child_end, child_end, 2});
  for (int i = 0; i < 100; ++i) {
    std::string line = "{\"id\":" + std::to_string(i) + "}\n";
    ASSERT_TRUE(write_all(terminal.get(), line));
    ASSERT_EQ(read_bytes(terminal.get(), line.size()), line);
    ASSERT_FALSE(is_non_blocking(child_end)) << "the mode is unchanged while the program runs";
  }
  slave.reset();
  terminal.reset();
  EXPECT_EQ(child.exit_code(), 0);
}

TEST_F(StdioTest, AnEmptyOrClosedInputEndsTheProgram) {
  for (int in : {null.get(), -1}) {
    Pipe out = make_pipe();
    Child child(echo_program(), {in, out.write_end.get(), 2});
    out.write_end.reset();
    EXPECT_EQ(read_bytes(out.read_end.get()), "");
    EXPECT_EQ(child.exit_code(), 0);
  }
}

TEST_F(StdioTest, AnyStandardDescriptorMayBeNullOrClosed) {
  for (int out : {null.get(), -1}) {
    for (int error : {2, null.get(), -1}) {
      Pipe in = make_pipe();
      Child child(echo_program(), {in.read_end.get(), out, error});
      write_all(in.write_end.get(), "one\nstray\n");
      in.write_end.reset();
      EXPECT_EQ(child.exit_code(), 0);
    }
  }
  Child nothing(echo_program(), {-1, -1, -1});
  EXPECT_EQ(nothing.exit_code(), 0);
}

TEST_F(StdioTest, AnUnreadableInputEndsTheProgram) {
  Fd directory = open_file(folder, O_RDONLY | O_DIRECTORY);
  Child child(echo_program(), {directory.get(), null.get(), 2});
  EXPECT_EQ(child.exit_code(), 0);
}

TEST_F(StdioTest, LibraryOutputGoesToStderrAndLibraryInputIsEmpty) {
  Pipe error = make_pipe();
  Piped piped(error.write_end.get());
  error.write_end.reset();
  const std::string strays = "stray printf\nstray cout\nstray write\n";
  write_all(piped.in.write_end.get(), "stray\n");
  EXPECT_EQ(read_bytes(error.read_end.get(), strays.size()), strays);
  write_all(piped.in.write_end.get(), "next\n");
  piped.in.write_end.reset();
  EXPECT_EQ(read_bytes(piped.out.read_end.get()), "nothing there\nnext\n");
  EXPECT_EQ(read_bytes(error.read_end.get()), "");
  EXPECT_EQ(piped.child.exit_code(), 0);
}

TEST_F(StdioTest, APipeOfOthersRemainsBlockingWhileTheProgramRuns) {
  Piped piped(2);
  write_all(piped.in.write_end.get(), "one\n");
  EXPECT_EQ(read_bytes(piped.out.read_end.get(), 4), "one\n");
  EXPECT_FALSE(is_non_blocking(piped.in.read_end.get()));
  piped.in.write_end.reset();
  EXPECT_EQ(piped.child.exit_code(), 0);
}

TEST_F(StdioTest, AClosedOutputEndsTheProgramQuietly) {
  Pipe error = make_pipe();
  Piped piped(error.write_end.get());
  error.write_end.reset();
  piped.out.read_end.reset();
  write_all(piped.in.write_end.get(), "one\n");
  EXPECT_EQ(piped.child.exit_code(), 0) << "the program exits although its input is still open";
  EXPECT_EQ(read_bytes(error.read_end.get()), "");
}

TEST_F(StdioTest, AReaderThatExitsMidwayEndsTheProgram) {
  Piped piped(2);
  std::thread writer([&] { write_all(piped.in.write_end.get(), std::string(4 << 20, 'x') + "\n"); });
  EXPECT_EQ(read_bytes(piped.out.read_end.get(), 1000).size(), 1000u);
  piped.out.read_end.reset();
  writer.join();
  EXPECT_EQ(piped.child.exit_code(), 0);
}

TEST_F(StdioTest, ASignalEndsTheProgramWhileItWaits) {
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) {
    Piped piped(2);
    write_all(piped.in.write_end.get(), "one\n");
    EXPECT_EQ(read_bytes(piped.out.read_end.get(), 4), "one\n");
    ::kill(piped.child.pid(), signal);
    EXPECT_EQ(piped.child.exit_code(), 0);
  }
}

TEST_F(StdioTest, ASignalEndsTheProgramWhileItsPeerDoesNotRead) {
  Piped piped(2);
  std::thread writer([&] { write_all(piped.in.write_end.get(), std::string(4 << 20, 'x') + "\n"); });
  EXPECT_EQ(read_bytes(piped.out.read_end.get(), 1).size(), 1u);
  writer.join();
  ::kill(piped.child.pid(), SIGTERM);
  EXPECT_EQ(piped.child.exit_code(), 0);
}

TEST_F(StdioTest, TheLongestMessageIsAcceptedAndALongerOneRejected) {
  Piped piped(2);
  std::string longest(FrameSplitter::message_bytes_max_default, 'x');
  std::thread writer([&] {
    write_all(piped.in.write_end.get(), longest);
    write_all(piped.in.write_end.get(), "\n" + longest + "y\nnext\r\n");
    piped.in.write_end.reset();
  });
  EXPECT_EQ(read_bytes(piped.out.read_end.get()), longest + "\n<oversize>\nnext\n");
  writer.join();
  EXPECT_EQ(piped.child.exit_code(), 0);
}

// Returns the program's private memory in use, in KiB.
long own_memory_kib(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stol(line.substr(8));
  }
  return -1;
}

TEST_F(StdioTest, GiantMessagesAreFreed) {
  if (sanitized) GTEST_SKIP() << "a sanitizer does not return freed memory";
  Piped piped(2);
  for (std::size_t mebibytes : {20, 60, 20, 3, 30}) {
    std::string message(mebibytes << 20, 'x');
    message.push_back('\n');
    std::thread writer([&] { write_all(piped.in.write_end.get(), message); });
    EXPECT_EQ(read_bytes(piped.out.read_end.get(), message.size()).size(), message.size());
    writer.join();
    // The response to the next message shows that the program has processed this one.
    write_all(piped.in.write_end.get(), "one\n");
    EXPECT_EQ(read_bytes(piped.out.read_end.get(), 4), "one\n");
    long kib = own_memory_kib(piped.child.pid());
    EXPECT_GT(kib, 0);
    EXPECT_LT(kib, 4 * 1024) << mebibytes;
  }
}

TEST_F(StdioTest, BackpressureStopsReading) {
  Piped piped(2);
  int in = piped.in.write_end.get();
  ::fcntl(in, F_SETFL, O_NONBLOCK);
  constexpr std::size_t stop_bytes = 64 << 20;
  std::string lines = numbered_lines(1000);
  std::string written;
  for (;;) {
    std::string_view rest = std::string_view(lines).substr(written.size() % lines.size());
    ssize_t count = ::write(in, rest.data(), rest.size());
    if (count > 0) written.append(rest.substr(0, static_cast<std::size_t>(count)));
    ASSERT_LT(written.size(), stop_bytes) << "the program reads everything into memory";
    pollfd wait{.fd = in, .events = POLLOUT, .revents = 0};
    // A program that is only slow ends the wait early, which is not a failure.
    if (count < 0 && ::poll(&wait, 1, 300) == 0) break;
  }
  std::thread closer([&] {
    ::fcntl(in, F_SETFL, 0);
    write_all(in, "\n");
    piped.in.write_end.reset();
  });
  std::string expected = written.ends_with('\n') ? written : written + "\n";
  EXPECT_TRUE(read_bytes(piped.out.read_end.get()) == expected);
  closer.join();
  EXPECT_EQ(piped.child.exit_code(), 0);
}

}  // namespace
}  // namespace snapgen
