#pragma once
// wire: reads x-snapgen.wire, the lines that tools answer with instead of JSON. Part of the check stage;
// emit_lines.cc and line_reference.cc use the result.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/model/model.h"

namespace snapgen::codegen {

struct WireChoiceValue {
  std::string value;  // The text in the line, such as "✓".
  std::string name;   // The name in code, such as pass.
  std::string description;
};

// A set of values that fields of any tool's lines can use.
struct WireChoice {
  std::string name;
  std::vector<WireChoiceValue> values;
};

struct WireField {
  enum class Form : std::uint8_t {
    verbatim,    // A text that is percent-encoded.
    compressed,  // A text whose white space may change.
    count,       // An integer, with the texts `sign` before and `unit` after it.
    choice,      // One of the values of a WireChoice.
    record,      // Several fields of the above forms, with `separator` between them.
    object,      // A JSON object, unchanged; it is the last field.
  };
  std::string name;  // The label, which is also the member's name in C++.
  std::string description;
  Form form = Form::verbatim;
  std::string sign;
  std::string unit;
  const WireChoice* choice = nullptr;
  std::string choice_name;
  std::string separator;
  std::vector<WireField> parts;
  bool labeled = true;
  bool optional = false;
  bool repeated = false;  // The field can have any number of values, and is the last one.
  SourceLocation location;
};

struct WireLine {
  std::string code;
  std::string name;   // The name, such as start for the struct StartLine.
  std::string title;  // The title of the line, such as "Start task".
  std::string when;   // The case in which the tool answers with it: "mode: start".
  std::vector<WireField> fields;
  const ToolFile* tool = nullptr;        // The tool whose file defines the line.
  std::vector<const ToolFile*> also_of;  // Other tools that also answer with the line.
  SourceLocation location;
};

// A line of snap_help that no schema defines otherwise.
struct WireTopicLine {
  std::string term;
  std::string text;
};
struct WireTopic {
  std::string name;
  std::vector<WireTopicLine> lines;
};

struct WireModel {
  std::vector<std::unique_ptr<WireChoice>> choices;  // All choices, sorted by name.
  std::vector<std::unique_ptr<WireLine>> lines;      // All lines, sorted by file, then by position.
  std::vector<WireTopic> topics;                     // All topics, sorted by name.
  std::vector<const ToolFile*> tools;                // The tools that have lines, sorted by name.
};

// Each returns the allowed members of x-snapgen.wire or one of its parts, sorted, for schemas that describe
// them.
std::vector<std::string_view> known_wire_keys();
std::vector<std::string_view> known_wire_line_keys();
std::vector<std::string_view> known_wire_field_keys();

WireModel read_wire(const std::vector<ToolFile>& tools, Findings& findings);

// Returns the line with placeholders for its fields: 🧢|S|id:<id>|risk:<L/M/H>|...
std::string wire_shape(const WireLine& line, bool labeled);

// These emit lines.h and lines.cc, see emit.h. The namespace is `lines` inside the server's.
std::string emit_wire_header(const WireModel& wire, const std::string& schemas,
                             const std::string& name_space);
std::string emit_wire_source(const WireModel& wire, const std::string& schemas,
                             const std::string& name_space);

// Returns the answers of snap_help as pairs of topic and text; the topic "all" is last.
std::vector<std::pair<std::string, std::string>> wire_help(const WireModel& wire);

}  // namespace snapgen::codegen
