#pragma once
// BridgeListener: the port at which browsers connect to the bridge, and programs to MCP over WebSocket.
// Whoever names the subprotocol `mcp` speaks MCP; everybody else is a browser, which needs a token; what asks
// for no WebSocket is a page.
#include <cstddef>
#include <memory>
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
  std::string place;                 // [HOST:]PORT
  std::vector<std::string> origins;  // Of web pages, besides those that may anyway.
  // What the workspace's settings say; empty: extensions and snap.berkeley.edu, and loopback.
  std::vector<std::string> bridge_origins;
  std::vector<std::string> hosts;
  std::string secret;  // The key of tokens; empty: made at random.
  // The bearer token that programs need, as over HTTP; empty: none. Browsers have tokens of their own.
  std::string bearer_token;
  std::size_t peers = 4096;  // How many connections of all kinds it may have at once.
};

class BridgeListener {
 public:
  // Listens, and makes the app's bridge. All given outlive the listener. Errors: invalid_argument (no such
  // place; one that other machines reach, without hosts; a secret or token that can be guessed); unavailable
  // (in use).
  static Result<std::unique_ptr<BridgeListener>> open(Loop& loop, App& app, mcp::Server& server,
                                                      BridgeListenerOptions options, std::stop_token stop);
  BridgeListener(BridgeListener&&) = delete;
  ~BridgeListener();

  const std::string& url() const { return hub_->options().url; }
  // Until the stop.
  Task<Unit> serve();

 private:
  BridgeListener(Loop& loop, App& app, std::unique_ptr<Acceptor> acceptor, std::unique_ptr<bridge::Hub> hub,
                 std::stop_token stop);
  void wire(mcp::Server& server, const BridgeListenerOptions& options);

  Loop& loop_;
  App& app_;
  std::stop_token stop_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<bridge::Hub> hub_;
  BridgePages pages_;
  http::ServerLimits limits_;
  std::unique_ptr<websocket::Server> sockets_;
};

}  // namespace snapgen::tools
