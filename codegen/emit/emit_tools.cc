// Emits tools.h and tools.cc: the set of all tools of a server.
#include <algorithm>
#include <set>

#include "codegen/emit/emit.h"
#include "codegen/emit/perfect_hash.h"
#include "codegen/front/name.h"
#include "codegen/model/cpp.h"

namespace snapgen::codegen {
namespace {

// Short names for the code of servers that are not in snapgen's namespace.
constexpr std::string_view short_names = R"(namespace json = snapgen::json;
namespace mcp = snapgen::mcp;
using snapgen::Error;
using snapgen::ErrorCode;
using snapgen::name_hash;
using snapgen::Result;
using snapgen::Task;
using snapgen::Unit;

)";

constexpr std::string_view find_code =
    R"(std::span<const mcp::Tool> Tools::all() const { return listing::tools; }

const mcp::Tool* Tools::find(std::string_view name) const {
  std::uint32_t seed = bucket_seeds[name_hash(name, 0) & (std::size(bucket_seeds) - 1)];
  std::uint16_t index = slots[name_hash(name, seed) & (std::size(slots) - 1)];
  if (index >= std::size(listing::tools)) return nullptr;
  const mcp::Tool& tool = listing::tools[index];
  return tool.name == name || tool.safe_name == name ? &tool : nullptr;
}

std::span<const mcp::Profile> Tools::profiles() const { return all_profiles; }

)";

constexpr std::string_view header_code = R"(namespace @space@ {

struct App;  // The state that handlers share, defined by the server.

class Tools final : public snapgen::mcp::ToolSet {
 public:
  explicit Tools(App& app) : app_(app) {}

  std::span<const snapgen::mcp::Tool> all() const override;
  const snapgen::mcp::Tool* find(std::string_view name) const override;
  std::span<const snapgen::mcp::Profile> profiles() const override;
  snapgen::Task<snapgen::Unit> call(const snapgen::mcp::Tool& tool, snapgen::mcp::Call& call,
                                    std::string_view arguments, std::string& result) override;
  snapgen::mcp::ErrorWriter error_writer(const snapgen::mcp::Tool& tool) const override;

 private:
  App& app_;
};

}  // namespace @space@
)";

std::string error_function(const std::string& family) { return member_name(family) + "_error"; }

template <class Number>
std::string numbers(const std::vector<Number>& all) {
  std::vector<std::string> values;
  for (Number each : all) values.push_back(std::to_string(each));
  return wrapped_list(values);
}

class ToolsEmitter {
 public:
  ToolsEmitter(const Model& model, const std::vector<ProfileModel>& profiles, const ToolsEmitSettings& paths)
      : model_(model), profiles_(profiles), paths_(paths) {
    for (const ToolModel& tool : model.tools) families_.insert(tool.tool->file->family);
  }

  std::string run() {
    std::string text = generated_by_line(paths_) + includes();
    text += "\nnamespace " + paths_.name_space + " {\n\n";
    if (paths_.name_space != "snapgen" && !paths_.name_space.starts_with("snapgen::")) text += short_names;
    text += "// These write an error in the form of a family. Each family has its own, written by hand.\n";
    for (const std::string& family : families_)
      text += "void " + error_function(family) + "(std::string& text, const Error& error);\n";
    text += "\nnamespace {\n\n" + hash() + profiles();
    for (const ToolModel& tool : model_.tools) text += coroutine(tool);
    text += "}  // namespace\n\n";
    text += find_code;
    return text + call() + error_writer() + "}  // namespace " + paths_.name_space + "\n";
  }

 private:
  std::string includes() const {
    std::set<std::string> headers = {"runtime/base/name_hash.h",   "runtime/json/reader.h",
                                     "runtime/json/rules.h",       "runtime/json/writer.h",
                                     "runtime/mcp/call.h",         "runtime/mcp/render.h",
                                     paths_.schemas + "/listing.h"};
    for (const ToolModel& tool : model_.tools) headers.insert(tool.tool->file->header);
    std::string text =
        "#include \"" + paths_.schemas + "/tools.h\"\n\n#include <iterator>\n#include <utility>\n\n";
    for (const std::string& each : headers) text += "#include \"" + each + "\"\n";
    return text;
  }

  std::string hash() const {
    std::vector<std::string> names;
    std::vector<std::uint16_t> tools;
    for (std::size_t i = 0; i < model_.tools.size(); ++i) {
      const ToolFile& tool = *model_.tools[i].tool;
      names.push_back(tool.name);
      tools.push_back(static_cast<std::uint16_t>(i));
      if (tool.safe_name == tool.name) continue;
      names.push_back(tool.safe_name);
      tools.push_back(static_cast<std::uint16_t>(i));
    }
    PerfectHash found = perfect_hash(names);
    for (std::uint16_t& slot : found.slots) slot = slot == PerfectHash::none ? slot : tools[slot];
    return "// A perfect hash of the tools' names, in both spellings: the seed of a name's bucket gives its "
           "slot.\n"
           "constexpr std::uint32_t bucket_seeds[] = {\n" +
           numbers(found.seeds) + "};\nconstexpr std::uint16_t slots[] = {\n" + numbers(found.slots) +
           "};\n\n";
  }

