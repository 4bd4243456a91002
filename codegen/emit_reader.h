#pragma once
// Readers of the types of one schema file, for emit_source.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/model.h"
#include "codegen/plans.h"

namespace snapgen::codegen {

// `head` (up to the brace) and string literals, in lines that are not too long.
std::string names_array(std::string head, const std::vector<std::string>& names, const std::string& indent);
// mode_texts: the array of an enum's values.
std::string texts_name(const Type& type);

class ReaderEmitter {
 public:
  // `plan` is null if no reader asks one; it is in ::snapgen, by the name `plan_name`. `taken` are names of
  // functions in the same namespace.
  ReaderEmitter(std::string name_space, const UnitPlan* plan, std::string plan_name,
                std::set<std::string>& taken)
      : space_(std::move(name_space)), plan_(plan), plan_name_(std::move(plan_name)), names_(taken) {}

  // The definitions of what the header declares for reading `type`. Functions that it needs beside them come
  // from helpers().
  std::string definition(const Type& type);
  // In an order in which each is defined before its use.
  const std::string& helpers() const { return helpers_; }

 private:
  std::string whole(const Type& type);
  bool asks_plan(const Type& type) const { return plan_ && plan_->root_of(type); }
  std::string enumeration(const Type& type);
  std::string structure(const Type& type);
  std::string member(const Type& type, const Field& field, std::size_t index, const std::string& indent);
  std::string member_value(const Type& owner, const Field& field);
  std::string absent(const Type& type);
  std::string rules(const Type& type);
  std::string holds(const Type& type, const struct Test& test, bool there) const;
  std::string fails(const Type& type, const struct Test& test, bool there) const;
  std::string comparison(const Field& field, const Constant& value, bool equal) const;
  std::string body(const Type& type, const std::string& name);
  std::string limits(const Type& type) const;
  std::string array(const Type& type, const std::string& name);
  std::string map(const Type& type, const std::string& name);
  std::string choice(const Type& type, const Choice& choice, const std::string& name,
                     const std::string& indent, bool is_object);
  std::string leaf(const Type& type, std::size_t alternative, const std::string& name);

  // A statement that reads a value of `type` into `target`. `name` is for a function that must be made for
  // it.
  std::string statement(const Type& type, const std::string& target, const std::string& name);
  std::string helper(const Type& type, const std::string& name);

  std::string space_;
  const UnitPlan* plan_;
  std::string plan_name_;
  std::string helpers_;
  std::map<const Type*, std::string> made_;
  std::set<std::string>& names_;
};

}  // namespace snapgen::codegen
