#pragma once
// What earlier work recorded against the findings of a check: preventions of violations, and learnings.
#include <cstdint>

#include "tools/insight/check/report.h"

namespace snapgen::core {

class Memory;

// How a finding and a record belong together.
enum class RecordedBy : std::uint8_t {
  code,  // A violation of this type, or a learning that names the code.
  file,  // A violation in the file, or a learning on it.
};

// Sets the prevention of the findings that have none. If the memory is unavailable, nothing is added.
void add_preventions(Memory& memory, CheckReport& report, RecordedBy by);

}  // namespace snapgen::core
