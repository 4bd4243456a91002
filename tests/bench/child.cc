#include "tests/bench/child.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/spawn.h"

extern char** environ;

namespace bench {

namespace {

constexpr std::size_t read_bytes_max = 256 * 1024;

void check(bool good, const char* what) {
  if (!good) fail(std::string(what) + ": " + std::strerror(errno));
}

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

void fail(std::string_view sentence) {
  std::fprintf(stderr, "load: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
  std::exit(1);
}

Child::Child(const std::vector<std::string>& command, Waiting waiting)
    : waiting_(waiting), buffer_(read_bytes_max, '\0') {
  int to_server[2];
  int from_server[2];
  check(pipe2(to_server, O_CLOEXEC) == 0 && pipe2(from_server, O_CLOEXEC) == 0, "pipe");

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to_server[0], 0);
  posix_spawn_file_actions_adddup2(&actions, from_server[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const std::vector<char*> argv = snapgen::null_terminated_pointers(command);
  errno = posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
  check(errno == 0, argv[0]);
  posix_spawn_file_actions_destroy(&actions);
  close(to_server[0]);
  close(from_server[1]);

  in_ = to_server[1];
  out_ = from_server[0];
  check(fcntl(in_, F_SETFL, O_NONBLOCK) == 0, "fcntl");
  if (waiting_ == Waiting::spins) check(fcntl(out_, F_SETFL, O_NONBLOCK) == 0, "fcntl");
  pid_fd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  check(pid_fd_ >= 0, "pidfd_open");
  errno = clock_getcpuclockid(pid_, &cpu_clock_);
  check(errno == 0, "clock_getcpuclockid");
}

Child::~Child() {
  if (pid_ > 0) finish(0);
  close(out_);
  close(pid_fd_);
}

void Child::write_some() {
  while (!unsent_.empty()) {
    const ssize_t written = write(in_, unsent_.data(), unsent_.size());
    if (written < 0 && errno == EAGAIN) return;
    check(written >= 0, "the server closed its stdin");
    unsent_.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Child::send(std::string_view bytes) {
  // Requests that are adjacent in memory are appended to those that are still queued.
  if (!unsent_.empty()) {
    if (unsent_.data() + unsent_.size() != bytes.data()) fail("queued bytes do not follow each other");
    unsent_ = {unsent_.data(), unsent_.size() + bytes.size()};
  } else {
    unsent_ = bytes;
  }
  write_some();
}

std::string_view Child::receive() {
  // A blocking read must wait until all requests are sent; otherwise both processes could wait for each
  // other.
  while (waiting_ == Waiting::sleeps && !unsent_.empty()) {
    pollfd ready[2] = {{out_, POLLIN, 0}, {in_, POLLOUT, 0}};
    check(poll(ready, 2, -1) > 0, "poll");
    if (ready[1].revents != 0) write_some();
    if (ready[0].revents != 0) break;
  }
  while (true) {
    const ssize_t got = read(out_, buffer_.data(), buffer_.size());
    if (got >= 0) return {buffer_.data(), static_cast<std::size_t>(got)};
    check(errno == EAGAIN, "read");
    write_some();
  }
}

std::string Child::line() {
  while (true) {
    const std::size_t end = pending_.find('\n');
    if (end != std::string::npos) {
      std::string found = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return found;
    }
    const std::string_view more = receive();
    if (more.empty()) fail("the server closed its stdout");
    pending_ += more;
  }
}

double Child::cpu_seconds() const {
  timespec used{};
  check(clock_gettime(cpu_clock_, &used) == 0, "clock_gettime");
  return seconds(used);
}

Memory Child::memory() const {
  std::ifstream rollup("/proc/" + std::to_string(pid_) + "/smaps_rollup");
  Memory found;
  std::string text;
  while (std::getline(rollup, text)) {
    if (text.rfind("Rss:", 0) == 0) found.rss_kib = std::strtol(text.c_str() + 4, nullptr, 10);
    if (text.rfind("Pss:", 0) == 0) found.pss_kib = std::strtol(text.c_str() + 4, nullptr, 10);
  }
  if (found.rss_kib == 0) fail("cannot read the server's memory from /proc");
  return found;
}

long Child::page_faults() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string text;
  std::getline(file, text);
  // The name in parentheses may contain anything. `minflt` is the eighth field after it.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string field;
  for (int i = 0; i < 8; ++i) fields >> field;
  if (!fields) fail("cannot read the server's page faults from /proc");
  return std::strtol(field.c_str(), nullptr, 10);
}

Exit Child::finish(int patience_ms, int signal) {
  const Clock::time_point begin = Clock::now();
  if (signal != 0) {
    kill(pid_, signal);
  } else {
    close(in_);
    in_ = -1;
  }
  Exit end;
  // Reads the remaining output, because a full pipe would keep the process alive.
  while (true) {
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
    pollfd waiting[2] = {{pid_fd_, POLLIN, 0}, {out_, POLLIN, 0}};
    const int left_ms = patience_ms - static_cast<int>(spent);
    const int ready = poll(waiting, 2, left_ms > 0 ? left_ms : 0);
    if (waiting[0].revents != 0) {
      end.by_itself = true;
      break;
    }
    if (ready == 0) {
      kill(pid_, SIGKILL);
      break;
    }
    if (waiting[1].revents != 0 && read(out_, buffer_.data(), buffer_.size()) == 0) {
      poll(waiting, 1, left_ms > 0 ? left_ms : 0);
    }
  }
  end.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  int status = 0;
  waitpid(pid_, &status, 0);
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (in_ >= 0) close(in_);
  in_ = -1;
  pid_ = -1;
  return end;
}

}  // namespace bench
