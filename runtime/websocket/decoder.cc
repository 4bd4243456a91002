#include "runtime/websocket/decoder.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "runtime/json/reader.h"

namespace snapgen::websocket {
namespace {

constexpr unsigned final_bit = 0x80;
constexpr unsigned rsv1_bit = 0x40;
constexpr unsigned other_reserved_bits = 0x30;
constexpr unsigned mask_bit = 0x80;
constexpr unsigned length_bits = 0x7F;

std::size_t length_bytes(unsigned second) {
  const unsigned length = second & length_bits;
  if (length < 126) return 0;
  return length == 126 ? 2 : 8;
}

std::uint64_t big_endian(const unsigned char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i != count; ++i) value = value << 8 | bytes[i];
  return value;
}

}  // namespace

bool Decoder::fail(CloseCode code, std::string_view reason, std::uint64_t message_bytes) {
  failed_ = true;
  failure_ = {.code = code, .reason = reason, .message_bytes = message_bytes};
  message_buffer_.release();
  inflater_.reset();
  return false;
}

Decoder::Step Decoder::next(Message& message) {
  if (is_handed_out_) {
    is_handed_out_ = false;
    message_buffer_.clear();
  }
  while (!failed_) {
    Progress progress = Progress::done;
    if (!is_in_frame_) progress = read_header();
    if (progress == Progress::done) {
      progress = is_control() ? read_control(message) : read_data(message);
      if (progress == Progress::done) return Step::message;
    }
    if (progress == Progress::needs_input && unread_.empty()) {
      if (!is_in_message_) message_buffer_.release();
      return Step::needs_input;
    }
  }
  return Step::failed;
}

// Checks the first `held` bytes of a frame's header, as soon as they have arrived. Returns false if they are
// invalid.
bool Decoder::check_header(std::size_t held, const unsigned char* header) {
  const unsigned first = header[0];
  const auto opcode = static_cast<Opcode>(first & 0x0F);
  const bool control = (first & 8) != 0;
  const bool known = control ? opcode <= Opcode::pong : opcode <= Opcode::binary;
  if (!known) return fail(CloseCode::protocol_error, "The opcode is reserved.");
  const bool begins = opcode == Opcode::text || opcode == Opcode::binary;
  if ((first & other_reserved_bits) != 0) return fail(CloseCode::protocol_error, "A reserved bit is set.");
  if ((first & rsv1_bit) != 0 && (!terms_ || !begins))
    return fail(CloseCode::protocol_error, "RSV1 is set where nothing can be compressed.");
  if (control && (first & final_bit) == 0)
    return fail(CloseCode::protocol_error, "A control frame is fragmented.");
  if (begins && is_in_message_)
    return fail(CloseCode::protocol_error, "A message begins within another one.");
  if (opcode == Opcode::continuation && !is_in_message_)
    return fail(CloseCode::protocol_error, "A continuation frame arrived without a message to continue.");
  if (held == 1) return true;
  if ((header[1] & mask_bit) == 0) return fail(CloseCode::protocol_error, "A frame is not masked.");
  if (control && (header[1] & length_bits) > control_bytes_max)
    return fail(CloseCode::protocol_error, "A control frame is longer than 125 bytes.");
  return true;
}

Decoder::Progress Decoder::read_header() {
  if (unread_.empty()) return Progress::needs_input;
  const auto* here = reinterpret_cast<const unsigned char*>(unread_.data());
  if (header_size_ == 0 && unread_.size() >= header_bytes_max) {
    if (!check_header(2, here) || !open_frame(here)) return Progress::failed;
    unread_ = unread_.subspan(2 + length_bytes(here[1]) + sizeof(MaskKey));
    return Progress::done;
  }
  for (;;) {
    const std::size_t needed = header_size_ < 2 ? 2 : 2 + length_bytes(header_[1]) + sizeof(MaskKey);
    if (header_size_ == needed) break;
    if (unread_.empty()) return Progress::needs_input;
    header_[header_size_++] = static_cast<unsigned char>(unread_[0]);
    unread_ = unread_.subspan(1);
    if (header_size_ <= 2 && !check_header(header_size_, header_.data())) return Progress::failed;
  }
  header_size_ = 0;
  return open_frame(header_.data()) ? Progress::done : Progress::failed;
}

// Begins a frame whose header is complete. Returns false if it is invalid.
bool Decoder::open_frame(const unsigned char* header) {
  const std::size_t extended = length_bytes(header[1]);
  const std::uint64_t length = extended == 0 ? header[1] & length_bits : big_endian(header + 2, extended);
  if (length >> 63 != 0) return fail(CloseCode::protocol_error, "The highest bit of a length is set.");
  const std::uint64_t shortest = extended == 8 ? 65536 : (extended == 2 ? 126 : 0);
  if (length < shortest)
    return fail(CloseCode::protocol_error, "A length is not written in the fewest bytes.");
  std::memcpy(&mask_key_, header + 2 + extended, sizeof(mask_key_));
  opcode_ = static_cast<Opcode>(header[0] & 0x0F);
  is_final_frame_ = (header[0] & final_bit) != 0;
  payload_left_ = length;
  is_in_frame_ = true;
  if (is_control()) return true;
  if (!is_in_message_) {
    is_in_message_ = true;
    is_text_ = opcode_ == Opcode::text;
    is_compressed_ = (header[0] & rsv1_bit) != 0;
    compressed_bytes_ = 0;
    utf8_.reset();
  }
  // A compressed message may exceed the limit slightly, because compression adds about five bytes to each
  // block of a few KiB that it cannot shrink.
  const std::size_t most =
      is_compressed_ ? message_bytes_max_ + message_bytes_max_ / 256 + 64 : message_bytes_max_;
  const std::size_t held = is_compressed_ ? compressed_bytes_ : message_buffer_.size();
  if (length > most - held) return fail(CloseCode::too_big, "The message is too long.", held + length);
  return true;
}

