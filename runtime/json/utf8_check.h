#pragma once
// Utf8Check validates UTF-8 that arrives in pieces. It fails at the first invalid byte and not only at the
// end of the text: for a message of a WebSocket (RFC 6455 section 8.1) as the test suite Autobahn expects.
//
// Whole characters are validated by valid_utf8(). Only a character that is cut by the end of a piece, at most
// three bytes, is checked here.
#include <array>
#include <cstddef>
#include <string_view>

namespace snapgen::json {

class Utf8Check {
 public:
  // Returns false if the text so far cannot begin valid UTF-8. Then call reset() before further use.
  bool append(std::string_view piece);
  // Whether the text may end after the last piece, because no character is incomplete.
  bool is_complete() const { return incomplete_bytes_ == 0; }
  void reset() { incomplete_bytes_ = 0; }

 private:
  std::array<char, 4> incomplete_{};  // The first `incomplete_bytes_` bytes of an incomplete character.
  std::size_t incomplete_bytes_ = 0;
};

}  // namespace snapgen::json
