#include "schemas/wire/snap_learn.h"

#include "runtime/base/enum_cast.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/wire/common.h"
#include "tools/work/memory/memory.h"

namespace snapgen::tools {
namespace {

Result<mcp::Text> run_learn(App& app, const SnapLearnInput& in, const std::stop_token&) {
  Result<core::Workspace*> workspace = app.workspace();
  if (!workspace) return with_failure_details(std::move(workspace).error(), std::nullopt, in.compact);
  Result<core::LearningStore*> memory = app.learning_store();
  if (!memory) return with_failure_details(std::move(memory).error(), std::nullopt, in.compact);
  core::Learning learning{.kind = enum_cast<core::LearningKind>(in.type),
                          .trigger = in.trigger,
                          .action = in.action,
                          .at_ms = now_of(**workspace) / 1'000'000};
  Result<core::RecordedLearning> recorded = (*memory)->record_learning(std::move(learning));
  if (!recorded) return with_failure_details(std::move(recorded).error(), std::nullopt, in.compact);
  const core::Learning& stored = recorded->learning;
  const lines::LearningLine line{
      .status = lines::Verdict::ok, .id = stored.id, .type = enum_cast<lines::LearningType>(in.type)};
  std::string summary = recorded->is_known ? "Learning recorded again: \"" : "Learning captured: \"";
  summary += shortened(stored.trigger, 120) + "\" → " + shortened(stored.action, 160);
  if (recorded->is_redacted) summary.append(". ").append(core::redacted_sentence);
  return answer(line, in.compact, summary);
}

}  // namespace

Task<mcp::Text> snap_learn(App& app, mcp::Call& call, const SnapLearnInput& in) {
  return run_on_pool(app, call, in, run_learn);
}

}  // namespace snapgen::tools
