#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include "runtime/base/visible.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/mcp/render.h"
#include "schemas/facade/snapback_learn.h"
#include "schemas/tool_names.h"
#include "schemas/wire/snap_violation.h"
#include "tools/app/violation_work.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"
#include "tools/work/memory/memory.h"

namespace snapgen::tools {
namespace {

struct LearnOptions {
  std::string trigger;
  std::string action;
  std::string type = "discovery";
  std::vector<std::string> files;
  std::vector<std::string> keywords;
};

Result<int> learn(const Invocation& invocation, const LearnOptions& options) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  SnapbackLearnInput input{.action = options.action, .trigger = options.trigger};
  constexpr std::array types = {LearningType::pattern, LearningType::pitfall, LearningType::efficiency,
                                LearningType::discovery, LearningType::workflow};
  for (const LearningType each : types)
    if (text(each) == options.type) input.type = each;
  if (!options.keywords.empty()) input.keywords = options.keywords;
  caller->set_argument_names(
      {{"action", "WHAT"}, {"files", "--file"}, {"keywords", "--keyword"}, {"trigger", "WHEN"}});
  TRY(caller->resolve_paths(options.files, input.files));
  ToolAnswer<SnapbackLearnOutput> made = TRY(caller->call<SnapbackLearnOutput>(input));
  AlignedRows rows;
  for (const Learned& each : made.output.data.learnings)
    rows.add({{each.id, Colour::yellow},
              {std::string(text(each.type)), Colour::cyan},
              {each.trigger.empty() ? each.action : each.trigger + ": " + each.action}});
  return print_answer(invocation, made.json(), rows.text(invocation.out));
}

// Does as the tool snap_violation: first the tool's checks of the arguments.
Task<ViolationAnswer> violation_work(App& app, mcp::Call& call, const SnapViolationInput& input) {
  const std::string arguments = json::to_json(input);
  json::Reader in(arguments);
  SnapViolationInput checked;
  tools::read(in, checked);
  in.end();
  if (!in.ok()) co_return mcp::invalid_arguments(in);
  auto job = [&] { return record_violation(app, checked); };
  Result<ViolationAnswer> outcome = co_await call.offload(job);
  co_return outcome;
}

struct ViolationOptions {
  std::string type;
  std::string description;
  std::string file;
  std::string prevention;
  std::string task_id;
};

Result<int> violation(const Invocation& invocation, const ViolationOptions& options) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  SnapViolationInput input{.type = options.type, .description = options.description};
  if (!options.prevention.empty()) input.prevention = options.prevention;
  if (!options.task_id.empty()) input.task_id = options.task_id;
  caller->set_argument_names({{"description", "WHAT"},
                              {"file", "--file"},
                              {"prevention", "--prevention"},
                              {"taskId", "--task"},
                              {"type", "TYPE"}});
  std::optional<std::vector<Path>> file;
  if (!options.file.empty()) {
    TRY(caller->resolve_paths({options.file}, file));
    input.file = std::move(file->front());
  }
  TRY(check_is_utf8(json::to_json(input)));
  const auto work = [&](App& app, mcp::Call& call) { return violation_work(app, call, input); };
  ViolationAnswer made = TRY(caller->run<ViolationAnswer>(tool_names::snap_violation, work));
  const std::string summary = visible(made.summary);
  return print_answer(invocation, json_of_line(made.line, summary), printable(summary) + "\n");
}

Result<int> forget(const Invocation& invocation, const std::string& record) {
  std::unique_ptr<Assembly> assembly = TRY(make_assembly(invocation));
  core::LearningStore* const store = TRY(assembly->app().learning_store());
  core::Withdrawn withdrawn = TRY(store->withdraw({.of = record, .at_ms = core::now_ms()}));
  const bool is_learning = !withdrawn.action.empty();
  core::JsonObject json;
  json.add_if_any("action", withdrawn.action).add("forgotten", record);
  if (!is_learning) json.add("violations", withdrawn.violations);
  return print_answer(invocation, json.finish(),
                      "Forgotten: " +
                          (is_learning ? printable(withdrawn.action)
                                       : core::count_with_noun(withdrawn.violations, "violation") + " of " +
                                             printable(record)) +
                          "\n");
}

}  // namespace

void add_learn_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<LearnOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "learn",
       .description = "Record a learning for later work: a situation, and what to do in it.",
       .examples = {{"snap learn 'auto-snapshot cooldown' 'set the cooldown after success' --type pitfall",
                     ""},
                    {"snap learn 'login fails' 'check the clock first' --file src/auth.ts", ""}}},
      [options](const Invocation& parsed) { return learn(parsed, *options); });
  command.add_option("WHEN", options->trigger, "The situation.")->required();
  command.add_option("WHAT", options->action, "What to do in it.")->required();
  command.add_option("--type", options->type, "The kind of learning.")
      ->check(CLI::IsMember({"pattern", "pitfall", "efficiency", "discovery", "workflow"}))
      ->type_name("KIND")
      ->capture_default_str();
  command.add_option("--file", options->files, "A file that it applies to; can be given several times.")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command.add_option("--keyword", options->keywords, "A keyword for searching; can be given several times.")
      ->type_name("WORD")
      ->allow_extra_args(false);
}

void add_violation_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<ViolationOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "violation",
       .description =
           "Record that a rule was broken. After three times it is a pattern that later tasks show, "
           "after five times an error of snap check, if it can detect the rule; else it is a reminder.",
       .examples =
           {{"snap violation silent_catch 'swallowed an error' --file src/auth.ts --prevention 'log it'",
             ""}}},
      [options](const Invocation& parsed) { return violation(parsed, *options); });
  command.add_option("TYPE", options->type, "A short key: silent_catch.")->required();
  command.add_option("WHAT", options->description, "What happened.")->required();
  command.add_option("--file", options->file, "Where.")->type_name("PATH");
  command.add_option("--prevention", options->prevention, "How to prevent it.")->type_name("TEXT");
  command.add_option("--task", options->task_id, "The task in which it happened.")->type_name("ID");
}

void add_forget_command(CLI::App& program, Invocation& invocation) {
  auto record = std::make_shared<std::string>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "forget",
       .description = "Withdraw a wrong learning, or all violations of a type, in all work trees of the "
                      "repository. It can be recorded again.",
       .examples = {{"snap forget learn_k3x7q2ab", "a learning"},
                    {"snap forget silent_catch", "all violations of this type"}}},
      [record](const Invocation& parsed) { return forget(parsed, *record); });
  command.add_option("RECORD", *record, "The id of a learning, or the type of violations.")->required();
}

}  // namespace snapgen::tools
