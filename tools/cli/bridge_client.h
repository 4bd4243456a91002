#pragma once
// BridgeClient: a connection to the bridge's port of a running server, with MCP over WebSocket under the
// subprotocol `mcp` (tools/server/listeners/bridge_listener.h).
//
// It sends no Origin field. A web page cannot omit that field, so the server knows that this is a program and
// accepts it, with the bearer token if one is required. Only loopback addresses: the port accepts programs
// from nowhere else.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"

namespace snapgen::tools {

struct BridgeAddress {
  std::string host;  // The address, 127.0.0.1 or ::1.
  std::uint16_t port = 0;
};

inline constexpr std::string_view default_bridge_address = "127.0.0.1:8765";
// The name of the variable with the bearer token, for the server and for this client.
inline constexpr const char* bearer_token_variable = "SNAPGEN_HTTP_TOKEN";

// Parses `[HOST:]PORT` with a loopback host. Errors: invalid_argument.
Result<BridgeAddress> bridge_address_of(std::string_view text);
std::string text_of(const BridgeAddress& address);

class BridgeClient {
 public:
  // Connects and sends `initialize`. `token` is the bearer token, or empty. Neither this nor a call takes
  // longer than `deadline_ms`, whatever the server sends. Errors: permission_denied (the server requires
  // another token); unavailable, one sentence (no server, another server, or no response).
  static Result<BridgeClient> connect(const BridgeAddress& address, std::string_view token,
                                      std::int64_t deadline_ms = 10'000);

  // Calls a tool, and returns its structured content as JSON. Errors: the tool's error, with its answer in
  // `details`; not_found (the server does not list it); unavailable.
  Result<std::string> call(std::string_view tool, std::string_view arguments);

 private:
  BridgeClient(Fd socket, std::int64_t deadline_ms, std::string location)
      : socket_(std::move(socket)), deadline_ms_(deadline_ms), address_(std::move(location)) {}

  void set_deadline();

  Error connection_error(std::string_view what) const;
  Error not_bridge_error(std::string_view what) const;
  Result<Unit> upgrade(std::string_view token);
  Result<Unit> send(std::string_view message);
  Result<Unit> send_frame(std::uint8_t opcode, std::string_view payload);
  Result<Unit> send_bytes(std::string_view bytes);
  Result<std::string> receive();                  // Returns the next message.
  Result<Unit> read_at_least(std::size_t bytes);  // Reads from the socket until input_ has this many bytes.
  Result<std::string> receive_answer_to(std::string_view id);

  Fd socket_;
  std::int64_t deadline_ms_;
  double until_ms_ = 0;  // The deadline, in the time of steady_ms().
  std::string address_;
  std::string input_;
};

}  // namespace snapgen::tools
