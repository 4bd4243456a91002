#pragma once
// Chunks is a pool of read buffers. A connection borrows one only while it reads or its messages are
// processed, so that thousands of idle connections use none.
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/websocket/assembly.h"

namespace snapgen::websocket {

class Chunks {
 public:
  static constexpr std::size_t bytes = 64 * 1024;

  // A borrowed buffer; its destructor returns it. Assembly::padding bytes after its end are readable.
  class Chunk {
   public:
    Chunk() = default;
    Chunk(Chunk&& other) noexcept : memory_(std::move(other.memory_)), home_(other.home_) {}
    Chunk& operator=(Chunk&& other) noexcept {
      std::swap(memory_, other.memory_);
      std::swap(home_, other.home_);
      return *this;
    }
    ~Chunk() {
      if (memory_) home_->take_back(std::move(memory_));
    }
    explicit operator bool() const { return memory_ != nullptr; }
    std::span<char> space() const { return {memory_.get(), bytes}; }

   private:
    friend class Chunks;
    Chunk(std::unique_ptr<char[]> memory, Chunks& home) : memory_(std::move(memory)), home_(&home) {}
    std::unique_ptr<char[]> memory_;
    Chunks* home_ = nullptr;
  };

  Chunks() = default;
  Chunks(Chunks&&) = delete;

  Chunk borrow() {
    if (free_.empty()) return {std::unique_ptr<char[]>(new char[bytes + Assembly::padding]), *this};
    std::unique_ptr<char[]> memory = std::move(free_.back());
    free_.pop_back();
    return {std::move(memory), *this};
  }

 private:
  static constexpr std::size_t kept = 4;
  void take_back(std::unique_ptr<char[]> memory) {
    if (free_.size() < kept) free_.push_back(std::move(memory));
  }

  std::vector<std::unique_ptr<char[]>> free_;
};

}  // namespace snapgen::websocket
