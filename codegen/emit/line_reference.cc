// Makes the texts of snap_help: the reference of the lines, from their definitions.
#include <algorithm>

#include "codegen/lines/line_formats.h"
#include "codegen/model/cpp.h"

namespace snapgen::codegen {
namespace {

constexpr std::string_view help_grammar =
    R"(An answer is one line of fields, "---", and a summary that says all that matters in words.
Labeled (default): 🧢|TYPE|name:value|...   Compact (compact: true): 🧢|TYPE|value|...
In texts as they are: % | CR LF are %25 %7C %0D %0A. In compressed texts (~): → is white space, / may be |.
A field in [] may be absent: left out in labeled lines, empty (||) in compact ones. ... repeats.
)";

std::string codes(const WireModel& wire) {
  std::string text = "TYPE CODES:\n";
  for (const auto& line : wire.lines) {
    std::string whose = line->tool->safe_name;
    for (const ToolFile* each : line->also_of)
      if (line->code != "!") whose += ", " + each->safe_name;
    if (line->code == "!") whose = "any tool";
    text += line->code + " = " + line->title + " (" + whose + (line->when.empty() ? "" : ", " + line->when) +
            ")\n";
  }
  return text;
}

std::string decode_table(const WireModel& wire) {
  std::string text = "FIELD DECODE:\n";
  for (const auto& line : wire.lines) {
    text += line->code + ": ";
    for (const WireField& field : line->fields) {
      if (&field != &line->fields.front()) text += " | ";
      std::string name = field.name;
      if (field.form == WireField::Form::compressed) name += "~";
      if (field.form == WireField::Form::object) name = "{" + name + "}";
      if (field.form == WireField::Form::record) {
        std::string parts;
        for (const WireField& part : field.parts)
          parts += (parts.empty() ? "" : field.separator) + part.sign + part.name + part.unit;
        name = field.repeated || !field.labeled ? parts : name + "=" + parts;
      }
      if (field.optional) name = "[" + name + "]";
      if (field.repeated) name += " | ...";
      text += name;
    }
    text += "\n";
  }
  return text;
}

// Returns a list with every field name once, in the order of the lines.
std::string field_words(const WireModel& wire) {
  std::string text = "FIELDS:\n";
  std::vector<std::string> words;
  auto say = [&](const WireField& field) {
    const std::string line = field.name + ": " + field.description + "\n";
    if (field.description.empty() || std::ranges::find(words, line) != words.end()) return;
    words.push_back(line);
    text += line;
  };
  for (const auto& line : wire.lines)
    for (const WireField& field : line->fields) {
      say(field);
      for (const WireField& part : field.parts) say(part);
    }
  return text;
}

std::string value_words(const WireModel& wire) {
  std::string text = "VALUES:\n";
  for (const auto& choice : wire.choices) {
    text += choice->name + ":";
    for (const WireChoiceValue& each : choice->values) {
      text += (&each == &choice->values.front() ? " " : ", ") + each.value;
      const std::string words =
          each.description.empty() && each.value.size() < 4 ? each.name : each.description;
      if (!words.empty()) text += " = " + words;
    }
    text += "\n";
  }
  return text;
}

std::string tool_words(const WireModel& wire) {
  std::string text = "TOOLS (* is required):\n";
  for (const ToolFile* tool : wire.tools) {
    text += tool->safe_name + "(";
    bool first = true;
    for (const Property& each : tool->input ? resolved(*tool->input).properties : std::vector<Property>()) {
      text += (first ? "" : ", ") + each.name + (each.required ? "*" : "");
      first = false;
    }
    text += "): " + first_sentence(tool->description) + "\n";
  }
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> wire_help(const WireModel& wire) {
  std::vector<std::pair<std::string, std::string>> topics;
  topics.emplace_back("wire", "# SnapBack Wire Format Reference\n" + std::string(help_grammar) + codes(wire) +
                                  decode_table(wire) + field_words(wire) + value_words(wire));
  for (const WireTopic& topic : wire.topics) {
    std::string text = "# " + topic.name + "\n";
    for (const WireTopicLine& line : topic.lines) text += line.term + ": " + line.text + "\n";
    topics.emplace_back(topic.name, std::move(text));
  }
  topics.emplace_back("tools", "# tools\n" + tool_words(wire));
  std::string all;
  for (const auto& [name, text] : topics) all += (all.empty() ? "" : "\n") + text;
  topics.emplace_back("all", std::move(all));
  return topics;
}

}  // namespace snapgen::codegen
