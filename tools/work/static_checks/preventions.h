#pragma once
// Adds to the findings of a check what earlier tasks recorded: preventions of violations, and learnings.
#include <cstdint>

#include "tools/insight/check/report.h"

namespace snapgen::core {

class LearningStore;

// How a record matches a finding.
enum class RecordedBy : std::uint8_t {
  code,  // The record is a violation of this type, or a learning that names the code.
  file,  // The record is a violation in the file, or a learning about it.
};

// Sets the prevention of the findings that have none. If the memory is unavailable, it changes nothing.
void add_preventions(LearningStore& memory, CheckReport& report, RecordedBy by);

}  // namespace snapgen::core
