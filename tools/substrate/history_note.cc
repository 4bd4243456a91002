#include "schemas/substrate/history_note.h"

#include "tools/engine/base/utc.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/store/history/host_event.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

// A host may block the user's work if its hook fails, so failures are only logged.
Result<mcp::Text> note_event(App& app, const HistoryNoteInput& in, const std::stop_token&) {
  const core::HostEvent event{.kind = *core::host_event_kind_named(text(in.kind)),
                              .at_ms = core::now_ms(),
                              .host = in.host,
                              .session = in.session,
                              .turn = in.turn,
                              .call = in.call,
                              .tool = in.tool,
                              .detail = in.detail};
  const Result<core::MomentTaker*> taker = app.history();
  const Result<Unit> appended = taker ? (*taker)->log().append(event) : Result<Unit>(taker.error());
  if (!appended) app.log.write(Severity::info, "history.note: " + appended.error().message);
  return mcp::Text{"{}"};
}

}  // namespace

Task<mcp::Text> history_note(App& app, mcp::Call& call, const HistoryNoteInput& in) {
  return offload_and_log(app, call, in, note_event);
}

}  // namespace snapgen::tools
