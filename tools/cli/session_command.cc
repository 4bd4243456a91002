#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include "schemas/facade/snapback_session.h"
#include "schemas/substrate/snapshot_create.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/facade_words.h"
#include "tools/cli/path_words.h"
#include "tools/cli/snapshot_words.h"
#include "tools/engine/base/phrase.h"
#include "tools/work/task/task_store.h"

namespace snapgen::tools {
namespace {

constexpr const char* none_is_open = "No session is open. Start one with snap session start.";

struct SessionOptions {
  std::string task;
  std::string task_id;
  std::string outcome = "completed";
  std::string message;
  std::vector<std::string> files;
  std::vector<std::string> keywords;
  std::vector<std::string> learnings;
};

bool has_no_open_task(App& app) {
  Result<core::Workspace*> workspace = app.workspace();
  return workspace && core::TaskStore(core::record_folders_of(**workspace)).all_open_tasks().empty();
}

std::string lines_of(const SnapbackSessionOutputData& data) {
  std::string out = core::count_with_noun(data.changed_files.value_or(0), "file") + ", +" +
                    std::to_string(data.added_lines.value_or(0)) + " -" +
                    std::to_string(data.removed_lines.value_or(0)) + " lines";
  return data.truncated.value_or(false) ? out + " (not all could be counted)" : out;
}

std::string titled_list(const std::string& title, const std::optional<std::vector<std::string>>& items,
                        const Terminal& out) {
  if (!items || items->empty()) return "";
  AlignedRows rows;
  for (const std::string& each : *items) rows.add({{displayed_path(each)}});
  return title + "\n" + rows.text(out, 2);
}

std::string words_of_patterns(const SnapbackSessionOutputData& data, const Terminal& out) {
  if (!data.patterns || data.patterns->empty()) return "";
  AlignedRows rows;
  for (const SnapbackSessionOutputDataPatternsItem& each : *data.patterns)
    rows.add({{std::to_string(each.count) + " times", Colour::plain, true},
              {each.type, Colour::yellow},
              {each.prevention.value_or("")}});
  return "goes wrong often\n" + rows.text(out, 2);
}

std::string session_text(const SnapbackSessionOutput& output, const Terminal& out) {
  const SnapbackSessionOutputData& data = output.data;
  Facts facts;
  if (data.task_id)
    facts.emplace_back("task", *data.task_id + (data.task ? "  " + printable(*data.task) : ""));
  if (data.snapshot_id)
    facts.emplace_back("snapshot",
                       core::short_snapshot_id(*data.snapshot_id) +
                           (data.reused.value_or(false) ? " (nothing had changed since it was taken)" : ""));
  if (data.outcome) facts.emplace_back("outcome", std::string(text(*data.outcome)));
  if (data.duration_ms) facts.emplace_back("took", duration_text(*data.duration_ms));
  if (data.changed_files) facts.emplace_back("changed", lines_of(data));
  if (data.learned) facts.emplace_back("learned", core::count_with_noun(*data.learned, "learning"));
  if (data.open_tasks) facts.emplace_back("open", core::count_with_noun(*data.open_tasks, "task"));
  std::string text = facts_text(facts, out) + health_in_words(output.session, out) + "\n";
  if (data.learnings) text += learnings_in_words(*data.learnings, out);
  text += words_of_patterns(data, out);
  text += titled_list("tests that the change reaches", data.tests, out);
  text += titled_list("not in any snapshot", data.unprotected, out);
  if (out.is_terminal) text += actions_in_words(output.next_actions, out);
  return text;
}

Result<int> run_session(const Invocation& invocation, const SessionOptions& options, SessionOp op) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  SnapbackSessionInput input{.op = op};
  caller->set_argument_names({{"files", "--file"},
                              {"keywords", "--keyword"},
                              {"learnings", "--learned"},
                              {"task", "TASK"},
                              {"task_id", "--task"}});
  TRY(caller->resolve_paths(options.files, input.files));
  if (!options.keywords.empty()) input.keywords = options.keywords;
  if (!options.learnings.empty()) input.learnings = options.learnings;
  if (!options.task.empty()) input.task = options.task;
  if (!options.task_id.empty()) input.task_id = options.task_id;
  if (options.outcome == "abandoned") input.outcome = SnapbackSessionInputOutcome::abandoned;
  if (options.outcome == "blocked") input.outcome = SnapbackSessionInputOutcome::blocked;
  Result<ToolAnswer<SnapbackSessionOutput>> made = caller->call<SnapbackSessionOutput>(input);
  const bool none_open = !made && made.error().code == ErrorCode::not_found && options.task_id.empty() &&
                         has_no_open_task(caller->app());
  if (none_open) {
    made.error().message = none_is_open;
    made.error().cause.clear();  // The hint is about the tool's arguments.
  }
  if (!made) return std::move(made).error();
  return print_answer(invocation, made->json(), session_text(made->output, invocation.out));
}

// Takes a snapshot of the whole workspace; its message has the task.
Result<int> checkpoint(const Invocation& invocation, const SessionOptions& options) {
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  core::Workspace* workspace = TRY(caller->app().workspace());
  const core::TaskStore tasks(core::record_folders_of(*workspace));
  Result<core::Task> task =
      tasks.find_open_task(options.task_id.empty() ? std::nullopt : std::optional(options.task_id));
  if (!task && tasks.all_open_tasks().empty()) return Error(ErrorCode::not_found, none_is_open);
  if (!task) return std::move(task).error();
  caller->set_argument_names({{"message", "--message"}});
  const std::string about = options.message.empty() ? task->title : options.message;
  const SnapshotCreateInput input{.message = "checkpoint of " + task->id + ": " + about,
                                  .paths = std::vector<Path>{"."}};
  ToolAnswer<SnapshotCreateOutput> made = TRY(caller->call<SnapshotCreateOutput>(input));
  const auto& created = std::get<SnapshotCreated>(made.output);
  return print_answer(invocation, made.json(),
                      facts_text({{"task", task->id + "  " + printable(task->title)},
                                  {"snapshot", core::short_snapshot_id(created.snapshot_id) + "  " +
                                                   size_in_words(created.manifest_stats)}},
                                 invocation.out));
}

CLI::App& add(CLI::App& session, Invocation& invocation, const CommandText& text,
              const std::shared_ptr<SessionOptions>& options, SessionOp op) {
  return add_command(session, invocation, text,
                     [options, op](const Invocation& parsed) { return run_session(parsed, *options, op); });
}

void add_task_id(CLI::App& command, const std::shared_ptr<SessionOptions>& options) {
  command.add_option("--task", options->task_id, "The id of the task. Default: the only open task.")
      ->type_name("ID");
}

}  // namespace

