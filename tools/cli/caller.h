#pragma once
// Caller: calls tools from the command line, in this process, as a host would over MCP: the same settings,
// rules of writing, tier, rate and log. A call has no deadline; Ctrl-C cancels it and waits for it, a second
// Ctrl-C ends the process.
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
#include "runtime/base/result.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
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

// What a tool answered that did not fail.
struct Answer {
  std::string structured;  // JSON; empty where the tool answers in words alone.
  std::string text;        // The first text.
  std::string summary;     // The text after that; may be empty.
};

// The structured answer as a struct. Errors: internal, which a test would have found.
template <class T>
Result<T> structured(const Answer& answer) {
  json::Reader in(answer.structured);
  T out;
  read(in, out);
  in.end();
  if (!in.ok()) return Error(ErrorCode::internal, "The tool's answer is not what its schema says.");
  return out;
}

// JSON, one line.
template <class T>
std::string json_of(const T& value) {
  std::string out;
  json::Writer writer(out);
  write(writer, value);
  return out;
}

// The same of a tool that answers with a line.
struct LineAnswer {
  lines::Line line;
  std::string summary;
  std::string json;  // {"line":"R","files":3,"restored":[...],"status":"OK","text":...}: its fields by name.
};

// What the settings of the chosen workspace put together. Errors: as Assembly::make().
Result<std::unique_ptr<Assembly>> assembly_of(const Chosen& chosen);

class Caller {
 public:
  // Errors: as Assembly::make(); unavailable (no descriptors left).
  static Result<std::unique_ptr<Caller>> open(const Chosen& chosen);
  Caller(Caller&&) = delete;
  ~Caller();

  App& app() { return assembly_->app(); }
  const Settings& settings() const { return assembly_->settings(); }
  // Requested by Ctrl-C.
  std::stop_token stop() const { return stop_.get_token(); }

  // `tool` by its dotted name; `arguments` one JSON object. While it runs longer than a second a terminal
  // shows how far it is. Errors: what the tool failed with, its structured answer in `details`; cancelled.
  Result<Answer> call(std::string_view tool, std::string_view arguments);
  template <class Input>
  Result<Answer> call(std::string_view tool, const Input& input) {
    return call(tool, std::string_view(json_of(input)));
  }
  // Of a tool that answers with a line. Errors: as call(), with the fields of its line in `details`.
  template <class Input>
  Result<LineAnswer> call_for_line(std::string_view tool, const Input& input) {
    return as_line(call(tool, input));
  }

  // A resource that is JSON, as a struct. Errors: those of the resource.
  template <class T>
  Result<T> read_resource(const std::string& uri) {
    Answer answer = TRY(read_resource_text(uri));
    return structured<T>(answer);
  }

  // `listener` hears what the next calls log beside their answers: one JSON value each.
  void tell_logs(std::function<void(std::string_view)> listener) { logs_ = std::move(listener); }

  // What the command line calls arguments of the tool, {"against": "FROM"}: by that a fault of one is told.
  void tell_names(std::map<std::string, std::string, std::less<>> names) { names_ = std::move(names); }

  // What was typed, as tools take it: from the workspace on. It is meant from the current folder, or from the
  // workspace if that is elsewhere; base64:..., as tools answer, from the workspace. Nothing typed leaves
  // `out` as it is. Errors: invalid_argument (outside of the workspace).
  Result<Unit> paths(const std::vector<std::string>& typed, std::optional<std::vector<Path>>& out);

 private:
  explicit Caller(const Chosen& chosen) : errors_(chosen.errors) {}
  Result<Answer> read_resource_text(const std::string& uri);
  Error by_names(Error error) const;

  static Result<LineAnswer> as_line(Result<Answer> answer);
  Task<Unit> call_and_wait(const mcp::Tool& tool, std::string_view arguments, Progress& progress,
                           std::string& result);

  Terminal errors_;
  std::function<void(std::string_view)> logs_;
  std::map<std::string, std::string, std::less<>> names_;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<UvPort> port_;
  std::unique_ptr<mcp::Server> server_;
  std::unique_ptr<Loop> loop_;
  std::stop_source stop_;
};

}  // namespace snapgen::tools
