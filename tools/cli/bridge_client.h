#pragma once
// BridgeClient: a program's connection to the bridge's port of a running server, where programs speak MCP
// over WebSocket under the subprotocol `mcp` (tools/server/listeners/bridge_listener.h).
//
// It sends no Origin, as no web page can do: that is what lets it in, with the bearer token of a server that
// asks for one. Loopback alone, for nowhere else does the port let programs in.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"

namespace snapgen::tools {

struct BridgeAddress {
  std::string host;  // 127.0.0.1 or ::1
  std::uint16_t port = 0;
};

inline constexpr std::string_view usual_bridge_place = "127.0.0.1:8765";
// Where the server, and we, have the bearer token.
inline constexpr const char* bearer_token_variable = "SNAPGEN_HTTP_TOKEN";

// `[HOST:]PORT`, loopback. Errors: invalid_argument.
Result<BridgeAddress> bridge_address_of(std::string_view text);
std::string text_of(const BridgeAddress& place);

class BridgeClient {
 public:
  // Connects, and says `initialize`. `token`: the bearer token; empty: none. Errors: permission_denied (it
  // asks for another token); unavailable, one sentence: nothing listens there, or something else; it is
  // silent. Neither this nor a call takes longer than `deadline_ms`, whatever is sent meanwhile.
  static Result<BridgeClient> connect(const BridgeAddress& place, std::string_view token,
                                      std::int64_t deadline_ms = 10'000);

  // A tool's structured answer as JSON. Errors: what the tool failed with, its answer in `details`; not_found
  // (the server does not show it); unavailable.
  Result<std::string> call(std::string_view tool, std::string_view arguments);

 private:
  BridgeClient(Fd socket, std::int64_t deadline_ms, std::string place)
      : socket_(std::move(socket)), deadline_ms_(deadline_ms), place_(std::move(place)) {}

  void set_deadline();

  Error trouble(std::string_view what) const;
  Result<Unit> upgrade(std::string_view token);
  Result<Unit> send(std::string_view message);
  Result<Unit> send_frame(std::uint8_t opcode, std::string_view payload);
  Result<Unit> send_bytes(std::string_view bytes);
  Result<std::string> receive();         // The next message.
  Result<Unit> fill(std::size_t bytes);  // Until so many are there.
  Result<std::string> answer_to(std::string_view id);

  Fd socket_;
  std::int64_t deadline_ms_;
  double until_ms_ = 0;  // By steady_ms().
  std::string place_;
  std::string input_;
};

}  // namespace snapgen::tools
