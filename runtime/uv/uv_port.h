#pragma once
// UvPort: the Port on libuv. A process has one, on the thread that runs the loop. It must outlive the loop,
// the streams and everything that waits for it.
//
// The threads of the pool (4, or UV_THREADPOOL_SIZE) start with the first job.
#include <cstddef>
#include <memory>
#include <stop_token>

#include "runtime/async/port.h"
#include "runtime/async/stream.h"
#include "runtime/base/result.h"

namespace snapgen {

class UvPort final : public Port {
 public:
  // Creates a port. The process ignores SIGPIPE afterwards: a write to a closed stream returns an error
  // instead. Errors: unavailable (no descriptors or memory left).
  static Result<std::unique_ptr<UvPort>> create();
  UvPort(UvPort&&) = delete;
  ~UvPort();

  void wait() override;
  void submit(Job& job) override;
  void cancel(Job& job) override;
  void start(Alarm& alarm, Millis after) override;
  void cancel(Alarm& alarm) override;
  Result<Unit> watch(DescriptorWait& readiness, int fd) override;
  void unwatch(DescriptorWait& readiness) override;
  Result<Unit> launch(ProcessListener& child, const ChildCommand& command) override;
  void signal(ProcessListener& child, int number) override;
  void close_pipes(ProcessListener& child) override;
  Result<std::unique_ptr<Acceptor>> listen(const Address& address) override;

  // Launches later children from a separate thread, so that they do not inherit later changes to the calling
  // thread, such as confine(). Errors: unavailable (no thread can be created).
  Result<Unit> launch_from_helper_thread();

  // Raises the limit of open files to `wanted` or the hard limit and returns the new limit. It never lowers a
  // limit. Launched programs get the previous limit, because programs that use select() fail with a higher
  // one.
  std::size_t raise_file_limit(std::size_t wanted);

  // Lets SIGTERM, SIGINT and SIGHUP request a stop. A second signal has its default effect: it ends the
  // process.
  Result<Unit> stop_on_signals(std::stop_source stop);

  // Opens a stream that reads from `in` and writes to `out`, which may be equal: pipe, socket, terminal,
  // regular file, /dev/null. The caller owns the descriptors, which must outlive the stream and become
  // non-blocking.
  Result<std::unique_ptr<Stream>> open(int in, int out);

  struct State;  // libuv's objects, private to this folder.

 private:
  explicit UvPort(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace snapgen
