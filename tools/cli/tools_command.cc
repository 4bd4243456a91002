// `snap tools` and `snap call`: what a host gets from a server that it starts.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/json/document.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/cli/commands.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/cli/hosts/own_program.h"
#include "tools/cli/hosts/start_probe.h"

namespace snapgen::tools {
namespace {

constexpr std::int64_t call_deadline_ms = 600'000;

struct HostOptions {
  std::string profile, tools_folder, answers;
  std::string tool;
  std::string arguments = "{}";
};

void add_server_options(CLI::App& command, HostOptions& options) {
  command.add_option("--profile", options.profile, "The profile of the server.")->type_name("NAME");
  command.add_option("--tools", options.tools_folder, "A folder of tools without C++.")->type_name("DIR");
  command.add_option("--answers", options.answers, "The form of answers.")
      ->check(CLI::IsMember({"auto", "json", "text"}))
      ->type_name("auto|json|text");
}

ServerStart start_of(const Invocation& invocation, const HostOptions& options) {
  const std::string program = own_program_path();
  ServerStart start{.command = {program}, .environment = {}, .folder = {}, .deadline_ms = call_deadline_ms};
  const std::vector<std::string> arguments = entry_for(Host::claude, program).args;
  start.command.insert(start.command.end(), arguments.begin(), arguments.end());
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) start.command.insert(start.command.end(), {name, value});
  };
  add("--workspace", invocation.workspace.value_or(""));
  add("--profile", options.profile);
  add("--tools", options.tools_folder);
  add("--answers", options.answers);
  return start;
}

bool is_required(const json::Node& schema, const std::string& name) {
  const json::Node* required = schema.find("required");
  return required &&
         std::ranges::any_of(required->items, [&](const json::Node& each) { return each.text == name; });
}

// Returns the values that a schema allows, as JSON: those of its enum, or the constants of its alternatives.
// Empty if it allows others.
std::string allowed_values(const json::Node& schema) {
  if (const json::Node* constant = schema.find("const")) return json::canonical_text(*constant);
  std::string text;
  const auto add = [&](const std::string& values) { text += (text.empty() ? "" : " | ") + values; };
  if (const json::Node* list = schema.find("enum")) {
    for (const json::Node& each : list->items) add(json::canonical_text(each));
    return text;
  }
  for (const char* keyword : {"anyOf", "oneOf"}) {
    const json::Node* alternatives = schema.find(keyword);
    if (!alternatives) continue;
    for (const json::Node& each : alternatives->items) {
      const std::string values = allowed_values(each);
      if (values.empty()) return {};
      add(values);
    }
  }
  return text;
}

// Returns the tool's name, its description, and a line for each argument, such as:
//   unit (string), one of "lines" | "words", default "lines": What to count.
std::string shown_tool(const json::Node& tool) {
  std::string text = string_member(tool, "name") + ": " + string_member(tool, "description") + "\n";
  const json::Node* schema = tool.find("inputSchema");
  const json::Node* properties = schema ? schema->find("properties") : nullptr;
  if (!properties) return text;
  for (const json::Member& each : properties->members) {
    const json::Node* type = each.value.find("type");
    text += "  " + each.key;
    if (type) text += " (" + (type->is(json::Kind::string) ? type->text : json::canonical_text(*type)) + ")";
    if (is_required(*schema, each.key)) text += ", required";
    if (const std::string values = allowed_values(each.value); !values.empty()) text += ", one of " + values;
    if (const json::Node* value = each.value.find("default"))
      text += ", default " + json::canonical_text(*value);
    const std::string description = string_member(each.value, "description");
    if (!description.empty()) text += ": " + description;
    text += "\n";
  }
  return text;
}

Result<int> list_tools(const Invocation& invocation, const HostOptions& options) {
  const std::string listed = TRY(ask_server(start_of(invocation, options), "tools/list", "{}"));
  const json::Document document = json::parse_document(listed);
  const json::Node* tools = document.root.find("tools");
  if (!tools) return Error(ErrorCode::internal, "The server listed no tools.");
  std::string text;
  for (const json::Node& each : tools->items) {
    if (!options.tool.empty() && string_member(each, "name") != options.tool) continue;
    text += (text.empty() ? "" : "\n") + shown_tool(each);
    if (!options.tool.empty()) return print_answer(invocation, json::canonical_text(each), text);
  }
  if (!options.tool.empty())
    return Error(ErrorCode::not_found,
                 "The server lists no tool " + options.tool + ". snap tools shows all.");
  return print_answer(invocation, listed, text);
}

Result<int> call_tool(const Invocation& invocation, const HostOptions& options) {
  for (const std::string& text : {options.tool, options.arguments})
    if (!json::valid_utf8(text))
      return Error(ErrorCode::invalid_argument, "The tool and its arguments have to be UTF-8.");
  const json::Document arguments = json::parse_document(options.arguments);
  if (!arguments.ok() || !arguments.root.is(json::Kind::object))
    return Error(ErrorCode::invalid_argument,
                 "The arguments are not a JSON object, such as '{\"path\":\"README.md\"}'" +
                     (arguments.ok() ? "." : ": " + arguments.problems.back().message + "."));
  const std::string params = "{\"arguments\":" + json::canonical_text(arguments.root) +
                             ",\"name\":" + json::quoted(options.tool) + "}";
  const std::string result = TRY(ask_server(start_of(invocation, options), "tools/call", params));
  const json::Document document = json::parse_document(result);
  std::string text;
  if (const json::Node* content = document.root.find("content"))
    for (const json::Node& each : content->items)
      text +=
          (string_member(each, "type") == "text" ? string_member(each, "text") : json::canonical_text(each)) +
          "\n";
  const json::Node* is_error = document.root.find("isError");
  const bool failed = is_error && is_error->is(json::Kind::boolean) && is_error->boolean;
  return print_answer(invocation, result, text, failed ? exit_failed_or_found : exit_done);
}

}  // namespace

void add_tools_commands(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<HostOptions>();
  CLI::App& tools = add_command(
      program, invocation,
      {.name = "tools",
       .description =
           "List the tools as a host gets them: their names, descriptions and arguments. With --json: "
           "the answer of tools/list.",
       .examples = {{"snap tools --profile first", ""},
                    {"snap tools snapshot_create --json", "one tool, whole"},
                    {"snap tools --tools ../tools", "with tools without C++"}}},
      [options](const Invocation& parsed) { return list_tools(parsed, *options); });
  tools.add_option("TOOL", options->tool, "Only this tool.");
  add_server_options(tools, *options);

  auto call_options = std::make_shared<HostOptions>();
  CLI::App& call = add_command(
      program, invocation,
      {.name = "call",
       .description =
           "Call one tool as a host does, and print the text that a model gets. With --json: the answer "
           "of tools/call.",
       .examples = {{"snap call snapshot_list", ""},
                    {"snap call snapshot_file '{\"path\":\"README.md\"}' --answers text", ""}},
       .exit_codes =
           "0 done; 1 the tool answered with an error, or the server did not start; 2 the command line is "
           "wrong."},
      [call_options](const Invocation& parsed) { return call_tool(parsed, *call_options); });
  call.add_option("TOOL", call_options->tool, "The name of the tool.")->required();
  call.add_option("ARGUMENTS", call_options->arguments, "A JSON object.")->capture_default_str();
  add_server_options(call, *call_options);
}

}  // namespace snapgen::tools
