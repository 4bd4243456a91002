#pragma once
// Limits: how much one connection may take.
#include <cstddef>

#include "runtime/async/port.h"

namespace snapgen::mcp {

struct Limits {
  // Requests being worked on. What comes beyond them waits until one has finished, or is refused if so much
  // waits already; all that is answered at once, and what the client says to calls in progress, is heard.
  std::size_t requests_in_flight = 1024;
  std::size_t requests_held_bytes = 4 << 20;
  // Calls of stateless clients that wait for what they asked, and for how long a call waits so in either era.
  std::size_t calls_parked = 64;
  // The same for a session of many clients (HTTP).
  std::size_t calls_parked_of_all = 1024;
  Millis answer_awaited{600'000};
  // Tasks (tasks.h) of all connections, working or kept for their results, and the bytes of these; then calls
  // are answered as if their clients knew no tasks.
  std::size_t tasks = 256;
  std::size_t tasks_bytes = 64 << 20;
  // How long a call may take that is answered without a task, if its tool does not insist on one.
  Millis task_grace{500};
  // How long a task lives from its creation on, and how often a client may ask after it.
  Millis task_ttl{7'200'000};
  Millis task_poll{1000};
  // A call that is silent for so long is said to be in progress, to a client that asked for progress: many
  // hosts give up on a request after a minute without any.
  Millis heartbeat{15'000};
  // Open subscriptions/listen requests; another one is refused.
  std::size_t subscriptions = 64;
  // Resources that one legacy client subscribes to; another one is refused.
  std::size_t subscribed_resources = 1024;
  // What the client has been sent and not taken. Above this, reading waits until half of it is gone, and
  // progress and log messages are left out.
  std::size_t unsent_bytes = 1 << 20;
  // The room for an answer that is kept for the next one, for a few answers at a time.
  std::size_t answer_kept_bytes = 256 << 10;
  // At the end: how long the client has to take what is unsent.
  Millis shutdown{2000};
};

}  // namespace snapgen::mcp
