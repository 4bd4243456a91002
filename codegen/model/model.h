#pragma once
// model: the fourth stage. It derives C++ types from schemas, and how a reader distinguishes alternatives.
// The fifth stage, name, adds the names.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/front/check.h"

namespace snapgen::codegen {

struct Type;

enum class Presence : std::uint8_t { required, optional, defaulted };

struct Field {
  std::string key;
  std::string member;
  const Schema* schema = nullptr;  // The schema of the property. Its description describes the member.
  Type* type = nullptr;
  Presence presence = Presence::required;
  // A member with only one possible value, which is not stored. If it is required, there is no member; if it
  // is optional, the member is a bool for its presence.
  std::optional<Constant> constant;
  bool boxed = false;  // The member is behind a pointer, because the type would otherwise contain itself.

  bool is_stored() const { return !constant || presence == Presence::optional; }
};

struct Enumerator {
  std::string text;
  std::string name;
  std::string description;
};

// How a reader finds the alternative that a value fits: a tree of tests.
struct DecisionTree {
  enum class By : std::uint8_t { decided, kind, tag, presence };
  struct Case {
    Kinds kinds = 0;  // The JSON kinds of values in this case, if By::kind decides.
    // The values of the tested member, if By::tag decides; empty if it is absent.
    std::vector<Constant> values;
    bool present = false;  // Whether the tested member exists, if By::presence decides.
    std::unique_ptr<DecisionTree> next;
  };
  By decided_by = By::decided;
  std::size_t alternative = 0;  // The index of the alternative, for By::decided.
  std::string key;              // The member that is tested, if By::tag or By::presence decides.
  std::vector<Case> cases;
};

struct Alternative {
  Type* type = nullptr;
  bool boxed = false;
};

// A condition on one member of an object.
struct MemberTest {
  enum class Kind : std::uint8_t { present, absent, value };
  Kind kind = Kind::present;
  std::size_t field = 0;
  std::vector<Constant> values;  // The values that the member may have, if present, for Kind::value.
};

struct Rule {
  std::string_view keyword;      // The keyword of the rule, such as "if".
  std::vector<MemberTest> when;  // The rule applies if all of these tests succeed.
  std::vector<MemberTest> then;
  std::vector<MemberTest> otherwise;
};

struct Type {
  enum class Form : std::uint8_t {
    raw,
    boolean,
    integer,
    number,
    string,
    enumeration,
    array,
    map,
    structure,
    nullable,
    variant
  };
  Form form = Form::raw;
  const Schema* schema = nullptr;  // A reader checks the limits in its keywords.
  const File* file = nullptr;      // The file in which the type is declared.
  std::string wanted_name;         // The name from which the name stage derives `name`.
  std::string name;  // The name of a declared struct, enum or alias. Empty if the type is spelled inline.
  bool declared = false;
  bool is_standalone = false;  // The type was not made for only one member or element.
  bool is_wrapped = false;  // An alias that would contain itself becomes a struct with one member, `value`.

  // The type of elements (array, map), of the value (nullable), or of unnamed members (structure).
  Type* item = nullptr;
  bool item_boxed = false;
  bool open = false;  // Unknown members are skipped (for a structure).
  std::vector<Field> fields;
  std::vector<std::string> forbidden;  // Members whose schema is `false` (for a structure).
  std::vector<Rule> rules;
  // A plan checks the value or one that contains it, because a struct cannot express the schema. If the form
  // is raw, there is no other check.
  bool checked_by_plan = false;
  bool is_unsigned = false;  // The type is std::uint64_t (for an integer).
  std::vector<Enumerator> enumerators;
  std::vector<Alternative> alternatives;
  std::unique_ptr<DecisionTree> choice;

  bool is_class() const {
    return declared && (is_wrapped || form == Form::structure || form == Form::enumeration);
  }
};

// The code that is generated from one schema file.
struct SourceUnit {
  const File* file = nullptr;
  std::vector<Type*> types;  // The types that the file declares, each after the types it needs.
  std::vector<const Type*> forward_declared;  // Structs that are declared before they are defined.
  std::vector<const File*> used_files;        // Files with types that these types use.
};

struct ToolModel {
  const ToolFile* tool = nullptr;
  Type* input = nullptr;
  Type* output = nullptr;
};

struct Model {
  std::vector<std::unique_ptr<Type>> types;
  std::vector<std::unique_ptr<Schema>> made_schemas;  // Schemas that this stage has made.
  std::vector<SourceUnit> units;                      // The code of each file, sorted by file.
  std::vector<ToolModel> tools;                       // The tools, sorted by name.
  // Objects that are closed by default, in addition to those of Checked.
  std::set<const json::Node*> closed_objects;
};

Model build_model(const Sources& sources, const CheckedSchemas& checked, const ResolvedSchemas& resolved,
                  Findings& findings);

// Called by build_model(). Fills in `units`: where and in which order types are declared, and which members
// must be boxed to be finite. Files that need each other are a finding.
void order_model(Model& model, const Sources& sources, Findings& findings);

// The name stage: sets every C++ name. Two types with the same name in one namespace are a finding.
void name_model(Model& model, Findings& findings);

}  // namespace snapgen::codegen
