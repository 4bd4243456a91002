#include "codegen/lines/line_formats.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "codegen/front/name.h"
#include "runtime/base/ascii.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Member;
using json::Node;

const std::vector<std::string_view> wire_keys = {"choices", "lines", "topics"};
const std::vector<std::string_view> line_keys = {"code", "fields", "name", "of", "title", "when"};
const std::vector<std::string_view> field_keys = {"choice",    "description", "form",  "labeled",
                                                  "name",      "optional",    "parts", "repeated",
                                                  "separator", "sign",        "unit"};
const std::vector<std::string_view> value_keys = {"description", "name", "value"};
const std::vector<std::string_view> topic_keys = {"term", "text"};

constexpr std::array<std::pair<std::string_view, WireField::Form>, 6> forms = {
    {{"choice", WireField::Form::choice},
     {"compressed", WireField::Form::compressed},
     {"count", WireField::Form::count},
     {"object", WireField::Form::object},
     {"record", WireField::Form::record},
     {"verbatim", WireField::Form::verbatim}}};

// The members that are texts or flags.
template <class Owner, class Value, std::size_t count>
using MemberTable = std::array<std::pair<std::string_view, Value Owner::*>, count>;
constexpr MemberTable<WireLine, std::string, 4> line_texts = {{{"code", &WireLine::code},
                                                               {"name", &WireLine::name},
                                                               {"title", &WireLine::title},
                                                               {"when", &WireLine::when}}};
constexpr MemberTable<WireField, std::string, 6> field_texts = {{{"choice", &WireField::choice_name},
                                                                 {"description", &WireField::description},
                                                                 {"name", &WireField::name},
                                                                 {"separator", &WireField::separator},
                                                                 {"sign", &WireField::sign},
                                                                 {"unit", &WireField::unit}}};
constexpr MemberTable<WireField, bool, 3> field_flags = {{{"labeled", &WireField::labeled},
                                                          {"optional", &WireField::optional},
                                                          {"repeated", &WireField::repeated}}};

// Returns the member that the table has for the key, or null.
template <class Owner, class Value, std::size_t count>
Value Owner::* member_for(const MemberTable<Owner, Value, count>& table, std::string_view key) {
  const auto found = std::ranges::find_if(table, [&](const auto& each) { return each.first == key; });
  return found == table.end() ? nullptr : found->second;
}

// Returns whether `text` has no character that would end a field or a number.
bool is_mark(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    return c == '|' || c == ':' || c == '%' || c == '\n' || c == '\r' || c == ' ' || is_digit(c);
  });
}

