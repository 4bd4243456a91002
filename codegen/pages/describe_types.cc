// Describes types in words, and their members as rows.
#include <algorithm>

#include "codegen/model/cpp.h"
#include "codegen/pages/describe.h"

namespace snapgen::codegen::pages {
namespace {

using Form = Type::Form;

constexpr std::size_t values_max = 12;

Spans values_in_words(const std::vector<std::string>& values) {
  Spans spans;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i) spans += plain_spans(i + 1 == values.size() ? " or " : ", ");
    spans += code_spans(values[i]);
  }
  return spans;
}

// Returns the limits of a type as separate texts.
std::vector<Spans> limits(const Type& type, const LinkedWords& known) {
  std::vector<Spans> found;
  Type copy;
  copy.form = type.form;
  Schema one = *type.schema;
  // Patterns are added separately, because they may contain the "; " that separates the other limits.
  for (const std::string& each : one.patterns) {
    found.push_back(plain_spans("matches ") + code_spans(each));
  }
  one.patterns.clear();
  if (!one.format.empty()) found.push_back(plain_spans("format " + one.format));
  one.format.clear();
  one.values.reset();
  one.alternatives.clear();
  one.validator_constraints.clear();
  one.conditionals.clear();
  copy.schema = &one;
  if (copy.form == Form::raw) copy.form = Form::string;
  std::string words = limits_in_words(copy);
  std::vector<Spans> rest;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = std::min(words.find("; ", at), words.size());
    rest.push_back(spans_of(words.substr(at, end - at), known));
    at = end + 2;
  }
  found.insert(found.begin(), rest.begin(), rest.end());
  if (type.form != Form::structure)
    for (const std::string& each : validator_constraints_in_words(type)) found.push_back(plain_spans(each));
  return found;
}

// Returns the tests as text: "`mode` is `"snapshot"` and `path` is present".
Spans tests_in_words(const std::vector<MemberTest>& tests, const std::vector<Field>& fields, bool asks) {
  Spans spans;
  auto also = [&](const MemberTest& test, MemberTest::Kind kind) {
    return std::ranges::any_of(
        tests, [&](const MemberTest& other) { return other.field == test.field && other.kind == kind; });
  };
  for (const MemberTest& each : tests) {
    // A test of a member's value implies that it exists.
    if (each.kind == MemberTest::Kind::present && also(each, MemberTest::Kind::value)) continue;
    if (!spans.empty()) spans += plain_spans(" and ");
    spans += code_spans(fields[each.field].key);
    switch (each.kind) {
      case MemberTest::Kind::present: spans += plain_spans(asks ? " is required" : " is present"); break;
      case MemberTest::Kind::absent: spans += plain_spans(asks ? " is rejected" : " is absent"); break;
      case MemberTest::Kind::value: {
        std::vector<std::string> values;
        for (const Constant& value : each.values) values.push_back(value.canonical);
        spans += plain_spans(asks ? " must be " : " is ") + values_in_words(values);
        if (!asks && !also(each, MemberTest::Kind::present)) spans += plain_spans(" or absent");
        if (asks && also(each, MemberTest::Kind::present)) spans += plain_spans(" and is required");
        break;
      }
    }
  }
  return spans;
}

// Returns the conditions between members, one sentence each.
List rules_in_words(const Type& type) {
  List list;
  for (const Rule& rule : type.rules) {
    bool only_otherwise = rule.then.empty();
    Spans spans =
        plain_spans(only_otherwise ? "Unless " : "If ") + tests_in_words(rule.when, type.fields, false);
    if (!only_otherwise) {
      spans += plain_spans(", ") + tests_in_words(rule.then, type.fields, true);
    }
    if (!rule.otherwise.empty()) {
      spans += plain_spans(only_otherwise ? ", " : "; otherwise ") +
               tests_in_words(rule.otherwise, type.fields, true);
    }
    spans += plain_spans(".");
    list.items.push_back(spans);
  }
  return list;
}

}  // namespace

