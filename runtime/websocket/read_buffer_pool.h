#pragma once
// ReadBufferPool is a pool of read buffers. A connection borrows one only while it reads or its messages are
// processed, so that thousands of idle connections use none.
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/websocket/message_buffer.h"

namespace snapgen::websocket {

class ReadBufferPool {
 public:
  static constexpr std::size_t buffer_bytes = 64 * 1024;

  // A borrowed buffer; its destructor returns it. MessageBuffer::padding bytes after its end are readable.
  class ReadBuffer {
   public:
    ReadBuffer() = default;
    ReadBuffer(ReadBuffer&& other) noexcept : memory_(std::move(other.memory_)), pool_(other.pool_) {}
    ReadBuffer& operator=(ReadBuffer&& other) noexcept {
      std::swap(memory_, other.memory_);
      std::swap(pool_, other.pool_);
      return *this;
    }
    ~ReadBuffer() {
      if (memory_) pool_->take_back(std::move(memory_));
    }
    explicit operator bool() const { return memory_ != nullptr; }
    std::span<char> space() const { return {memory_.get(), buffer_bytes}; }

   private:
    friend class ReadBufferPool;
    ReadBuffer(std::unique_ptr<char[]> memory, ReadBufferPool& pool)
        : memory_(std::move(memory)), pool_(&pool) {}
    std::unique_ptr<char[]> memory_;
    ReadBufferPool* pool_ = nullptr;
  };

  ReadBufferPool() = default;
  ReadBufferPool(ReadBufferPool&&) = delete;

  ReadBuffer borrow() {
    if (free_.empty())
      return {std::unique_ptr<char[]>(new char[buffer_bytes + MessageBuffer::padding]), *this};
    std::unique_ptr<char[]> memory = std::move(free_.back());
    free_.pop_back();
    return {std::move(memory), *this};
  }

 private:
  static constexpr std::size_t free_max = 4;
  void take_back(std::unique_ptr<char[]> memory) {
    if (free_.size() < free_max) free_.push_back(std::move(memory));
  }

  std::vector<std::unique_ptr<char[]>> free_;
};

}  // namespace snapgen::websocket
