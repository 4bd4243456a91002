#pragma once
// compile: the compilers of schemas. They are pure functions: the same files give the same code, whatever
// their order.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/front/load.h"

namespace snapgen::codegen {

struct CompiledFiles {
  std::vector<std::string> findings;  // Errors, one line each, sorted. If there are any, `files` is empty.
  std::map<std::string, std::string>
      // The generated files by path from the project's root, with `/`: schemas/substrate/snapshot_create.h.
      files;
};

// `texts` may contain <schemas>/profiles.json, which is not a schema.
CompiledFiles compile(std::vector<SourceText> texts, const Settings& settings);

// Compiles schema files to TypeScript declarations, checks at run time, and plain JSON Schema. Paths of the
// files are relative to the output folder: snapgen.d.ts, json.d.ts, validate.js, and for each folder of
// schemas a module such as substrate.d.ts, with substrate.js and substrate.schema.json.
CompiledFiles compile_typescript(std::vector<SourceText> texts, const Settings& settings);

struct ValidatorSettings {
  std::string name_space;
  bool formats_asserted = false;
  // The location of documents that are named by URI, as pairs: URI prefix, path prefix.
  std::vector<std::pair<std::string, std::string>> bases;
};

// Maps a document's URI to a path by the prefixes in `bases`; returns the URI if none matches.
std::string path_of_uri(const std::string& uri, const ValidatorSettings& settings);

// Compiles foreign schemas (any JSON Schema of draft 2020-12 or 7) to validators. Generates a header and a
// source for each text whose `emitted` is true, with a function that validates a value against the root and
// one for each of its `$defs` or `definitions`. Texts may refer to each other by path, `$id`, or `bases`.
CompiledFiles compile_validators(std::vector<SourceText> texts, const ValidatorSettings& settings);

// Makes structs, readers and writers for foreign schemas. Emits x_structs.h and x_structs.cc beside each
// emitted text x.json and each text it refers to. They have a type for the root and for each of its `$defs`
// or `definitions`. Schemas that cannot become structs become json::Raw, and a plan checks constraints that a
// struct cannot express. Structs retain unknown members, defaults are not applied, and colliding names are
// numbered. Findings have the form of compile_validators. `formats_asserted` applies to validators only.
CompiledFiles compile_structs(std::vector<SourceText> texts, const ValidatorSettings& settings);

// Builds a static site, and the same pages as Markdown, from schema files and handwritten pages. `manual` has
// Markdown files. Of these, index.md is the first page. A file named after a family's folder is the beginning
// of that family's page, and error codes of the family's tools link to its heading "Errors". Other files are
// separate pages. Paths in the result are relative to the output folder: index.html,
// substrate/snapshot_file.html, markdown/index.md.
CompiledFiles compile_pages(std::vector<SourceText> texts, const std::vector<SourceText>& manual,
                            const Settings& settings, const std::string& title);

}  // namespace snapgen::codegen
