#pragma once
// Utf8Check: whether a text that arrives in pieces is UTF-8. It says no with the first byte that nothing can
// follow, not at the end of the piece's message: RFC 6455 section 8.1 with the fail-fast that Autobahn asks
// for.
//
// Whole characters go to the JSON library's vectorised validator; only a character cut by the end of a piece,
// at most three bytes, is looked at here.
#include <array>
#include <cstddef>
#include <string_view>

namespace snapgen::websocket {

class Utf8Check {
 public:
  // False: what was appended so far is the beginning of no UTF-8 text. Then only reset() helps.
  bool append(std::string_view piece);
  // Whether the text may end here: no character is cut.
  bool complete() const { return held_ == 0; }
  void reset() { held_ = 0; }

 private:
  std::array<char, 4> cut_{};  // The first `held_` bytes of a character whose rest has not come.
  std::size_t held_ = 0;
};

}  // namespace snapgen::websocket
