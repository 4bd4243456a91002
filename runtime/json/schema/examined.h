#pragma once
// Examined checks a value against a plan, in addition to the generated reader that reads it into a struct. It
// is used if a struct cannot express all of the value's schema.
#include <cstddef>
#include <cstdint>

#include "runtime/json/reader.h"
#include "runtime/json/schema/plan.h"

namespace snapgen::json {

// Construct an Examined before reading the value. One within another does nothing, because the outer plan
// checks the whole value.
class Examined {
 public:
  explicit Examined(Reader& in) : in_(in), offset_(in.offset()), before_(in.violation_count()) {
    ++in.examined_;
  }
  ~Examined() { --in_.examined_; }
  Examined(const Examined&) = delete;
  Examined& operator=(const Examined&) = delete;

  // Checks the value; call it after reading. Adds the plan's violations to the reader's, without duplicates.
  // `root` is one of the roots that the plan was compiled from.
  void ask(const Plan& plan, std::uint32_t root) const;

 private:
  Reader& in_;
  std::size_t offset_;
  std::size_t before_;
};

}  // namespace snapgen::json
