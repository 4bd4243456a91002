#pragma once
// load: the first stage. It parses schema files to trees, and reports and drops files that are not JSON.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/front/finding.h"
#include "runtime/json/document.h"

namespace snapgen::codegen {

struct SourceText {
  std::string path;  // Path from the project's root, with `/`: schemas/substrate/snapshot_create.json.
  std::string text;
  // False if the file is only a target of references, and its code is generated elsewhere.
  bool emitted = true;
};

struct Settings {
  std::string schemas = "schemas";  // The folder of the schema files, from the project's root.
  std::string name_space;  // The namespace of all generated code, except for these folders (path, namespace):
  std::vector<std::pair<std::string, std::string>> namespaces;
  bool foreign = false;        // The schemas are foreign; see compile_structs.
  bool brief_listing = false;  // True if tools/list shows the short schemas of short_schema.h.
};

enum class FileKind : std::uint8_t { tool, message };

struct File {
  std::string path;    // The path of the schema file, as in SourceText.
  std::string header;  // The path of the generated header: schemas/substrate/snapshot_create.h.
  std::string family;  // The folder that contains the file, such as substrate.
  std::string stem;    // The file's name without ending: snapshot_create.
  std::string name_space;
  bool emitted = true;
  bool broken = false;  // The file is not a JSON object, so no further findings about it are reported.
  FileKind kind = FileKind::message;
  bool foreign = false;  // The schemas are foreign, as Settings has it.
  std::string text;
  json::Document document;
};

struct Sources {
  std::vector<std::unique_ptr<File>> files;  // The files, sorted by path.
  const File* find(std::string_view path) const;
};

// Parses all files except `profiles`. A file that is not a JSON object is a finding and missing from the
// result.
Sources parse_sources(std::vector<SourceText> texts, const Settings& settings, Findings& findings);

// Returns the location of the value that begins at `offset` of a file.
SourceLocation location_at(const File& file, std::size_t offset);

// Parses a file. Returns false and adds findings unless it is valid JSON in UTF-8.
bool parse(File& file, Findings& findings);

// Parses the text of a schema. A divisor in "multipleOf" may have more than 64 bits.
json::Document parse_schema(std::string_view text);

}  // namespace snapgen::codegen
