#pragma once
// BridgePages: what the bridge's port shows to people. GET / says who is connected and what was done, GET
// /new-token asks for a pairing, whose code the host alone gets to see. No page shows a token or a code.
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/http/server.h"
#include "tools/bridge/hub.h"

namespace snapgen::tools {

class BridgePages final : public http::Handler {
 public:
  explicit BridgePages(bridge::Hub& hub) : hub_(hub) {}

  // The Host has been looked at.
  std::optional<http::Denial> deny(const http::Head& head) override;
  Task<Unit> handle(http::Connection& connection, std::stop_token stop) override;

 private:
  std::string status() const;
  void post(http::Connection& connection);

  bridge::Hub& hub_;
};

}  // namespace snapgen::tools
