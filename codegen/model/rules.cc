#include "codegen/model/rules.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "codegen/model/integer.h"

namespace snapgen::codegen {
namespace {

using Form = Type::Form;

class RuleMaker {
 public:
  RuleMaker(const Type& type, Findings& findings) : type_(type), fields_(type.fields), findings_(findings) {}

  bool is_test = true;  // True if all conditions so far are tests of members.

  std::vector<MemberTest> tests(const Schema* condition) {
    std::vector<MemberTest> found;
    if (!condition) return found;
    const Schema& schema = resolved(*condition);
    if (!plain(schema)) {
      is_test = false;
      return found;
    }
    for (const std::string& name : schema.required)
      if (auto field = index_of(name, location_of_name(schema, "required", name)))
        found.push_back({.kind = MemberTest::Kind::present, .field = *field});
    for (const Property& each : schema.properties) {
      std::optional<std::size_t> field = index_of(each.name, each.schema->location);
      if (!field) continue;
      const Schema& value = resolved(*each.schema);
      if (value.never) {
        found.push_back({.kind = MemberTest::Kind::absent, .field = *field});
        continue;
      }
      if (each.required) found.push_back({.kind = MemberTest::Kind::present, .field = *field});
      if (value.values && !says_more(value))
        value_test(found, *field, value, each.schema->location);
      else if (has_limits(value) || value.kinds_given)
        is_test = false;
    }
    return found;
  }

  // Reports the names in a schema that only tests the object, such as that of `not`, if it has none of these.
  void check_names(const Schema& tested) {
    const Schema& schema = resolved(tested);
    for (const std::string& name : schema.required)
      index_of(name, location_of_name(schema, "required", name));
    for (const Property& each : schema.properties) index_of(each.name, each.schema->location);
    for (const Schema* each : schema.alternatives) check_names(*each);
  }

  // Returns the index of a member; nullopt if the object does not name it.
  std::optional<std::size_t> index_of(const std::string& name, const SourceLocation& location) {
    for (std::size_t i = 0; i < fields_.size(); ++i)
      if (fields_[i].key == name) return i;
    is_test = false;
    std::vector<std::string_view> names;
    for (const Field& each : fields_) names.push_back(each.key);
    // A name that is similar to a known one is an error even if the object allows other members.
    const std::string proposal = suggestion_clause(name, names);
    if (proposal.empty() && (type_.open || type_.item)) return std::nullopt;
    findings_.add(location, "the object has no property \"" + name + "\"" + proposal);
    return std::nullopt;
  }

 private:
  static bool plain(const Schema& s) {
    Schema rest = s;
    rest.properties_given = false;
    rest.properties.clear();
    rest.required.clear();
    return !s.never && !has_limits(rest) && (s.kinds & kinds::object) != 0;
  }
  static bool says_more(const Schema& value) {
    Schema rest = value;
    rest.values.reset();
    return has_limits(rest);
  }

  void value_test(std::vector<MemberTest>& found, std::size_t field, const Schema& value,
                  const SourceLocation& location) {
    const Field& member = fields_[field];
    const Type* type = member.type;
    if (type && type->form == Form::nullable) type = type->item;
    bool comparable =
        member.constant ||
        (type && (type->form == Form::boolean || type->form == Form::integer || type->form == Form::number ||
                  type->form == Form::string || type->form == Form::enumeration));
    if (!comparable) {
      is_test = false;
      return;
    }
    const Schema& described = resolved(*member.schema);
    for (const Constant& each : *value.values) {
      const bool beyond = type && type->form == Form::integer && each.kinds == kinds::integer &&
                          !integer_literal(each.canonical, type->is_unsigned);
      if (beyond) is_test = false;
      bool possible = (each.kinds & described.kinds) != 0;
      if (described.values) possible = std::ranges::find(*described.values, each) != described.values->end();
      if (type && type->form == Form::enumeration)
        possible = each.kind == json::Kind::null
                       ? member.type->form == Form::nullable
                       : std::ranges::any_of(type->enumerators,
                                             [&](const Enumerator& e) { return e.text == each.string; });
      if (!possible) findings_.add(location, "\"" + member.key + "\" can never be " + each.canonical);
    }
    found.push_back({.kind = MemberTest::Kind::value, .field = field, .values = *value.values});
  }

  const Type& type_;
  const std::vector<Field>& fields_;
  Findings& findings_;
};

std::string constants_in_words(const std::vector<Constant>& values, std::string_view last) {
  std::string words;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i) words += i + 1 == values.size() ? " " + std::string(last) + " " : ", ";
    words += values[i].canonical;
  }
  return words;
}

}  // namespace

bool make_rules(const Schema& schema, Type& type, Findings& findings) {
  bool all = true;
  if (const ValidatorConstraint* inverse = find_validator_constraint(schema, "not");
      inverse && !schema.location.file->foreign)
    for (const auto& [name, tested] : inverse->schemas) RuleMaker(type, findings).check_names(*tested);
  for (const Conditional& each : schema.conditionals) {
    RuleMaker maker(type, findings);
    Rule rule{.keyword = "if",
              .when = maker.tests(each.when),
              .then = maker.tests(each.then),
              .otherwise = maker.tests(each.otherwise)};
    all = all && maker.is_test;
    if (maker.is_test && (!rule.then.empty() || !rule.otherwise.empty()))
      type.rules.push_back(std::move(rule));
  }
  for (const auto& [name, needed] : schema.dependent_required) {
    RuleMaker maker(type, findings);
    const json::Node* dependencies = schema.node ? schema.node->find("dependentRequired") : nullptr;
    SourceLocation location = dependencies
                                  ? inner_location(schema.location, "dependentRequired", dependencies->offset)
                                  : schema.location;
    std::optional<std::size_t> field = maker.index_of(name, location);
    Rule rule{.keyword = "dependentRequired"};
    if (field) rule.when.push_back({.kind = MemberTest::Kind::present, .field = *field});
    for (const std::string& each : needed)
      if (auto other = maker.index_of(each, location); field && other)
        rule.then.push_back({.kind = MemberTest::Kind::present, .field = *other});
    all = all && maker.is_test;
    if (maker.is_test && !rule.then.empty()) type.rules.push_back(std::move(rule));
  }
  return all;
}

std::string tests_in_words(const std::vector<MemberTest>& tests, const std::vector<Field>& fields) {
  std::string words;
  for (const MemberTest& test : tests) {
    // A test of the member's value implies that it is present.
    bool is_stated =
        test.kind == MemberTest::Kind::present && std::ranges::any_of(tests, [&](const MemberTest& other) {
          return other.kind == MemberTest::Kind::value && other.field == test.field;
        });
    if (is_stated) continue;
    if (!words.empty()) words += " and ";
    words += fields[test.field].key;
    if (test.kind == MemberTest::Kind::present)
      words += " is given";
    else if (test.kind == MemberTest::Kind::absent)
      words += " is not given";
    else
      words += " is " + constants_in_words(test.values, "or");
  }
  return words;
}

std::string violation_sentence(const MemberTest& test, const std::vector<Field>& fields) {
  const std::string& key = fields[test.field].key;
  if (test.kind == MemberTest::Kind::present) return key + " is required";
  if (test.kind == MemberTest::Kind::absent) return key + " is not allowed";
  return key + " must be " + constants_in_words(test.values, "or");
}

}  // namespace snapgen::codegen
