#include "runtime/transport/frame_splitter.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

#include "runtime/base/text.h"

namespace snapgen {

std::span<char> FrameSplitter::read_buffer() {
  shrink();
  if (capacity_ - end_ < read_bytes) move_to_front();
  // The capacity doubles, so bytes are copied rarely. It needs no more than the limit and two reads, because
  // a longer line has already been reported.
  if (capacity_ - end_ < read_bytes) {
    resize(std::max(end_ + read_bytes, std::min(2 * capacity_, message_bytes_max_ + 2 * read_bytes)));
  }
  return {buffer_.get() + end_, capacity_ - end_};
}

void FrameSplitter::commit(std::size_t bytes) {
  assert(bytes <= capacity_ - end_);
  end_ += bytes;
}

bool FrameSplitter::next(Frame& frame) {
  if (!has_frame()) return false;
  frame = frame_;
  has_frame_ = false;
  return true;
}

bool FrameSplitter::has_frame() {
  while (!has_frame_ && begin_ < end_) {
    const char* data = buffer_.get();
    const void* found = std::memchr(data + scanned_, '\n', end_ - scanned_);
    std::size_t line_end = found ? static_cast<std::size_t>(static_cast<const char*>(found) - data) : end_;
    bool whole = found || input_ended_;
    std::string_view line(data + begin_, line_end - begin_);
    scanned_ = line_end;
    if (is_dropping_line_) {
      is_dropping_line_ = !whole;
    } else if (too_long(line)) {
      is_dropping_line_ = !whole;
      frame_ = {.kind = Frame::Kind::oversize};
      has_frame_ = true;
    } else if (whole) {
      if (std::exchange(is_first_line_, false) && line.starts_with(byte_order_mark))
        line.remove_prefix(byte_order_mark.size());
      if (line.ends_with('\r')) line.remove_suffix(1);
      frame_ = {.kind = Frame::Kind::message, .text = line};
      has_frame_ = !line.empty();
    } else {
      return false;
    }
    begin_ = scanned_ = found ? line_end + 1 : line_end;
  }
  return has_frame_;
}

void FrameSplitter::shrink() {
  assert(!has_frame_ && "take the message first");
  if (begin_ == end_) begin_ = scanned_ = end_ = 0;
  if (capacity_ > retained_bytes_max && pending_bytes() < retained_bytes_max / 4) {
    move_to_front();
    resize(retained_bytes_max / 2);
  }
}

// Whether a line exceeds the limit. A CR at the end may belong to a CRLF and then is not part of the message.
bool FrameSplitter::too_long(std::string_view line) const {
  return line.size() > message_bytes_max_ + 1 ||
         (line.size() == message_bytes_max_ + 1 && line.back() != '\r');
}

void FrameSplitter::move_to_front() {
  if (begin_ == 0) return;
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  scanned_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
}

void FrameSplitter::resize(std::size_t capacity) {
  auto* moved = static_cast<char*>(std::realloc(buffer_.get(), capacity + padding));
  if (!moved) throw std::bad_alloc();
  static_cast<void>(buffer_.release());  // realloc() has freed or moved it.
  buffer_.reset(moved);
  capacity_ = capacity;
}

}  // namespace snapgen
