#pragma once
#include <cstdint>

namespace snapgen::core {

// Lines of a file, from 1. `last` < `first`: the place before the line `first`.
struct LineSpan {
  std::int64_t first = 1;
  std::int64_t last = 1;

  bool operator==(const LineSpan&) const = default;
};

}  // namespace snapgen::core