bool Describer::has_section(const Type& type) const {
  return type.form == Form::structure || type.form == Form::variant || type.is_wrapped ||
         (type.form == Form::enumeration && (type.enumerators.size() > values_max ||
                                             std::ranges::any_of(type.enumerators, [](const Enumerator& e) {
                                               return !e.description.empty();
                                             })));
}

Spans Describer::list_of(const Type& item, const File& here) const {
  return plain_spans("list of ") + type_words(item, here);
}

Spans Describer::schema_words(const Schema& given, const File& here) const {
  const Schema& s = resolved(given);
  if (auto found = types_.find(&s); found != types_.end() && found->second->form != Form::raw)
    return type_words(*found->second, here);
  if (s.values) {
    std::vector<std::string> values;
    for (const Constant& each : *s.values) values.push_back(each.canonical);
    return values_in_words(values);
  }
  if (!s.alternatives.empty()) {
    Spans spans;
    for (std::size_t i = 0; i < s.alternatives.size(); ++i) {
      if (i) spans += plain_spans(i + 1 == s.alternatives.size() ? " or " : ", ");
      spans += schema_words(*s.alternatives[i], here);
    }
    return spans;
  }
  if (!s.kinds_given || s.kinds == kinds::any) return plain_spans("any value");
  if (s.kinds == kinds::object) return plain_spans("any object");
  if (s.kinds == kinds::array) return plain_spans("any list");
  return plain_spans(text(s.kinds));
}

Spans Describer::type_words(const Type& type, const File& here, bool named) const {
  bool elsewhere = type.file != &here;
  if (named && type.declared && (elsewhere || has_section(type))) {
    std::string anchor = "#" + type.name;
    Spans link = {{.kind = Span::Kind::code_link, .text = type.name, .target = path_of(*type.file) + anchor}};
    if (!type.file->emitted) link = code_spans(type.name);
    if (type.form == Form::enumeration && type.enumerators.size() <= values_max) {
      link += plain_spans(": ") + type_words(type, here, false);
    }
    return link;
  }
  const Schema& s = *type.schema;
  if (s.values && type.form != Form::enumeration) {
    std::vector<std::string> values;
    for (const Constant& each : *s.values) values.push_back(each.canonical);
    return values_in_words(values);
  }
  switch (type.form) {
    case Form::boolean: return plain_spans("boolean");
    case Form::integer: return plain_spans("integer");
    case Form::number: return plain_spans("number");
    case Form::string: {
      // The type of an id is described on another page, to which this links.
      auto brand = brands_.find(s.annotations.brand);
      return !named || brand == brands_.end() || brand->second == &type ? plain_spans("string")
                                                                        : type_words(*brand->second, here);
    }
    case Form::enumeration: {
      std::vector<std::string> values;
      for (const Enumerator& each : type.enumerators) values.push_back(json::quoted(each.text));
      return values_in_words(values);
    }
    case Form::array: return list_of(*type.item, here);
    case Form::map: {
      return plain_spans("object whose members are each ") + type_words(*type.item, here);
    }
    case Form::nullable: {
      return type_words(*type.item, here) + plain_spans(" or ") + code_spans("null");
    }
    case Form::variant: {
      Spans spans;
      for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
        if (i) spans += plain_spans(i + 1 == type.alternatives.size() ? " or " : ", ");
        spans += type_words(*type.alternatives[i].type, here);
      }
      return spans;
    }
    case Form::structure: return plain_spans("object");
    default: return schema_words(s, here);
  }
}

Spans Describer::field_type(const Field& field, const File& here) const {
  if (field.constant) {
    return plain_spans("always ") + code_spans(field.constant->canonical);
  }
  return type_words(*field.type, here);
}

