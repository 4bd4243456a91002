#include "schemas/wire/snap_learn.h"

#include "tools/engine/workspace/workspace.h"
#include "tools/wire/common.h"
#include "tools/work/memory/memory.h"

namespace snapgen::tools {
namespace {

Result<mcp::Text> learn(App& app, const SnapLearnInput& in) {
  Result<core::Workspace*> workspace = app.workspace();
  if (!workspace) return as_failure(std::move(workspace).error(), std::nullopt, in.compact);
  Result<core::Memory*> memory = app.memory();
  if (!memory) return as_failure(std::move(memory).error(), std::nullopt, in.compact);
  core::Learning learning{.kind = static_cast<core::LearningKind>(in.type),
                          .trigger = in.trigger,
                          .action = in.action,
                          .at_ms = (*workspace)->now() / 1'000'000};
  Result<std::string> id = (*memory)->learn(std::move(learning));
  if (!id) return as_failure(std::move(id).error(), std::nullopt, in.compact);
  const lines::LearningLine line{
      .status = lines::Verdict::ok, .id = *std::move(id), .type = static_cast<lines::LearningType>(in.type)};
  return answer(line, in.compact,
                "Learning captured: \"" + shortened(in.trigger, 120) + "\" → " + shortened(in.action, 160));
}

}  // namespace

Task<mcp::Text> snap_learn(App& app, mcp::Call& call, const SnapLearnInput& in) {
  auto job = [&] { return learn(app, in); };
  Result<mcp::Text> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
