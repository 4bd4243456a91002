#include "tools/server/command_tools/command_tools.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <unistd.h>

#include "codegen/author/files.h"
#include "runtime/base/environment.h"
#include "runtime/base/text.h"
#include "runtime/json/details.h"
#include "runtime/json/document.h"
#include "runtime/json/members.h"
#include "runtime/json/schema/evaluate.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/render.h"

namespace snapgen::tools {
namespace {

constexpr std::uint32_t deadline_default_ms = 30'000;

Error refused(std::string sentence) { return Error(ErrorCode::invalid_argument, std::move(sentence)); }

// Returns the arguments as canonical JSON, with the defaults of those that are absent.
std::string with_defaults(std::string_view arguments, const codegen::CommandTool& tool) {
  json::Node root = json::parse_document(arguments).root;
  for (const auto& [name, value] : tool.defaults)
    if (!root.find(name)) root.members.push_back({.key = name, .value = json::parse_document(value).root});
  std::string text;
  json::Writer out(text);
  json::write(out, root);
  return text + "\n";
}

// Returns a tool's entry in tools/list with annotations that make a host ask before it calls the tool.
std::string with_cautious_annotations(std::string_view object) {
  json::Node root = json::parse_document(object).root;
  std::erase_if(root.members, [](const json::Member& each) { return each.key == "annotations"; });
  root.members.push_back(
      {.key = "annotations",
       .value = json::parse_document(R"({"destructiveHint":true,"openWorldHint":true,"readOnlyHint":false})")
                    .root});
  return json::canonical_text(root);
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  std::string line(text.substr(text.rfind('\n') + 1));
  std::ranges::replace(line, '\r', ' ');
  constexpr std::size_t shown_max = 500;
  return line.size() <= shown_max && json::valid_utf8(line) ? line : std::string();
}

// Returns the last lines of what a program wrote to standard error, if they are text.
std::string last_lines(std::string_view text) {
  constexpr std::size_t shown_max = 2000;
  if (text.size() > shown_max) {
    text.remove_prefix(text.size() - shown_max);
    text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  }
  while (text.ends_with('\n')) text.remove_suffix(1);
  return json::valid_utf8(text) ? std::string(text) : std::string();
}

std::optional<ErrorCode> error_code_named(std::string_view name) {
  using enum ErrorCode;
  constexpr std::array codes = {not_found, invalid_argument, repo_changed, permission_denied, too_large,
                                internal,  stale_lease,      cancelled,    unavailable,       unsupported};
  const auto found = std::ranges::find(codes, name, [](ErrorCode code) { return text(code); });
  return found == codes.end() ? std::nullopt : std::optional(*found);
}

// Returns the error that a program states instead of a result: {"error":{"code":"NOT_FOUND","message":"…"}},
// with `details` if it likes. The code is one of ErrorCode or of x-snapgen.errors. Nullopt: it states none.
std::optional<Error> stated_error(std::string_view output, const codegen::CommandTool& tool) {
  const json::Document document = json::parse_document(output);
  const json::Node* stated = document.ok() ? document.root.find("error") : nullptr;
  if (!stated || document.root.members.size() != 1) return std::nullopt;
  const json::Node* code = stated->find("code");
  const json::Node* message = stated->find("message");
  if (!code || !message || !code->is(json::Kind::string) || !message->is(json::Kind::string))
    return std::nullopt;
  Error error(ErrorCode::internal, with_full_stop(message->text));
  const std::optional<ErrorCode> known = error_code_named(code->text);
  const bool is_own = std::ranges::find(tool.errors, code->text) != tool.errors.end();
  if (known) error.code = *known;
  if (!known && !is_own)
    return Error(ErrorCode::internal, "The program of " + tool.name + " failed with the code " + code->text +
                                          ", which \"errors\" in its schema does not have: " + error.message);
  if (!known) error.family_code = code->text;
  if (const json::Node* details = stated->find("details"))
    for (const json::Member& each : details->members)
      if (error.details.find(each.key) == nullptr)
        error.details.add_json(each.key, json::canonical_text(each.value));
  return error;
}

// Returns why the error in an output is ignored, as a part of a sentence. Empty if there is none.
std::string reason_to_ignore_error(std::string_view output) {
  const json::Document document = json::parse_document(output);
  const json::Node* stated = document.ok() ? document.root.find("error") : nullptr;
  if (!stated) return {};
  for (const char* name : {"code", "message"}) {
    const json::Node* member = stated->find(name);
    if (!member || !member->is(json::Kind::string))
      return "; its \"error\" was ignored, because \"" + std::string(name) + "\" is " +
             (member ? "not a text" : "missing");
  }
  return "; its \"error\" was ignored, because there are other members beside it";
}

// Returns an error if the program failed; nullopt if it succeeded.
std::optional<Error> fault_of(const ChildResult& finished, const codegen::CommandTool& tool) {
  const std::string text = last_line(finished.error_output);
  const auto error = [&](const std::string& what) {
    std::string sentence = "The program of " + tool.name + " " + what;
    if (!text.empty()) sentence += ": " + text;
    if (!sentence.ends_with('.')) sentence += '.';
    ErrorDetails details;
    const std::string lines = last_lines(finished.error_output);
    if (with_full_stop(lines) != with_full_stop(text) && !lines.empty()) details.add("stderr", lines);
    return Error(ErrorCode::internal, sentence, std::move(details), finished.error_output);
  };
  switch (finished.ending) {
    case ChildEnding::timed_out:
      return error("did not end before its deadline (x-snapgen.deadline_ms in its schema)");
    case ChildEnding::output_limit: return error("wrote more than the limit");
    case ChildEnding::signaled: return error("was ended by signal " + std::to_string(finished.signal));
    case ChildEnding::exited: break;
  }
  if (finished.exit_code == 0) return std::nullopt;
  if (std::optional<Error> stated = stated_error(finished.output, tool)) {
    stated->cause = finished.error_output;
    return stated;
  }
  return error("ended with exit code " + std::to_string(finished.exit_code) +
               reason_to_ignore_error(finished.output));
}

// Returns the beginning of an output that is no JSON, in quotes.
std::string beginning_of(std::string_view output) {
  constexpr std::size_t shown_max = 80;
  const std::string_view head = utf8_head(output, shown_max);
  if (output.empty() || !json::valid_utf8(head)) return {};
  return "; it begins with " + json::quoted(head);
}

// Checks the program's output and gives it to the renderer.
Result<Unit> append_program_output(const std::string& output, const std::string& name,
                                   const json::OwnedPlan* plan, mcp::AnswerRenderer& renderer,
                                   std::string& result) {
  if (!plan) {
    if (!json::valid_utf8(output))
      return Error(ErrorCode::internal,
                   "The program of " + name + " wrote invalid UTF-8. Its output must be UTF-8 text.");
    std::string_view text = output;
    if (text.ends_with('\n')) text.remove_suffix(1);
    renderer.append_text(text, result);
    return Unit{};
  }
  const std::vector<json::Violation> violations = json::evaluate(plan->plan(), output);
  if (!violations.empty()) {
    const json::Violation& first = violations.front();
    const std::string location = first.pointer.empty() ? "" : "at " + first.pointer + " ";
    const bool is_json = json::parse_document(output).ok();
    return Error(ErrorCode::internal,
                 "The program of " + name + " returned a result that does not match its outputSchema: " +
                     location + with_full_stop(first.message + (is_json ? "" : beginning_of(output))));
  }
  Result<std::string> structured = json::canonical(output);
  if (!structured)
    return Error(ErrorCode::internal, "The program of " + name + " returned a result that is not JSON.");
  renderer.append_structured(*structured, result);
  return Unit{};
}

Error faults_error(const std::filesystem::path& folder, const std::vector<std::string>& faults) {
  std::string sentence = "The tools in " + folder.string() + " have errors: ";
  for (const std::string& each : faults) sentence += (&each == &faults.front() ? "" : "; ") + each;
  return refused(std::move(sentence));
}

// Writes an error of a family that has no compiled tools.
void command_tool_error(std::string& text, const Error& error) {
  json::Writer out(text);
  out.text("{\"error\":{\"code\":");
  out.string(error.family_code.empty() ? snapgen::text(error.code) : std::string_view(error.family_code));
  if (!error.details.empty()) out.text(",\"details\":" + json::object_text(error.details));
  out.text(",\"message\":");
  out.string(error.message);
  out.text("}}");
}

}  // namespace

// Returns why a program cannot run, as a phrase; empty if nothing is known against it.
std::string ToolsWithCommands::fault_of_program(const Program& program) {
  const std::string path = program_path(program);
  if (!path.empty() && ::access(path.c_str(), X_OK) == 0) return {};
  return "the program " + program.tool.run_command.command[0] +
         (path.empty()                        ? " is not on PATH"
          : ::access(path.c_str(), F_OK) == 0 ? " cannot be executed (chmod +x)"
                                              : " does not exist");
}

Result<std::unique_ptr<ToolsWithCommands>> ToolsWithCommands::load(mcp::ToolSet& compiled,
                                                                   const std::filesystem::path& folder,
                                                                   Result<std::string> workspace,
                                                                   CommandToolPolicy policy) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string at = fs::canonical(folder, error).string();
  std::vector<codegen::SourceText> texts;
  if (error || !fs::is_directory(at) || !codegen::read_folder({}, at, true, texts))
    return Error(ErrorCode::not_found, "The folder of tools " + folder.string() +
                                           " cannot be read. Check the path and its permissions.");
  codegen::CommandToolSet loaded =
      codegen::compile_command_tools(std::move(texts), {.schemas = at, .name_space = "command_tools"});
  if (!loaded.findings.empty()) return faults_error(folder, loaded.findings);
  std::unique_ptr<ToolsWithCommands> set(
      new ToolsWithCommands(compiled, std::move(workspace), std::move(policy)));
  set->tools_.assign(compiled.all().begin(), compiled.all().end());
  std::vector<std::string> faults;
  for (codegen::CommandTool& each : loaded.tools) set->add(std::move(each), faults);
  if (!faults.empty()) return faults_error(folder, faults);
  set->make_profiles();
  return set;
}

