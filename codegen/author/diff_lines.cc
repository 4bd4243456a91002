#include "codegen/author/diff_lines.h"

#include <algorithm>
#include <utility>

namespace snapgen::codegen {
namespace {

using Lines = std::vector<const WireLine*>;

Lines lines_of(const WireModel& wire, const ToolFile& tool) {
  Lines found;
  for (const auto& line : wire.lines)
    if (line->tool == &tool || std::ranges::count(line->also_of, &tool)) found.push_back(line.get());
  return found;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

const WireField* find(const std::vector<WireField>& fields, const std::string& name) {
  const auto found = std::ranges::find_if(fields, [&](const WireField& each) { return each.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

const char* form_name(WireField::Form form) {
  switch (form) {
    case WireField::Form::verbatim: return "verbatim";
    case WireField::Form::compressed: return "compressed";
    case WireField::Form::count: return "count";
    case WireField::Form::choice: return "choice";
    case WireField::Form::record: return "record";
    case WireField::Form::object: break;
  }
  return "object";
}

class WireComparer {
 public:
  std::vector<WireChange> run(const Lines& before, const Lines& after) {
    const auto same = [](const Lines& lines, const WireLine& wanted) {
      const auto found =
          std::ranges::find_if(lines, [&](const WireLine* each) { return each->name == wanted.name; });
      return found == lines.end() ? nullptr : *found;
    };
    for (const WireLine* each : before) {
      if (const WireLine* now = same(after, *each))
        line(*each, *now);
      else
        add(true, each->location,
            "it answers with the line " + quoted(each->code) + " (" + each->name + ") no more");
    }
    for (const WireLine* each : after)
      if (!same(before, *each))
        add(true, each->location,
            "it answers with a new line: " + quoted(each->code) + " (" + each->name + ")");
    return std::move(changes_);
  }

 private:
  void add(bool breaking, const SourceLocation& location, std::string sentence) {
    changes_.push_back({.breaking = breaking, .pointer = location.pointer, .sentence = std::move(sentence)});
  }

  void line(const WireLine& before, const WireLine& after) {
    if (before.code != after.code)
      add(true, after.location, "its code is " + quoted(after.code) + ", and was " + quoted(before.code));
    if (before.title != after.title || before.when != after.when)
      add(false, after.location, "the title or the description of the line changed");
    fields(before.fields, after.fields, after.location);
  }

  // Compares the fields of a line, or the parts of a record.
  void fields(const std::vector<WireField>& before, const std::vector<WireField>& after,
              const SourceLocation& whole) {
    std::vector<const WireField*> remaining;  // The old fields that still exist, in their new order.
    std::size_t last = 0;                     // The index after the new position of the last old field.
    for (std::size_t i = 0; i < after.size(); ++i) {
      const WireField* was = find(before, after[i].name);
      if (!was && is_renamed(before, after, i)) {
        add(true, after[i].location,
            "the label is " + quoted(after[i].name) + ", and was " + quoted(before[i].name));
        was = &before[i];
      }
      if (!was) continue;
      field(*was, after[i]);
      remaining.push_back(was);
      last = i + 1;
    }
    for (const WireField& each : before)
      if (!std::ranges::count(remaining, &each))
        add(true, each.location, "the field " + quoted(each.name) + " is gone");
    // The pointers refer to elements of one list, so they are sorted if the order is unchanged.
    if (!std::ranges::is_sorted(remaining)) add(true, whole, "its fields are in another order");
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (find(before, after[i].name) || is_renamed(before, after, i)) continue;
      add(i < last, after[i].location,
          "the field " + quoted(after[i].name) +
              (i < last ? " is new, and precedes existing ones" : " is new"));
    }
  }

  // Returns whether a field has only another name: its position and form are the same, and all other fields
  // are unchanged.
  static bool is_renamed(const std::vector<WireField>& before, const std::vector<WireField>& after,
                         std::size_t at) {
    return before.size() == after.size() && !find(after, before[at].name) && !find(before, after[at].name) &&
           before[at].form == after[at].form;
  }

  void field(const WireField& before, const WireField& after) {
    const auto differs = [&](const std::string& what, const std::string& is, const std::string& was) {
      if (is != was)
        add(true, after.location,
            what + " is " + (is.empty() ? "nothing" : quoted(is)) + ", and was " +
                (was.empty() ? "nothing" : quoted(was)));
    };
    differs("its form", form_name(after.form), form_name(before.form));
    differs("its sign", after.sign, before.sign);
    differs("its unit", after.unit, before.unit);
    differs("its separator", after.separator, before.separator);
    if (before.labeled != after.labeled)
      add(true, after.location, after.labeled ? "it has a label now" : "it no longer has a label");
    if (before.repeated != after.repeated)
      add(true, after.location,
          after.repeated ? "it may occur any number of times now" : "it occurs once now");
    if (before.optional != after.optional)
      add(after.optional, after.location,
          after.optional ? "it may be absent now" : "it is always present now");
    if (before.choice && after.choice) values(*before.choice, *after.choice, after.location);
    if (before.description != after.description) add(false, after.location, "the description changed");
    fields(before.parts, after.parts, after.location);
  }

  void values(const WireChoice& before, const WireChoice& after, const SourceLocation& location) {
    const auto has = [](const WireChoice& choice, const std::string& value) {
      return std::ranges::any_of(choice.values,
                                 [&](const WireChoiceValue& each) { return each.value == value; });
    };
    for (const WireChoiceValue& each : after.values)
      if (!has(before, each.value)) add(true, location, "this value is new: " + quoted(each.value));
    for (const WireChoiceValue& each : before.values)
      if (!has(after, each.value)) add(false, location, "this value is gone: " + quoted(each.value));
  }

  std::vector<WireChange> changes_;
};

}  // namespace

std::vector<WireChange> compare_wire(const WireModel& before, const ToolFile& old_tool,
                                     const WireModel& after, const ToolFile& new_tool) {
  return WireComparer().run(lines_of(before, old_tool), lines_of(after, new_tool));
}

}  // namespace snapgen::codegen
