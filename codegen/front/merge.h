#pragma once
// merge: makes one schema of two that a value must both fit. Part of the check stage.
#include <functional>
#include <memory>
#include <vector>

#include "codegen/front/schema.h"

namespace snapgen::codegen {

class Merger {
 public:
  Merger(std::vector<std::unique_ptr<Schema>>& owned, Findings& findings)
      : owned_schemas_(owned), findings_(findings) {}

  // Returns a schema that a value fits if it fits both. `second` takes precedence for titles, descriptions
  // and defaults. If no value can fit, that is a finding at `second`. Subschemas of both must be complete.
  Schema merged(const Schema& first, const Schema& second);

  // A function that must complete a schema before merge reads it.
  std::function<void(const Schema&)> ensure_complete = [](const Schema&) {};

 private:
  void merge_kinds_and_values(Schema& out, const Schema& with);
  void merge_limits(Schema& out, const Schema& with);
  void merge_objects(Schema& out, const Schema& first, const Schema& second);
  void merge_alternatives(Schema& out, const Schema& first, const Schema& second);
  const Schema* store_schema(Schema schema);
  const Schema* merged_inner(const Schema* first, const Schema* second);

  std::vector<std::unique_ptr<Schema>>& owned_schemas_;
  Findings& findings_;
  int depth_ = 0;
  int count_ = 0;
};

}  // namespace snapgen::codegen
