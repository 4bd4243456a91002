#pragma once
// model: the fourth stage. From schemas to types: what a value is in C++, and how a reader tells alternatives
// apart. The fifth stage, name, fills in the names.
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
  const Schema* schema = nullptr;  // Of the property: its description is the member's.
  Type* type = nullptr;
  Presence presence = Presence::required;
  // A constant is not stored: a required one is nothing, an optional one is a bool that says whether it is
  // there.
  std::optional<Constant> constant;
  bool boxed = false;  // It would contain itself.

  bool stored() const { return !constant || presence == Presence::optional; }
};

struct Enumerator {
  std::string text;
  std::string name;
  std::string description;
};

// How a reader finds the alternative that a value is: by one look at it, then perhaps another.
struct Choice {
  enum class By : std::uint8_t { decided, kind, tag, presence };
  struct Case {
    Kinds kinds = 0;               // kind
    std::vector<Constant> values;  // tag: the member has one of these; empty: it is absent
    bool present = false;          // presence
    std::unique_ptr<Choice> next;
  };
  By by = By::decided;
  std::size_t alternative = 0;  // settled
  std::string key;              // tag, presence: the member looked at
  std::vector<Case> cases;
};

struct Alternative {
  Type* type = nullptr;
  bool boxed = false;
};

// What a condition asks of one member.
struct Test {
  enum class Kind : std::uint8_t { present, absent, value };
  Kind kind = Kind::present;
  std::size_t field = 0;
  std::vector<Constant> values;  // value: one of them; or the member is absent
};

struct Rule {
  std::string_view keyword;  // "if", "dependentRequired"
  std::vector<Test> when;    // All of them.
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
  const Schema* schema = nullptr;  // Its own keywords are the limits that a reader checks.
  const File* file = nullptr;      // Where it is declared.
  std::string wanted_name;         // What the name stage makes a name of.
  std::string name;  // Declared: a struct, an enum, or an alias for anything else. Empty: written out.
  bool declared = false;
  bool stands_alone = false;  // Not made for one member or element.
  bool wrapped = false;       // An alias that contains itself: a struct with one member, `value`.

  Type* item = nullptr;  // array, map, nullable; of a structure: what members without a name are
  bool item_boxed = false;
  bool open = false;  // structure: unknown members are passed over
  std::vector<Field> fields;
  std::vector<std::string> forbidden;  // structure: members with the schema false
  std::vector<Rule> rules;
  // Its schema says what a struct can't: a plan is asked too, where the value or what it is in is read. With
  // the form raw, nothing else is asked.
  bool by_plan = false;
  bool is_unsigned = false;  // integer: of std::uint64_t
  std::vector<Enumerator> enumerators;
  std::vector<Alternative> alternatives;
  std::unique_ptr<Choice> choice;

  bool is_class() const {
    return declared && (wrapped || form == Form::structure || form == Form::enumeration);
  }
};

// What is generated from one schema file.
struct Unit {
  const File* file = nullptr;
  std::vector<Type*> types;          // Declared here, each after those it needs.
  std::vector<const Type*> forward;  // Structs that must be named before they are complete.
  std::vector<const File*> uses;     // Files whose types these mention.
};

struct ToolModel {
  const ToolFile* tool = nullptr;
  Type* input = nullptr;
  Type* output = nullptr;
};

struct Model {
  std::vector<std::unique_ptr<Type>> types;
  std::vector<std::unique_ptr<Schema>> kept;  // Schemas made on the way.
  std::vector<Unit> units;                    // In order of file.
  std::vector<ToolModel> tools;               // In order of name.
  // Objects that take no other members without saying so, beyond those of Checked.
  std::set<const json::Node*> closed;
};

Model build_model(const Sources& sources, const Checked& checked, const Resolved& resolved,
                  Findings& findings);

// Fills in `units`: which type is declared where, in which order, and what must be boxed to be finite. Files
// that need each other are a finding. Called by build_model.
void order_model(Model& model, const Sources& sources, Findings& findings);

// name: fills in every name of C++. Two types of one namespace with the same name are a finding.
void name_model(Model& model, Findings& findings);

}  // namespace snapgen::codegen
