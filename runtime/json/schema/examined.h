#pragma once
// Examined: a value that a generated reader reads into a struct, and that a plan is asked about as well,
// since its schema says what no struct can.
#include <cstddef>
#include <cstdint>

#include "runtime/json/reader.h"
#include "runtime/json/schema/plan.h"

namespace snapgen::json {

// Made before the value is read. A value within one that is still being read is left to that one's plan,
// which sees it all.
class Examined {
 public:
  explicit Examined(Reader& in) : in_(in), offset_(in.offset()), before_(in.violation_count()) {
    ++in.examined_;
  }
  ~Examined() { --in_.examined_; }
  Examined(const Examined&) = delete;
  Examined& operator=(const Examined&) = delete;

  // Once the value is read: what the plan finds joins what the reader found, each fault once. `root` is one
  // of the roots that the plan was compiled from.
  void ask(const Plan& plan, std::uint32_t root) const;

 private:
  Reader& in_;
  std::size_t offset_;
  std::size_t before_;
};

}  // namespace snapgen::json
