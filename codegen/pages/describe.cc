#include "codegen/pages/describe.h"

#include <algorithm>

#include "codegen/model/route.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen::pages {
namespace {

using Form = Type::Form;
using json::Node;

const Node* extension_of(const File& file) { return file.document.root.find("x-snapgen"); }

std::string flat(const Node& value) {
  std::string text;
  json::Writer writer(text);
  json::write(writer, value);
  return text;
}

std::string duration(std::uint32_t ms) {
  auto unit = [](std::uint32_t count, const std::string& name) {
    return std::to_string(count) + " " + name + (count == 1 ? "" : "s");
  };
  if (ms % 60000 == 0) return unit(ms / 60000, "minute");
  return ms % 1000 == 0 ? unit(ms / 1000, "second") : std::to_string(ms) + " ms";
}

// Returns the condition of an alternative: the constants that its members must have.
Spans distinguishing_constants_of(const Type& type) {
  Spans spans;
  for (const Field& field : type.fields) {
    if (!field.constant || field.presence != Presence::required) continue;
    spans += plain_spans(spans.empty() ? "when " : " and ") + code_spans(field.key) + plain_spans(" is ") +
             code_spans(field.constant->canonical);
  }
  return spans;
}

}  // namespace

Describer::Describer(const StageResults& all, const Settings& settings,
                     std::map<std::string, std::string> error_places)
    : all_(all), settings_(settings), error_page_links_(std::move(error_places)) {
  for (const ToolModel& each : all.model.tools) {
    linked_words_[each.tool->name] = path_of(*each.tool->file);
    linked_words_[each.tool->safe_name] = path_of(*each.tool->file);
  }
  for (const SourceUnit& unit : all.model.units)
    for (const File* used : unit.used_files) users_by_file_[used].insert(unit.file);
  for (const auto& type : all.model.types) types_.emplace(type->schema, type.get());
  for (const SourceUnit& unit : all.model.units)
    for (const Type* type : unit.types)
      if (!type->schema->annotations.brand.empty()) brands_.emplace(type->schema->annotations.brand, type);
}

std::string Describer::path_of(const File& file) const {
  std::string path = file.path.substr(0, file.path.size() - 5);
  return path.starts_with(settings_.schemas + "/") ? path.substr(settings_.schemas.size() + 1) : path;
}

Page Describer::page(const SourceUnit& unit) const {
  Page page;
  page.path = path_of(*unit.file);
  page.family = unit.file->family;
  page.source = unit.file->path;
  auto tool = std::ranges::find_if(all_.model.tools,
                                   [&](const ToolModel& each) { return each.tool->file == unit.file; });
  if (tool != all_.model.tools.end())
    this->add_tool(page, *tool, unit);
  else
    add_message(page, unit);
  for (const Type* type : unit.types) page.terms.push_back(type->name);
  add_used_by(page, *unit.file);
  return page;
}

void Describer::add_description(Page& page, const std::string& text) const {
  page.summary = first_sentence(text);
  page.search_words += " " + text;
  bool lead = true;
  std::string rest = text.substr(page.summary.size());
  for (const std::string& part : {page.summary, rest})
    for (const std::string& each : paragraphs(part)) {
      page.add(Paragraph{.spans = words(each, page), .is_lead = lead});
      lead = false;
    }
}

void Describer::add_tool(Page& page, const ToolModel& tool, const SourceUnit& unit) const {
  const ToolFile& file = *tool.tool;
  page.kind = "Tool";
  page.title = file.title.empty() ? file.name : file.title;
  page.names = {file.name};
  if (file.safe_name != file.name) page.names.push_back(file.safe_name);
  add_description(page, file.description);
  add_facts(page, file);
  add_arguments(page, tool);
  std::set<const Type*> shown = {tool.input, tool.output};
  add_result(page, tool, shown);
  std::vector<const Type*> rest;
  for (const Type* type : unit.types)
    if (!shown.count(type) && has_section(*type)) rest.push_back(type);
  if (!rest.empty()) {
    page.add(Heading{.level = 2, .text = "Types", .anchor = "types"});
    for (const Type* type : rest) {
      page.add(Heading{.level = 3, .text = type->name, .anchor = type->name, .code = true});
      if (type->is_standalone && !type->schema->annotations.description.empty())
        page.add(Paragraph{.spans = words(type->schema->annotations.description, page)});
      add_type_section(page, *type);
    }
  }
  add_errors(page, file);
  add_examples(page, file);
}

