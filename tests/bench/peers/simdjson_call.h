#pragma once
// simdjson_call: the small tool call by hand with simdjson's On-Demand, as a peer of the generated reader.
// Unknown and doubled members are not looked for. Its source is compiled for processors with AVX2, which its
// caller must ask for: without it On-Demand falls back to code without vectors.
#include <memory>
#include <string_view>

#include "tests/codegen/golden/types/small_call.h"

namespace peers {

class SimdjsonCall {
 public:
  explicit SimdjsonCall(std::string_view text);  // Keeps a padded copy, and the parser.
  ~SimdjsonCall();
  bool read(golden::SmallCall& out);  // False if it does not fit.

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace peers
