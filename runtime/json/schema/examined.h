#pragma once
// Examined: a value that a generated reader reads into a struct and that a plan checks as well, because a
// struct cannot express its schema.
#include <cstddef>
#include <cstdint>

#include "runtime/json/reader.h"
#include "runtime/json/schema/plan.h"

namespace snapgen::json {

// Construct it before reading the value. A nested Examined does nothing, because the outer plan checks the
// whole value.
class Examined {
 public:
  explicit Examined(Reader& in) : in_(in), offset_(in.offset()), before_(in.violation_count()) {
    ++in.examined_;
  }
  ~Examined() { --in_.examined_; }
  Examined(const Examined&) = delete;
  Examined& operator=(const Examined&) = delete;

  // Call it after the value was read: merges the plan's violations with the reader's, without duplicates.
  // `root` is one of the roots that the plan was compiled from.
  void ask(const Plan& plan, std::uint32_t root) const;

 private:
  Reader& in_;
  std::size_t offset_;
  std::size_t before_;
};

}  // namespace snapgen::json