void ToolsWithCommands::add(codegen::CommandTool tool, std::vector<std::string>& faults) {
  const auto add_fault = [&, file = tool.file](const std::string& what) {
    faults.push_back(file + ": " + what);
  };
  for (const std::string& name : {tool.name, tool.safe_name})
    if (compiled_.find(name)) return add_fault("the server has a tool " + name + " already");
  for (const std::string& code : tool.errors)
    if (compiled_tool_of(tool.family) && !error_code_named(code))
      add_fault("the code " + code + " in \"errors\" is none of the family " + tool.family +
                ", which has tools of the server; choose another family");
  auto made = std::make_unique<Program>();
  made->tool = std::move(tool);
  made->folder = std::filesystem::path(made->tool.file).parent_path().string();
  if (const std::string fault = fault_of_program(*made); !fault.empty()) add_fault(fault);
  const codegen::CommandTool& of = made->tool;
  if (of.rate) made->rate_values.assign(of.rate->values.begin(), of.rate->values.end());
  mcp::Tool listed{.name = of.name,
                   .safe_name = of.safe_name,
                   .family = of.family,
                   .deadline_ms = of.deadline_ms ? of.deadline_ms : deadline_default_ms,
                   .merged_output_schema = of.listing.merged_output,
                   .tier = of.tier,
                   .rate_per_minute = of.rate ? of.rate->per_minute : 0,
                   .rate_burst = of.rate ? of.rate->burst : 0,
                   .rate_argument = of.rate ? std::string_view(of.rate->by_argument) : std::string_view(),
                   .rate_values = made->rate_values,
                   .task = of.task == "required"   ? mcp::TaskUse::required
                           : of.task == "optional" ? mcp::TaskUse::optional
                                                   : mcp::TaskUse::never,
                   .needs_workspace = of.needs_workspace};
  for (std::size_t form = 0; form < mcp::listing_form_count; ++form)
    for (std::size_t spelling : {0, 1}) {
      std::string& object = made->tool.listing.objects[form][spelling];
      if (!policy_.trusts_annotations) object = with_cautious_annotations(object);
      listed.listing[form][spelling] = object;
    }
  names_.emplace(of.name, tools_.size());
  names_.emplace(of.safe_name, tools_.size());
  tools_.push_back(listed);
  programs_.push_back(std::move(made));
}

