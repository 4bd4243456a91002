#include "runtime/websocket/endpoint.h"

#include <array>
#include <cassert>
#include <cstring>

#include "runtime/base/text.h"

namespace snapgen::websocket {
Endpoint::Endpoint(const EndpointOptions& options, std::optional<DeflateParameters> terms)
    : decoder_(options.message_bytes_max, terms),
      accepts_binary_(options.accepts_binary),
      compress_bytes_min_(options.compress_bytes_min),
      terms_(std::move(terms)) {}

bool Endpoint::next(Message& message) {
  while (!has_ended()) {
    switch (decoder_.next(message)) {
      case Decoder::Step::needs_input: return false;
      case Decoder::Step::failed:
        failed_ = true;
        code_ = decoder_.failure().code;
        if (code_ == CloseCode::too_big) oversize_ = decoder_.failure().message_bytes;
        close(code_, decoder_.failure().reason);
        return false;
      case Decoder::Step::message: break;
    }
    switch (message.kind) {
      case Message::Kind::binary:
        if (!accepts_binary_ && !sent_close_) {
          failed_ = true;
          code_ = CloseCode::unsupported_data;
          close(code_, "Messages must be text.");
          return false;
        }
        [[fallthrough]];
      case Message::Kind::text:
        if (sent_close_) break;  // Messages after our Close are ignored.
        return true;
      case Message::Kind::ping: send(Opcode::pong, message.payload); break;
      case Message::Kind::pong:
        if (std::uint64_t number = 0; message.payload.size() == sizeof(number)) {
          std::memcpy(&number, message.payload.data(), sizeof(number));
          answered_ping_ = number;
        }
        break;
      case Message::Kind::close:
        received_close_ = true;
        code_ = message.code;
        return false;
    }
  }
  return false;
}

void Endpoint::send(Opcode opcode, std::string_view payload) {
  if (sent_close_) return;
  assert(message_begin_ == nowhere && "a message is being written in place");
  const bool data = opcode == Opcode::text || opcode == Opcode::binary;
  if (data && compresses(payload.size())) return compress(payload, opcode, out_.append_buffer().size());
  append_frame_header(out_.append_buffer(), opcode, payload.size());
  out_.append_buffer().append(payload);
}

std::string& Endpoint::outgoing_buffer() {
  if (message_begin_ == nowhere) message_begin_ = reserve_header(out_.append_buffer());
  return out_.append_buffer();
}

void Endpoint::commit_outgoing(Opcode opcode) {
  std::string& tail = outgoing_buffer();
  const std::size_t begin = std::exchange(message_begin_, nowhere);
  const std::string_view payload = std::string_view(tail).substr(begin + reserved_header_bytes);
  if (sent_close_) {
    tail.resize(begin);
  } else if (compresses(payload.size())) {
    compress(payload, opcode, begin);
  } else {
    complete_header(tail, begin, opcode);
  }
}

// Appends a compressed frame. `payload` may be the tail of out_ from `begin` on, which the frame replaces.
void Endpoint::compress(std::string_view payload, Opcode opcode, std::size_t begin) {
  const bool keep = terms_->server_keeps_context;
  if (!deflater_) deflater_ = std::make_unique<Deflater>(terms_->server_window_bits);
  std::string compressed;
  deflater_->compress(payload, keep, compressed);
  if (!keep) deflater_.reset();
  std::string& tail = out_.append_buffer();
  tail.resize(begin);
  append_frame_header(tail, opcode, compressed.size(), true);
  tail.append(compressed);
}

void Endpoint::ping(std::uint64_t number) {
  std::array<char, sizeof(number)> bytes;
  std::memcpy(bytes.data(), &number, sizeof(number));
  send(Opcode::ping, {bytes.data(), bytes.size()});
}

void Endpoint::close(CloseCode code, std::string_view reason) {
  if (sent_close_) return;
  if (received_close_) {
    code = code_;
    reason = {};
  }
  close_reason_ = reason;
  std::string payload;
  if (code != CloseCode::none) {
    const auto number = static_cast<std::uint16_t>(code);
    payload.push_back(static_cast<char>(number >> 8));
    payload.push_back(static_cast<char>(number & 0xFF));
    payload.append(utf8_head(reason, control_bytes_max - payload.size()));
  }
  send(Opcode::close, payload);
  sent_close_ = true;
}

}  // namespace snapgen::websocket
