#pragma once
// MessageBuffer collects the bytes of a message that arrives in pieces. Its capacity is at most twice what
// has arrived, even if the peer announces a great length or sends many fragments. Between messages it has no
// buffer.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace snapgen::websocket {

class MessageBuffer {
 public:
  // At least this many bytes after the text are readable, so that parsers that read ahead need no copy.
  static constexpr std::size_t padding = 64;

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  std::string_view view() const { return {bytes_.get(), size_}; }

  // Appends a piece. `total` is the least length of the message, for which memory is allocated at once unless
  // it is much more than has arrived.
  void append(std::string_view piece, std::size_t total) {
    if (size_ + piece.size() > capacity_) grow(size_ + piece.size(), total);
    if (!piece.empty()) std::memcpy(bytes_.get() + size_, piece.data(), piece.size());
    size_ += piece.size();
  }

  // For writers that fill the buffer: space() returns memory for `bytes` more, and commit() adds what was
  // used.
  char* space(std::size_t bytes) {
    if (size_ + bytes > capacity_) grow(size_ + bytes, size_ + bytes);
    return bytes_.get() + size_;
  }
  void commit(std::size_t bytes) { size_ += bytes; }

  void clear() { size_ = 0; }
  void release() {
    size_ = capacity_ = 0;
    bytes_.reset();
  }

 private:
  static constexpr std::size_t smallest = 512;
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  void grow(std::size_t needed, std::size_t total) {
    const std::size_t capacity =
        std::max({needed, std::min(total, 2 * needed), capacity_ + capacity_ / 2, smallest});
    auto* moved = static_cast<char*>(std::realloc(bytes_.get(), capacity + padding));
    if (!moved) throw std::bad_alloc();
    static_cast<void>(bytes_.release());  // realloc() has freed it.
    bytes_.reset(moved);
    capacity_ = capacity;
  }

  std::unique_ptr<char, Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // Without the padding.
};

}  // namespace snapgen::websocket
