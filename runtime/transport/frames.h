#pragma once
// Frames: cuts messages out of bytes as they arrive, one message on each line.
//
// A line ends with LF or CRLF; empty lines are ignored; what is left at the end of the stream is a last line.
// A line longer than the limit is reported once, as soon as it is too long, and its bytes are dropped as they
// come. However the bytes are cut into reads, the frames are the same and the work is linear: no byte is
// looked at twice.
//
// The buffer grows with the message that is arriving, and goes back to its small size after a giant one.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/transport/channel.h"

namespace snapgen {

class Frames {
 public:
  static constexpr std::size_t message_bytes_max_default = std::size_t{64} << 20;
  // At least this many bytes after a message's text may be read too (what they hold is not said), so that
  // parsers that look ahead need no copy.
  static constexpr std::size_t padding = 64;

  explicit Frames(std::size_t message_bytes_max = message_bytes_max_default) : max_(message_bytes_max) {}

  // Room for the next read. Ends the life of every text handed out.
  std::span<char> space();
  // The first `bytes` of space() have been filled.
  void commit(std::size_t bytes);
  // No more bytes will come.
  void close() { closed_ = true; }

  // The next message, or false. Its text lives until the next space() or reclaim().
  bool next(Frame& frame);
  // Whether next() will succeed.
  bool ready();
  // Gives back what a giant message needed. Ends the life of every text handed out.
  void reclaim();

  // Bytes held for messages that have not been taken.
  std::size_t pending() const { return end_ - begin_; }
  std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t read_bytes = 64 * 1024;
  static constexpr std::size_t kept_bytes = 4 * read_bytes;

  struct Free {
    void operator()(char* buffer) const { std::free(buffer); }
  };

  bool too_long(std::string_view line) const;
  void move_to_front();
  void resize(std::size_t capacity);

  std::size_t max_;
  std::unique_ptr<char, Free> buffer_;
  std::size_t capacity_ = 0;  // Without the padding.
  // Bytes [begin_, end_) are held; the line that begins at begin_ has no LF in [begin_, scanned_).
  std::size_t begin_ = 0;
  std::size_t scanned_ = 0;
  std::size_t end_ = 0;
  bool closed_ = false;
  bool dropping_ = false;  // Within a line that was reported as oversize.
  bool ready_ = false;     // `frame_` is the next message.
  Frame frame_;
};

}  // namespace snapgen
