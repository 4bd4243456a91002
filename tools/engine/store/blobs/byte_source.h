#pragma once
// ByteSource: a content that is read once, from beginning to end, in pieces.
#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

inline constexpr std::size_t piece_bytes = 256 << 10;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Returns the next piece, at most piece_bytes; empty at the end. Valid until the next call.
  virtual Result<std::string_view> next() = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)), rest_(bytes_) {}
  Result<std::string_view> next() override {
    std::string_view piece = rest_.substr(0, piece_bytes);
    rest_.remove_prefix(piece.size());
    return piece;
  }

 private:
  std::string bytes_;
  std::string_view rest_;
};

}  // namespace snapgen::core
