#pragma once
// UvPort: the Port on libuv. One for a process, on the thread that runs the loop; it outlives the loop, the
// streams and all that waits for it.
//
// Nothing is started before it is needed: the pool's threads (4, or UV_THREADPOOL_SIZE) start with the first
// job.
#include <cstddef>
#include <memory>
#include <stop_token>

#include "runtime/async/port.h"
#include "runtime/async/stream.h"
#include "runtime/base/result.h"

namespace snapgen {

class UvPort final : public Port {
 public:
  // `unavailable` if the system has no descriptors or memory left. From then on the process ignores SIGPIPE:
  // a stream that nobody reads says so itself.
  static Result<std::unique_ptr<UvPort>> create();
  UvPort(UvPort&&) = delete;
  ~UvPort();

  void wait() override;
  void submit(Job& job) override;
  void cancel(Job& job) override;
  void start(Alarm& alarm, Millis after) override;
  void cancel(Alarm& alarm) override;
  Result<Unit> watch(Readiness& readiness, int fd) override;
  void unwatch(Readiness& readiness) override;
  Result<Unit> launch(Process& child, const Command& command) override;
  void signal(Process& child, int number) override;
  void detach(Process& child) override;
  Result<std::unique_ptr<Acceptor>> listen(const Address& address) override;

  // Children that are launched from now on start from a thread of its own: what is done to this one from here
  // on (confine(), say) does not reach them. Errors: unavailable (no thread can be had).
  Result<Unit> launch_from_outside();

  // Lets this process have `wanted` files open, or as many as its hard limit allows; how many that are now. A
  // limit is never lowered. Programs that are launched keep the limit that it had before: who uses select()
  // cannot do with more.
  std::size_t raise_file_limit(std::size_t wanted);

  // SIGTERM, SIGINT and SIGHUP request a stop. The second of them ends the process, as it would have done
  // without us.
  Result<Unit> stop_on_signals(std::stop_source stop);

  // A stream that reads from one descriptor and writes to another, or to the same: pipe, socket, terminal,
  // regular file, /dev/null. The descriptors stay the caller's, outlive the stream, and become non-blocking.
  Result<std::unique_ptr<Stream>> open(int in, int out);

  struct State;  // libuv's side, for this folder alone.

 private:
  explicit UvPort(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace snapgen