// Adds the programs to the profile `full` and to the profiles of their families, which may be new.
void ToolsWithCommands::make_profiles() {
  const std::size_t first = compiled_.all().size();
  for (const mcp::Profile& each : compiled_.profiles()) {
    profile_names_.emplace_back(each.name);
    profile_tools_.emplace_back(each.tools.begin(), each.tools.end());
  }
  const auto profile = [&](const std::string& name) -> std::vector<std::uint16_t>& {
    const auto found = std::ranges::find(profile_names_, name);
    if (found != profile_names_.end())
      return profile_tools_[static_cast<std::size_t>(found - profile_names_.begin())];
    profile_names_.push_back(name);
    return profile_tools_.emplace_back();
  };
  for (std::size_t i = first; i < tools_.size(); ++i)
    for (const std::string& name : {std::string("full"), std::string(tools_[i].family)})
      profile(name).push_back(static_cast<std::uint16_t>(i));
  for (std::size_t i = 0; i < profile_names_.size(); ++i) {
    std::ranges::sort(profile_tools_[i], {}, [&](std::uint16_t tool) { return tools_[tool].name; });
    profiles_.push_back({.name = profile_names_[i], .tools = profile_tools_[i]});
  }
}

const mcp::Tool* ToolsWithCommands::find(std::string_view name) const {
  if (const auto found = names_.find(name); found != names_.end()) return &tools_[found->second];
  const mcp::Tool* tool = compiled_.find(name);
  return tool ? &tools_[static_cast<std::size_t>(tool - compiled_.all().data())] : nullptr;
}

