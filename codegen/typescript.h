#pragma once
// typescript: spells types, literals and comments in TypeScript, and assigns types to modules. For the
// emitter.
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "codegen/understand.h"

namespace snapgen::codegen::typescript {

// One module for each folder of schemas. Types of one C++ namespace have distinct names, so one flat
// namespace exports them. Modules of other namespaces are qualified: mcp.Icon.
class Modules {
 public:
  Modules(const Model& model, const Settings& settings);

  // The module's name, such as substrate; `messages` for files without a folder.
  const std::string& module_of(const File& file) const { return modules_.at(&file); }
  const std::string& name_of(const Type& type) const { return names_.at(&type); }
  // Modules, and whether their names are exported flat.
  const std::map<std::string, bool>& all() const { return flat_; }
  // The type made from a schema, or null.
  const Type* type_of(const Schema& schema) const;
  // The file whose root schema is an id of this brand, or null.
  const Type* type_of_brand(const std::string& brand) const;

 private:
  std::map<const File*, std::string> modules_;
  std::map<std::string, bool> flat_;
  std::map<const Type*, std::string> names_;
  std::map<const Schema*, const Type*> types_;
  std::map<std::string, const Type*> brands_;
};

// Spells types inside one module, and collects its imports.
class Speller {
 public:
  Speller(const Modules& modules, std::string module) : modules_(modules), module_(std::move(module)) {}

  std::string type(const Type& type);                      // By its name if it has one.
  std::string declared_type(const Type& type);             // The right side of the type's declaration.
  std::string reference(const Type& type);                 // The name as used in this module.
  std::string field(const Field& field);                   // The type of a member.
  std::string imports() const;                             // Import lines, or empty.
  std::string schema(const Schema& given, int depth = 0);  // For a schema without a type.

 private:
  std::string union_of(const Type& type);
  std::string structure(const Type& type);
  std::string raw(const Schema& schema, int depth);
  std::string object(const Schema& s, int depth);
  std::string list(const Schema& s, int depth, bool inner);
  std::string helper(const std::string& name);

  const Modules& modules_;
  std::string module_;
  std::map<std::string, std::set<std::string>> names_;  // By module.
  std::set<std::string> whole_;                         // Modules imported by name.
};

// The literal type of a JSON value; `number` if a double cannot represent it exactly.
std::string literal_type(const json::Node& value);
// The name, quoted if it must be: paths, "io.modelcontextprotocol/clientInfo"
std::string property_name(const std::string& key);
// "Limits: 1 to 4000 characters.", or empty.
std::string limits(const Type& type);
// Formats `text` as a doc comment with lines of at most 110 columns; empty if `text` is empty.
std::string doc_comment(std::string_view text, std::size_t indent);

}  // namespace snapgen::codegen::typescript