void Describer::add_facts(Page& page, const ToolFile& tool) const {
  Facts facts;
  auto add = [&](const std::string& name, const std::string& value) {
    facts.rows.push_back({.name = name, .value = spans_of(value, linked_words_, page.path)});
  };
  if (tool.coherence == "hybrid")
    add("Coherence", "hybrid: a snapshot, or the work tree as it is now");
  else if (tool.coherence == "snapshot")
    add("Coherence", "snapshot: states that do not change");
  else if (tool.coherence == "worktree")
    add("Coherence", "worktree: the files as they are now");
  else if (tool.coherence == "none")
    add("Coherence", "none: it reads no files");
  if (!tool.annotations.empty()) {
    Node hints = json::parse_document(tool.annotations).root;
    auto hint = [&](const char* name, bool otherwise) {
      const Node* found = hints.find(name);
      return found ? found->boolean : otherwise;
    };
    bool reads = hint("readOnlyHint", false);
    add("Effect", reads                           ? "reads only"
                  : hint("destructiveHint", true) ? "writes, and may destroy"
                                                  : "writes, destroys nothing");
    if (!reads) add("Called again", hint("idempotentHint", false) ? "changes nothing more" : "acts again");
    add("Reaches", hint("openWorldHint", true) ? "outside of this machine" : "only this machine");
  }
  add("Answers with", answers_in_lines(tool)                    ? "a line of fields, and a summary in words"
                      : tool.rendering == Rendering::structured ? "data, and the same as text"
                      : tool.rendering == Rendering::summarized
                          ? "data, the same as text, and a summary in words"
                      : tool.rendering == Rendering::text ? "text"
                                                          : "custom content");
  if (tool.deadline_ms) add("Given up after", duration(tool.deadline_ms));
  if (tool.task == "optional") add("As a task", "for clients that support tasks");
  if (tool.task == "required") add("As a task", "always; clients that do not support tasks are rejected");
  if (tool.is_hidden) add("Listed", "never; hooks of hosts call it by its name");
  if (tool.needs_workspace) add("Needs", "a workspace");
  add("Tier", tool.tier.empty() ? "every tier" : tool.tier);
  if (tool.rate)
    add("Rate limit",
        std::to_string(tool.rate->per_minute) + " calls a minute, " + std::to_string(tool.rate->burst) +
            " at once" +
            (tool.rate->by_argument.empty() ? "" : ", separately for each " + tool.rate->by_argument));
  else
    facts.rows.push_back({.name = "Rate limit",
                          .value = tool.rate_words.empty()
                                       ? plain_spans("none")
                                       : spans_of(tool.rate_words, linked_words_, page.path, true)});
  for (const std::string& each : tool.permissions)
    facts.rows.push_back({.name = "Permission", .value = code_spans(each)});
  page.add(facts);
}

void Describer::add_arguments(Page& page, const ToolModel& tool) const {
  page.add(Heading{
      .level = 2, .text = "Arguments", .anchor = tool.input->name, .aside = code_spans(tool.input->name)});
  if (tool.input->fields.empty() && !tool.input->item)
    page.add(Paragraph{.spans = plain_spans("None.")});
  else
    add_fields(page, *tool.input, *tool.tool->file);
}

