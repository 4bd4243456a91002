#include "codegen/author/new_tool.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "codegen/front/name.h"
#include "codegen/front/read_tool.h"
#include "runtime/base/ascii.h"
#include "runtime/base/text.h"

namespace snapgen::codegen {
namespace {

constexpr std::string_view schema_text = R"({
  "$schema": "../meta/tool.json",
  "name": "@name@",
  "title": "@title@",
  "description": "Return the text of the call. @describe@",
  "annotations": {
    "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false
  },
  "inputSchema": {
    "type": "object",
    "additionalProperties": false,
    "required": ["text"],
    "properties": {
      "text": { "type": "string", "minLength": 1, "maxLength": 1000, "description": "@input@" }
    }
  },
  "outputSchema": {
    "type": "object",
    "additionalProperties": false,
    "required": ["text"],
    "properties": { "text": { "type": "string", "description": "@output@" } }
  },
  "x-snapgen": {
    "family": "@family@",
    "deadline_ms": 30000,
    "examples": [{ "name": "@example@", "arguments": { "text": "hello" }, "result": { "text": "hello" } }]
  }
}
)";

constexpr std::string_view handler_text = R"(#include "@header@"

namespace @space@ {

// Offload code that may block or take more than 100 us to the thread pool:
//   auto job = [&]() -> snapgen::Result<std::string> { return in.text; };
//   snapgen::Result<std::string> done = co_await call.offload(job);
//   std::string text = co_await done;  // Ends the call if `done` is an error.
Task<@type@Output> @function@(App&, mcp::Call&, const @type@Input& in) {
  co_return @type@Output{.text = in.text};
}

}  // namespace @space@
)";

constexpr std::string_view test_text = R"({
  "tool": "@name@",
  "calls": [
    { "says": "returns the text", "arguments": { "text": "hello" }, "result": { "text": "hello" } },
    { "says": "text is required", "arguments": {}, "error": "text" },
    { "says": "text is not empty", "arguments": { "text": "" }, "error": "/text" }
  ]
}
)";

// A target writes into its folder, so each family has a separate target.
constexpr std::string_view family_build_text =
    R"(schemas_generated += custom_target('schemas-' + family, command : schemas_command + ['--only', family],
  output : run_command(list_schemas, 'outputs', meson.current_source_dir(), check : true).stdout().split(),
  depend_files : schemas_files)
)";

constexpr std::string_view family_error_text =
    R"(// Writes an error of a handler as the text that a client gets from the tools of this family.
@include@

namespace @space@ {

void @family@_error(std::string& text, const snapgen::Error& error) { text = error.message; }

}  // namespace @space@
)";

std::string filled(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out(text);
  for (const auto& [name, value] : values) {
    const std::string location = "@" + name + "@";
    for (std::size_t at = out.find(location); at != std::string::npos;
         at = out.find(location, at + value.size()))
      out.replace(at, location.size(), value);
  }
  return out;
}

std::string names_in_words(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
  return list;
}

Error refused(std::string sentence) { return Error(ErrorCode::invalid_argument, std::move(sentence)); }

// Returns a title for a name: "Snapshot touch all" for "snapshot.touch_all".
std::string title_of(std::string_view name) {
  std::string title;
  for (char c : name) title += c == '.' || c == '_' || c == '-' ? ' ' : c;
  if (!title.empty()) title[0] = to_upper(title[0]);
  return title;
}

Result<Unit> check_name(const NewToolRequest& wanted, const std::string& stem) {
  const std::string& name = wanted.name;
  const auto allowed = [](char c) { return is_lower(c) || is_digit(c) || c == '_' || c == '.'; };
  if (!std::ranges::all_of(name, allowed) || name.empty() || !is_lower(name[0]) || name.back() == '.' ||
      name.find("..") != std::string::npos)
    return refused("\"" + name +
                   "\" is not a name for a tool: lower-case letters, digits and \"_\", in parts joined by " +
                   "\".\", such as snapshot.touch");
  if (name.size() > tool_name_max)
    return refused("a tool's name has at most " + std::to_string(tool_name_max) + " characters, not " +
                   std::to_string(name.size()));
  if (!is_identifier(stem) || is_reserved(stem))
    return refused("\"" + stem + "\", the name of the handler, is not a name that C++ allows");
  for (const ExistingTool& each : wanted.tools) {
    std::string other = each.name;
    std::ranges::replace_if(other, [](char c) { return c == '.' || c == '-'; }, '_');
    if (other == stem) return refused("there is a tool " + each.name + " already");
  }
  return Unit{};
}

