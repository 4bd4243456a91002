#pragma once
// model: the fourth stage. It derives C++ types from schemas, and how a reader distinguishes alternatives.
// The fifth stage, name, adds the names.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/check.h"

namespace snapgen::codegen {

struct Type;

enum class Presence : std::uint8_t { required, optional, defaulted };

struct Field {
  std::string key;
  std::string member;
  const Schema* schema = nullptr;  // The property's; its description describes the member.
  Type* type = nullptr;
  Presence presence = Presence::required;
  // A constant is not stored: a required one has no member, an optional one is a bool for its presence.
  std::optional<Constant> constant;
  bool boxed = false;  // It would contain itself.

  bool stored() const { return !constant || presence == Presence::optional; }
};

struct Enumerator {
  std::string text;
  std::string name;
  std::string description;
};

// How a reader finds the alternative of a value: a tree of tests.
struct Choice {
  enum class By : std::uint8_t { decided, kind, tag, presence };
  struct Case {
    Kinds kinds = 0;               // kind
    std::vector<Constant> values;  // tag: the member has one of these; empty: it is absent
    bool present = false;          // presence
    std::unique_ptr<Choice> next;
  };
  By by = By::decided;
  std::size_t alternative = 0;  // decided
  std::string key;              // tag, presence: the tested member
  std::vector<Case> cases;
};

struct Alternative {
  Type* type = nullptr;
  bool boxed = false;
};

// The test of a condition on one member.
struct Test {
  enum class Kind : std::uint8_t { present, absent, value };
  Kind kind = Kind::present;
  std::size_t field = 0;
  std::vector<Constant> values;  // value: one of them; or the member is absent
};

struct Rule {
  std::string_view keyword;  // "if", "dependentRequired"
  std::vector<Test> when;    // All of them must hold.
  std::vector<Test> then;
  std::vector<Test> otherwise;
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
  const Schema* schema = nullptr;  // Its keywords are the limits that a reader checks.
  const File* file = nullptr;      // Where it is declared.
  std::string wanted_name;         // The name stage derives a name from it.
  std::string name;                // Declared: a struct, an enum, or an alias. Empty: spelled inline.
  bool declared = false;
  bool is_standalone = false;  // Not made for a single member or element.
  bool wrapped = false;        // An alias that contains itself: a struct with one member, `value`.

  Type* item = nullptr;  // array, map, nullable; structure: the type of unnamed members
  bool item_boxed = false;
  bool open = false;  // structure: unknown members are skipped
  std::vector<Field> fields;
  std::vector<std::string> forbidden;  // structure: members with the schema false
  std::vector<Rule> rules;
  // A struct cannot express its schema, so a plan checks the value or an enclosing one. If the form is raw,
  // there is no other check.
  bool by_plan = false;
  bool is_unsigned = false;  // integer: the type is std::uint64_t
  std::vector<Enumerator> enumerators;
  std::vector<Alternative> alternatives;
  std::unique_ptr<Choice> choice;

  bool is_class() const {
    return declared && (wrapped || form == Form::structure || form == Form::enumeration);
  }
};

// The code that is generated from one schema file.
struct Unit {
  const File* file = nullptr;
  std::vector<Type*> types;          // Declared here, each after the types it needs.
  std::vector<const Type*> forward;  // Structs to declare before they are complete.
  std::vector<const File*> uses;     // Files with types that these use.
};

struct ToolModel {
  const ToolFile* tool = nullptr;
  Type* input = nullptr;
  Type* output = nullptr;
};

struct Model {
  std::vector<std::unique_ptr<Type>> types;
  std::vector<std::unique_ptr<Schema>> kept;  // Schemas that the stage created.
  std::vector<Unit> units;                    // In order of file.
  std::vector<ToolModel> tools;               // In order of name.
  // Objects that are closed by default, in addition to those of Checked.
  std::set<const json::Node*> closed;
};

Model build_model(const Sources& sources, const Checked& checked, const Resolved& resolved,
                  Findings& findings);

// Fills in `units`: where and in which order types are declared, and which members must be boxed to be
// finite. Files that need each other are a finding. Called by build_model.
void order_model(Model& model, const Sources& sources, Findings& findings);

// name: sets every C++ name. Two types with the same name in one namespace are a finding.
void name_model(Model& model, Findings& findings);

}  // namespace snapgen::codegen