  std::string profiles() const {
    std::string text;
    std::string list = "constexpr mcp::Profile all_profiles[] = {\n";
    std::set<std::string> used_names;
    for (const ProfileModel& profile : profiles_) {
      std::string name = unique_name("profile_" + member_name(profile.name), used_names);
      if (!profile.tools.empty())
        text += "constexpr std::uint16_t " + name + "[] = {\n" + numbers(profile.tools) + "};\n";
      list += "    {.name = " + string_literal(profile.name) +
              ", .tools = " + (profile.tools.empty() ? "{}" : name) + "},\n";
    }
    return text + list + "};\n\n";
  }

  std::string coroutine(const ToolModel& model) const {
    const ToolFile& tool = *model.tool;
    const std::string name = handler_name(tool);
    const std::string input = qualified_name(*model.input, paths_.name_space);
    const std::string read = model.input->is_class() ? "&read" : "&read_" + function_name(*model.input);
    const std::string error = "&" + error_function(tool.file->family);
    std::string output = tool.rendering == Rendering::content ? "mcp::Content" : "mcp::Text";
    if (model.output) {
      output = qualified_name(*model.output, paths_.name_space);
      if (tool.rendering == Rendering::summarized) output = "mcp::Summarized<" + output + ">";
    }
    const std::string head = "Task<Unit> call_" + name + "(";
    std::string text = head + "App& app, mcp::Call& call, std::string_view arguments,\n" +
                       std::string(head.size(), ' ') + "std::string& result) {\n";
    text += "  " + input + " in;\n";
    text += "  bool fits = mcp::read_arguments<" + input + ">(call, arguments, in, " + read + ", " + error +
            ", result);\n";
    text += "  if (!fits) co_return Unit{};\n";
    text += "  Task<" + output + "> handler = " + name + "(app, call, in);\n";
    text += "  Result<" + output + "> outcome = co_await std::move(handler);\n";
    text +=
        "  if (!outcome && outcome.error().code == ErrorCode::cancelled) co_return "
        "std::move(outcome.error());\n";
    text += "  if (!outcome) mcp::append_failure(call, " + error + ", std::move(outcome.error()), result);\n";
    text += "  else mcp::append_answer(call, in, *outcome, result);\n";
    return text + "  co_return Unit{};\n}\n\n";
  }

  std::string call() const {
    std::string text =
        "Task<Unit> Tools::call(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments,\n"
        "                       std::string& result) {\n  switch (&tool - listing::tools) {\n";
    for (std::size_t i = 0; i < model_.tools.size(); ++i) {
      bool last = i + 1 == model_.tools.size();
      text += last ? "    default" : "    case " + std::to_string(i);
      text += ": return call_" + handler_name(*model_.tools[i].tool) + "(app_, call, arguments, result);\n";
    }
    return text + "  }\n}\n\n";
  }

  std::string error_writer() const {
    std::string text = "mcp::ErrorWriter Tools::error_writer(const mcp::Tool& tool) const {\n";
    if (families_.size() == 1) text += "  static_cast<void>(tool);\n";
    std::size_t left = families_.size();
    for (const std::string& family : families_) {
      const std::string writer = "return &" + error_function(family) + ";\n";
      text += --left ? "  if (tool.family == " + string_literal(family) + ") " + writer : "  " + writer;
    }
    return text + "}\n\n";
  }

  const Model& model_;
  const std::vector<ProfileModel>& profiles_;
  const ToolsEmitSettings& paths_;
  std::set<std::string> families_;
};

}  // namespace

std::string generated_by_line(const ToolsEmitSettings& paths) {
  return "// Generated by snapgen from " + paths.schemas + ". Do not edit.\n";
}

std::string emit_tools_header(const ToolsEmitSettings& paths) {
  std::string text = "#pragma once\n" + generated_by_line(paths);
  for (const char* each : {"<span>", "<string>", "<string_view>"})
    text += std::string("#include ") + each + "\n";
  text += "\n#include \"runtime/mcp/tool.h\"\n\n" + std::string(header_code);
  const std::string location = "@space@";
  for (std::size_t at = text.find(location); at != std::string::npos; at = text.find(location))
    text.replace(at, location.size(), paths.name_space);
  return text;
}

std::string emit_tool_names(const Model& model, const ToolsEmitSettings& paths) {
  std::string text = "#pragma once\n" + generated_by_line(paths) + "#include <string_view>\n\nnamespace " +
                     paths.name_space + "::tool_names {\n\n";
  for (const ToolModel& each : model.tools)
    text += "inline constexpr std::string_view " + handler_name(*each.tool) + " = " +
            string_literal(each.tool->name) + ";\n";
  return text + "\n}  // namespace " + paths.name_space + "::tool_names\n";
}

std::string emit_tools_source(const Model& model, const std::vector<ProfileModel>& profiles,
                              const ToolsEmitSettings& paths) {
  return ToolsEmitter(model, profiles, paths).run();
}

}  // namespace snapgen::codegen
