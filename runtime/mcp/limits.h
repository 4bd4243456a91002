#pragma once
// Limits are the resources that one connection may use.
#include <cstddef>

#include "runtime/async/port.h"

namespace snapgen::mcp {

struct Limits {
  // Requests in progress. Further requests that need a handler are queued until one has finished, up to
  // `requests_held_bytes`; beyond that they are rejected. Other messages are handled at once.
  std::size_t requests_in_flight = 1024;
  std::size_t requests_held_bytes = 4 << 20;
  // Calls of stateless clients that may be suspended on a question, and the longest wait for an answer in
  // either era.
  std::size_t calls_parked = 64;
  // The same limit for a session that serves many clients (HTTP).
  std::size_t calls_parked_of_all = 1024;
  Millis answer_awaited{600'000};
  // Tasks (tasks.h) of all connections, running or finished, and the bytes of their results. Above either
  // limit, calls run as if their clients did not support tasks.
  std::size_t tasks = 256;
  std::size_t tasks_bytes = 64 << 20;
  // How long a call may run before it becomes a task, unless its tool requires one.
  Millis task_grace{500};
  // A task's lifetime from its creation, and the interval at which a client may poll it.
  Millis task_ttl{7'200'000};
  Millis task_poll{1000};
  // If the client asked for progress, a call that is silent for this long reports that it is in progress.
  // Many hosts abandon a request after a minute without progress.
  Millis heartbeat{15'000};
  // Open subscriptions/listen requests. Further ones are rejected.
  std::size_t subscriptions = 64;
  // Resources that one legacy client may subscribe to. Further ones are rejected.
  std::size_t subscribed_resources = 1024;
  // Output that the client has not read yet. Above this, the session stops reading until half of it has been
  // taken, and drops progress and log messages.
  std::size_t unsent_bytes = 1 << 20;
  // Capacity of an answer buffer that is retained for reuse; a few buffers are.
  std::size_t answer_kept_bytes = 256 << 10;
  // At shutdown, how long the client has to read the remaining output.
  Millis shutdown{2000};
};

}  // namespace snapgen::mcp
