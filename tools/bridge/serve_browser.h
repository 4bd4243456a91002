#pragma once
// serve_browser: one browser's connection, from its first message to its end.
#include <stop_token>

#include "runtime/async/task.h"
#include "runtime/transport/channel.h"
#include "tools/bridge/hub.h"

namespace snapgen::tools::bridge {

// Until the peer is gone, the hub ends it, or a stop. Errors: permission_denied, unavailable (the peer is to
// be told, as the connection is closed).
Task<Unit> serve_browser(Hub& hub, Channel& channel, std::stop_token stop);

}  // namespace snapgen::tools::bridge
