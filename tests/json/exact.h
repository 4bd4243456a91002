#pragma once
// A text in a heap block of exactly its size, so that AddressSanitizer detects any read beyond its end.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/json/reader.h"

namespace snapgen::json {

class Exact {
 public:
  explicit Exact(std::string_view text) : bytes_(std::make_unique<char[]>(text.size())), size_(text.size()) {
    if (size_ > 0) std::memcpy(bytes_.get(), text.data(), size_);
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

// Skips a whole text with a reader. Returns the error, or an empty string.
inline std::string syntax_error(std::string_view text) {
  const Exact exact(text);
  Reader in(exact.view());
  in.skip();
  in.end();
  return std::string(in.error_message());
}

}  // namespace snapgen::json
