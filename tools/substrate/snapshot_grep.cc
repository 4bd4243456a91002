#include "schemas/substrate/snapshot_grep.h"

#include "runtime/base/enum_cast.h"
#include "tools/engine/base/encoding.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

Result<core::GrepQuery> grep_query(const SnapshotGrepInput& in) {
  core::GrepQuery query{.pattern = in.pattern,
                        .fixed = in.fixed,
                        .ignore_case = in.ignore_case,
                        .globs = in.globs.value_or(std::vector<std::string>()),
                        .context = static_cast<std::size_t>(in.context),
                        .files_max = static_cast<std::size_t>(in.max_files),
                        .matches_max = static_cast<std::size_t>(in.max_matches),
                        .output = enum_cast<core::GrepOutput>(in.output)};
  if (in.paths) {
    query.paths = TRY(core::paths_of_texts(*in.paths));
  }
  return query;
}

SnapshotGrepOutput grep_output(core::ReadAnswer<core::GrepAnswer> answer, const core::GrepQuery& query) {
  auto fill = [&](auto& out) {
    for (const core::GrepMatch& match : answer.value.matches) {
      SnapshotGrepMatch& line = out.matches.emplace_back();
      line.col = match.column;
      if (!match.more_columns.empty()) {
        std::vector<std::int64_t>& columns = line.cols.emplace({match.column});
        columns.insert(columns.end(), match.more_columns.begin(), match.more_columns.end());
      }
      line.encoding = to_schema(match.encoding);
      line.line = match.line;
      line.path = core::text_of_path(match.path);
      line.text = core::text_of_bytes(match.text);
      if (query.context == 0) continue;
      line.before = texts_as_arguments(match.before);
      line.after = texts_as_arguments(match.after);
    }
    if (query.output != core::GrepOutput::lines) {
      std::vector<SnapshotGrepFile>& files = out.files.emplace();
      for (const core::GrepFile& file : answer.value.files) {
        files.push_back({.lines = {}, .path = core::text_of_path(file.path)});
        if (query.output == core::GrepOutput::count) files.back().lines = file.line_count;
      }
    }
    out.files_searched = answer.value.files_searched;
    out.skipped = to_schema(answer.value.skipped);
    out.truncated = answer.value.truncated;
  };
  return hybrid_output<SnapshotGrepImmutable, SnapshotGrepWorktree, SnapshotGrepOutput>(
      std::move(answer.lease), fill);
}

}  // namespace

Task<SnapshotGrepOutput> snapshot_grep(App& app, mcp::Call& call, const SnapshotGrepInput& in) {
  core::GrepQuery query = co_await grep_query(in);
  core::ReadSource source = co_await read_source(in.mode, in.snapshot_id, in.lease_id);
  auto job = [&]() -> Result<SnapshotGrepOutput> {
    core::Workspace* const workspace = TRY(app.workspace());
    core::ReadAnswer<core::GrepAnswer> answer = TRY(core::grep(*workspace, source, query, call.stop()));
    return grep_output(std::move(answer), query);
  };
  Result<SnapshotGrepOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  co_return outcome;
}

}  // namespace snapgen::tools