void add_session_commands(CLI::App& program, Invocation& invocation) {
  CLI::App& session =
      add_group(program, "session", "Start, inspect and end tasks; AI hosts use the same tasks.");
  auto options = std::make_shared<SessionOptions>();
  CLI::App& start =
      add(session, invocation,
          {.name = "start",
           .description = "Start a task, with a snapshot of the workspace and the learnings that match.",
           .examples = {{"snap session start 'fix the login' --file src/auth.ts --keyword jwt", ""}}},
          options, SessionOp::start);
  start.add_option("TASK", options->task, "The task, in a few words.")->required();
  start.add_option("--file", options->files, "A file that will be changed; can be given several times.")
      ->type_name("PATH")
      ->allow_extra_args(false);
  start.add_option("--keyword", options->keywords, "A keyword for learnings; can be given several times.")
      ->type_name("WORD")
      ->allow_extra_args(false);
  add(session, invocation,
      {.name = "recommendations",
       .description = "Show matching learnings, frequent violations, and the tests to run.",
       .examples = {{"snap session recommendations", ""}}},
      options, SessionOp::recommendations);
  CLI::App& stats = add(
      session, invocation,
      {.name = "stats",
       .description = "Show what was done since the task began.",
       .examples = {{"snap session stats", ""}, {"snap session stats --json | jq .data.changed_files", ""}}},
      options, SessionOp::stats);
  add_task_id(stats, options);
  CLI::App& check = add_command(session, invocation,
                                {.name = "checkpoint",
                                 .description = "Take a snapshot of the workspace that names the task.",
                                 .examples = {{"snap session checkpoint -m 'tests pass again'", ""}}},
                                [options](const Invocation& parsed) { return checkpoint(parsed, *options); });
  check
      .add_option("-m,--message", options->message,
                  "What was achieved. Default: the description of the task.")
      ->type_name("TEXT");
  add_task_id(check, options);
  CLI::App& end = add(session, invocation,
                      {.name = "end",
                       .description = "End the task and record what was learned.",
                       .examples = {{"snap session end --learned 'check the audience of a jwt'", ""},
                                    {"snap session end --outcome blocked", ""}}},
                      options, SessionOp::end);
  end.add_option("--outcome", options->outcome, "The outcome of the task.")
      ->check(CLI::IsMember({"completed", "abandoned", "blocked"}))
      ->type_name("completed|abandoned|blocked")
      ->capture_default_str();
  end.add_option("--learned", options->learnings, "A learning, as one sentence; can be given several times.")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  add_task_id(end, options);
}

}  // namespace snapgen::tools
