#pragma once
// Limits are the resources that one connection may use.
#include <cstddef>

#include "runtime/async/port.h"

namespace snapgen::mcp {

struct Limits {
  // The number of requests in progress. Further requests that need a handler are queued until one has
  // finished, or rejected if the queue exceeds `queued_requests_bytes_max`. Other messages are handled at
  // once.
  std::size_t requests_in_flight_max = 1024;
  std::size_t queued_requests_bytes_max = 4 << 20;
  // How many calls of stateless clients may be suspended while the client is asked.
  std::size_t suspended_calls_max = 64;
  // The same limit for a session of many clients (HTTP). `answer_timeout` is the longest wait for an answer.
  std::size_t suspended_calls_of_all_clients_max = 1024;
  Millis answer_timeout{600'000};
  // The number of tasks (tasks.h) of all connections, running or finished, and the bytes of their results.
  // Above either limit, calls run as if their clients did not support tasks.
  std::size_t tasks_max = 256;
  std::size_t task_results_bytes_max = 64 << 20;
  // How long a call may run before it becomes a task, unless its tool requires one.
  Millis task_grace{500};
  // How long a task exists after its creation, and the interval at which a client may poll it.
  Millis task_ttl{7'200'000};
  Millis task_poll_interval{1000};
  // If the client asked for progress, a call that is silent for this long reports that it is in progress.
  // Many clients abandon a request after a minute without progress.
  Millis heartbeat_interval{15'000};
  // The number of open subscriptions/listen requests. Further ones are rejected.
  std::size_t subscriptions_max = 64;
  // The number of resources that one legacy client may subscribe to. Further ones are rejected.
  std::size_t subscribed_resources_max = 1024;
  // The limit of output that the client has not read yet. Above it, the session drops progress and log
  // messages, and stops reading until at most half of the limit is unread.
  std::size_t unsent_bytes_max = 1 << 20;
  // A session reuses a few answer buffers. One with more capacity than this is freed.
  std::size_t retained_buffer_bytes_max = 256 << 10;
  // At shutdown, how long the client has to read the remaining output.
  Millis shutdown_timeout{2000};
};

}  // namespace snapgen::mcp