// Unmasks and returns the part of the payload that has arrived.
std::span<char> Decoder::unmasked_piece() {
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(payload_left_, unread_.size()));
  const std::span<char> piece = unread_.first(bytes);
  unmask(piece, mask_key_);
  unread_ = unread_.subspan(bytes);
  payload_left_ -= bytes;
  if (payload_left_ != 0) mask_key_ = rotated_key(mask_key_, bytes);
  return piece;
}

Decoder::Progress Decoder::read_control(Message& message) {
  const std::span<char> piece = unmasked_piece();
  message.payload = {piece.data(), piece.size()};
  if (is_control_cut_ || payload_left_ > 0) {
    if (!is_control_cut_) control_payload_.clear();
    control_payload_.append(piece.data(), piece.size());
    is_control_cut_ = payload_left_ > 0;
    if (is_control_cut_) return Progress::needs_input;
    message.payload = control_payload_;
  }
  is_in_frame_ = false;
  if (opcode_ == Opcode::close) return read_close(message) ? Progress::done : Progress::failed;
  message.kind = opcode_ == Opcode::ping ? Message::Kind::ping : Message::Kind::pong;
  return Progress::done;
}

bool Decoder::read_close(Message& message) {
  message.kind = Message::Kind::close;
  message.code = CloseCode::none;
  if (message.payload.empty()) return true;
  if (message.payload.size() == 1)
    return fail(CloseCode::protocol_error, "The payload of a Close is one byte.");
  const auto code = static_cast<std::uint16_t>(
      big_endian(reinterpret_cast<const unsigned char*>(message.payload.data()), 2));
  if (!is_sendable_close_code(code))
    return fail(CloseCode::protocol_error, "The code of a Close may not be sent.");
  message.code = static_cast<CloseCode>(code);
  message.payload.remove_prefix(2);
  if (!json::valid_utf8(message.payload))
    return fail(CloseCode::invalid_payload, "The reason of a Close is not UTF-8.");
  return true;
}

Decoder::Progress Decoder::read_data(Message& message) {
  const std::span<char> bytes = unmasked_piece();
  const std::string_view piece(bytes.data(), bytes.size());
  const bool last = is_final_frame_ && payload_left_ == 0;
  is_in_frame_ = payload_left_ != 0;
  if (last && !is_compressed_ && message_buffer_.size() == 0 && utf8_.is_complete()) {
    if (is_text_ && !json::valid_utf8(piece)) {
      fail(CloseCode::invalid_payload, "A text is not UTF-8.");
      return Progress::failed;
    }
    message.payload = piece;
  } else {
    const bool taken = is_compressed_ ? expand(piece, last) : take_piece(piece);
    if (!taken) return Progress::failed;
    if (!last) return Progress::needs_input;
    if (is_text_ && !utf8_.is_complete()) {
      fail(CloseCode::invalid_payload, "A text is not UTF-8.");
      return Progress::failed;
    }
    is_handed_out_ = true;
    message.payload = message_buffer_.view();
  }
  is_in_message_ = false;
  message.kind = is_text_ ? Message::Kind::text : Message::Kind::binary;
  return Progress::done;
}

bool Decoder::take_piece(std::string_view piece) {
  if (is_text_ && !utf8_.append(piece)) return fail(CloseCode::invalid_payload, "A text is not UTF-8.");
  message_buffer_.append(piece,
                         message_buffer_.size() + piece.size() + static_cast<std::size_t>(payload_left_));
  return true;
}

bool Decoder::expand(std::string_view piece, bool last) {
  compressed_bytes_ += piece.size();
  if (!inflater_) inflater_ = std::make_unique<Inflater>(terms_->client_window_bits);
  std::size_t checked = message_buffer_.size();
  Inflater::Outcome outcome = inflater_->expand(piece, message_buffer_, message_bytes_max_);
  if (last && outcome == Inflater::Outcome::good)
    outcome = inflater_->finish(message_buffer_, message_bytes_max_);
  const std::string_view expanded = message_buffer_.view().substr(checked);
  if (is_text_ && !utf8_.append(expanded)) return fail(CloseCode::invalid_payload, "A text is not UTF-8.");
  if (outcome == Inflater::Outcome::too_long)
    return fail(CloseCode::too_big, "The message is too long when it is expanded.", message_buffer_.size());
  if (outcome == Inflater::Outcome::malformed)
    return fail(CloseCode::invalid_payload, "The compressed data is malformed.");
  if (last && !terms_->client_keeps_context) inflater_.reset();
  return true;
}

}  // namespace snapgen::websocket
