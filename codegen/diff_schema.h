#pragma once
// diff_schema: how two published schemas differ: what the newer one takes that the older did not, and the
// reverse.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::codegen {

enum class Turn : std::uint8_t {
  narrower,  // What fitted may fit no more.
  wider,     // What did not fit may fit now, and a reader made for the old would trip over it.
  looser,    // What did not fit may fit now, and a reader would hardly mind.
  both,      // Some of both.
  gone,      // A member that is not there any more.
  said,      // Nothing that fits or not, but what is said of it.
};

struct SchemaChange {
  Turn turn;
  std::string pointer;
  std::string sentence;
};

// Both as Publisher writes them: canonical, every $ref inlined. `pointer`: of the schemas in what holds them.
std::vector<SchemaChange> compare_schemas(const json::Node& before, const json::Node& after,
                                          const std::string& pointer);

}  // namespace snapgen::codegen
