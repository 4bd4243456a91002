#pragma once
// typescript: spells types, literals and comments in TypeScript, and assigns types to modules, for the
// emitter.
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "codegen/stages/stages.h"

namespace snapgen::codegen::typescript {

// Modules: one module for each folder of schemas. Types of one C++ namespace have distinct names, so one flat
// namespace exports them. The names in modules of other namespaces are qualified: mcp.Icon.
class Modules {
 public:
  Modules(const Model& model, const Settings& settings);

  // Returns the module's name, such as substrate; `messages` for a file without a folder.
  const std::string& module_of(const File& file) const { return modules_.at(&file); }
  const std::string& name_of(const Type& type) const { return names_.at(&type); }
  // Returns the modules; the value tells whether their names are exported flat.
  const std::map<std::string, bool>& all() const { return flat_; }
  // Returns the type that was made from a schema, or null.
  const Type* type_of(const Schema& schema) const;
  // Returns the type of the file whose root schema is an id of this brand, or null.
  const Type* type_of_brand(const std::string& brand) const;

 private:
  std::map<const File*, std::string> modules_;
  std::map<std::string, bool> flat_;
  std::map<const Type*, std::string> names_;
  std::map<const Schema*, const Type*> types_;
  std::map<std::string, const Type*> brands_;
};

// TypePrinter spells types for one module, and collects the module's imports.
class TypePrinter {
 public:
  TypePrinter(const Modules& modules, std::string module) : modules_(modules), module_(std::move(module)) {}

  std::string type(const Type& type);           // The type's name, or its spelling if it has none.
  std::string declared_type(const Type& type);  // Returns the right side of the type's declaration.
  std::string reference(const Type& type);      // Returns the type's name as this module uses it.
  std::string field(const Field& field);        // Returns the type of a struct's member.
  std::string imports() const;                  // The lines with imports, or empty.
  // Returns the type of a schema that has none in C++.
  std::string schema(const Schema& given, int depth = 0);

 private:
  std::string union_of(const Type& type);
  std::string structure(const Type& type);
  std::string raw(const Schema& schema, int depth);
  std::string object(const Schema& s, int depth);
  std::string list(const Schema& s, int depth, bool inner);
  std::string helper(const std::string& name);

  const Modules& modules_;
  std::string module_;
  std::map<std::string, std::set<std::string>> names_;  // Names to import, by module.
  std::set<std::string> whole_modules_;                 // Modules that are imported as a whole.
};

// Returns the offsets of `|` and `&` that are neither in brackets nor in a string.
std::vector<std::size_t> top_level_operators(std::string_view type);
// Returns the literal type of a JSON value; `number` if a double cannot represent it exactly.
std::string literal_type(const json::Node& value);
// Returns the name, in quotes if it must be: paths, "io.modelcontextprotocol/clientInfo".
std::string property_name(const std::string& key);
// Returns the limits as a sentence, such as "Limits: 1 to 4000 characters."; or empty.
std::string limits(const Type& type);
// Formats `text` as a doc comment with lines of at most 110 columns; empty if `text` is empty.
std::string doc_comment(std::string_view text, std::size_t indent);

}  // namespace snapgen::codegen::typescript