void Describer::add_result(Page& page, const ToolModel& tool, std::set<const Type*>& shown) const {
  const File& here = *tool.tool->file;
  if (!tool.output) {
    page.add(Heading{.level = 2, .text = "Result", .anchor = "result"});
    if (answers_in_lines(*tool.tool)) return add_lines(page, *tool.tool);
    page.add(Paragraph{.spans = plain_spans(tool.tool->rendering == Rendering::text
                                                ? "A text."
                                                : "Blocks of content, as the protocol has them.")});
    return;
  }
  const Type& output = *tool.output;
  page.add(Heading{.level = 2, .text = "Result", .anchor = output.name, .aside = code_spans(output.name)});
  if (output.form != Form::variant) return add_type_section(page, output);
  page.add(Paragraph{.spans = plain_spans("One of these; their members distinguish them.")});
  for (const Alternative& each : output.alternatives) {
    const Type& type = *each.type;
    if (type.file != &here || type.form != Form::structure) {
      Spans spans = {{.kind = Span::Kind::code_link,
                      .text = type.name,
                      .target = path_of(*type.file) + "#" + type.name}};
      page.add(Heading{.level = 3,
                       .text = type.name,
                       .anchor = "or-" + type.name,
                       .aside = distinguishing_constants_of(type),
                       .code = true});
      Spans about = words(type.schema->annotations.description, page);
      if (!about.empty()) about += plain_spans(" ");
      about += plain_spans("See ") + spans + plain_spans(".");
      page.add(Paragraph{.spans = about});
      continue;
    }
    shown.insert(&type);
    page.add(Heading{.level = 3,
                     .text = type.name,
                     .anchor = type.name,
                     .aside = distinguishing_constants_of(type),
                     .code = true});
    if (!type.schema->annotations.description.empty())
      page.add(Paragraph{.spans = words(type.schema->annotations.description, page)});
    add_fields(page, type, here);
  }
}

void Describer::add_errors(Page& page, const ToolFile& tool) const {
  if (tool.errors.empty()) return;
  page.add(Heading{.level = 2, .text = "Errors", .anchor = "errors"});
  Spans spans;
  for (const std::string& each : tool.errors) {
    if (!spans.empty()) spans += plain_spans(" · ");
    spans += code_spans(each);
    page.search_words += " " + each;
  }
  page.add(Paragraph{.spans = spans});
  auto link = error_page_links_.find(page.family);
  if (link == error_page_links_.end()) return;
  Spans more = plain_spans("What each means and what to do is on the ");
  more.push_back({.kind = Span::Kind::link, .text = "page of this family", .target = link->second});
  more += plain_spans(".");
  page.add(Paragraph{.spans = more});
}

void Describer::add_examples(Page& page, const ToolFile& tool) const {
  const Node* extension = extension_of(*tool.file);
  const Node* list = extension ? extension->find("examples") : nullptr;
  if (!list || list->items.empty()) return;
  page.add(Heading{.level = 2, .text = "Examples", .anchor = "examples"});
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node& each = list->items[i];
    const Node* name = each.find("name");
    const Node* about = each.find("description");
    const Node& arguments = *each.find("arguments");
    std::string number = std::to_string(i + 1);
    page.add(
        Heading{.level = 3, .text = name ? name->text : "Example " + number, .anchor = "example-" + number});
    if (about) page.add(Paragraph{.spans = words(about->text, page)});
    page.add(CodeSample{.caption = "Arguments", .language = "json", .text = pretty_json(arguments)});
    std::string line = "{\"jsonrpc\":\"2.0\",\"id\":" + number +
                       ",\"method\":\"tools/call\",\"params\":{\"name\":" + json::quoted(tool.safe_name) +
                       ",\"arguments\":" + flat(arguments) + "}}";
    page.add(CodeSample{.caption = "The whole request", .language = "json", .text = line, .one_line = true});
    if (const Node* result = each.find("result"))
      page.add(CodeSample{.caption = "Result", .language = "json", .text = pretty_json(*result)});
  }
}

