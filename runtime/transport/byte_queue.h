#pragma once
// ByteQueue: a contiguous queue of bytes. remove_front() moves each byte at most once on average. The memory
// of a very large message is released when the queue is empty.
#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>

namespace snapgen {

class ByteQueue {
 public:
  std::size_t size() const { return bytes_.size() - removed_bytes_; }
  bool empty() const { return size() == 0; }
  std::string_view view() const { return std::string_view(bytes_).substr(removed_bytes_); }

  // Returns the string to append to. Callers must not change its existing content.
  std::string& append_buffer() { return bytes_; }

  void remove_front(std::size_t bytes) {
    assert(bytes <= size());
    removed_bytes_ += bytes;
    if (removed_bytes_ == bytes_.size()) {
      clear();
    } else if (removed_bytes_ > bytes_.size() / 2) {
      bytes_.erase(0, removed_bytes_);
      removed_bytes_ = 0;
    }
  }
  void clear() {
    removed_bytes_ = 0;
    bytes_.clear();
    if (bytes_.capacity() > retained_bytes_max) release_memory();
  }
  // Releases the memory if the queue is empty.
  void release_memory() {
    if (empty()) std::string().swap(bytes_);
  }

 private:
  static constexpr std::size_t retained_bytes_max = 256 * 1024;
  std::string bytes_;
  std::size_t removed_bytes_ = 0;
};

}  // namespace snapgen
