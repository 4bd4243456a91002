#pragma once
// ToolCaller: calls tools from the command line in this process, with the same settings, rate limits and log
// as a host's calls over MCP. It may write the settings that no tool may write. Tools of every tier may be
// called, and calls have no deadline. Ctrl-C cancels a call and waits for it; a second Ctrl-C ends the
// process.
#include <cassert>
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
#include "runtime/json/rules.h"
#include "runtime/json/values.h"
#include "runtime/mcp/answer_renderer.h"
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
template <class Output>
struct ToolAnswer {
  Output output;
  std::string summary;  // May be empty.

  // Returns the output as a client receives it.
  std::string json() const { return json::to_json(output); }
};

// Receives the error of one call.
class AnswerReceiver : public mcp::AnswerRenderer {
 public:
  void append_error(const Error& error, mcp::ErrorWriter write_error, std::string& result) override;
  // Returns nullopt if the call succeeded.
  const std::optional<Error>& error() const { return error_; }
  // Returns the text that a client gets for the error.
  const std::string& error_text() const { return error_text_; }

 protected:
  ~AnswerReceiver() = default;

 private:
  std::optional<Error> error_;
  std::string error_text_;
};

// Receives the error or the typed output of one call.
template <class Output>
class OutputReceiver final : public AnswerReceiver {
 public:
  void append_output(const mcp::TypedAnswer& answer, std::string&) override {
    Output* const output = answer.output_as<Output>();
    assert(output != nullptr);  // The command names the output of the tool that it calls.
    answer_ = {.output = std::move(*output), .summary = std::string(answer.summary())};
  }
  ToolAnswer<Output> take() && { return std::move(answer_); }

 private:
  ToolAnswer<Output> answer_;
};

// Returns the fields of a wire line and its summary as JSON:
// {"line":"R","files":3,"restored":[...],"status":"OK","text":...}
std::string json_of_line(const lines::Line& line, std::string_view summary);

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

  // Calls the tool of this input, whose output must be an Output. After a second, a terminal shows the
  // progress. Errors: the tool's error, with the text that a client gets in `details`; cancelled.
  template <class Output, class Input>
  Result<ToolAnswer<Output>> call(const Input& input) {
    OutputReceiver<Output> receiver;
    TRY(call_with_json(tool_name(input), json::to_json(input), receiver));
    return std::move(receiver).take();
  }

  // Runs work that a wire tool also does, as a call of that tool: with its tier, its rate limit and a line in
  // the log. Errors: those of the work, with the fields of the tool's line in `details`; cancelled.
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
  Error with_command_line_names(Error error) const;

  // A function that calls a tool through GuardedTools.
  using ToolCall = std::function<Task<Unit>(mcp::Call&)>;

  template <class T>
  static Task<Unit> store(Task<T> running, std::optional<T>& made) {
    Result<T> outcome = co_await std::move(running);
    if (!outcome) co_return std::move(outcome).error();
    made = *std::move(outcome);
    co_return Unit{};
  }
  Result<Unit> run_work(std::string_view tool, const GuardedTools::Work& work);
  Result<const mcp::Tool*> tool_named(std::string_view name);
  Result<Unit> call_with_json(std::string_view tool, std::string_view arguments, AnswerReceiver& receiver);
  // Does the call, whose error `receiver` gets, and returns that error.
  Result<Unit> finish(const mcp::Tool& tool, const ToolCall& tool_call, AnswerReceiver& receiver);
  Task<Unit> call_and_wait(const mcp::Tool& tool, const ToolCall& tool_call, ProgressLine& progress);

  Terminal error_output_;
  std::map<std::string, std::string, std::less<>> names_;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<UvPort> port_;
  std::unique_ptr<mcp::Server> server_;
  std::unique_ptr<Loop> loop_;
  std::stop_source stop_;
};

}  // namespace snapgen::tools