FieldRow Describer::field_row(const Field& field, const Type& owner, const Page& page,
                              const File& here) const {
  const Annotations& own = field.schema->annotations;
  const Annotations& meant = resolved(*field.schema).annotations;
  FieldRow row;
  row.name = field.key;
  row.anchor = owner.name + "." + anchor_of(field.key);
  row.type = field_type(field, here);
  row.required = field.presence == Presence::required;
  const std::optional<Constant>& value = own.default_value ? own.default_value : meant.default_value;
  if (value) row.default_value = value->canonical;
  for (const auto& [keyword, published] : own.published_keywords)
    row.deprecated = row.deprecated || (keyword == "deprecated" && published == "true");
  if (field.type) {
    const Type& type = field.type->form == Form::nullable ? *field.type->item : *field.type;
    row.limits = limits(type, linked_words_);
    // The list has plain values, so the limits of its items are described here.
    if (type.form == Form::array && !type.item->declared)
      for (Spans& each : limits(*type.item, linked_words_)) {
        row.limits.push_back(plain_spans("each ") + each);
      }
  }
  row.description = words(own.description.empty() ? meant.description : own.description, page);
  return row;
}

void Describer::add_fields(Page& page, const Type& type, const File& here) const {
  Fields all;
  for (bool required : {true, false})
    for (const Field& field : type.fields)
      if ((field.presence == Presence::required) == required) {
        all.rows.push_back(field_row(field, type, page, here));
        page.terms.push_back(field.key);
        page.search_words += " " + text_of(all.rows.back().description);
      }
  if (!all.rows.empty()) page.add(all);
  if (!type.rules.empty()) page.add(rules_in_words(type));
  if (const std::vector<std::string> constraints = validator_constraints_in_words(type);
      !constraints.empty()) {
    List list;
    for (const std::string& each : constraints) list.items.push_back(plain_spans(each));
    page.add(Paragraph{.spans = plain_spans("Also, of the whole object:")});
    page.add(list);
  }
  if (type.item) {
    page.add(Paragraph{.spans = plain_spans("All other members: ") + type_words(*type.item, here) +
                                plain_spans(".")});
  } else if (all.rows.empty()) {
    page.add(Paragraph{
        .spans = plain_spans(type.open ? "An object with any members." : "An object without members.")});
  } else if (type.schema->additional == Additional::open) {
    page.add(Paragraph{.spans = plain_spans("Other members are allowed.")});
  }
  if (!type.forbidden.empty()) {
    page.add(
        Paragraph{.spans = plain_spans("Never with ") + values_in_words(type.forbidden) + plain_spans(".")});
  }
}

// Adds a type's members, values or alternatives to the page, below a heading that the caller adds.
void Describer::add_type_section(Page& page, const Type& type) const {
  const File& here = *type.file;
  if (type.form == Form::structure) return add_fields(page, type, here);
  if (type.form == Form::enumeration) {
    List list;
    for (const Enumerator& each : type.enumerators) {
      Spans spans = code_spans(json::quoted(each.text));
      page.terms.push_back(each.text);
      if (!each.description.empty()) {
        spans += plain_spans(": ") + words(each.description, page);
        page.search_words += " " + each.description;
      }
      list.items.push_back(spans);
    }
    page.add(list);
    return;
  }
  if (type.form == Form::variant) {
    List list;
    for (const Alternative& each : type.alternatives) list.items.push_back(type_words(*each.type, here));
    page.add(Paragraph{.spans = plain_spans("One of:")});
    page.add(list);
    return;
  }
  Facts facts;
  facts.rows.push_back({.name = "Type", .value = type_words(type, here, false)});
  Spans all;
  for (const Spans& each : limits(type.form == Form::nullable ? *type.item : type, linked_words_)) {
    if (!all.empty()) all += plain_spans("; ");
    all += each;
  }
  if (!all.empty()) facts.rows.push_back({.name = "Limits", .value = all});
  if (!type.schema->annotations.brand.empty()) {
    const std::string branded = "Branded<string, \"" + type.schema->annotations.brand + "\">";
    facts.rows.push_back({.name = "In TypeScript", .value = code_spans(branded)});
    page.search_words += " " + branded;
  }
  page.add(facts);
}

}  // namespace snapgen::codegen::pages
