#pragma once
// Emits the readers of one schema file's types, for emit_source.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/model/model.h"
#include "codegen/model/plans.h"

namespace snapgen::codegen {

// Writes `head` (up to the brace) and the string literals of `names` in wrapped lines.
std::string names_array(std::string head, const std::vector<std::string>& names, const std::string& indent);
// Returns the name of the array with an enum's values, such as mode_texts.
std::string texts_name(const Type& type);

class ReaderEmitter {
 public:
  // `plan` is null if no reader uses one; its name in ::snapgen is `plan_name`. `used_names` has the function
  // names in the same namespace.
  ReaderEmitter(std::string name_space, const UnitPlan* plan, std::string plan_name,
                std::set<std::string>& used_names)
      : namespace_(std::move(name_space)),
        plan_(plan),
        plan_name_(std::move(plan_name)),
        function_names_(used_names) {}

  // Returns the reader functions that the header declares for `type`. helpers() returns the other functions
  // that they need.
  std::string definition(const Type& type);
  // Returns the other functions, each before its use.
  const std::string& helpers() const { return helpers_; }

 private:
  std::string read_function(const Type& type);
  bool uses_plan(const Type& type) const { return plan_ && plan_->root_of(type); }
  std::string enumeration(const Type& type);
  std::string structure(const Type& type);
  std::string member(const Type& type, const Field& field, std::size_t index, const std::string& indent);
  std::string member_value(const Type& owner, const Field& field);
  std::string absent(const Type& type);
  std::string rules(const Type& type);
  std::string holds_condition(const Type& type, const struct MemberTest& test, bool there) const;
  std::string fails_condition(const Type& type, const struct MemberTest& test, bool there) const;
  std::string comparison(const Field& field, const Constant& value, bool equal) const;
  std::string body(const Type& type, const std::string& name);
  std::string limits(const Type& type) const;
  std::string array(const Type& type, const std::string& name);
  std::string map(const Type& type, const std::string& name);
  std::string choice(const Type& type, const DecisionTree& choice, const std::string& name,
                     const std::string& indent, bool is_object);
  std::string leaf(const Type& type, std::size_t alternative, const std::string& name);

  // Returns a statement that reads a value of `type` into `target`. `name` is that of a helper function, if
  // one is needed.
  std::string statement(const Type& type, const std::string& target, const std::string& name);
  std::string helper(const Type& type, const std::string& name);

  std::string namespace_;
  const UnitPlan* plan_;
  std::string plan_name_;
  std::string helpers_;
  std::map<const Type*, std::string> made_helpers_;
  std::set<std::string>& function_names_;
};

}  // namespace snapgen::codegen
