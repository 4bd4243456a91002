#pragma once
// TextLimit: the remaining length of an answer that a host shows in full.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>

#include "tools/hosts/host_table.h"

namespace snapgen::tools {

class TextLimit {
 public:
  // By default there is no limit.
  TextLimit() = default;
  explicit TextLimit(const HostTraits& host)
      : bytes_(remaining_after(host.shown_bytes_max, reserved_bytes)),
        lines_(remaining_after(host.shown_lines_max, reserved_lines)) {}

  bool is_limited() const { return bytes_ != unlimited || lines_ != unlimited; }
  std::size_t bytes() const { return bytes_; }

  // Subtracts the size of a piece. If the piece does not fit, returns false and subtracts nothing.
  bool try_consume(std::size_t bytes, std::size_t lines) {
    if (bytes > bytes_ || lines > lines_) return false;
    if (bytes_ != unlimited) bytes_ -= bytes;
    if (lines_ != unlimited) lines_ -= lines;
    return true;
  }
  bool try_consume(std::string_view piece) {
    return try_consume(piece.size(), static_cast<std::size_t>(std::ranges::count(piece, '\n')));
  }

 private:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  // The part of the limit that is reserved for text that the host adds, and for the answer's header.
  static constexpr std::size_t reserved_bytes = 1000;
  static constexpr std::size_t reserved_lines = 6;

  static std::size_t remaining_after(std::size_t shown, std::size_t reserved) {
    if (shown == 0) return unlimited;
    return shown > reserved ? shown - reserved : 0;
  }

  std::size_t bytes_ = unlimited;
  std::size_t lines_ = unlimited;
};

}  // namespace snapgen::tools
