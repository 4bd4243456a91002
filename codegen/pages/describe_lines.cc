// Describes the lines that a tool answers with (x-snapgen.wire), field by field.
#include <algorithm>

#include "codegen/lines/line_formats.h"
#include "codegen/pages/describe.h"

namespace snapgen::codegen::pages {
namespace {

using FieldForm = WireField::Form;

constexpr const char* line_grammar =
    "An answer is one line of fields, then a separate line `---`, then a summary in words. Labeled lines "
    "have the name of each field; compact ones (`compact` is `true`) identify fields only by their position.";
constexpr const char* escapes =
    "In texts as they are, `%`, `|`, CR and LF are written `%25`, `%7C`, `%0D` and `%0A`. In compressed "
    "texts white "
    "space is written `→`, and `|` as `/`.";

Spans values_of(const WireChoice& choice) {
  Spans spans;
  for (const WireChoiceValue& each : choice.values) {
    if (!spans.empty()) spans += plain_spans(", ");
    spans += code_spans(each.value);
    const std::string& words = each.description.empty() ? each.name : each.description;
    if (words != each.value) spans += plain_spans(" " + words);
  }
  return spans;
}

Spans form_of(const WireField& field) {
  switch (field.form) {
    case FieldForm::verbatim: return plain_spans("text as it is");
    case FieldForm::compressed: return plain_spans("text, compressed");
    case FieldForm::count: return plain_spans("integer");
    case FieldForm::choice: return plain_spans("one of these");
    case FieldForm::object: return plain_spans("JSON object");
    case FieldForm::record: break;
  }
  return plain_spans("several values");
}

FieldRow row_of(const WireField& field, const std::string& name, const std::string& anchor) {
  FieldRow row{.name = name,
               .anchor = anchor,
               .type = form_of(field),
               .required = !field.optional,
               .description = spans_of(field.description, {})};
  const auto limit = [&](const std::string& words) { row.limits.push_back(plain_spans(words)); };
  if (field.choice) row.limits.push_back(values_of(*field.choice));
  if (!field.sign.empty() || !field.unit.empty())
    row.limits.push_back(plain_spans("written ") + code_spans(field.sign + "3" + field.unit));
  if (field.form == FieldForm::record) {
    std::string shape;
    for (const WireField& part : field.parts)
      shape += (shape.empty() ? "" : field.separator) + part.sign + "<" + part.name + ">" + part.unit;
    row.limits.push_back(plain_spans("written ") + code_spans(shape));
  }
  if (field.repeated) limit("any number of them, to the end of the line");
  if (!field.labeled && !field.repeated) limit("without its name, in labeled lines too");
  return row;
}

}  // namespace

bool Describer::answers_in_lines(const ToolFile& tool) const {
  return std::ranges::count(all_.wire.tools, &tool) != 0;
}

void Describer::add_lines(Page& page, const ToolFile& tool) const {
  page.add(Paragraph{.spans = spans_of(line_grammar, {})});
  page.add(Paragraph{.spans = spans_of(escapes, {})});
  for (const auto& line : all_.wire.lines) {
    const bool is_shared = std::ranges::find(line->also_of, &tool) != line->also_of.end();
    if (line->tool != &tool && !is_shared) continue;
    const std::string anchor = "line-" + line->name;
    Spans aside = code_spans(line->code);
    if (!line->when.empty()) aside += plain_spans(" " + line->when);
    page.add(Heading{.level = 3, .text = line->title, .anchor = anchor, .aside = aside});
    page.search_words += " " + line->title;
    page.add(CodeSample{.caption = "Labeled", .text = wire_shape(*line, true), .one_line = true});
    page.add(CodeSample{.caption = "Compact", .text = wire_shape(*line, false), .one_line = true});
    Fields fields;
    for (const WireField& field : line->fields) {
      fields.rows.push_back(row_of(field, field.name, anchor + "-" + field.name));
      page.search_words += " " + field.description;
      for (const WireField& part : field.parts)
        fields.rows.push_back(
            row_of(part, field.name + "." + part.name, anchor + "-" + field.name + "-" + part.name));
    }
    page.add(std::move(fields));
  }
}

}  // namespace snapgen::codegen::pages
