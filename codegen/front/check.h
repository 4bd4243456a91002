#pragma once
// check: the third stage. It reads the files keyword by keyword, and reports all errors.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/front/resolve.h"
#include "codegen/front/schema.h"

namespace snapgen::codegen {

enum class Rendering : std::uint8_t { structured, summarized, text, content };

struct RateLimit {
  std::uint32_t per_minute = 0;
  std::uint32_t burst = 0;
  std::string by_argument;          // The name of the argument whose values have separate limits, or empty.
  std::vector<std::string> values;  // The values of this argument.
};

// The command of a tool without a C++ handler.
struct RunCommand {
  std::vector<std::string> command;  // The program and its arguments.
  // Names of the environment variables that it receives, in addition to PATH.
  std::vector<std::string> environment;
  std::string folder;  // The working directory, below the workspace; empty for the workspace itself.
  std::uint32_t output_bytes_max = 1 << 20;
};

struct ToolFile {
  const File* file = nullptr;
  SourceLocation location;
  std::string name;       // The name with dots: snapshot.create.
  std::string safe_name;  // The name without dots, which is also that of the handler.
  std::string title;
  std::string description;
  std::string annotations;  // The annotations as canonical JSON, or empty.
  std::string icons;        // The icons as canonical JSON, or empty.
  std::string meta;         // The `_meta` object as canonical JSON, or empty.
  const Schema* input = nullptr;
  const Schema* output = nullptr;  // The schema of the output; null if the handler creates the content.
  Rendering rendering = Rendering::text;
  std::string coherence;
  std::string tier;
  std::vector<std::string> errors;
  std::vector<std::string> permissions;
  std::optional<RateLimit> rate;
  std::string rate_words;  // A limit that the handler enforces, or empty.
  std::uint32_t deadline_ms = 0;
  bool formats_asserted = false;
  bool is_hidden = false;          // tools/list does not have it, and every profile can call it.
  bool listed_as_written = false;  // tools/list has its schemas with their `$ref` and `$defs`.
  std::string task;                // The value "optional" or "required"; empty if no call becomes a task.
  bool needs_workspace = false;
  std::optional<RunCommand> run_command;
};

struct Definition {
  std::string name;
  const Schema* schema = nullptr;
};

struct CheckedSchemas {
  std::vector<std::unique_ptr<Schema>> owned_schemas;
  std::map<const json::Node*, Schema*> schemas;   // All schemas, keyed by their nodes.
  std::map<const File*, const Schema*> messages;  // Files that are a schema; the others only have `$defs`.
  std::map<const File*, std::vector<Definition>> definitions;  // The `$defs` of each file, in file order.
  std::vector<ToolFile> tools;                                 // The tool files, sorted by name.
  std::set<const json::Node*> input_nodes;    // Nodes of schemas that are parts of a tool's input.
  std::set<const json::Node*> closed_inputs;  // Input objects that are closed by default.
};

// Returns whether the file requests that formats are checked and not only annotations.
bool formats_asserted(const File& file);

CheckedSchemas check(const Sources& sources, const ResolvedSchemas& resolved, Findings& findings);

}  // namespace snapgen::codegen