Result<std::string> family_of(const NewToolRequest& wanted) {
  const std::vector<std::string>& known = wanted.families;
  if (known.empty()) return refused("there is no family yet. Create one: snapgen new family NAME");
  if (!wanted.family.empty()) {
    if (std::ranges::find(known, wanted.family) != known.end()) return wanted.family;
    const std::vector<std::string_view> names(known.begin(), known.end());
    const auto near = nearest_name(wanted.family, names);
    return refused(
        "there is no family " + wanted.family + "; " +
        (near ? "did you mean " + std::string(*near) + "?"
              : "there are " + names_in_words(known) + ". Create it: snapgen new family " + wanted.family));
  }
  const std::string first = wanted.name.substr(0, wanted.name.find('.'));
  std::set<std::string> alike;
  for (const ExistingTool& each : wanted.tools)
    if (each.name.substr(0, each.name.find('.')) == first) alike.insert(each.family);
  if (alike.size() == 1) return *alike.begin();
  if (std::ranges::find(known, first) != known.end()) return first;
  if (known.size() == 1) return known[0];
  return refused("which family is " + wanted.name + " in? Name it with --family: " + names_in_words(known));
}

}  // namespace

Result<NewToolFiles> make_new_tool(const NewToolRequest& wanted) {
  std::string stem = wanted.name;
  std::ranges::replace(stem, '.', '_');
  TRY(check_name(wanted, stem));
  std::string family = TRY(family_of(wanted));
  const auto add_file = [&](const std::string& folder, const std::string& end) {
    return folder + "/" + family + "/" + stem + end;
  };
  NewToolFiles files{.family = family,
                     .schema = add_file(wanted.schemas, ".json"),
                     .handler = add_file(wanted.handlers, ".cc"),
                     .test = add_file(wanted.tests, ".json")};
  const std::map<std::string, std::string> values = {{"describe", std::string(unedited_description)},
                                                     {"input", std::string(unedited_input)},
                                                     {"output", std::string(unedited_output)},
                                                     {"example", std::string(unedited_example)},
                                                     {"name", wanted.name},
                                                     {"title", title_of(wanted.name)},
                                                     {"family", family},
                                                     {"header", add_file(wanted.schemas, ".h")},
                                                     {"space", wanted.name_space},
                                                     {"type", type_name(stem)},
                                                     {"function", stem}};
  files.texts[files.schema] = filled(schema_text, values);
  files.texts[files.handler] = filled(handler_text, values);
  files.texts[files.test] = filled(test_text, values);
  return files;
}

Result<std::map<std::string, std::string>> make_new_family(const NewToolRequest& wanted) {
  const std::string& name = wanted.family;
  const auto allowed = [](char c) { return is_lower(c) || is_digit(c) || c == '_'; };
  if (is_reserved(name) || name == "meta" || name == "common")
    return refused("the name " + name +
                   " has another meaning for the compiler or in C++; choose another one");
  if (!is_identifier(name) || !std::ranges::all_of(name, allowed))
    return refused("\"" + name +
                   "\" is not a name for a family: lower-case letters, digits and \"_\", such as shop");
  if (std::ranges::find(wanted.families, name) != wanted.families.end())
    return refused("there is a family " + name + " already");
  const std::map<std::string, std::string> values = {
      {"family", name},
      {"space", wanted.name_space},
      {"include", "#include \"" + wanted.schemas + "/tools.h\""}};
  return std::map<std::string, std::string>{
      {wanted.schemas + "/" + name + "/meson.build", std::string(family_build_text)},
      {wanted.handlers + "/" + name + "/error.cc", filled(family_error_text, values)}};
}

}  // namespace snapgen::codegen
