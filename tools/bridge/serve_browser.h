#pragma once
// serve_browser() serves one browser's connection, from its first message to its end.
#include <stop_token>

#include "runtime/async/task.h"
#include "runtime/transport/channel.h"
#include "tools/bridge/hub.h"

namespace snapgen::tools::bridge {

// Returns when the browser disconnects, the hub ends the connection, or a stop is requested. Errors:
// permission_denied, unavailable, too_large. An error has the reason, which the browser receives when the
// connection is closed.
Task<Unit> serve_browser(Hub& hub, Channel& channel, std::stop_token stop);

}  // namespace snapgen::tools::bridge
