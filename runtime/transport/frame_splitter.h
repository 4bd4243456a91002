#pragma once
// FrameSplitter: splits incoming bytes into messages, one per line.
//
// A line ends with LF or CRLF. Empty lines are ignored, and unterminated bytes at the end of the stream are a
// line. A line above the limit is reported once, as soon as it is too long, and its remaining bytes are
// dropped. A byte order mark before the first line, which some hosts write, is dropped. The frames do not
// depend on how the bytes are split into reads, and each byte is scanned once.
//
// The buffer grows with the incoming message, and shrinks after a very large one.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/transport/channel.h"

namespace snapgen {

class FrameSplitter {
 public:
  static constexpr std::size_t message_bytes_max_default = std::size_t{64} << 20;
  // At least this many bytes after a message's text are readable (with undefined content), so that parsers
  // that read ahead need no copy.
  static constexpr std::size_t padding = 64;

  explicit FrameSplitter(std::size_t message_bytes_max = message_bytes_max_default)
      : message_bytes_max_(message_bytes_max) {}

  // Returns the buffer for the next read. Invalidates all returned texts.
  std::span<char> read_buffer();
  // Reports that the first `bytes` of read_buffer() were filled.
  void commit(std::size_t bytes);
  // Reports the end of the stream.
  void end_input() { input_ended_ = true; }

  // Returns the next message, or false. Its text is valid until the next read_buffer() or shrink().
  bool next(Frame& frame);
  // Whether next() will return a message.
  bool has_frame();
  // Releases the memory of a very large message. Invalidates all returned texts.
  void shrink();

  // Returns how many buffered bytes next() has not returned.
  std::size_t pending_bytes() const { return end_ - begin_; }
  std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t read_bytes = 64 * 1024;
  static constexpr std::size_t retained_bytes_max = 4 * read_bytes;

  struct Free {
    void operator()(char* buffer) const { std::free(buffer); }
  };

  bool too_long(std::string_view line) const;
  void move_to_front();
  void resize(std::size_t capacity);

  std::size_t message_bytes_max_;
  std::unique_ptr<char, Free> buffer_;
  std::size_t capacity_ = 0;  // The size of buffer_ without the padding.
  // Bytes [begin_, end_) are buffered; the line at begin_ has no LF in [begin_, scanned_).
  std::size_t begin_ = 0;
  std::size_t scanned_ = 0;
  std::size_t end_ = 0;
  bool input_ended_ = false;
  bool is_first_line_ = true;
  bool is_dropping_line_ = false;  // In a line that was reported as too long.
  bool has_frame_ = false;         // `frame_` is the next message.
  Frame frame_;
};

}  // namespace snapgen
