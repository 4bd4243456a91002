#include "tools/cli/caller.h"

#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/async/scope.h"
#include "runtime/async/sleep.h"
#include "runtime/base/text.h"
#include "runtime/base/visible.h"
#include "runtime/json/members.h"
#include "runtime/json/tree.h"
#include "runtime/mcp/call.h"
#include "tools/app/wire_failure.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view program_name = "snap";
constexpr Millis redrawn_every(200);

// The context of a call that cannot ask the user, and whose progress is shown on the terminal.
class TerminalCall final : public mcp::Call {
 public:
  TerminalCall(Loop& loop, const mcp::Tool& tool, std::stop_token stop, ProgressLine& progress)
      : Call(loop, tool, mcp::newest_legacy_revision, std::move(stop)), progress_(progress) {}

  void progress(double progress, std::optional<double> total, std::string_view message) override {
    progress_.report(progress, total, message);
  }
  void log(mcp::LogLevel, std::string_view, std::string_view) override {}

 private:
  ProgressLine& progress_;
};

// Receives the error of work that is done instead of a tool's handler, and so has no typed output.
class ErrorReceiver final : public AnswerReceiver {};

// Returns the current folder within the workspace, such as "src/" or ""; nullopt if it is outside.
std::optional<std::string> folder_within(const std::string& workspace) {
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::current_path(failed);
  if (failed) return std::nullopt;
  const std::string folder = here.string();
  if (folder == workspace) return "";
  if (!folder.starts_with(workspace + "/")) return std::nullopt;
  return folder.substr(workspace.size() + 1) + "/";
}

// Converts an absolute path to a path relative to the workspace, through any symlinks above it. A symlink at
// the path itself is followed only if the path would otherwise be outside. A path outside of the workspace is
// only made relative.
std::filesystem::path seen_from(const std::string& workspace, const std::filesystem::path& absolute) {
  const std::filesystem::path typed = absolute.lexically_normal();
  const std::filesystem::path name = typed.has_filename() ? typed.filename() : typed.parent_path().filename();
  const std::filesystem::path folder =
      typed.has_filename() ? typed.parent_path() : typed.parent_path().parent_path();
  std::error_code failed;
  for (const std::filesystem::path& each : {typed, std::filesystem::weakly_canonical(folder, failed) / name,
                                            std::filesystem::weakly_canonical(typed, failed)}) {
    const std::string path = each.string();
    if (path == workspace || path.starts_with(workspace + "/")) return each.lexically_relative(workspace);
  }
  return typed.lexically_relative(workspace);
}

// Redraws the elapsed time until the stop, also while no progress is reported.
Task<Unit> keep_drawing(Loop& loop, ProgressLine& progress, std::stop_token stop) {
  for (;;) {
    Result<Unit> slept = co_await Sleep(loop, stop, redrawn_every);
    if (!slept) co_return Unit{};
    progress.redraw();
  }
}

// Returns whether a field is a count. Ids and violation types are not counts, even if they have only digits.
bool is_count(std::string_view name, std::string_view value) {
  if (name == "id" || name == "type" || value.empty() || value.size() > 15) return false;
  if (value.size() > 1 && value.front() == '0') return false;
  return value.find_first_not_of("0123456789") == std::string_view::npos;
}

// Replaces the names of tools in a sentence by those of the commands that do the same.
std::string with_commands(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> commands[] = {
      {"op init of snapback_context", "snap ctx init"},
      {"history_list", "snap history"},
      {"snapshot_list", "snap snapshot show"}};
  for (const auto& [tool, command] : commands)
    if (const std::size_t at = text.find(tool); at != std::string::npos)
      text.replace(at, tool.size(), command);
  return text;
}

}  // namespace

void AnswerReceiver::append_error(const Error& error, mcp::ErrorWriter write_error, std::string&) {
  error_ = error;
  write_error(error_text_, error);
}

std::string json_of_line(const lines::Line& line, std::string_view summary) {
  const std::vector<std::pair<std::string, std::string>> fields = lines::fields(line);
  std::map<std::string, std::string> members = {{"line", json::quoted(fields.front().first)}};
  if (!summary.empty()) members["text"] = json::quoted(summary);
  if (const auto* restored = std::get_if<lines::RestoreLine>(&line)) {
    std::string back, deleted;
    for (const std::string& each : restored->restored) {
      std::string& list = each.starts_with('-') ? deleted : back;
      const std::string path = each.substr(each.starts_with('-') ? 1 : each.starts_with("./-") ? 2 : 0);
      list += (list.empty() ? "" : ",") + json::quoted(path);
    }
    members["deleted"] = "[" + deleted + "]";
    members["restored"] = "[" + back + "]";
  }
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const auto& [name, value] = fields[i];
    members.emplace(name, is_count(name, value) ? value : json::quoted(value));
  }
  std::string out = "{";
  for (const auto& [name, value] : members) {
    if (out.size() > 1) out += ",";
    out += json::quoted(name) + ":" + value;
  }
  return out + "}";
}

ToolCaller::~ToolCaller() = default;

Result<Unit> check_is_utf8(std::string_view argument) {
  if (json::valid_utf8(argument)) return Unit{};
  return Error(ErrorCode::invalid_argument, "An argument is not valid UTF-8. Pass the text as UTF-8.");
}

Result<std::unique_ptr<Assembly>> make_assembly(const Invocation& invocation, const std::string& profile) {
  return Assembly::make({.program = program_name,
                         .workspace = invocation.workspace,
                         .profile = profile,
                         .answer_choice = AnswerChoice::json,
                         .watches_worktree = false,
                         .for_user = true});
}

