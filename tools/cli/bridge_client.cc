#include "tools/cli/bridge_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "runtime/websocket/accept.h"
#include "runtime/websocket/frame.h"
#include "schemas/mcp/call_tool_result.h"
#include "tools/cli/command.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/random.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools {
namespace {

using websocket::Opcode;

constexpr std::size_t head_bytes_max = std::size_t{16} << 10;
constexpr std::size_t message_bytes_max = std::size_t{16} << 20;
constexpr std::string_view head_end = "\r\n\r\n";
constexpr std::uint8_t final_bit = 0x80, mask_bit = 0x80, opcode_bits = 0x0f, length_bits = 0x7f;

// Returns the value of a field in an HTTP head; empty if it is absent.
std::string_view field_of(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at)) {
    at += 2;
    const std::string_view line = head.substr(at, head.find("\r\n", at) - at);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !equal_ignoring_case(line.substr(0, colon), name)) continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    return value;
  }
  return {};
}

// Returns the JSON text of a response's member; nullopt if it is absent.
std::optional<std::string> response_member(std::string_view message, std::string_view name) {
  const std::string_view found = json::member_json(message, name);
  return found.empty() ? std::nullopt : std::optional<std::string>(found);
}

}  // namespace

Result<BridgeAddress> bridge_address_of(std::string_view text) {
  const Error wrong(ErrorCode::invalid_argument,
                    "Programs reach the bridge only over loopback. Give a port, or 127.0.0.1, localhost or "
                    "[::1] and a port.");
  const std::size_t colon = text.rfind(':');
  const std::string_view host = colon == std::string_view::npos ? "127.0.0.1" : text.substr(0, colon);
  const std::string_view digits = colon == std::string_view::npos ? text : text.substr(colon + 1);
  const bool is_number = !digits.empty() && digits.size() <= 5 && std::ranges::all_of(digits, is_digit);
  const int port = is_number ? std::stoi(std::string(digits)) : 0;
  if (port < 1 || port > 65535) return wrong;
  if (host == "[::1]") return BridgeAddress{.host = "::1", .port = static_cast<std::uint16_t>(port)};
  if (host != "127.0.0.1" && host != "localhost") return wrong;
  return BridgeAddress{.host = "127.0.0.1", .port = static_cast<std::uint16_t>(port)};
}

std::string text_of(const BridgeAddress& address) {
  return (address.host == "::1" ? "[::1]" : address.host) + ":" + std::to_string(address.port);
}

void BridgeClient::set_deadline() { until_ms_ = core::steady_ms() + static_cast<double>(deadline_ms_); }

Error BridgeClient::connection_error(std::string_view what) const {
  return Error(ErrorCode::unavailable, "The bridge at " + address_ + " " + std::string(what) +
                                           ". Try again; if the error remains, restart its server.");
}

Error BridgeClient::not_bridge_error(std::string_view what) const {
  return Error(ErrorCode::unavailable,
               "The program at " + address_ + " " + std::string(what) +
                   ", so it is not this server's bridge. Name the bridge's address with --at.");
}

