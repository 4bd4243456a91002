#pragma once
// Child: a server under load. It uses raw pipes and posix_spawn, so that the measuring program costs little.
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>
#include <time.h>

namespace bench {

using Clock = std::chrono::steady_clock;

// Ends the program with exit code 1 and one sentence on stderr, because a failed measurement has no value.
[[noreturn]] void fail(std::string_view sentence);

struct Memory {
  long rss_kib = 0;
  long pss_kib = 0;
};

struct Exit {
  bool by_itself = false;  // false: the process had to be killed after the time limit
  int code = -1;           // exit code, or 128 + the signal
  double seconds = 0;      // from the call of finish() to the end of the process
};

// How receive() waits: blocked in the kernel, as a host does, or polling, so that the wake-up of this process
// does not slow the server down.
enum class Waiting { sleeps, spins };

class Child {
 public:
  // Starts `command` with pipes for stdin and stdout; stderr goes to /dev/null.
  explicit Child(const std::vector<std::string>& command, Waiting waiting = Waiting::sleeps);
  Child(const Child&) = delete;
  ~Child();

  // Queues bytes and writes as many as the pipe accepts. `bytes` must remain valid until sent() returns 0.
  void send(std::string_view bytes);
  std::size_t unsent() const { return unsent_.size(); }

  // Writes queued bytes until something can be read, and returns the received bytes; empty at end of file.
  // The view is valid until the next call. There is no timeout, so the caller must set an alarm.
  std::string_view receive();

  // Returns the next whole line without its newline, for exchanges outside of the measured loop.
  std::string line();

  // User and system time of all its threads since it started, in seconds.
  double cpu_seconds() const;
  Memory memory() const;
  // Page faults since it started that did not read from the disk.
  long page_faults() const;

  // Closes stdin, or sends `signal` if it is not 0. Waits at most `patience_ms` for the end of the process
  // before killing it.
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
  std::string pending_;  // the received bytes after the last line()
};

}  // namespace bench
