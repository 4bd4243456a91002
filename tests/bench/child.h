#pragma once
// Child: a server under load. Raw pipes and posix_spawn, so that what is measured is the server and not the
// harness.
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>
#include <time.h>

namespace bench {

using Clock = std::chrono::steady_clock;

// Ends the program with exit code 1 and one sentence on stderr: a broken measurement has no other use.
[[noreturn]] void fail(std::string_view sentence);

struct Memory {
  long rss_kib = 0;
  long pss_kib = 0;
};

struct Exit {
  bool by_itself = false;  // false: it had to be killed when the patience ran out
  int code = -1;           // exit code, or 128 + the signal
  double seconds = 0;      // from the call of finish() to the end of the process
};

// How receive() waits: asleep in the kernel as a host does, or asking again and again, so that waking this
// process costs the server nothing and what is measured is how fast the server can go.
enum class Waiting { sleeps, spins };

class Child {
 public:
  // Starts `command` with pipes for stdin and stdout; stderr goes to /dev/null.
  explicit Child(const std::vector<std::string>& command, Waiting waiting = Waiting::sleeps);
  Child(const Child&) = delete;
  ~Child();

  // Queues bytes and writes as many as the pipe takes now. `bytes` must stay valid until sent() says 0.
  void send(std::string_view bytes);
  std::size_t unsent() const { return unsent_.size(); }

  // Waits until something can be read, writing what is queued meanwhile; returns what was read. Empty: the
  // server closed its stdout. The view is valid until the next call. Nothing for ever: the caller has an
  // alarm set.
  std::string_view receive();

  // The next whole line without its newline, for exchanges outside of a measured loop.
  std::string line();

  // User and system time of all its threads since it started, in seconds.
  double cpu_seconds() const;
  Memory memory() const;

  // Closes stdin (or sends `signal` when it is not 0) and waits for the end, `patience_ms` at most; then
  // kills.
  Exit finish(int patience_ms, int signal = 0);

 private:
  void write_some();

  Waiting waiting_;
  pid_t pid_ = -1;
  int pid_fd_ = -1;
  int in_ = -1;   // we write, the server reads
  int out_ = -1;  // the server writes, we read
  clockid_t cpu_clock_ = 0;
  std::string_view unsent_;
  std::string buffer_;
  std::string pending_;  // received beyond the last line()
};

}  // namespace bench