Result<BridgeClient> BridgeClient::connect(const BridgeAddress& bridge_address, std::string_view token,
                                           std::int64_t deadline_ms) {
  ::sockaddr_storage address{};
  ::socklen_t size = 0;
  if (bridge_address.host == "::1") {
    auto& six = reinterpret_cast<::sockaddr_in6&>(address);
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(bridge_address.port);
    six.sin6_addr = in6addr_loopback;
    size = sizeof six;
  } else {
    auto& four = reinterpret_cast<::sockaddr_in&>(address);
    four.sin_family = AF_INET;
    four.sin_port = htons(bridge_address.port);
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    size = sizeof four;
  }
  Fd socket(::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const std::string at = text_of(bridge_address);
  // On loopback, connect() succeeds or fails immediately.
  if (!socket || ::connect(socket.get(), reinterpret_cast<const ::sockaddr*>(&address), size) != 0)
    return Error(ErrorCode::unavailable,
                 "No server with a bridge runs at " + at +
                     ". Start one with snap mcp --stdio --ws, or name its address with --at.",
                 {}, std::strerror(errno));
  BridgeClient client(std::move(socket), deadline_ms, at);
  client.set_deadline();
  TRY(client.upgrade(token));
  TRY(client.send(
      R"({"id":"hello","jsonrpc":"2.0","method":"initialize","params":{"capabilities":{},"clientInfo":)"
      R"({"name":"snap bridge","version":")" SNAPGEN_VERSION R"("},"protocolVersion":"2025-11-25"}})"));
  TRY(client.receive_answer_to("hello"));
  TRY(client.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
  return client;
}

Result<Unit> BridgeClient::upgrade(std::string_view token) {
  constexpr std::size_t key_bytes = 16;
  const std::string key = base64(core::random_name(key_bytes));
  std::string request = "GET / HTTP/1.1\r\nHost: " + address_ +
                        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Key: " +
                        key + "\r\n";
  if (!token.empty()) request.append("Authorization: Bearer ").append(token).append("\r\n");
  TRY(send_bytes(request + "\r\n"));
  std::size_t end = std::string::npos;
  while ((end = input_.find(head_end)) == std::string::npos) {
    if (input_.size() > head_bytes_max) return not_bridge_error("does not answer with HTTP");
    TRY(read_at_least(input_.size() + 1));
  }
  const std::string head = input_.substr(0, end + 2);
  input_.erase(0, end + head_end.size());
  if (head.starts_with("HTTP/1.1 401 "))
    return Error(ErrorCode::permission_denied,
                 "The bridge at " + address_ + " requires a token from programs: set " +
                     bearer_token_variable + " to the value that its server was started with.");
  if (!head.starts_with("HTTP/1.1 101 ") ||
      field_of(head, "Sec-WebSocket-Accept") != websocket::sec_websocket_accept(key) ||
      field_of(head, "Sec-WebSocket-Protocol") != "mcp")
    return not_bridge_error("does not accept MCP over WebSocket");
  return Unit{};
}

Result<Unit> BridgeClient::send_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return connection_error("closed the connection");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return Unit{};
}

Result<Unit> BridgeClient::send_frame(std::uint8_t opcode, std::string_view payload) {
  // The frame is masked, as RFC 6455 section 5.2 requires of clients.
  std::string frame(1, static_cast<char>(final_bit | opcode));
  const std::size_t size = payload.size();
  const auto append = [&](std::uint8_t code, int bytes) {
    frame += static_cast<char>(mask_bit | code);
    for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(size >> (8 * i));
  };
  if (size < 126)
    append(static_cast<std::uint8_t>(size), 0);
  else if (size < 65536)
    append(126, 2);
  else
    append(127, 8);
  const std::string mask = core::random_name(4);
  frame += mask;
  for (std::size_t i = 0; i < size; ++i) frame += static_cast<char>(payload[i] ^ mask[i % 4]);
  return send_bytes(frame);
}

Result<Unit> BridgeClient::send(std::string_view message) {
  return send_frame(static_cast<std::uint8_t>(Opcode::text), message);
}

Result<Unit> BridgeClient::read_at_least(std::size_t bytes) {
  std::array<char, 16384> piece{};
  if (core::steady_ms() > until_ms_) return connection_error("does not answer");
  while (input_.size() < bytes) {
    const double left = until_ms_ - core::steady_ms();
    if (left <= 0) return connection_error("does not answer");
    ::pollfd wait{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(left) + 1);
    if (ready <= 0) continue;
    const ::ssize_t got = ::recv(socket_.get(), piece.data(), piece.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return connection_error("closed the connection");
    input_.append(piece.data(), static_cast<std::size_t>(got));
  }
  return Unit{};
}

Result<std::string> BridgeClient::receive() {
  std::string message;
  while (true) {
    TRY(read_at_least(2));
    const auto first = static_cast<std::uint8_t>(input_[0]), second = static_cast<std::uint8_t>(input_[1]);
    const std::size_t extra = (second & length_bits) == 126 ? 2 : (second & length_bits) == 127 ? 8 : 0;
    TRY(read_at_least(2 + extra));
    std::uint64_t size = extra == 0 ? second & length_bits : 0;
    for (std::size_t i = 0; i < extra; ++i) size = size << 8 | static_cast<std::uint8_t>(input_[2 + i]);
    if ((second & mask_bit) != 0) return not_bridge_error("sent an invalid WebSocket message");
    if (size > message_bytes_max - message.size())
      return not_bridge_error("sent a message of more than 16 MiB");
    TRY(read_at_least(2 + extra + static_cast<std::size_t>(size)));
    const std::string payload = input_.substr(2 + extra, static_cast<std::size_t>(size));
    input_.erase(0, 2 + extra + static_cast<std::size_t>(size));
    switch (static_cast<Opcode>(first & opcode_bits)) {
      case Opcode::ping: {
        if (payload.size() > websocket::control_bytes_max)
          return not_bridge_error("sent an invalid WebSocket message");
        TRY(send_frame(static_cast<std::uint8_t>(Opcode::pong), payload));
        continue;
      }
      case Opcode::pong: continue;
      case Opcode::text:
      case Opcode::continuation: message += payload; break;
      case Opcode::binary:
      case Opcode::close: return connection_error("closed the connection");
    }
    if ((first & final_bit) != 0) return message;
  }
}

Result<std::string> BridgeClient::receive_answer_to(std::string_view id) {
  const std::string expected = json::quoted(id);
  while (true) {
    std::string message = TRY(receive());
    if (!json::valid_utf8(message)) return not_bridge_error("does not answer with MCP");
    // Ignores notifications and requests that the server sends.
    if (response_member(message, "id") != expected || response_member(message, "method")) continue;
    if (std::optional<std::string> result = response_member(message, "result")) return *std::move(result);
    const std::optional<std::string> error = response_member(message, "error");
    if (!error) return not_bridge_error("does not answer with MCP");
    return Error(ErrorCode::not_found, "The bridge at " + address_ + " refuses: " +
                                           core::shortened(json::string_member(*error, "message"), 300));
  }
}

Result<std::string> BridgeClient::call(std::string_view tool, std::string_view arguments) {
  set_deadline();
  TRY(send("{\"id\":\"call\",\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"arguments\":" +
           std::string(arguments) + ",\"name\":" + json::quoted(tool) + "}}"));
  std::string answer = TRY(receive_answer_to("call"));
  json::Reader in(answer);
  mcp::CallToolResult result;
  read(in, result);
  in.end();
  if (!in.ok()) return not_bridge_error("does not answer with MCP");
  if (!result.is_error.value_or(false) && result.structured_content)
    return std::move(result.structured_content->text);
  std::string words;
  if (!result.content.empty())
    if (const auto* text = std::get_if<mcp::TextContent>(&result.content.front())) words = text->text;
  const std::optional<std::string> error =
      json::valid_utf8(words) ? response_member(words, "error") : std::nullopt;
  const std::string sentence = error ? json::string_member(*error, "message") : std::string();
  ErrorDetails details;
  if (error) details.add(answer_key, words);
  return Error(ErrorCode::unavailable, sentence.empty() ? core::shortened(words, 300) : sentence,
               std::move(details));
}

}  // namespace snapgen::tools
