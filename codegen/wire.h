#pragma once
// wire: reads x-snapgen.wire, the lines that tools answer with instead of JSON. Part of the check stage;
// emit_wire.cc and wire_help.cc use the result.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/model.h"

namespace snapgen::codegen {

struct WireChoiceValue {
  std::string value;  // In the line: "✓"
  std::string name;   // In code: pass
  std::string description;
};

// A set of values, usable by fields of any tool's lines.
struct WireChoice {
  std::string name;
  std::vector<WireChoiceValue> values;
};

struct WireField {
  enum class Form : std::uint8_t {
    verbatim,    // A text, percent-encoded.
    compressed,  // A text whose exact white space does not matter.
    count,       // An integer, between `sign` and `unit`.
    choice,      // One of a WireChoice.
    record,      // Several of the above, `separator` between them.
    object,      // A JSON object, verbatim; the last field.
  };
  std::string name;  // The label, and the member in C++.
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
  bool repeated = false;  // Zero or more; the last field.
  SourceLocation place;
};

struct WireLine {
  std::string code;
  std::string name;   // start: the struct is StartLine
  std::string title;  // Start task
  std::string when;   // mode: start
  std::vector<WireField> fields;
  const ToolFile* tool = nullptr;        // The tool whose file defines it.
  std::vector<const ToolFile*> also_of;  // Other tools that answer with it.
  SourceLocation place;
};

// Additional lines of snap_help that schemas do not define otherwise.
struct WireTopicLine {
  std::string term;
  std::string text;
};
struct WireTopic {
  std::string name;
  std::vector<WireTopicLine> lines;
};

struct WireModel {
  std::vector<std::unique_ptr<WireChoice>> choices;  // In order of name.
  std::vector<std::unique_ptr<WireLine>> lines;      // In order of file, then of position.
  std::vector<WireTopic> topics;                     // In order of name.
  std::vector<const ToolFile*> tools;                // Those with lines, in order of name.
};

// The allowed members of x-snapgen.wire and its parts, sorted; for schemas that describe them.
std::vector<std::string_view> known_wire_keys();
std::vector<std::string_view> known_wire_line_keys();
std::vector<std::string_view> known_wire_field_keys();

WireModel read_wire(const std::vector<ToolFile>& tools, Findings& findings);

// The line with field names as placeholders: 🧢|S|id:<id>|risk:<L/M/H>|...
std::string wire_shape(const WireLine& line, bool labeled);

// Emit lines.h and lines.cc, see emit.h. The namespace is `lines` inside the server's.
std::string emit_wire_header(const WireModel& wire, const std::string& schemas,
                             const std::string& name_space);
std::string emit_wire_source(const WireModel& wire, const std::string& schemas,
                             const std::string& name_space);

// The answers of snap_help as (topic, text); the topic "all" is last.
std::vector<std::pair<std::string, std::string>> wire_help(const WireModel& wire);

}  // namespace snapgen::codegen
