#include "schemas/substrate/snapshot_grep.h"

#include "tools/engine/base/encoding.h"
#include "tools/engine/read/grep.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

Result<SnapshotGrepOutput> search(App& app, const SnapshotGrepInput& in, const std::stop_token& stop) {
  core::GrepQuery query{.pattern = in.pattern,
                        .fixed = in.fixed,
                        .ignore_case = in.ignore_case,
                        .globs = in.globs.value_or(std::vector<std::string>()),
                        .context = static_cast<std::size_t>(in.context),
                        .files_max = static_cast<std::size_t>(in.max_files),
                        .matches_max = static_cast<std::size_t>(in.max_matches)};
  if (in.paths) {
    query.paths = TRY(core::paths_of_texts(*in.paths));
  }
  auto read = [&](core::View& view) { return core::grep(view, query); };
  auto fill = [&](const core::GrepAnswer& answer, auto& out) {
    for (const core::GrepMatch& match : answer.matches) {
      SnapshotGrepMatch& line = out.matches.emplace_back();
      line.col = match.column;
      line.line = match.line;
      line.path = core::text_of_path(match.path);
      line.text = core::text_of_bytes(match.text);
      if (query.context == 0) continue;
      line.before = shown_texts(match.before);
      line.after = shown_texts(match.after);
    }
    out.files_searched = answer.files_searched;
    out.skipped = to_schema(answer.skipped);
    out.truncated = answer.truncated;
  };
  return answer_hybrid<SnapshotGrepImmutable, SnapshotGrepWorktree, SnapshotGrepOutput>(app, in, stop, read,
                                                                                        fill);
}

}  // namespace

Task<SnapshotGrepOutput> snapshot_grep(App& app, mcp::Call& call, const SnapshotGrepInput& in) {
  auto job = [&] { return search(app, in, call.stop()); };
  Result<SnapshotGrepOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  co_return outcome;
}

}  // namespace snapgen::tools
