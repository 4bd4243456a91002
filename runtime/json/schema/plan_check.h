#pragma once
// PlanCheck checks a value against a plan, in addition to the generated reader that reads it into a struct.
// It is used if a struct cannot express all of the value's schema.
#include <cstddef>
#include <cstdint>

#include "runtime/json/reader.h"
#include "runtime/json/schema/plan.h"

namespace snapgen::json {

// Construct a PlanCheck before reading the value. One within another does nothing, because the outer plan
// checks the whole value.
class PlanCheck {
 public:
  explicit PlanCheck(Reader& in) : in_(in), offset_(in.offset()), violations_before_(in.violation_count()) {
    ++in.open_plan_checks_;
  }
  ~PlanCheck() { --in_.open_plan_checks_; }
  PlanCheck(const PlanCheck&) = delete;
  PlanCheck& operator=(const PlanCheck&) = delete;

  // Checks the value; call it after reading. Adds the plan's violations to the reader's, without duplicates.
  // `root` is one of the roots that the plan was compiled from.
  void run(const Plan& plan, std::uint32_t root) const;

 private:
  Reader& in_;
  std::size_t offset_;
  std::size_t violations_before_;
};

}  // namespace snapgen::json