Result<std::unique_ptr<ToolCaller>> ToolCaller::open(const Invocation& invocation) {
  std::unique_ptr<ToolCaller> caller(new ToolCaller(invocation));
  caller->assembly_ = TRY(make_assembly(invocation));
  caller->port_ = TRY(UvPort::create());
  TRY(caller->port_->stop_on_signals(caller->stop_));
  caller->server_ = caller->assembly_->make_server(nullptr, nullptr);
  caller->loop_ = std::make_unique<Loop>(*caller->port_);
  return caller;
}

Task<Unit> ToolCaller::call_and_wait(const mcp::Tool& tool, const ToolCall& tool_call,
                                     ProgressLine& progress) {
  TerminalCall call(*loop_, tool, stop_.get_token(), progress);
  TaskScope drawing(*loop_);
  if (progress.is_shown()) drawing.spawn(keep_drawing(*loop_, progress, drawing.stop()));
  Task<Unit> running = tool_call(call);
  Result<Unit> outcome = co_await std::move(running);
  drawing.cancel();
  co_await drawing.join();
  co_return outcome;
}

Result<const mcp::Tool*> ToolCaller::tool_named(std::string_view name) {
  const mcp::Tool* found = assembly_->tools().find(name);
  if (!found) return Error(ErrorCode::internal, "There is no tool " + std::string(name) + ".");
  return found;
}

Result<Unit> ToolCaller::call_with_json(std::string_view tool, std::string_view arguments,
                                        AnswerReceiver& receiver) {
  const mcp::Tool* found = TRY(tool_named(tool));
  // Paths in the arguments are already encoded as UTF-8, so this finds other arguments that are not.
  TRY(check_is_utf8(arguments));
  std::string unused;
  const ToolCall tool_call = [&](mcp::Call& call) {
    return assembly_->tools().call_for(receiver, *found, call, arguments, unused);
  };
  return finish(*found, tool_call, receiver);
}

Result<Unit> ToolCaller::run_work(std::string_view tool, const GuardedTools::Work& work) {
  const mcp::Tool* found = TRY(tool_named(tool));
  ErrorReceiver receiver;
  std::string unused;
  const ToolCall tool_call = [&](mcp::Call& call) {
    return assembly_->tools().run_for(receiver, *found, call, work, unused);
  };
  Result<Unit> outcome = finish(*found, tool_call, receiver);
  if (outcome || !receiver.error()) return outcome;
  const WireFailure failure = to_wire_failure(*receiver.error());
  outcome.error().details =
      ErrorDetails().add(answer_key, json_of_line(failure.line, visible(failure.summary)));
  return outcome;
}

Result<Unit> ToolCaller::finish(const mcp::Tool& tool, const ToolCall& tool_call, AnswerReceiver& receiver) {
  ProgressLine progress(error_output_);
  Result<Unit> called = loop_->run(call_and_wait(tool, tool_call, progress));
  progress.hide();
  if (!called) return Error(ErrorCode::cancelled, "Cancelled.");
  if (!receiver.error()) return Unit{};
  Error error = with_command_line_names(*receiver.error());
  if (error.cause.empty()) error.cause = error.details.text("hint");
  for (std::string* text : {&error.message, &error.cause}) *text = with_commands(*text);
  error.details = ErrorDetails().add(answer_key, receiver.error_text());
  return error;
}

// Changes the error so that it names each invalid argument as the command line does.
Error ToolCaller::with_command_line_names(Error error) const {
  const std::string violations(error.details.json("violations"));
  if (violations.empty()) return error;
  const json::Tree tree(violations);
  std::string text;
  for (json::Value each = tree.root().first_child(); each.exists(); each = each.next_sibling()) {
    const std::string pointer(each.find("pointer").text());
    const std::string argument = pointer.empty() ? "" : pointer.substr(1, pointer.find('/', 1) - 1);
    const auto named = names_.find(argument);
    const std::string name = named != names_.end() ? named->second : argument;
    text += (text.empty() ? "" : "; ") + name + (name.empty() ? "" : " ") +
            std::string(each.find("message").text());
  }
  if (!text.empty()) error.message = with_full_stop(text);
  return error;
}

Result<Unit> ToolCaller::resolve_paths(const std::vector<std::string>& typed,
                                       std::optional<std::vector<Path>>& out) {
  if (typed.empty()) return Unit{};
  const Result<std::string>& workspace = app().workspace_folder();
  if (!workspace) return workspace.error();
  const std::string here = folder_within(*workspace).value_or("");
  std::vector<Path> paths;
  for (const std::string& each : typed) {
    std::error_code failed;
    if (each.starts_with(core::base64_prefix) &&
        !std::filesystem::exists(std::filesystem::symlink_status(*workspace + "/" + here + each, failed))) {
      paths.push_back(each);
      continue;
    }
    std::filesystem::path path(each);
    if (path.is_absolute())
      path = seen_from(*workspace, path);
    else
      path = (here + each);
    std::string text = path.lexically_normal().string();
    while (text.size() > 1 && text.ends_with('/')) text.pop_back();
    if (text.empty() || text == ".." || text.starts_with("../"))
      return Error(ErrorCode::invalid_argument, printable(each) + " is not in the workspace " + *workspace +
                                                    ". Name a path in it, or pass --workspace.");
    paths.push_back(core::text_of_path(text == "." ? "" : text));
  }
  out = std::move(paths);
  return Unit{};
}

}  // namespace snapgen::tools
