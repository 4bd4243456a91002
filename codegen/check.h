#pragma once
// check: the third stage. It reads the files keyword by keyword and reports every error.
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/resolve.h"
#include "codegen/schema.h"

namespace snapgen::codegen {

enum class Rendering : std::uint8_t { mirror, summarized, text, content };

struct Rate {
  std::uint32_t per_minute = 0;
  std::uint32_t burst = 0;
  std::string by;                   // The argument whose values have separate limits; empty: none.
  std::vector<std::string> values;  // Its values.
};

// The command of a tool without a C++ handler.
struct Run {
  std::vector<std::string> command;      // The program and its arguments.
  std::vector<std::string> environment;  // Names of the variables it gets, in addition to PATH.
  std::string folder;                    // The working directory, below the workspace; empty: the workspace.
  std::uint32_t output_bytes_max = 1 << 20;
};

struct ToolFile {
  const File* file = nullptr;
  SourceLocation place;
  std::string name;       // dotted
  std::string safe_name;  // also the name of the handler
  std::string title;
  std::string description;
  std::string annotations;  // canonical JSON, or empty
  std::string icons;        // the same
  std::string meta;         // the same
  const Schema* input = nullptr;
  const Schema* output = nullptr;  // Null: the handler creates the content.
  Rendering rendering = Rendering::text;
  std::string coherence;
  std::string tier;
  std::vector<std::string> errors;
  std::vector<std::string> permissions;
  std::optional<Rate> rate;
  std::uint32_t deadline_ms = 0;
  bool formats_asserted = false;
  bool listed_as_written = false;  // Its schemas are listed with their `$ref` and `$defs`.
  std::string task;                // optional, required, or empty: never a task
  bool needs_workspace = false;
  std::optional<Run> run;
};

struct Definition {
  std::string name;
  const Schema* schema = nullptr;
};

struct Checked {
  std::vector<std::unique_ptr<Schema>> owned;
  std::map<const json::Node*, Schema*> schemas;   // By their node.
  std::map<const File*, const Schema*> messages;  // Files that are a schema and not only `$defs`.
  std::map<const File*, std::vector<Definition>> definitions;  // Each file's `$defs`, in file order.
  std::vector<ToolFile> tools;                                 // In order of name.
  std::set<const json::Node*> inputs;                          // Schemas of parts of a tool's input.
  std::set<const json::Node*> closed;                          // Input objects that are closed by default.
};

// Whether the file requests that formats are asserted, not only annotated.
bool formats_asserted(const File& file);

Checked check(const Sources& sources, const Resolved& resolved, Findings& findings);

}  // namespace snapgen::codegen
