#pragma once
// record_violation: records that a rule was broken, for the tool `snap_violation` and the command
// `snap violation`.
#include <string>

#include "runtime/base/result.h"
#include "schemas/lines.h"
#include "schemas/wire/snap_violation.h"
#include "tools/app/app.h"

namespace snapgen::tools {

struct ViolationAnswer {
  lines::ViolationLine line;
  std::string summary;
};

// Errors, with the details of the wire tools: not_found (there is no such open task); invalid_argument (the
// path); as App::workspace(), App::learning_store() and LearningStore::record(). Blocks.
Result<ViolationAnswer> record_violation(App& app, const SnapViolationInput& in);

}  // namespace snapgen::tools
