#pragma once
// ByteQueue: bytes appended at one end and taken at the other, in one piece of memory. Taking moves each byte
// at most once on average; what a giant message needed is given back when the queue is empty.
#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>

namespace snapgen {

class ByteQueue {
 public:
  std::size_t size() const { return bytes_.size() - taken_; }
  bool empty() const { return size() == 0; }
  std::string_view view() const { return std::string_view(bytes_).substr(taken_); }

  // For appending alone: what stands in it already is not for its user to touch.
  std::string& tail() { return bytes_; }

  void take(std::size_t bytes) {
    assert(bytes <= size());
    taken_ += bytes;
    if (taken_ == bytes_.size()) {
      clear();
    } else if (taken_ > bytes_.size() / 2) {
      bytes_.erase(0, taken_);
      taken_ = 0;
    }
  }
  void clear() {
    taken_ = 0;
    bytes_.clear();
    if (bytes_.capacity() > kept_bytes) release();
  }
  // Gives back the memory, if nothing is in it.
  void release() {
    if (empty()) std::string().swap(bytes_);
  }

 private:
  static constexpr std::size_t kept_bytes = 256 * 1024;
  std::string bytes_;
  std::size_t taken_ = 0;
};

}  // namespace snapgen
