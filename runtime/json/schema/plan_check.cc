#include "runtime/json/schema/plan_check.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "runtime/json/pointer.h"
#include "runtime/json/schema/evaluate.h"
#include "runtime/json/schema/keyword.h"
#include "runtime/json/tree.h"

namespace snapgen::json {
namespace {

struct Fault {
  std::size_t offset;
  std::string_view keyword;
  std::string message;
  std::string pointer;
};

bool lies_within(const std::string& pointer, const std::string& outer) {
  return pointer.starts_with(outer) && (pointer.size() == outer.size() || pointer[outer.size()] == '/');
}

// Keywords whose violations are about a member that the schema does not know.
constexpr std::array<std::string_view, 2> unknown = {"additionalProperties", "unevaluatedProperties"};

// Whether the reader has already reported a violation that the plan found.
bool is_said(const Fault& by_plan, const std::vector<Fault>& by_reader) {
  // For these keywords, one value may violate several schemas.
  static constexpr std::array<std::string_view, 6> repeated = {
      "dependentRequired", "format", "multipleOf", "not", "pattern", "required"};
  static constexpr std::array<std::string_view, 3> kinds = {"const", "enum", "type"};
  static constexpr std::array<std::string_view, 2> choices = {"anyOf", "oneOf"};
  return std::ranges::any_of(by_reader, [&](const Fault& each) {
    // For a union, the reader knows the intended alternative, and its errors are clearer than the plan's.
    if (contains_keyword(by_plan.keyword, choices)) return lies_within(each.pointer, by_plan.pointer);
    if (each.pointer != by_plan.pointer) return false;
    if (each.message == by_plan.message) return true;
    if (each.keyword == by_plan.keyword) return !contains_keyword(each.keyword, repeated);
    return (contains_keyword(each.keyword, kinds) && contains_keyword(by_plan.keyword, kinds)) ||
           (contains_keyword(each.keyword, unknown) && contains_keyword(by_plan.keyword, unknown));
  });
}

}  // namespace

void PlanCheck::run(const Plan& plan, std::uint32_t root) const {
  const bool within_another = in_.open_plan_checks_ > 1;
  const bool overfull = in_.violation_count_ > in_.deferred_violations_.size();
  if (within_another || overfull || !in_.syntax_ok()) return;
  const std::string_view text(in_.begin_ + offset_, static_cast<std::size_t>(in_.at_ - in_.begin_) - offset_);
  const Tree tree(text);
  // The reader has already reported duplicate keys.
  if (!tree.is_json() || fits(plan, tree.root(), root)) return;
  Failures found = failures(plan, tree.root(), root);

  std::vector<Fault> by_reader, by_plan;
  for (auto each = in_.deferred_violations_.begin() + static_cast<std::ptrdiff_t>(violations_before_);
       each != in_.deferred_violations_.end(); ++each)
    by_reader.push_back({each->offset - offset_, each->keyword, std::move(each->message), {}});
  for (Failure& each : found) by_plan.push_back({each.offset, each.keyword, std::move(each.message), {}});
  for (std::vector<Fault>* faults : {&by_reader, &by_plan}) {
    std::ranges::stable_sort(*faults, {}, &Fault::offset);
    std::vector<std::size_t> offsets;
    for (const Fault& each : *faults) offsets.push_back(each.offset);
    std::vector<std::string> pointers = pointers_at(text, offsets);
    for (std::size_t i = 0; i < pointers.size(); ++i) (*faults)[i].pointer = std::move(pointers[i]);
  }
  std::erase_if(by_plan, [&](const Fault& each) {
    // A pointer of one name is about a member of the value, which is at the reader's current depth.
    const bool is_member = each.pointer.rfind('/') == 0 && contains_keyword(each.keyword, unknown);
    return is_member && in_.ignores(std::string_view(each.pointer).substr(1), in_.depth_ + 1);
  });
  // The reader reports a violated condition between members for the whole struct. The plan reports it for the
  // member, so the reader's violation is dropped.
  std::erase_if(by_reader, [](const Fault& each) {
    return each.keyword == "if" || each.keyword == "dependentRequired";
  });

  in_.deferred_violations_.erase(
      in_.deferred_violations_.begin() + static_cast<std::ptrdiff_t>(violations_before_),
      in_.deferred_violations_.end());
  in_.violation_count_ = violations_before_;
  for (const Fault& each : by_reader)
    in_.report_violation(offset_ + each.offset, each.keyword, {}, each.message);
  std::vector<Fault> added;
  for (Fault& each : by_plan) {
    const auto same = [&](const Fault& other) {
      return other.pointer == each.pointer && other.keyword == each.keyword && other.message == each.message;
    };
    if (is_said(each, by_reader) || std::ranges::any_of(added, same)) continue;
    in_.report_violation(offset_ + each.offset, each.keyword, {}, each.message);
    added.push_back(std::move(each));
  }
}

}  // namespace snapgen::json
