#include "schemas/wire/snap_end.h"

#include <algorithm>

#include "runtime/json/writer.h"
#include "tools/core/task/task_store.h"
#include "tools/wire/common.h"

namespace snapgen::tools {
namespace {

// Canonical: keys in their order.
std::string survey_json(const SnapEndInputSurvey& survey) {
  std::string text;
  json::Writer out(text);
  auto add = [&](std::string_view key, const std::optional<double>& value) {
    if (!value) return;
    out.text(text.empty() ? "{" : ",");
    out.string(key);
    out.text(":");
    out.number(*value);
  };
  add("helpfulness", survey.helpfulness);
  add("patterns_used", survey.patterns_used);
  add("pitfalls_avoided", survey.pitfalls_avoided);
  add("unhelpful_count", survey.unhelpful_count);
  return text.empty() ? "{}" : text + "}";
}

std::string number(double value) {
  std::string text;
  json::Writer(text).number(value);
  return text;
}

Result<mcp::Text> end(App& app, const SnapEndInput& in, const std::stop_token& stop) {
  Result<core::Substrate*> opened = app.substrate();
  if (!opened) return std::move(opened).error();
  core::Substrate& substrate = **opened;
  Result<core::Memory*> memory = app.memory();
  if (!memory) return std::move(memory).error();
  const core::TaskStore tasks(substrate.root().folder());
  Result<core::Task> found = tasks.open_task(in.task_id);
  if (!found) return as_failure(std::move(found).error(), lines::Failure::no_task, in.compact);
  core::Task task = *std::move(found);

  // A task whose snapshot is gone can still be ended; nothing can be counted then.
  std::string uncounted;
  Result<std::shared_ptr<const core::Snapshot>> snapshot = substrate.snapshots().load(task.snapshot_id);
  if (snapshot) {
    Result<core::WorkDone> work = core::work_since(substrate, **snapshot, stop);
    if (!work) return std::move(work).error();
    task.changed_files = static_cast<std::int64_t>(work->files.size());
    task.added_lines = work->added;
    task.removed_lines = work->removed;
    if (work->truncated) uncounted = " Some files were too large or too many to be counted in full.";
    for (std::string& each : work->files)
      if (task.files.size() < 50 && std::find(task.files.begin(), task.files.end(), each) == task.files.end())
        task.files.push_back(std::move(each));
  } else {
    uncounted = " The task's snapshot is gone, so nothing could be counted.";
  }
  task.outcome = static_cast<core::TaskOutcome>(in.outcome);
  task.ended_ms = substrate.now() / 1'000'000;
  if (in.survey) task.survey = survey_json(*in.survey);
  for (const std::string& each : in.learnings.value_or(std::vector<std::string>())) {
    core::Learning learning{.kind = core::LearningKind::discovery,
                            .trigger = task.title,
                            .action = each,
                            .files = task.files,
                            .keywords = task.keywords,
                            .task_id = task.id,
                            .at_ms = task.ended_ms};
    Result<std::string> id = (*memory)->learn(std::move(learning));
    if (!id) return std::move(id).error();
    task.learning_ids.push_back(*std::move(id));
  }
  Result<Unit> ended = tasks.end(task);
  if (!ended && ended.error().code == ErrorCode::not_found)
    return as_failure(std::move(ended).error(), lines::Failure::no_task, in.compact);
  if (!ended) return std::move(ended).error();

  const std::string outcome(core::text(*task.outcome));
  const lines::EndLine line{.status = lines::Verdict::ok,
                            .learn = static_cast<std::int64_t>(task.learning_ids.size()),
                            .files = task.changed_files,
                            .added = task.added_lines,
                            .removed = task.removed_lines,
                            .summary = shortened(task.title, 80) + " " + outcome,
                            .survey = task.survey};
  std::string summary = "Task ended (" + outcome + "). " + counted(line.learn, "learning") +
                        " captured across " + counted(line.files, "file") + " (+" +
                        std::to_string(line.added) + "/-" + std::to_string(line.removed) + " lines)." +
                        uncounted;
  if (in.survey && in.survey->helpfulness)
    summary += " Helpfulness rated " + number(*in.survey->helpfulness) + "/5.";
  return answer(line, in.compact, summary);
}

Result<mcp::Text> run(App& app, const SnapEndInput& in, const std::stop_token& stop) {
  Result<mcp::Text> outcome = end(app, in, stop);
  if (outcome || !outcome.error().details.empty()) return outcome;
  return as_failure(std::move(outcome).error(), std::nullopt, in.compact);
}

}  // namespace

Task<mcp::Text> snap_end(App& app, mcp::Call& call, const SnapEndInput& in) {
  auto job = [&] { return run(app, in, call.stop()); };
  Result<mcp::Text> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
