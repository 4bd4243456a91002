#pragma once
// ToolCaller: calls tools from the command line in this process, with the same settings, rate limits and log
// as a host's calls over MCP. It may write the settings that no tool may write. Tools of every tier may be
// called, and calls have no deadline. Ctrl-C cancels a call and waits for it; a second Ctrl-C ends the
// process.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/async/task.h"
#include "runtime/base/result.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/linefmt/line.h"
#include "runtime/mcp/call.h"
#include "runtime/mcp/server.h"
#include "runtime/uv/uv_port.h"
#include "schemas/common/path.h"
#include "schemas/lines.h"
#include "tools/cli/command.h"
#include "tools/server/assembly.h"

namespace snapgen::mcp {
class Context;
}

namespace snapgen::tools {

// The answer of a tool whose call succeeded.
struct ToolAnswer {
  std::string structured;  // JSON text; empty if the tool returns only text.
  std::string text;        // The text of the first content block.
  std::string summary;     // The text of the second content block; may be empty.
};

// Parses the structured content of an answer. Errors: internal (it does not conform to the schema).
template <class T>
Result<T> parse_structured(const ToolAnswer& answer) {
  json::Reader in(answer.structured);
  T out;
  read(in, out);
  in.end();
  if (!in.ok())
    return Error(ErrorCode::internal,
                 "The tool's answer does not match its schema. This is a fault of snapgen; report it with "
                 "the command.");
  return out;
}

// The decoded answer of a tool that returns a wire line.
struct WireAnswer {
  lines::Line line;
  std::string summary;
  std::string json;  // The fields by name: {"line":"R","files":3,"restored":[...],"status":"OK","text":...}.
};

// Decodes the line and the summary of `answer`, as a client does. Errors: those of `answer`, with the fields
// of its line in `details`; invalid_argument (no line).
Result<WireAnswer> decoded_line(Result<ToolAnswer> answer);

// Does as decoded_line(), for a line that was made in this process.
template <class Line>
Result<WireAnswer> to_wire_answer(const Line& line, std::string_view summary) {
  return decoded_line(
      ToolAnswer{.structured = {},
                 .text = linefmt::with_summary(lines::encode(line, linefmt::Mode::labeled), summary),
                 .summary = {}});
}

// Returns an error if an argument of the command line, which can have any bytes, is not UTF-8. Errors:
// invalid_argument.
Result<Unit> check_is_utf8(std::string_view argument);

// Assembles the tools for the chosen workspace, and lists those of `profile`. Errors: as Assembly::make().
Result<std::unique_ptr<Assembly>> make_assembly(const Invocation& invocation,
                                                const std::string& profile = "full");

class ToolCaller {
 public:
  // Opens the tools of the chosen workspace. Errors: as Assembly::make(); unavailable (no descriptors left).
  static Result<std::unique_ptr<ToolCaller>> open(const Invocation& invocation);
  ToolCaller(ToolCaller&&) = delete;
  ~ToolCaller();

  App& app() { return assembly_->app(); }
  const Settings& settings() const { return assembly_->settings(); }
  // Returns a token that Ctrl-C stops.
  std::stop_token stop() const { return stop_.get_token(); }

  // Calls a tool. `tool` is its name with dots, and `arguments` one JSON object. After a second, a terminal
  // shows the progress. Errors: the tool's error, with its structured content in `details`; cancelled.
  Result<ToolAnswer> call(std::string_view tool, std::string_view arguments);
  template <class Input>
  Result<ToolAnswer> call(std::string_view tool, const Input& input) {
    return call(tool, std::string_view(json::to_json(input)));
  }
  // Calls a tool that returns a wire line. Errors: as call(), with the fields of the line in `details`.
  template <class Input>
  Result<WireAnswer> call_for_line(std::string_view tool, const Input& input) {
    return decoded_line(call(tool, input));
  }

  // Runs work that a wire tool also does, as a call of that tool: with its tier, its rate limit and a line in
  // the log. Errors: as call_for_line().
  template <class T>
  Result<T> run(std::string_view tool, const std::function<Task<T>(App&, mcp::Call&)>& work) {
    std::optional<T> made;
    const GuardedTools::Work storing = [&](App& app, mcp::Call& call) {
      Task<T> running = work(app, call);
      return store(std::move(running), made);
    };
    TRY(run_work(tool, storing));
    return *std::move(made);
  }

  // Reads a JSON resource as a struct. Errors: those of the resource.
  template <class T>
  Result<T> read_resource(const std::string& uri) {
    ToolAnswer answer = TRY(read_resource_text(uri));
    return parse_structured<T>(answer);
  }

  // Sets the command line's names for the tool's arguments, such as {"against": "FROM"}, for error messages.
  void set_argument_names(std::map<std::string, std::string, std::less<>> names) {
    names_ = std::move(names);
  }

  // Converts typed paths to paths relative to the workspace. A typed path is relative to the current folder,
  // or to the workspace if the current folder is outside; base64:... is always relative to the workspace.
  // Without typed paths, `out` is unchanged. Errors: invalid_argument (outside of the workspace).
  Result<Unit> resolve_paths(const std::vector<std::string>& typed, std::optional<std::vector<Path>>& out);

 private:
  explicit ToolCaller(const Invocation& invocation) : error_output_(invocation.error_output) {}
  Result<ToolAnswer> read_resource_text(const std::string& uri);
  Error with_command_line_names(Error error) const;

  // A function that calls a tool through GuardedTools, and appends the members of its result.
  using ToolCall = std::function<Task<Unit>(mcp::Call&, std::string& result)>;

  template <class T>
  static Task<Unit> store(Task<T> running, std::optional<T>& made) {
    Result<T> outcome = co_await std::move(running);
    if (!outcome) co_return std::move(outcome).error();
    made = *std::move(outcome);
    co_return Unit{};
  }
  Result<Unit> run_work(std::string_view tool, const GuardedTools::Work& work);
  Result<const mcp::Tool*> tool_named(std::string_view name);
  // Does the call and reads its result. If the result has no members, the answer is empty.
  Result<ToolAnswer> answer_of(const mcp::Tool& tool, const ToolCall& tool_call);
  Task<Unit> call_and_wait(const mcp::Tool& tool, const ToolCall& tool_call, ProgressLine& progress,
                           std::string& result);

  Terminal error_output_;
  std::map<std::string, std::string, std::less<>> names_;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<UvPort> port_;
  std::unique_ptr<mcp::Server> server_;
  std::unique_ptr<Loop> loop_;
  std::stop_source stop_;
};

}  // namespace snapgen::tools
