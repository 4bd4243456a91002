#pragma once
// load: the first stage. Schema files as text become trees; what is no JSON is said and left out.
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
  bool emitted = true;  // False: others may refer to it; its code is made elsewhere.
};

struct Settings {
  std::string schemas = "schemas";  // The folder of the schema files, from the project's root.
  std::string name_space;           // Of everything generated, but for these folders (path, namespace):
  std::vector<std::pair<std::string, std::string>> namespaces;
  bool foreign = false;        // Schemas of others, as compile_structs takes them; see there.
  bool brief_listing = false;  // tools/list shows what brief.h leaves of schemas.
};

enum class FileKind : std::uint8_t { tool, message };

struct File {
  std::string path;    // As in SourceText.
  std::string header;  // schemas/substrate/snapshot_create.h
  std::string family;  // The folder it lies in: substrate
  std::string stem;    // snapshot_create
  std::string name_space;
  bool emitted = true;
  bool broken = false;  // No JSON object: nothing more is said about it.
  FileKind kind = FileKind::message;
  bool foreign = false;  // By Settings.
  std::string text;
  json::Document document;
};

struct Sources {
  std::vector<std::unique_ptr<File>> files;  // In order of path.
  const File* find(std::string_view path) const;
};

// `profiles` are not among them. A file that is no JSON object is a finding, and missing from the result.
Sources load(std::vector<SourceText> texts, const Settings& settings, Findings& findings);

// JSON in UTF-8 without a fault; else the faults are findings about `file`.
bool parse(File& file, Findings& findings);

}  // namespace snapgen::codegen
