#pragma once
// BridgePages: the pages of the bridge's port. GET / shows connections and recent commands, GET /new-token
// requests a pairing, whose code only the host receives. No page shows a token or a code.
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/http/server.h"
#include "tools/bridge/hub.h"

namespace snapgen::tools {

class BridgePages final : public http::Handler {
 public:
  explicit BridgePages(bridge::Hub& hub) : hub_(hub) {}

  // Returns a denial for requests that get no page. The server has already checked the Host field.
  std::optional<http::Denial> deny(const http::RequestHead& head) override;
  Task<Unit> handle(http::Connection& connection, std::stop_token stop) override;

 private:
  std::string status() const;
  void post(http::Connection& connection);

  bridge::Hub& hub_;
};

}  // namespace snapgen::tools
