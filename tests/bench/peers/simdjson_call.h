#pragma once
// simdjson_call: a handwritten parser of the small tool call with simdjson's On-Demand API, to compare the
// generated reader with. It ignores unknown and duplicate members. It is compiled for AVX2, so the caller
// must check that the processor has it.
#include <memory>
#include <string_view>

#include "tests/codegen/golden/types/small_call.h"

namespace peers {

class SimdjsonCall {
 public:
  explicit SimdjsonCall(std::string_view text);  // Stores a padded copy, and the parser.
  ~SimdjsonCall();
  bool read(golden::SmallCall& out);  // Returns false if the text is invalid.

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace peers