void Describer::add_message(Page& page, const SourceUnit& unit) const {
  page.kind = "Message";
  page.title = unit.file->stem;
  auto found = all_.checked.messages.find(unit.file);
  const Type* root = nullptr;
  if (found != all_.checked.messages.end()) {
    const Schema& schema = *found->second;
    if (auto made = types_.find(&resolved(schema)); made != types_.end()) root = made->second;
    if (root && root->declared) page.title = root->name;
    add_description(page, schema.annotations.description.empty() ? resolved(schema).annotations.description
                                                                 : schema.annotations.description);
    add_route(page, *unit.file);
    if (root && root->file == unit.file) {
      page.add(Heading{.level = 2,
                       .text = root->form == Form::structure ? "Members" : "Value",
                       .anchor = root->name.empty() ? "value" : root->name});
      add_type_section(page, *root);
    } else {
      page.add(Paragraph{.spans = plain_spans("The same as ") + schema_words(schema, *unit.file) +
                                  plain_spans(".")});
    }
  }
  for (const Type* type : unit.types) {
    if (type == root || !has_section(*type)) continue;
    page.add(Heading{.level = 2, .text = type->name, .anchor = type->name, .code = true});
    if (type->is_standalone && !type->schema->annotations.description.empty())
      page.add(Paragraph{.spans = words(type->schema->annotations.description, page)});
    add_type_section(page, *type);
    if (const Node* examples = type->schema->node ? type->schema->node->find("examples") : nullptr)
      for (const Node& each : examples->items)
        page.add(CodeSample{.caption = "Example", .language = "json", .text = pretty_json(each)});
  }
  add_message_examples(page, *unit.file);
}

// Adds the name, request line and rate limit of a message that is a request of a web service.
void Describer::add_route(Page& page, const File& file) {
  const std::optional<RouteDefinition> words = route_of(file);
  if (!words) return;
  Facts facts;
  facts.rows.push_back({.name = "Route", .value = code_spans(words->name)});
  facts.rows.push_back({.name = "Request", .value = code_spans(words->method + " " + words->path)});
  facts.rows.push_back({.name = "May be repeated", .value = plain_spans(words->repeatable ? "yes" : "no")});
  if (words->rate)
    facts.rows.push_back({.name = "Rate limit",
                          .value = plain_spans(std::to_string(words->rate->per_minute) + " a minute, " +
                                               std::to_string(words->rate->burst) + " at once")});
  page.add(std::move(facts));
}

void Describer::add_message_examples(Page& page, const File& file) const {
  const Node* extension = extension_of(file);
  bool first = true;
  for (const Node* list :
       {extension ? extension->find("examples") : nullptr, file.document.root.find("examples")}) {
    if (!list) continue;
    for (const Node& each : list->items) {
      if (first) page.add(Heading{.level = 2, .text = "Examples", .anchor = "examples"});
      first = false;
      page.add(CodeSample{.caption = "", .language = "json", .text = pretty_json(each)});
    }
  }
}

// Returns the text of links to a page: a tool's name, or a message's type.
std::string Describer::title_of(const File& file) const {
  for (const ToolModel& each : all_.model.tools)
    if (each.tool->file == &file) return each.tool->name;
  auto message = all_.checked.messages.find(&file);
  if (message != all_.checked.messages.end())
    if (auto made = types_.find(&resolved(*message->second)); made != types_.end() && made->second->declared)
      return made->second->name;
  return file.stem;
}

void Describer::add_used_by(Page& page, const File& file) const {
  auto found = users_by_file_.find(&file);
  if (found == users_by_file_.end()) return;
  std::map<std::string, std::string> names;
  for (const File* each : found->second)
    if (each->emitted) names[path_of(*each)] = title_of(*each);
  if (names.empty()) return;
  page.add(Heading{.level = 2, .text = "Used by", .anchor = "used-by"});
  Spans spans;
  for (const auto& [path, name] : names) {
    if (!spans.empty()) spans += plain_spans(" · ");
    spans.push_back({.kind = Span::Kind::code_link, .text = name, .target = path});
  }
  page.add(Paragraph{.spans = spans});
}

}  // namespace snapgen::codegen::pages
