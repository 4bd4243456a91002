#pragma once
// The conformance cases of tests/websocket/cases. tests/clients/websocket.test.mjs also plays them, over a
// socket.
//
//   case NAME               begins a case; {x} in it and in its lines is replaced by each value of x
//   with x VALUE...         makes one case of each value, or of each pair of values of two such lines
//   limit BYTES             the size limit of a message (1 MiB)
//   offer EXTENSIONS        the client's Sec-WebSocket-Extensions; the server compresses and retains contexts
//   > OPCODE[-] WORD...     sends a frame, with `-` one that is not the last of its message: text, binary,
//                           cont, close, ping, pong, op3 to op15
//   > hex BYTES             sends these bytes
//   > raw WORD... skip=N    sends the payload from its Nth byte on, as the rest of the previous frame
//   < OPCODE WORD...        expects the answer to the lines before, and nothing after it
//   < close [CODE]          expects a close frame with this code, or without a code, and the end
//   < nothing               expects that there is no answer so far
//
// WORDs: "text" with \xHH; *N repeats the next text; code=N, two bytes before the rest; rsv1,rsv2,rsv3;
// unmasked; mask=HEX; as=2 or as=8, the number of bytes of the length; len=N, the length in the header if it
// differs from that of the payload; deflate, compresses the payload.
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace snapgen::websocket {

struct CaseStep {
  enum class Kind { send, expect, expect_close, expect_nothing };
  Kind kind = Kind::send;
  std::size_t line = 0;
  std::string bytes;  // the bytes to send; for an expected message or control frame, the payload
  int opcode = 0;     // the expected opcode
  int code = 0;       // the code of the expected close frame; 1005: none
};

struct Case {
  std::string file;
  std::string name;
  std::size_t message_bytes_max = std::size_t{1} << 20;
  std::string offer;
  std::vector<CaseStep> steps;
};

// Returns the cases in order. Prints an error and exits if a file is invalid.
std::vector<Case> read_cases(const std::filesystem::path& file);

// A frame of a client, with all fields that can be invalid.
struct ClientFrame {
  int opcode = 1;
  bool last = true;
  int reserved_bits = 0;  // 4: RSV1, 2: RSV2, 1: RSV3
  bool masked = true;
  std::string mask = "\x37\xfa\x21\x3d";
  int length_bytes = -1;  // 0, 2 or 8; -1: as few as possible.
  std::size_t length_said = static_cast<std::size_t>(-1);
  std::string payload;
};
std::string bytes_of(const ClientFrame& frame);
// Compresses the payload with permessage-deflate and an empty context.
std::string deflated(const std::string& payload);

}  // namespace snapgen::websocket
