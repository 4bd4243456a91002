#pragma once
// BridgeListener: the port for browsers (the bridge), and for programs that use MCP over WebSocket.
// Connections with the subprotocol `mcp` speak MCP; other WebSocket connections are browsers, which need a
// token. Plain HTTP requests get a page.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/mcp/server.h"
#include "runtime/websocket/server.h"
#include "tools/app/app.h"
#include "tools/bridge/hub.h"
#include "tools/server/listeners/bridge_pages.h"

namespace snapgen::tools {

struct BridgeListenerOptions {
  std::string address;               // The address of the port: [HOST:]PORT.
  std::vector<std::string> origins;  // Those of --allow-origin: they may use MCP, and pair as browsers.
  // The origins in the workspace's settings that may connect as browsers. If empty, these are extensions and
  // snap.berkeley.edu.
  std::vector<std::string> bridge_origins;
  std::vector<std::string> allowed_hosts;
  std::optional<std::int64_t> keep_alive_interval_ms;  // Between pings to browsers; nullopt: the default.
  std::string token_secret;                            // The key for tokens of browsers; random if empty.
  // The bearer token for programs, as over HTTP; empty if none is needed. Browsers have separate tokens.
  std::string bearer_token;
  std::size_t sockets_max = 4096;  // The maximum number of connections of all kinds.
};

class BridgeListener {
 public:
  // Opens the port and sets the app's bridge. All references must outlive the listener. Errors:
  // invalid_argument (invalid address; an address that other machines reach, without hosts; a weak secret or
  // token); unavailable (address in use).
  static Result<std::unique_ptr<BridgeListener>> open(Loop& loop, App& app, mcp::Server& server,
                                                      BridgeListenerOptions options, std::stop_token stop);
  BridgeListener(BridgeListener&&) = delete;
  ~BridgeListener();

  const std::string& url() const { return hub_->options().url; }
  // Accepts and serves connections until the stop.
  Task<Unit> serve();

 private:
  BridgeListener(Loop& loop, App& app, std::unique_ptr<Acceptor> acceptor, std::unique_ptr<bridge::Hub> hub,
                 std::stop_token stop);
  void set_up_services(mcp::Server& server, const BridgeListenerOptions& options);

  Loop& loop_;
  App& app_;
  std::stop_token stop_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<bridge::Hub> hub_;
  BridgePages status_pages_;
  http::ServerLimits limits_;
  std::unique_ptr<websocket::Server> websocket_server_;
};

}  // namespace snapgen::tools