Task<Unit> ToolsWithCommands::call(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments,
                                   std::string& result) {
  const std::size_t index = static_cast<std::size_t>(&tool - tools_.data());
  const std::size_t first = compiled_.all().size();
  if (index < first) return compiled_.call(compiled_.all()[index], call, arguments, result);
  return run(tool, *programs_[index - first], call, arguments, result);
}

// A name without a slash is searched in PATH, never in the workspace. A relative path begins at the folder of
// the tool's file. Returns an empty text if there is none on PATH.
std::string ToolsWithCommands::program_path(const Program& program) {
  const std::string& name = program.tool.run_command.command[0];
  if (name.find('/') != std::string::npos) return name.starts_with('/') ? name : program.folder + "/" + name;
  const std::string folders = environment_variable("PATH").value_or("");
  for (std::string_view rest = folders; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string path = std::string(rest.substr(0, end)) + "/" + name;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (path.starts_with('/') && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

Result<ChildCommand> ToolsWithCommands::command(const Program& program, std::string_view arguments) const {
  if (!workspace_) return workspace_.error();
  const codegen::RunCommand& run = program.tool.run_command;
  ChildCommand command{.argv = run.command,
                       .folder = run.folder.empty() ? *workspace_ : *workspace_ + "/" + run.folder,
                       .input = with_defaults(arguments, program.tool),
                       .output_bytes_max = run.output_bytes_max,
                       .confinement = policy_.confinement,
                       .ends_at_output_limit = true};
  if (command.argv[0].find('/') != std::string::npos) command.argv[0] = program_path(program);
  std::vector<std::string> variables = {"PATH"};
  variables.insert(variables.end(), run.environment.begin(), run.environment.end());
  command.environment = inherited_variables(variables);
  // A cache of compiled code in the folder would be one more file that the user has to trust.
  if (policy_.check_permitted) command.environment.push_back("PYTHONDONTWRITEBYTECODE=1");
  return command;
}

Task<Unit> ToolsWithCommands::run(const mcp::Tool& tool, const Program& program, mcp::Call& call,
                                  std::string_view arguments, std::string& result) {
  const mcp::ErrorWriter write_error = error_writer(tool);
  std::string own_arguments;
  if (const std::string_view added = call.renderer().added_argument(); !added.empty()) {
    own_arguments = json::without_members(arguments, std::span(&added, 1));
    arguments = own_arguments;
  }
  const std::vector<json::Violation> violations = json::evaluate(program.tool.input->plan(), arguments);
  if (!violations.empty()) {
    mcp::append_failure(call, write_error, mcp::invalid_arguments(violations), result);
    co_return Unit{};
  }
  Result<ChildCommand> prepared = command(program, arguments);
  if (!prepared) {
    mcp::append_failure(call, write_error, prepared.error(), result);
    co_return Unit{};
  }
  if (policy_.check_permitted) {
    auto checking = [&] { return policy_.check_permitted(); };
    Result<Unit> permitted = co_await call.offload(checking);
    if (!permitted && permitted.error().code == ErrorCode::cancelled) co_return permitted.error();
    if (!permitted) {
      mcp::append_failure(call, write_error, permitted.error(), result);
      co_return Unit{};
    }
  }
  std::stop_token stop = call.stop();
  Result<ChildResult> finished = co_await RunChild(call.loop(), stop, *prepared);
  if (!finished && finished.error().code == ErrorCode::cancelled) co_return finished.error();
  std::optional<Error> fault;
  if (!finished) fault = finished.error();
  if (finished) fault = fault_of(*finished, program.tool);
  if (finished && !fault && !finished->error_output.empty())
    call.log(mcp::LogLevel::debug, program.tool.name, json::quoted(last_lines(finished->error_output)));
  if (fault) {
    mcp::append_failure(call, write_error, *fault, result);
    co_return Unit{};
  }
  Result<Unit> appended = append_program_output(finished->output, program.tool.name,
                                                program.tool.output.get(), call.renderer(), result);
  if (!appended) mcp::append_failure(call, write_error, std::move(appended).error(), result);
  co_return Unit{};
}

const mcp::Tool* ToolsWithCommands::compiled_tool_of(std::string_view family) const {
  const std::span<const mcp::Tool> known = compiled_.all();
  const auto same = std::ranges::find(known, family, &mcp::Tool::family);
  return same != known.end() ? &*same : nullptr;
}

mcp::ErrorWriter ToolsWithCommands::error_writer(const mcp::Tool& tool) const {
  // The error has the form of the tool's family if that has compiled tools, else that of the substrate.
  const mcp::Tool* same = compiled_tool_of(tool.family);
  return same ? compiled_.error_writer(*same) : &command_tool_error;
}

}  // namespace snapgen::tools
