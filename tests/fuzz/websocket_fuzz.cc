// A handshake on any bytes: only a complete request may be accepted. A WebSocket endpoint on any bytes:
// however they are divided into reads, it must receive and send the same messages, use limited memory, send
// only frames that a server may send, and none after a close frame.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/http/request_parser.h"
#include "runtime/websocket/endpoint.h"
#include "runtime/websocket/handshake.h"
#include "tests/fuzz/target.h"
#include "tests/websocket/server_frames.h"

namespace snapgen::websocket {
namespace {

struct Outcome {
  std::vector<std::string> heard;
  std::string said;
  bool operator==(const Outcome&) const = default;
};

struct Setup {
  EndpointOptions options;
  std::optional<DeflateParameters> terms;
};

Setup setup_of(std::uint8_t byte) {
  Setup out;
  out.options.message_bytes_max = (byte & 1) != 0 ? 100 : 10'000;
  out.options.accepts_binary = (byte & 2) == 0;
  out.options.compress_bytes_min = 20;
  const DeflatePolicy policy{.is_enabled = (byte & 4) != 0, .keep_context = (byte & 8) != 0};
  const char* offer = (byte & 16) != 0
                          ? "permessage-deflate; client_max_window_bits=9; server_max_window_bits=10"
                          : "permessage-deflate";
  out.terms = negotiate_extensions(offer, policy).terms;
  return out;
}

// Divides the bytes into reads of the sizes in `steps`, repeatedly; without `steps`, all bytes are read at
// once.
Outcome hear(const Setup& setup, std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> steps) {
  Endpoint endpoint(setup.options, setup.terms);
  Outcome outcome;
  for (std::size_t i = 0; !bytes.empty(); ++i) {
    const std::size_t step = steps.empty() ? bytes.size() : steps[i % steps.size()] + std::size_t{1};
    const std::span<const std::uint8_t> taken = bytes.first(std::min(step, bytes.size()));
    std::vector<char> piece(taken.begin(), taken.end());
    bytes = bytes.subspan(taken.size());
    endpoint.feed(piece);
    Message message;
    while (endpoint.next(message)) {
      FUZZ_EXPECT(message.payload.size() <= setup.options.message_bytes_max);
      outcome.heard.emplace_back(message.payload);
      endpoint.send(message.kind == Message::Kind::text ? Opcode::text : Opcode::binary, message.payload);
    }
    FUZZ_EXPECT(endpoint.pending_bytes() <= 2 * setup.options.message_bytes_max + 1024);
    if (endpoint.has_ended()) endpoint.close(CloseCode::normal);
  }
  outcome.said = endpoint.out().view();
  return outcome;
}

void check_frames(std::string_view said) {
  bool closed = false;
  while (!said.empty()) {
    const std::optional<ServerFrame> frame = take_frame(said);
    FUZZ_EXPECT(frame && frame->last && !frame->masked && frame->reserved_bits == 0 && frame->fewest_bytes);
    FUZZ_EXPECT(!closed);
    FUZZ_EXPECT(frame->opcode < 8 || frame->payload.size() <= control_bytes_max);
    closed = frame->opcode == 8;
    FUZZ_EXPECT(!closed || frame->payload.empty() ||
                is_sendable_close_code(static_cast<std::uint16_t>(frame->code())));
  }
}

void shake(std::string_view bytes) {
  const http::RequestLimits limits{.head_bytes_max = 4096, .fields_max = 20, .body_bytes_max = 100};
  http::RequestParser parser(limits);
  static_cast<void>(parser.feed(bytes));
  if (parser.stage() == http::RequestParser::Stage::head ||
      parser.stage() == http::RequestParser::Stage::refused)
    return;
  HandshakeRules rules;
  rules.origins = {"https://example.org", "chrome-extension://*"};
  rules.protocols = {"mcp"};
  rules.deflate = {.is_enabled = true};
  const http::RequestHead& head = parser.head();
  const HandshakeResponse given = handshake_response(head, rules);
  // The response must not contain any text of the request except a known protocol name.
  FUZZ_EXPECT(given.fields.find("\r\n\r\n") == std::string::npos);
  if (!given.is_accepted()) {
    FUZZ_EXPECT(given.status >= 400 && !given.body.empty());
    return;
  }
  FUZZ_EXPECT(head.method == "GET" && given.protocol == "mcp" && head.upgrades_to("websocket"));
  FUZZ_EXPECT(head.field("Sec-WebSocket-Key").size() == 24 && head.field("Sec-WebSocket-Version") == "13");
  FUZZ_EXPECT(head.field_count("Origin") == 0 || is_allowed_origin(head.field("Origin"), rules.origins));
}

}  // namespace
}  // namespace snapgen::websocket

// The first byte selects options, the second is the number of following bytes that are sizes of reads; the
// rest is sent by the client.
FUZZ_TARGET(websocket) {
  using namespace snapgen::websocket;
  if (size < 2) return 0;
  const Setup setup = setup_of(data[0]);
  std::span<const std::uint8_t> rest(data + 2, size - 2);
  const std::span<const std::uint8_t> steps = rest.first(std::min<std::size_t>(data[1] % 8, rest.size()));
  rest = rest.subspan(steps.size());
  const std::uint8_t single[] = {0};
  const Outcome whole = hear(setup, rest, {});
  check_frames(whole.said);
  FUZZ_EXPECT(hear(setup, rest, single) == whole);
  FUZZ_EXPECT(hear(setup, rest, steps) == whole);
  shake({reinterpret_cast<const char*>(data), size});
  // The parser of extension offers must accept any bytes, too.
  const std::string offers(rest.begin(), rest.end());
  static_cast<void>(negotiate_extensions(offers, {.is_enabled = true, .keep_context = true}));
  return 0;
}
