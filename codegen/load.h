#pragma once
// load: the first stage. It parses schema files to trees, and reports and drops files that are not JSON.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/finding.h"
#include "runtime/json/document.h"

namespace snapgen::codegen {

struct SourceText {
  std::string path;  // From the project's root, with `/`: schemas/substrate/snapshot_create.json
  std::string text;
  bool emitted = true;  // False: only a target of references; its code is generated elsewhere.
};

struct Settings {
  std::string schemas = "schemas";  // The folder of the schema files, from the project's root.
  std::string name_space;           // For all generated code except these folders (path, namespace):
  std::vector<std::pair<std::string, std::string>> namespaces;
  bool foreign = false;        // Foreign schemas; see compile_structs.
  bool brief_listing = false;  // tools/list shows the short schemas of brief.h.
};

enum class FileKind : std::uint8_t { tool, message };

struct File {
  std::string path;    // As in SourceText.
  std::string header;  // schemas/substrate/snapshot_create.h
  std::string family;  // The folder that contains it: substrate
  std::string stem;    // snapshot_create
  std::string name_space;
  bool emitted = true;
  bool broken = false;  // Not a JSON object: no further findings about it.
  FileKind kind = FileKind::message;
  bool foreign = false;  // From Settings.
  std::string text;
  json::Document document;
};

struct Sources {
  std::vector<std::unique_ptr<File>> files;  // In order of path.
  const File* find(std::string_view path) const;
};

// Skips `profiles`. A file that is not a JSON object is a finding and missing from the result.
Sources load(std::vector<SourceText> texts, const Settings& settings, Findings& findings);

// Parses a file. Returns false and adds findings unless it is valid JSON in UTF-8.
bool parse(File& file, Findings& findings);

}  // namespace snapgen::codegen