bool is_snake(std::string_view text) {
  return is_identifier(text) &&
         std::ranges::all_of(text, [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

class WireReader {
 public:
  WireReader(const std::vector<ToolFile>& tools, Findings& findings) : tools_(tools), findings_(findings) {}

  WireModel run() {
    for (const ToolFile& tool : tools_) read_wire_tool(tool);
    for (const auto& line : model_.lines)
      for (WireField& field : line->fields) decide_choices(field);
    for (const auto& line : model_.lines) check_line(*line);
    for (const Borrowed& each : borrowed_) lend(each);
    check_codes();
    std::ranges::sort(model_.choices, [](const auto& a, const auto& b) { return a->name < b->name; });
    std::ranges::sort(model_.topics, [](const WireTopic& a, const WireTopic& b) { return a.name < b.name; });
    return std::move(model_);
  }

 private:
  struct Borrowed {
    const ToolFile* tool = nullptr;
    std::string code, of;
    SourceLocation location;
  };

  void add(const SourceLocation& location, std::string sentence) {
    findings_.add(location, std::move(sentence));
  }

  void unknown(const SourceLocation& location, const Member& member,
               const std::vector<std::string_view>& known, const std::string& what) {
    add(inner_location(location, member.key, member.key_offset),
        "\"" + member.key + "\" is not known in " + what + suggestion_clause(member.key, known));
  }

  std::string text(const Member& m, const SourceLocation& location) {
    if (m.value.is(Kind::string)) return m.value.text;
    add(inner_location(location, m.key, m.value.offset), "\"" + m.key + "\" is not a string");
    return {};
  }
  bool flag(const Member& m, const SourceLocation& location) {
    if (!m.value.is(Kind::boolean))
      add(inner_location(location, m.key, m.value.offset), "\"" + m.key + "\" is not true or false");
    return m.value.boolean;
  }
  // Calls take() for each object in an array, with its location.
  template <class F>
  void each_object(const Node& list, const SourceLocation& location, std::string_view what, F take) {
    if (!list.is(Kind::array)) return add(location, "this is not a list of " + std::string(what));
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const SourceLocation here = inner_location(location, std::to_string(i), list.items[i].offset);
      if (list.items[i].is(Kind::object))
        take(list.items[i], here);
      else
        add(here, "this is not an object");
    }
  }

  void read_wire_tool(const ToolFile& tool) {
    if (!tool.file->emitted) return;
    const Node* extension = tool.file->document.root.find("x-snapgen");
    const Node* wire = extension && extension->is(Kind::object) ? extension->find("wire") : nullptr;
    if (!wire) return;
    const SourceLocation location =
        inner_location(inner_location(tool.location, "x-snapgen", extension->offset), "wire", wire->offset);
    if (!wire->is(Kind::object)) return add(location, "\"wire\" is not an object");
    if (tool.output)
      add(location,
          "a tool answers with lines or with structured content: \"wire\" has no place beside "
          "\"outputSchema\"");
    model_.tools.push_back(&tool);
    for (const Member& m : wire->members) {
      const SourceLocation here = inner_location(location, m.key, m.value.offset);
      if (m.key == "lines")
        each_object(m.value, here, "lines",
                    [&](const Node& node, const SourceLocation& at) { read_line(tool, node, at); });
      else if (m.key == "choices")
        read_choices(m.value, here);
      else if (m.key == "topics")
        read_topics(m.value, here);
      else
        unknown(location, m, wire_keys, "\"wire\"");
    }
  }

  void read_line(const ToolFile& tool, const Node& node, const SourceLocation& location) {
    auto line = std::make_unique<WireLine>();
    line->tool = &tool;
    line->location = location;
    std::string of;
    for (const Member& m : node.members) {
      if (const auto member = member_for(line_texts, m.key))
        (*line).*member = text(m, location);
      else if (m.key == "of")
        of = text(m, location);
      else if (m.key == "fields")
        read_fields(m.value, inner_location(location, m.key, m.value.offset), line->fields);
      else
        unknown(location, m, line_keys, "a line");
    }
    const bool fits = !line->code.empty() && line->code.size() <= 2 &&
                      std::ranges::all_of(line->code, [](char c) { return c == '!' || is_upper(c); });
    if (!fits) return add(location, "a line's \"code\" is one or two capital letters, or \"!\"");
    if (!of.empty()) {
      if (!line->fields.empty() || !line->name.empty())
        add(location, "a line \"of\" another tool has only its code: the other tool has its fields");
      borrowed_.push_back({.tool = &tool, .code = line->code, .of = of, .location = location});
      return;
    }
    if (!is_snake(line->name)) add(location, "a line's \"name\" is written like \"start_task\"");
    if (line->title.empty()) add(location, "\"title\" is missing; snap_help shows it");
    if (line->fields.empty()) add(location, "a line has \"fields\"");
    for (const auto& other : model_.lines)
      if (other->name == line->name)
        add(location, "the name \"" + line->name + "\" is taken by another line");
    model_.lines.push_back(std::move(line));
  }

  void read_fields(const Node& list, const SourceLocation& location, std::vector<WireField>& fields) {
    each_object(list, location, "fields", [&](const Node& node, const SourceLocation& at) {
      WireField field;
      field.location = at;
      read_field(node, at, field);
      fields.push_back(std::move(field));
    });
  }

  void read_field(const Node& node, const SourceLocation& location, WireField& field) {
    bool formed = false;
    for (const Member& m : node.members) {
      if (const auto words = member_for(field_texts, m.key)) {
        field.*words = text(m, location);
      } else if (const auto marks = member_for(field_flags, m.key)) {
        field.*marks = flag(m, location);
      } else if (m.key == "form") {
        formed = true;
        std::string word = text(m, location);
        const auto found = std::ranges::find_if(forms, [&](const auto& each) { return each.first == word; });
        std::vector<std::string_view> known;
        for (const auto& [name, form] : forms) known.push_back(name);
        if (found != forms.end())
          field.form = found->second;
        else
          add(inner_location(location, m.key, m.value.offset),
              "\"form\" is not choice, compressed, count, object, record or verbatim" +
                  suggestion_clause(word, known));
      } else if (m.key == "parts") {
        read_fields(m.value, inner_location(location, m.key, m.value.offset), field.parts);
      } else {
        unknown(location, m, field_keys, "a field");
      }
    }
    if (!formed) add(location, "\"form\" is missing");
    check_field(field, location);
  }

  void check_field(const WireField& field, const SourceLocation& location) {
    using Form = WireField::Form;
    if (!is_snake(field.name)) add(location, "a field's \"name\" is written like \"files\"");
    if (!is_mark(field.sign) || !is_mark(field.unit))
      add(location, "\"sign\" and \"unit\" have no digits, space, \"|\", \":\" or \"%\"");
    if (field.form != Form::count && !(field.sign + field.unit).empty())
      add(location, "\"sign\" and \"unit\" belong to a count");
    if ((field.form == Form::choice) == field.choice_name.empty())
      add(location, "\"choice\" names what a field of the form choice can be, and of no other");
    if ((field.form == Form::record) == field.parts.empty())
      add(location, "\"parts\" are what a record consists of, and nothing else");
    if (field.separator.size() > 1 || field.separator.find_first_of("|%\r\n") != std::string::npos)
      add(location, "a \"separator\" is one character of ASCII, and not \"|\" or \"%\"");
    if (field.optional && field.repeated) add(location, "what is repeated is not optional");
    for (const WireField& part : field.parts) check_part(field, part);
  }

  void check_part(const WireField& record, const WireField& part) {
    using Form = WireField::Form;
    const bool simple = part.form == Form::verbatim || part.form == Form::count || part.form == Form::choice;
    if (!simple || part.optional || part.repeated || !part.labeled)
      add(part.location, "a part of a record is a verbatim text, a count or a choice, and always there");
    const bool last = &part == &record.parts.back();
    if (last) return;
    if (record.separator.empty() && (part.form != Form::count || (&part)[1].sign.empty()))
      add(part.location,
          "without a \"separator\" nothing tells where this part ends: a count is followed by one "
          "with a \"sign\"");
  }

  void read_choices(const Node& list, const SourceLocation& location) {
    if (!list.is(Kind::object)) return add(location, "\"choices\" is not an object");
    for (const Member& m : list.members) {
      const SourceLocation here = inner_location(location, m.key, m.value.offset);
      if (!is_snake(m.key)) add(here, "the name of a choice is written like \"risk\"");
      if (choices_.count(m.key)) add(here, "the choice \"" + m.key + "\" is in another file too");
      auto choice = std::make_unique<WireChoice>();
      choice->name = m.key;
      each_object(m.value, here, "values",
                  [&](const Node& node, const SourceLocation& at) { read_value(*choice, node, at); });
      if (choice->values.empty()) add(here, "the choice has no values");
      choices_[m.key] = choice.get();
      model_.choices.push_back(std::move(choice));
    }
  }

  void read_value(WireChoice& choice, const Node& node, const SourceLocation& location) {
    WireChoiceValue value;
    for (const Member& m : node.members) {
      if (m.key == "value")
        value.value = text(m, location);
      else if (m.key == "name")
        value.name = text(m, location);
      else if (m.key == "description")
        value.description = text(m, location);
      else
        unknown(location, m, value_keys, "a value");
    }
    if (value.value.empty() || value.value.find_first_of("|%\r\n") != std::string::npos)
      add(location, "a \"value\" is a text without \"|\", \"%\" and line breaks");
    if (!is_snake(value.name)) add(location, "a value's \"name\" is written like \"not_found\"");
    for (const WireChoiceValue& other : choice.values)
      if (other.value == value.value || other.name == value.name)
        add(location, "this value, or its name, occurs twice");
    choice.values.push_back(std::move(value));
  }

  void read_topics(const Node& list, const SourceLocation& location) {
    if (!list.is(Kind::object)) return add(location, "\"topics\" is not an object");
    for (const Member& m : list.members) {
      const SourceLocation here = inner_location(location, m.key, m.value.offset);
      WireTopic topic;
      topic.name = m.key;
      if (m.key == "all" || m.key == "tools" || m.key == "wire")
        add(here, "the topic \"" + m.key + "\" follows from the lines");
      each_object(m.value, here, "terms", [&](const Node& node, const SourceLocation& at) {
        WireTopicLine line;
        for (const Member& part : node.members) {
          if (part.key == "term")
            line.term = text(part, at);
          else if (part.key == "text")
            line.text = text(part, at);
          else
            unknown(at, part, topic_keys, "a topic's line");
        }
        if (line.term.empty() || line.text.empty()) add(at, "a topic's line has a \"term\" and a \"text\"");
        topic.lines.push_back(std::move(line));
      });
      // Several files may add lines to the same topic.
      auto same =
          std::ranges::find_if(model_.topics, [&](const WireTopic& each) { return each.name == topic.name; });
      if (same == model_.topics.end())
        model_.topics.push_back(std::move(topic));
      else
        same->lines.insert(same->lines.end(), topic.lines.begin(), topic.lines.end());
    }
  }

  void decide_choices(WireField& field) {
    for (WireField& part : field.parts) decide_choices(part);
    if (field.choice_name.empty()) return;
    auto found = choices_.find(field.choice_name);
    std::vector<std::string_view> known;
    for (const auto& [name, choice] : choices_) known.push_back(name);
    if (found == choices_.end())
      return add(field.location, "there is no choice \"" + field.choice_name + "\"" +
                                     suggestion_clause(field.choice_name, known));
    field.choice = found->second;
  }

  void check_line(const WireLine& line) {
    std::set<std::string> names;
    bool has_optional = false;
    for (const WireField& field : line.fields) {
      const bool last = &field == &line.fields.back();
      const bool open = field.repeated || field.form == WireField::Form::object;
      if (!names.insert(field.name).second)
        add(field.location, "the line has two fields \"" + field.name + "\"");
      // The parts of a record become members of the line.
      for (const WireField& part : field.repeated ? std::vector<WireField>() : field.parts)
        if (!names.insert(part.name).second)
          add(part.location, "the line has two fields \"" + part.name + "\"");
      if (open && !last)
        add(field.location, "what is repeated, and an object, is the last field of its line");
      if (open && field.labeled)
        add(field.location, "what is repeated, and an object, has no label: \"labeled\": false");
      if (!field.labeled && !last) add(field.location, "a field without a label is the last of its line");
      // A value without a label could be mistaken for that of an optional field.
      if (!field.labeled && has_optional && field.form != WireField::Form::object)
        add(field.location, "a field without a label comes after none that is optional");
      has_optional = has_optional || field.optional;
    }
  }

  void lend(const Borrowed& borrowed) {
    bool found = false;
    for (const auto& line : model_.lines) {
      if (line->code != borrowed.code || line->tool->name != borrowed.of) continue;
      line->also_of.push_back(borrowed.tool);
      found = true;
    }
    if (!found)
      add(borrowed.location, "the tool \"" + borrowed.of + "\" has no line \"" + borrowed.code + "\"");
  }

  // Checks that lines with the same code differ in their first field, with and without labels.
  void check_codes() {
    std::map<std::string, std::vector<const WireLine*>> codes;
    for (const auto& line : model_.lines) {
      if (line->fields.empty()) continue;
      codes[line->code].push_back(line.get());
    }
    for (const auto& [code, lines] : codes) {
      if (lines.size() == 1) continue;
      const WireField& first = lines[0]->fields[0];
      const WireField& second = lines[1]->fields[0];
      using Form = WireField::Form;
      const bool are_distinct = first.name != second.name && !first.optional && !second.optional &&
                                ((first.form == Form::count && second.form == Form::choice) ||
                                 (first.form == Form::choice && second.form == Form::count));
      if (lines.size() > 2 || !are_distinct)
        add(lines[1]->location,
            "the lines of the code \"" + code +
                "\" cannot be distinguished; use at most two, and make the first field of "
                "one a count and that "
                "of the other a choice");
    }
  }

  const std::vector<ToolFile>& tools_;
  Findings& findings_;
  WireModel model_;
  std::map<std::string, const WireChoice*> choices_;
  std::vector<Borrowed> borrowed_;
};

std::string placeholder(const WireField& field) {
  using Form = WireField::Form;
  switch (field.form) {
    case Form::choice: {
      std::string list;
      if (field.choice)
        for (const WireChoiceValue& each : field.choice->values)
          list += (list.empty() ? "" : "/") + each.value;
      return "<" + list + ">";
    }
    case Form::count: return field.sign + "<n>" + field.unit;
    case Form::record: {
      std::string text;
      for (const WireField& part : field.parts)
        text += (text.empty() ? "" : field.separator) + placeholder(part);
      return text;
    }
    case Form::object: return "{" + field.name + "}";
    case Form::verbatim:
    case Form::compressed: break;
  }
  return "<" + field.name + ">";
}

}  // namespace

std::vector<std::string_view> known_wire_keys() { return wire_keys; }
std::vector<std::string_view> known_wire_line_keys() { return line_keys; }
std::vector<std::string_view> known_wire_field_keys() { return field_keys; }

WireModel read_wire(const std::vector<ToolFile>& tools, Findings& findings) {
  return WireReader(tools, findings).run();
}

std::string wire_shape(const WireLine& line, bool labeled) {
  std::string text = "🧢|" + line.code;
  for (const WireField& field : line.fields) {
    text += "|";
    if (labeled && field.labeled) text += field.name + ":";
    text += placeholder(field);
    if (field.repeated) text += "|...";
  }
  return text;
}

}  // namespace snapgen::codegen
